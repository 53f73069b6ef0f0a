#pragma once

/// Changes of the world of a simulation while it runs: what moves elsewhere, what becomes heavier, smoother or stiffer,
/// what comes and what goes.

#include <array>
#include <optional>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/math/transform.h"
#include "mortise/model/world.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// One change, under the same keys in `commands`, on the command line, in Python and in the messages of pages: of a
/// thing that is there (`body`), of a rigid object that comes (`add`), or of one that goes (`remove`).
struct WorldEdit {
  Value body;                                         ///< Name or id of what changes.
  std::optional<std::string> add;                     ///< Name of the new object.
  Value remove;                                       ///< Name or id of the object that goes.
  std::optional<Vector3d> position, rotation;         ///< m; roll, pitch and yaw, rad.
  std::optional<Vector3d> velocity, angularVelocity;  ///< Velocity of the origin, m/s; rad/s.
  Value configuration;                                ///< Configuration of a robot; null: it stays.
  std::optional<double> mass;                         ///< kg
  std::optional<double> friction, restitution;        ///< Coefficients of the surface.
  std::optional<double> stiffness, damping;           ///< N/m, N*s/m
  Value driver;                                       ///< Name or index of the driver that gains are of.
  std::optional<double> servoP, servoI, servoD;       ///< Gains of the driver's servo.
  std::optional<Vector3d> box;                        ///< Edges of the new object, m.
  std::optional<double> sphere;                       ///< Radius of the new object, m.
  std::optional<std::array<double, 2>> cylinder;      ///< Radius and height of the new object, m.
  std::optional<std::string> file;                    ///< File of the new object, or of its shape.

  void bind(SettingBinder& b);

  bool places() const { return position || rotation || velocity || angularVelocity || !configuration.isNull(); }
  bool changesSurface() const { return friction || restitution || stiffness || damping; }
  bool changesGains() const { return servoP || servoI || servoD; }
  /// Says whether the world becomes another one; else things are placed in the one that there is.
  bool changesWorld() const { return add || !remove.isNull() || mass || changesSurface() || changesGains(); }
  /// Says what happens, for messages: "edit block: mass 2".
  std::string text() const;
  Value record() const;  ///< The keys that are given, in SI units.
};

/// Reads a change. Throws `Error` with positions for keys that do not go together.
WorldEdit worldEditFrom(const Value& value);

/// A world as changes made it of the one that a simulation began with.
struct EditedWorld {
  World world;
  /// A number for each rigid object that it keeps through all changes: the first ones have 0, 1, ..., and each that
  /// comes later has the next one.
  std::vector<int> objects;
  int nextObject = 0;
};

/// Returns what a change makes of the world; where things are in a simulation is not its business, apart from an object
/// that comes. `loader` may be null. Files are relative to `referringFile`. Throws `Error` for what cannot be.
EditedWorld editedWorld(EditedWorld before, const WorldEdit& edit, ResourceLoader* loader,
                        const std::string& referringFile);

}  // namespace mortise
