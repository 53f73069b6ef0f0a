#pragma once

#include <memory>
#include <string>

#include "mortise/settings/settings.h"
#include "ros/recording/recorder_settings.h"
#include "ros/relay/action_settings.h"
#include "ros/relay/relay_settings.h"
#include "ros/transport/transport.h"

namespace mortise::io_ros1 {

/// Address of the master of ROS 1, and of this program.
struct MasterSettings {
  std::string master, ip;
  void bind(SettingBinder& b);
  void check() const;
};

struct Ros1RelaySettings {
  ros::RelaySettings relay;
  ros::ActionSettings action;
  MasterSettings carrier;
  void bind(SettingBinder& b) {
    relay.bind(b);
    action.bind(b);
    carrier.bind(b);
  }
  void check() const { carrier.check(); }
};

struct Ros1RecorderSettings {
  ros::BroadcastSettings broadcast;
  MasterSettings carrier;
  void bind(SettingBinder& b) {
    broadcast.bind(b);
    broadcast.bindRequired(b);
    carrier.bind(b);
  }
  void check() const {
    broadcast.check();
    carrier.check();
  }
};

/// Connects to the master. Throws `Error` with what to do where none answers.
std::unique_ptr<ros::Transport> openRos1(const MasterSettings& settings);

}  // namespace mortise::io_ros1
