#pragma once

/// Parts of a plan's settings: configurations, goals of links, names of things. Each throws `Error` with the position
/// of what is wrong.

#include <optional>
#include <vector>

#include "mortise/plan/plan_settings.h"
#include "mortise/planning/motion_space.h"
#include "mortise/planning/robot_coordinates.h"

namespace mortise {

/// Of what moves, by number: names, units, and which of them are planned for.
class PlanCoordinates {
 public:
  PlanCoordinates(const World& world, const PlanSpaceRequest& request);

  int wholeSize() const { return static_cast<int>(names_.size()); }
  int plannedSize() const { return planned_; }
  /// Of a number of whole configurations: "shoulder", or "left/shoulder" where several robots move; x, y, z, rx, ry, rz
  /// of an object.
  const std::string& name(int i) const { return names_.at(static_cast<std::size_t>(i)); }
  /// "rad" or "m".
  const char* unit(int i) const { return units_.at(static_cast<std::size_t>(i)); }
  struct Number {
    int index;
    double scale = 1, offset = 0;  ///< The number is offset + scale * value of what was named.
  };
  /// The numbers that a name stands for: a link's one, or all those of a driver. An index is good, too.
  std::vector<Number> numbersOf(std::string_view name, const SourcePosition& where) const;

  /// One configuration from a list of numbers, or quantities with units: whole, or only what is planned for, and the
  /// rest from `base`.
  VectorXd configuration(const Value& value, const VectorXd& base) const;
  /// The same from numbers; `what` they are, and where.
  VectorXd configuration(const VectorXd& numbers, const VectorXd& base, const std::string& what,
                         const SourcePosition& where) const;
  /// "7 (links of robot 'arm')": for messages.
  std::string describeSizes() const;

 private:
  struct Part {
    Mover mover;
    std::optional<RobotCoordinates> coordinates;  ///< Of a robot.
    std::vector<int> own;                         ///< Of an object: numbers that are planned for.
  };
  const World& world_;
  std::vector<Part> parts_;
  std::vector<std::string> names_;
  std::vector<const char*> units_;
  int planned_ = 0;
};

/// A number, or text with a unit of the dimension of `unit`.
double quantityOf(const Value& value, const char* unit);

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
