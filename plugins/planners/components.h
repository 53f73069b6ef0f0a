#pragma once

#include "mortise/component/host.h"
#include "restart.h"
#include "settings.h"

namespace mortise::planners {

/// The planner without restarts and shortcuts.
std::unique_ptr<RoundPlanner> makePlanner(Algorithm algorithm, const PlannerSettings& settings);
RestartOptions restartOptions(Algorithm algorithm, const PlannerSettings& settings);

/// A planner as users know it: of one algorithm, made to go on after its first path where the settings say so.
template <Algorithm kAlgorithm>
class Component final : public Restarting {
 public:
  static PlannerSettings defaults() {
    PlannerSettings settings;
    settings.algorithm = kAlgorithm;
    return settings;
  }
  explicit Component(const ComponentContext& context)
      : Component(*Settings<PlannerSettings>(context.settings, defaults()), context.host) {}

 private:
  Component(const PlannerSettings& settings, Host& host)
      : Restarting([settings] { return makePlanner(kAlgorithm, settings); }, restartOptions(kAlgorithm, settings)) {
    if (settings.storeEdges)
      host.log(LogLevel::warning, "'store_edges' has no effect: of edges, only their ends are ever kept");
  }
};

}  // namespace mortise::planners
