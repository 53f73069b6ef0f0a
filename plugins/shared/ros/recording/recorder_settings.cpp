#include "ros/recording/recorder_settings.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

const std::vector<std::string> kKinds = {"state", "commands", "sensors", "tf", "clock", "robot_description"};

void bindReliability(SettingBinder& b, std::string name, Quality& quality, std::string summary) {
  b.choice(std::move(name), quality.reliability,
           {{"reliable", Quality::Reliability::reliable}, {"best_effort", Quality::Reliability::bestEffort}},
           std::move(summary));
}

}  // namespace

void BroadcastSettings::bind(SettingBinder& b) {
  b.choice("naming", naming, {{"klampt", Naming::klampt}, {"ros_control", Naming::rosControl}},
           "Names of topics, frames and joints: Klamp't's, or those of ros_control and robot_state_publisher.");
  b.add("prefix", prefix,
        "Put before topics and frames, but for /tf and /clock; empty: 'klampt' with Klamp't's names, else nothing.");
  b.add("broadcast", broadcast, "What is broadcast: state, commands, sensors, tf, clock, robot_description.");
  b.add("camera_rate", cameraRate, "Images of each camera a simulated second, at most.", {.min = 0, .unit = "Hz"});
  b.add("robot_description", robotDescription,
        "URDF file that is sent as the robot's description; empty: the robot's own file, where that is one.");
  bindReliability(b, "reliability", quality, "QoS of states, commands and transforms.");
  b.choice("durability", quality.durability,
           {{"volatile", Quality::Durability::volatileOnly}, {"transient_local", Quality::Durability::transientLocal}},
           "QoS of states, commands and transforms: whether those who come later get the last messages.");
  b.add("depth", quality.depth, "QoS of states, commands and transforms: messages kept for a slow subscriber.",
        {.min = 1, .max = 10000});
  bindReliability(b, "sensor_reliability", sensorQuality, "QoS of sensors.");
  b.add("sensor_depth", sensorQuality.depth, "QoS of sensors: messages kept for a slow subscriber.",
        {.min = 1, .max = 10000});
  b.add("queue", queue, "Broadcasts that wait for the thread that sends them; more are dropped, counted and reported.",
        {.min = 2, .max = 100000});
  b.add("wait_at_end", waitAtEnd, "Real time in which what waits when a run ends still goes out.",
        {.min = 0, .max = 60, .unit = "s"});
  b.map("run", run, "How the run was made and where its sensors look; the program fills this in.");
}

void BroadcastSettings::bindRequired(SettingBinder& b) {
  b.add("required", required, "That ROS cannot be reached is an error; else a warning, and nothing is broadcast.");
}

void BroadcastSettings::check() const {
  for (const std::string& kind : broadcast)
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end())
      throw Error("expected state, commands, sensors, tf, clock or robot_description, found '" + kind + "'",
                  settingPosition("broadcast"));
}

bool BroadcastSettings::broadcasts(const std::string& kind) const {
  return std::find(broadcast.begin(), broadcast.end(), kind) != broadcast.end();
}

}  // namespace mortise::ros
