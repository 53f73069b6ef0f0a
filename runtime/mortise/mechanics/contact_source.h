#pragma once

#include <optional>
#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/contact_file.h"
#include "mortise/mechanics/world_contacts.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// The source of a robot's contacts: a file, or what the robot touches of a world.
struct ContactSourceSettings {
  std::optional<std::string> stance, contacts;
  double touch = WorldContactOptions().touch;  ///< m
  std::optional<double> friction;
  void bind(SettingBinder& b);

  /// Says whether a file holds the contacts. Throws `Error` at `where` for two of them.
  bool inFile(const SourcePosition& where) const;
  /// Reads that file. `dynamics`: the robot at its configuration.
  ContactFile read(ResourceLoader& loader, const RobotDynamics& dynamics, Diagnostics& diagnostics,
                   const std::string& referringFile = {}) const;
  /// The search for contacts in a world.
  WorldContactOptions inWorld() const;
};

}  // namespace mortise
