#include "ompl_peer.h"

#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "bench.h"

namespace mortise::bench {
namespace {

namespace ob = ompl::base;

VectorXd numbersOf(const ob::State* state, int dimension) {
  const double* values = state->as<ob::RealVectorStateSpace::StateType>()->values;
  return Eigen::Map<const VectorXd>(values, dimension);
}

}  // namespace

void seedOmpl(std::uint64_t seed) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(static_cast<std::uint_fast32_t>(seed));
}

Planned omplRrtConnect(const Scene& scene, FclCheck& check, const Pair& pair, double resolution, double seconds) {
  const RobotSpace ours = scene.space();
  const int n = ours.dimension();
  VectorXd low, high;
  ours.bounds(low, high);
  const auto space = std::make_shared<ob::RealVectorStateSpace>(static_cast<unsigned>(n));
  ob::RealVectorBounds bounds(static_cast<unsigned>(n));
  for (int i = 0; i < n; ++i) {
    bounds.setLow(static_cast<unsigned>(i), low[i]);
    bounds.setHigh(static_cast<unsigned>(i), high[i]);
  }
  space->setBounds(bounds);
  const auto information = std::make_shared<ob::SpaceInformation>(space);
  Planned planned;
  VectorXd full;
  information->setStateValidityChecker([&](const ob::State* state) {
    ++planned.configurations;
    ours.lift(numbersOf(state, n), full);
    return information->satisfiesBounds(state) && !check.collides(full);
  });
  information->setStateValidityCheckingResolution(resolution / space->getMaximumExtent());
  information->setup();
  const auto problem = std::make_shared<ob::ProblemDefinition>(information);
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (int i = 0; i < n; ++i) {
    start[static_cast<unsigned>(i)] = pair.start[i];
    goal[static_cast<unsigned>(i)] = pair.goal[i];
  }
  problem->setStartAndGoalStates(start, goal);
  ompl::geometric::RRTConnect planner(information);
  planner.setProblemDefinition(problem);
  planner.setup();
  const double before = threadSeconds();
  planned.configurations = 0;
  planned.solved = planner.solve(ob::timedPlannerTerminationCondition(seconds)) == ob::PlannerStatus::EXACT_SOLUTION;
  planned.seconds = threadSeconds() - before;
  if (!planned.solved) return planned;
  const auto* path = problem->getSolutionPath()->as<ompl::geometric::PathGeometric>();
  planned.length = path->length();
  for (std::size_t i = 0; i < path->getStateCount(); ++i)
    planned.path.push_back(numbersOf(path->getState(static_cast<unsigned>(i)), n));
  return planned;
}

}  // namespace mortise::bench
