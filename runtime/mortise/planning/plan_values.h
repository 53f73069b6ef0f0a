#pragma once

/// Parts of a plan's settings: configurations, goals of links, names of things. Each throws `Error` with the position
/// of what is wrong.

#include <optional>
#include <vector>

#include "mortise/configuration/configuration_reader.h"
#include "mortise/planning/plan_settings.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/planning/spaces/robot_coordinates.h"

namespace mortise {

/// Of what moves, by number: names, units, and which of them are planned for.
class PlanCoordinates {
 public:
  PlanCoordinates(const World& world, const PlanSpaceRequest& request);

  /// Reads whole configurations from numbers of all that moves, from numbers of what is planned for, or, of a single
  /// robot, of its drivers; and from names: "shoulder", or "left/shoulder" where several robots move; x, y, z, rx, ry,
  /// rz of an object.
  const ConfigurationReader& reader() const { return reader_; }
  int wholeSize() const { return reader_.size(); }

 private:
  ConfigurationReader reader_;
};

/// World ids of what a name means: a terrain, a rigid object, a link as `robot/link` or `robot[link]`, a robot with all
/// its links, a link's name alone where `robot` (an index; -1: none) has it; or an id.
std::vector<int> idsOf(const World& world, const Value& value, int robot);

/// Robots' links, as world ids: names or indices of one robot's; of several `robot/link`, or a map by robot.
std::vector<int> planLinks(const World& world, const std::vector<int>& robots, const Value& value);

/// Goals of links: maps, files (.ikgoal, .hold, .stance, and JSON of these), or a list of them. A goal without `robot`
/// is one of `robots` when that is only one.
std::vector<RobotGoal> robotGoals(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics);
/// A goal in words, as a map of settings.
const Schema& linkGoalSchema();

Stance stanceOf(const Value& value, const PlanSources& sources, Diagnostics& diagnostics);

}  // namespace mortise
