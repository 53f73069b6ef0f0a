#pragma once

#include "mortise/component/host.h"
#include "restart.h"
#include "settings.h"

namespace mortise::planners {

enum class Algorithm { any, rrt };

/// The planner without restarts and shortcuts.
std::unique_ptr<Planner> makePlanner(Algorithm algorithm, const Settings& settings);
RestartOptions restartOptions(Algorithm algorithm, const Settings& settings);

template <Algorithm kAlgorithm>
class Component final : public Restarting {
 public:
  explicit Component(const ComponentContext& context) : Component(Settings::read(context.settings)) {}

 private:
  explicit Component(const Settings& settings)
      : Restarting([settings] { return makePlanner(kAlgorithm, settings); }, restartOptions(kAlgorithm, settings)) {}
};

}  // namespace mortise::planners
