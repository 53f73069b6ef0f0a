#pragma once

#include <optional>

#include "dds_domain.h"
#include "ros/recording/broadcast_recorder.h"

namespace mortise::ros2 {

struct Ros2RecorderSettings {
  ros::BroadcastSettings broadcast;
  std::optional<int> domain;          ///< Not set: what the environment says.
  std::optional<bool> localhostOnly;  ///< The same.
  void bind(SettingBinder& b);
  void check() const { broadcast.check(); }
  DomainOptions options() const;
};

/// Broadcasts a run on topics of ROS 2.
class Ros2Recorder final : public ros::BroadcastRecorder {
 public:
  explicit Ros2Recorder(const ComponentContext& context);

 private:
  Ros2Recorder(Host& host, const Ros2RecorderSettings& settings);
};

}  // namespace mortise::ros2
