#include "mortise/planning/real_time/real_time_target.h"

#include <utility>

#include "mortise/base/error.h"

namespace mortise {

RealTimeTarget::~RealTimeTarget() = default;

ConfigurationTarget::ConfigurationTarget(PlanningSpace& space, VectorXd q, double tolerance)
    : space_(space), q_(std::move(q)), tolerance_(tolerance) {
  if (q_.size() != space.dimension())
    throw Error("a target of " + std::to_string(q_.size()) + " numbers, but the space has " +
                std::to_string(space.dimension()) + " coordinates");
  if (!q_.allFinite()) throw Error("a target that is not finite");
}

bool ConfigurationTarget::sample(RandomStream&, VectorXd& q) {
  if (given_) return false;
  given_ = true;
  q = q_;
  return space_.feasible(q_);
}

PoseTarget::PoseTarget(MotionSpace& space, std::shared_ptr<const World> world, RobotIKGoals goals, double tolerance)
    : space_(space),
      world_(std::move(world)),
      goals_(std::move(goals)),
      tolerance_(tolerance),
      function_(space, *world_, {goals_}) {
  if (!(tolerance > 0)) throw Error("the tolerance of a pose must be above 0");
  space_.bounds(low_, high_);
  solving_.tolerance = 1e-3 * tolerance;
  solving_.maxIterations = 50;
  restart({});
}

void PoseTarget::restart(const VectorXd& from) {
  IKGoalRegionOptions options;
  options.tolerance = tolerance_;
  options.solveTolerance = 1e-3 * tolerance_;
  options.start = from;
  region_ = std::make_unique<IKGoalRegion>(space_, world_, std::vector<RobotIKGoals>{goals_}, options);
}

void PoseTarget::approach(VectorXd& q) { solver_.solve(function_, q, low_, high_, solving_); }

}  // namespace mortise
