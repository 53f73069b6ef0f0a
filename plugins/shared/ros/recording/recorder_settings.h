#pragma once

#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "ros/conversion/naming.h"
#include "ros/transport/quality.h"

namespace mortise::ros {

/// The settings of a broadcast, whatever carries it. A carrier's settings hold one of these and bind it with their own.
/// The `rate` that every recorder has says how often it broadcasts.
struct BroadcastSettings {
  Naming naming = Naming::klampt;
  std::string prefix;  ///< Before topics and frames; empty: the naming's own.
  std::vector<std::string> broadcast = {"state", "commands", "sensors", "tf", "clock", "robot_description"};
  double cameraRate = 10;  ///< Images a simulated second.
  PlacedText robotDescription;
  Quality quality;
  Quality sensorQuality = kSensorQuality;
  int queue = 256;       ///< Broadcasts that wait for the thread that sends them.
  double waitAtEnd = 1;  ///< s of real time in which what waits at the end of a run goes out.
  bool required = true;  ///< Of carriers that connect: that they cannot is an error.
  Value run;             ///< {origin, sensors}, as logs have them; null: unknown.

  void bind(SettingBinder& b);
  /// Binds `required`, which files do not have.
  void bindRequired(SettingBinder& b);
  void check() const;
  bool broadcasts(const std::string& kind) const;
};

}  // namespace mortise::ros
