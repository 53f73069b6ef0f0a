#include "bag_format.h"

#include "mortise/mcap/records.h"
#include "ros/bags/bag_records.h"

namespace mortise::rosbag {

void BagFormatSettings::bind(SettingBinder& b) {
  b.add("robot", robot, "Robot file whose links the joints are; empty: coordinates stand in the order of the names.");
  b.add("topic", motion.topic,
        "JointState or JointTrajectory to read; empty: the only one, or the one that is called so.");
  b.add("base_frame", motion.baseFrame, "Frame on tf that is the robot's floating base; empty: none is read.");
  b.add("stamps", motion.stamps, "Whether times are those of the messages' headers, or those of the recording.");
}

double BagFormat::probe(std::string_view, std::string_view head) const {
  return head.starts_with(ros::kBagMagic) || head.starts_with(mcap::kMagic) ? 1 : 0;
}

Resource BagFormat::read(FileContent, ReadContext& context) {
  if (settings_->robot.empty()) return ros::readRecordedMotion(context.path, settings_->motion, context.diagnostics);
  const RobotPtr robot =
      Robot::compile(context.loader.load<RobotDescription>(settings_->robot, context.path, context.diagnostics));
  return ros::readRecordedMotion(context.path, *robot, settings_->motion, context.diagnostics);
}

}  // namespace mortise::rosbag
