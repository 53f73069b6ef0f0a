#include "ros/recording/snapshot.h"

#include <algorithm>
#include <set>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::ros {

namespace {

/// The names that a user asked to be recorded, and which of them were found.
class Wanted {
 public:
  explicit Wanted(const std::vector<std::string>& record) : record_(record), used_(record.size(), false) {}

  bool operator()(std::string_view group, std::string_view name, const std::string& longName = {}) {
    known_.emplace_back(name);
    bool wanted = record_.empty();
    for (std::size_t i = 0; i < record_.size(); ++i) {
      if (record_[i] != group && record_[i] != name && (longName.empty() || record_[i] != longName)) continue;
      used_[i] = true;
      wanted = true;
    }
    return wanted;
  }
  void refuseUnknown() const {
    // Words that every recorder knows, also where there is nothing of the kind, or no message for it.
    static const std::set<std::string> kGroups = {"robots", "objects", "sensors", "contacts", "wrenches"};
    for (std::size_t i = 0; i < record_.size(); ++i) {
      if (used_[i] || kGroups.contains(record_[i])) continue;
      const std::string near = didYouMean(record_[i], known_);
      throw Error(
          "nothing called '" + record_[i] + "' can be broadcast", {},
          (near.empty() ? "" : near + " ") + "record robots, objects, sensors, or robots, objects and sensors by name");
    }
  }

 private:
  const std::vector<std::string>& record_;
  std::vector<bool> used_;
  std::vector<std::string> known_;
};

}  // namespace

SnapshotSelection selectForBroadcast(const std::vector<std::string>& record, const SimulationView& view) {
  Wanted wanted(record);
  SnapshotSelection selection;
  const World& world = *view.world;
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    if (wanted("robots", world.robots[r].name)) selection.robots.push_back(r);
  for (std::size_t o = 0; o < view.objects.size(); ++o)
    if (wanted("objects", world.objects[o].name)) selection.objects.push_back(o);
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    for (std::size_t s = 0; s < view.robots[r].sensors.size(); ++s) {
      const SensorReading& reading = view.robots[r].sensors[s];
      if (wanted("sensors", reading.name, world.robots[r].name + "/" + std::string(reading.name)))
        selection.sensors.push_back({r, s, reading.camera != nullptr});
    }
  wanted.refuseUnknown();
  return selection;
}

Snapshot emptySnapshot(const SnapshotSelection& selection, const SimulationView& view) {
  Snapshot snapshot;
  for (const std::size_t r : selection.robots) {
    const RobotView& robot = view.robots[r];
    RobotSnapshot copy;
    copy.q = robot.state->q;
    copy.dq = robot.state->dq;
    copy.torques.assign(robot.driverTorques.begin(), robot.driverTorques.end());
    copy.commands.assign(robot.commands.begin(), robot.commands.end());
    snapshot.robots.push_back(std::move(copy));
  }
  snapshot.objects.resize(selection.objects.size());
  for (const SelectedSensor& sensor : selection.sensors)
    snapshot.sensors.emplace_back(view.robots[sensor.robot].sensors[sensor.index].values.size());
  snapshot.images.assign(selection.sensors.size(), false);
  return snapshot;
}

void copySnapshot(const SnapshotSelection& selection, const SimulationView& view, const std::vector<bool>& images,
                  Snapshot& snapshot) {
  snapshot.time = view.time;
  snapshot.gravity = view.gravity;
  for (std::size_t i = 0; i < selection.robots.size(); ++i) {
    const RobotView& robot = view.robots[selection.robots[i]];
    RobotSnapshot& copy = snapshot.robots[i];
    copy.q = robot.state->q;
    copy.dq = robot.state->dq;
    std::copy(robot.driverTorques.begin(), robot.driverTorques.end(), copy.torques.begin());
    std::copy(robot.commands.begin(), robot.commands.end(), copy.commands.begin());
  }
  for (std::size_t i = 0; i < selection.objects.size(); ++i)
    snapshot.objects[i] = view.objects[selection.objects[i]].X_WB;
  for (std::size_t i = 0; i < selection.sensors.size(); ++i) {
    const SelectedSensor& sensor = selection.sensors[i];
    snapshot.images[i] = images[i];
    if (sensor.camera && !images[i]) continue;
    const std::span<const double> values = view.robots[sensor.robot].sensors[sensor.index].values;
    std::copy(values.begin(), values.end(), snapshot.sensors[i].begin());
  }
}

}  // namespace mortise::ros
