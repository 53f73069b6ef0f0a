#include "mortise/plugin/plugin.h"

#include "bag_format.h"
#include "bag_recorders.h"
#include "documentation.h"

MORTISE_PLUGIN("mortise_io_rosbag", "0.1.0") {
  using namespace mortise::rosbag;
  using Names = std::vector<std::string>;
  plugin.recorder<BagRecorder>("mortise.BagRecorder")
      .alias("bag")
      .summary("A run as a bag of ROS 1: joints, commands, sensors, tf, clock, robot_description.")
      .documentation(documentation::bag_recorder)
      .extensions({"bag"})
      .attribute("outputs", Names{"file"})
      .settings<BagSettings>();
  plugin.recorder<Ros2LogRecorder>("mortise.Ros2LogRecorder")
      .alias("mcap_ros2")
      .summary("A run as an MCAP log that ROS 2's tools open: joints, commands, sensors, tf, clock, robot_description.")
      .documentation(documentation::bag_recorder)
      .attribute("outputs", Names{"file"})
      .settings<Ros2LogSettings>();
  plugin.format<BagFormat>("mortise.RosBag")
      .summary("Motions in bags of ROS 1 (.bag) and MCAP logs of ROS 2 (.mcap).")
      .extensions({"bag", "mcap"})
      .reads({mortise::FileContent::trajectory})
      .settings<BagFormatSettings>();
}
