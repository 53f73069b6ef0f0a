#include "components.h"

#include "rrt.h"

namespace mortise::planners {

std::unique_ptr<Planner> makePlanner(Algorithm algorithm, const Settings& settings) {
  switch (algorithm) {
    case Algorithm::any:
      return std::make_unique<Rrt>(RrtOptions{});
    case Algorithm::rrt:
      return std::make_unique<Rrt>(RrtOptions{.step = settings.perturbationRadius,
                                              .connectionThreshold = settings.connectionThreshold,
                                              .bidirectional = settings.bidirectional,
                                              .location = settings.location});
  }
  return nullptr;
}

RestartOptions restartOptions(Algorithm algorithm, const Settings& settings) {
  RestartOptions options;
  options.shortcut = settings.shortcut;
  options.restart = settings.restart;
  options.run = settings.restartTermCond;
  if (algorithm == Algorithm::any) {
    options.shortcut = options.restart = options.moreEachTime = true;
    options.run = {};
    options.run.iterations = 2000;
  }
  return options;
}

}  // namespace mortise::planners
