#include "mortise/simulation/context/simulation_record.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/simulation/actuation/actuator.h"

namespace mortise {

namespace {

constexpr std::string_view kActive = "active";

/// The name of the active child as the controller's settings have it; its number where they do not.
std::string activeName(const Controller& controller, const std::string& part, double number) {
  const Value settings = controller.settings();
  const std::string key(kActive);
  const Value* value = settings.find(part.empty() ? key : part + "." + key);
  // A controller around a single other one may pass its settings on as they are.
  if (value == nullptr) value = settings.find(key);
  return value != nullptr && value->isString() ? value->asString() : formatReal(number);
}

}  // namespace

SimulationRecord::SimulationRecord(const World& world, bool motors)
    : world_(world), robots_(world.robots.size()), channelsSeen_(world.robots.size(), 0) {
  for (std::size_t r = 0; motors && r < robots_.size(); ++r)
    robots_[r].peaks.resize(static_cast<std::size_t>(world.robots[r].robot->numDrivers()));
}

void SimulationRecord::addCommands(int robot, std::span<const ActuatorCommand> commands, const VectorXd& q,
                                   double time) {
  RobotRecord& record = robots_[static_cast<std::size_t>(robot)];
  const Robot& model = *world_.robots[static_cast<std::size_t>(robot)].robot;
  ++record.updates;
  for (int i = 0; i < static_cast<int>(commands.size()); ++i) {
    const ActuatorCommand& command = commands[static_cast<std::size_t>(i)];
    if (command.mode != ActuatorCommand::Mode::pid) continue;
    const double error = std::abs(driverDifference(model, i, command.position, driverValue(model, i, q)));
    if (record.trackingDriver >= 0 && !(error > record.trackingError)) continue;
    record.trackingDriver = i;
    record.trackingError = error;
    record.trackingTime = time;
  }
}

void SimulationRecord::addTorques(int robot, std::span<const double> torques, double time) {
  std::vector<RobotRecord::Peak>& peaks = robots_[static_cast<std::size_t>(robot)].peaks;
  for (std::size_t i = 0; i < std::min(peaks.size(), torques.size()); ++i)
    if (std::abs(torques[i]) > peaks[i].torque) peaks[i] = {std::abs(torques[i]), time};
}

/// Channels appear when they are first used and stay where they are.
void SimulationRecord::watch(int robot, const std::string& name, const Controller& controller,
                             const ChannelTable& channels) {
  for (const auto& [key, values] : channels.all()) {
    // "name/child/child/active"
    if (!key.starts_with(name + "/") || !key.ends_with("/" + std::string(kActive)) || values.size() != 1) continue;
    const bool known =
        std::any_of(watched_.begin(), watched_.end(), [&](const Watched& w) { return w.number == &values; });
    if (known) continue;
    std::string part;
    if (key.size() > name.size() + 1 + kActive.size())
      part = key.substr(name.size() + 1, key.size() - name.size() - 2 - kActive.size());
    std::replace(part.begin(), part.end(), '/', '.');
    watched_.push_back({robot, part, &values, values.front(), activeName(controller, part, values.front())});
  }
}

void SimulationRecord::addStates(int robot, const std::string& name, const Controller& controller,
                                 const ChannelTable& channels, double time) {
  for (Watched& watched : watched_) {
    if (watched.robot != robot || watched.number->size() != 1 || watched.number->front() == watched.last) continue;
    watched.last = watched.number->front();
    std::string state = activeName(controller, watched.part, watched.last);
    changes_.push_back({time, robot, watched.part, watched.state, state});
    watched.state = std::move(state);
  }
  std::size_t& seen = channelsSeen_[static_cast<std::size_t>(robot)];
  if (channels.all().size() == seen) return;
  seen = channels.all().size();
  watch(robot, name, controller, channels);
}

int worstDriver(const Robot& robot, const RobotRecord& record, double& fraction) {
  int worst = -1;
  double worstTorque = 0;
  fraction = 0;
  for (int i = 0; i < static_cast<int>(record.peaks.size()); ++i) {
    const Driver& driver = robot.driver(i);
    const double torque = record.peaks[static_cast<std::size_t>(i)].torque;
    const double limit = std::max(std::abs(driver.torqueMin), std::abs(driver.torqueMax));
    const double own = limit > 0 && std::isfinite(limit) ? torque / limit : 0;
    if (worst >= 0 && (own < fraction || (own == fraction && torque <= worstTorque))) continue;
    worst = i;
    fraction = own;
    worstTorque = torque;
  }
  return worst;
}

}  // namespace mortise
