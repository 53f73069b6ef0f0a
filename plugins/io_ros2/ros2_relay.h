#pragma once

#include "domain_settings.h"
#include "ros/relay/relay_controller.h"

namespace mortise::ros2 {

struct Ros2RelaySettings {
  ros::RelaySettings relay;
  DomainSettings domain;
  void bind(SettingBinder& b) {
    relay.bind(b);
    domain.bind(b);
  }
};

/// Does what trajectories on a topic of ROS 2 say.
class Ros2Relay final : public ros::RelayController {
 public:
  explicit Ros2Relay(const ComponentContext& context);

 private:
  Ros2Relay(const ComponentContext& context, const Ros2RelaySettings& settings);
};

}  // namespace mortise::ros2
