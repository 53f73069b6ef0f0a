#pragma once

#include <string>
#include <vector>

#include "mortise/settings/settings.h"
#include "ros/conversion/naming.h"
#include "ros/transport/quality.h"

namespace mortise::ros {

/// What a recorder broadcasts, whatever carries it. A carrier's settings hold one of these and bind it with their own.
struct BroadcastSettings {
  std::string prefix;  ///< Before all topics.
  Naming naming = Naming::klampt;
  double rate = 50;       ///< Messages a simulated second; 0: every recorded tick.
  double sensorRate = 0;  ///< 0: with every broadcast for which a new reading is there.
  std::vector<std::string> what = {"state", "commands", "sensors", "tf", "clock", "robot_description"};
  std::string robotDescription;  ///< Path of a URDF file; empty: the robot's own file where that is one.
  Quality::Reliability reliability = Quality::Reliability::reliable;
  int depth = 10;
  int queue = 256;       ///< Broadcasts that wait for the thread that sends them.
  double waitAtEnd = 1;  ///< s of real time in which a run that ends lets what waits go out.

  void bind(SettingBinder& b);
  void check() const;
  bool broadcasts(const std::string& kind) const;
};

}  // namespace mortise::ros
