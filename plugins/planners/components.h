#pragma once

#include "mortise/component/host.h"
#include "restart.h"
#include "settings.h"

namespace mortise::planners {

enum class Algorithm {
  any,
  rrt,
  rrtStar,
  prm,
  prmStar,
  lazyPrm,
  lazyPrmStar,
  lazyRrgStar,
  sbl,
  sblPrt,
  est,
  perturbation,
  fmm,
  fmmStar
};

/// The planner without restarts and shortcuts.
std::unique_ptr<RoundPlanner> makePlanner(Algorithm algorithm, const Settings& settings);
RestartOptions restartOptions(Algorithm algorithm, const Settings& settings);

/// A planner as users know it: of one algorithm, made to go on after its first path where the settings say so.
template <Algorithm kAlgorithm>
class Component final : public Restarting {
 public:
  explicit Component(const ComponentContext& context) : Component(Settings::read(context.settings)) {}

 private:
  explicit Component(const Settings& settings)
      : Restarting([settings] { return makePlanner(kAlgorithm, settings); }, restartOptions(kAlgorithm, settings)) {}
};

}  // namespace mortise::planners
