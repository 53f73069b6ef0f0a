#pragma once

#include "domain_settings.h"
#include "ros/recording/broadcast_recorder.h"

namespace mortise::ros2 {

struct Ros2RecorderSettings {
  ros::BroadcastSettings broadcast;
  DomainSettings domain;
  void bind(SettingBinder& b) {
    broadcast.bind(b);
    broadcast.bindRequired(b);
    domain.bind(b);
  }
  void check() const { broadcast.check(); }
};

/// Broadcasts a run on topics of ROS 2.
class Ros2Recorder final : public ros::BroadcastRecorder {
 public:
  explicit Ros2Recorder(const ComponentContext& context);

 private:
  Ros2Recorder(Host& host, const Ros2RecorderSettings& settings);
};

}  // namespace mortise::ros2
