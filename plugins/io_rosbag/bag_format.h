#pragma once

#include "mortise/component/file_format.h"
#include "mortise/settings/settings.h"
#include "ros/bags/recorded_motion.h"

namespace mortise::rosbag {

struct BagFormatSettings {
  std::string robot;
  ros::RecordedMotionOptions motion;
  void bind(SettingBinder& b);
};

/// The motion of a robot in a bag of ROS 1 or an MCAP log of ROS 2.
class BagFormat final : public FileFormat {
 public:
  explicit BagFormat(const ComponentContext& context) : settings_(context.settings) {}

  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;

 private:
  Settings<BagFormatSettings> settings_;
};

}  // namespace mortise::rosbag
