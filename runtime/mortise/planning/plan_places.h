#pragma once

/// Starts and goals, from what a person wrote.

#include <vector>

#include "mortise/planning/plan_settings.h"
#include "mortise/planning/plan_values.h"

namespace mortise {

/// Everything outlives it. Functions throw `Error` with positions; they return false where something is meant that is
/// not there yet (`PlanSources::promised`).
class PlanPlaces {
 public:
  PlanPlaces(const PlanCoordinates& coordinates, const PlanSpaceRequest& space, const PlanSources& sources,
             Diagnostics& diagnostics)
      : coordinates_(coordinates), space_(space), sources_(sources), diagnostics_(diagnostics) {}

  /// `base`: for numbers that are not planned for, and where nothing is given.
  bool starts(const Value& value, const VectorXd& base, std::vector<VectorXd>& starts) const;
  bool goal(const Value& value, const VectorXd& base, PlanGoalRequest& goal) const;

 private:
  bool configurations(const Value& value, const VectorXd& base, std::vector<VectorXd>& out) const;
  bool named(const Value& value, const VectorXd& base, std::vector<VectorXd>& out) const;
  bool motion(const Value& map, const VectorXd& base, std::vector<VectorXd>& out) const;
  void region(const Value& value, PlanGoalRequest& goal) const;
  ConfigurationFiles files() const;
  std::optional<FileContent> kindOfFile(const Value& name) const;
  bool promised(const Value& name) const;
  /// Whether a robot that moves has a link, joint or driver of this name, or several.
  bool isName(const std::string& key) const;
  const ConfigurationReader& reader() const { return coordinates_.reader(); }

  const PlanCoordinates& coordinates_;
  const PlanSpaceRequest& space_;
  const PlanSources& sources_;
  Diagnostics& diagnostics_;
};

/// One number for each of a whole configuration's: a list of that many, or a map by name on top of `rest`. At least 0.
VectorXd numbersByName(const Value& value, const PlanCoordinates& coordinates, double rest);

}  // namespace mortise
