#pragma once

/// Starts and goals, from settings.

#include <vector>

#include "mortise/planning/settings/plan_coordinates.h"
#include "mortise/planning/settings/plan_settings.h"

namespace mortise {

/// Reader of starts and goals; what it is made of outlives it. Functions throw `Error` with positions; they return
/// false where a value names a motion that does not exist yet (`PlanSources::promised`).
class StartGoalReader {
 public:
  StartGoalReader(const PlanCoordinates& coordinates, const PlanSpaceRequest& space, const PlanSources& sources,
                  Diagnostics& diagnostics)
      : coordinates_(coordinates), space_(space), sources_(sources), diagnostics_(diagnostics) {}

  /// `base`: a full configuration, for coordinates that are not given.
  bool starts(const Value& value, const VectorXd& base, std::vector<VectorXd>& starts) const;
  /// Fills in `goal` and `goalTerms` of the request.
  bool goal(const Value& value, const VectorXd& base, PlanRequest& request) const;

 private:
  bool configurations(const Value& value, const VectorXd& base, std::vector<VectorXd>& out) const;
  bool named(const Value& value, const VectorXd& base, std::vector<VectorXd>& out) const;
  bool motion(const Value& map, const VectorXd& base, std::vector<VectorXd>& out) const;
  void region(const Value& value, PlanGoalRequest& goal) const;
  ConfigurationFiles files() const;
  std::optional<FileContent> kindOfFile(const Value& name) const;
  bool promised(const Value& name) const;
  /// Says whether a robot that moves has a link, joint or driver of this name, or several.
  bool isName(const std::string& key) const;
  const ConfigurationReader& reader() const { return coordinates_.reader(); }

  const PlanCoordinates& coordinates_;
  const PlanSpaceRequest& space_;
  const PlanSources& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace mortise
