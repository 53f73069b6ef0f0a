#pragma once

#include "mortise/configuration/configuration_reader.h"
#include "mortise/model/world.h"
#include "mortise/planning/request/plan_request.h"

namespace mortise {

/// The coordinates of full configurations: names, units, and which of them are planned for.
class PlanCoordinates {
 public:
  PlanCoordinates(const World& world, const PlanSpaceRequest& request);

  /// Reads full configurations from a number for each coordinate, for each that is planned for, or, with a single
  /// robot, for each driver; and from names: "shoulder", or "left/shoulder" where several robots move; x, y, z, rx, ry,
  /// rz of an object.
  const ConfigurationReader& reader() const { return reader_; }
  int fullSize() const { return reader_.size(); }

 private:
  ConfigurationReader reader_;
};

/// A number for each coordinate of a full configuration, at least 0: a list of that many, or a map by name, where the
/// others are `rest`. Throws `Error` with positions.
VectorXd numbersByName(const Value& value, const PlanCoordinates& coordinates, double rest);

}  // namespace mortise
