#pragma once

#include <string>

#include "mortise/settings/settings.h"
#include "ros/conversion/naming.h"
#include "ros/relay/action_settings.h"

namespace mortise::ros {

/// The settings of a relay, whatever carries its messages. A carrier's settings hold one of these and bind it with
/// their own.
struct RelaySettings {
  std::string trajectoryTopic, stateTopic;  ///< Empty: below the robot's name.
  std::string clockTopic = "/clock";
  bool clock = true;
  Naming naming = Naming::klampt;
  double stateRate = 0;  ///< Hz; 0: every update.
  bool ignoreStamps = false;
  double maxLead = 600, maxDelay = 1;  ///< s
  bool required = true;
  std::string log, replay;
  void bind(SettingBinder& b);
};

/// Settings of a relay without a carrier.
struct ReplaySettings {
  RelaySettings relay;
  ActionSettings action;
  void bind(SettingBinder& b) {
    relay.bind(b);
    action.bind(b);
  }
};

}  // namespace mortise::ros
