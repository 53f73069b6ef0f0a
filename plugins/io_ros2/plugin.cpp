#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "ros2_recorder.h"
#include "ros2_relay.h"

MORTISE_PLUGIN("mortise_io_ros2", "0.1.0") {
  using namespace mortise::ros2;
  plugin.recorder<Ros2Recorder>("mortise.Ros2Recorder")
      .alias("ros2")
      .summary("Broadcasts a run on topics of ROS 2: joints, commands, sensors, tf, clock, robot_description.")
      .documentation(documentation::ros2_recorder)
      .attribute("records", "messages of ROS 2")
      .settings<Ros2RecorderSettings>();
  plugin.controller<Ros2Relay>("mortise.Ros2Relay")
      .alias("ros2_relay")
      .summary("Does what trajectories on a topic of ROS 2 say, and publishes the joints' states and the clock.")
      .documentation(documentation::ros2_relay)
      .settings<Ros2RelaySettings>();
}
