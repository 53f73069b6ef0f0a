#include "mortise/ik/cartesian_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"

namespace mortise {

namespace {

RigidTransform poseOf(const Robot& robot, RobotState& state, const VectorXd& q, int link) {
  state.q = q;
  updateFrames(robot, state);
  return state.X_WL[static_cast<std::size_t>(link)];
}

/// Returns how far the joint that moves farthest moves.
double longestStep(const std::vector<IKVariable>& variables, const VectorXd& a, const VectorXd& b) {
  double maximum = 0;
  for (const IKVariable& variable : variables)
    for (const DrivenCoordinate& move : variable.moves)
      maximum = std::max(maximum, std::abs(b[move.link] - a[move.link]));
  return maximum;
}

class Follower {
 public:
  Follower(const IKProblem& problem, const IKTermsAt& targets, double from, const CartesianPathOptions& options)
      : targets_(targets), options_(options), solver_([&] {
          IKProblem first = problem;
          first.terms = targets(from);
          return IKSolver(std::move(first));
        }()) {
    if (!(options.delta > 0)) throw Error("a step between milestones of a Cartesian path must be above 0");
    local_.tolerance = options.tolerance;
    local_.method = IKMethod::numeric;
    local_.maxIterations = 30;
  }

  /// A solution at `u` from there.
  bool solve(double u, const VectorXd& start, IKSolution& solution) {
    solver_.setTerms(targets_(u));
    local_.start = start;
    solver_.solveLocal(local_, solution);
    if (!solution.solved) why_ = "the goals cannot be met there, or only by a leap";
    if (solution.solved && options_.feasible && !options_.feasible(solution.q)) {
      why_ = "the configuration is not feasible there";
      return false;
    }
    return solution.solved;
  }

  /// From q, where the targets at `u` are met, to `to`; `lead` may move each start along.
  void follow(double u, double to, const VectorXd& q,
              const std::function<VectorXd(double, const VectorXd&, double)>& lead, CartesianPath& path) {
    path.motion.times.push_back(u);
    path.motion.configurations.push_back(q);
    path.reached = u;
    const double minimum = 1e-7 * (to - u);
    double step = std::max(minimum, (to - u) / 100);
    VectorXd now = q;
    IKSolution next;
    while (u < to) {
      const double target = std::min(to, u + step);
      const VectorXd start = lead ? lead(u, now, target) : now;
      const bool solved = solve(target, start, next);
      const double moved = solved ? longestStep(solver_.variables(), now, next.q) : 0;
      const double allowed = options_.delta + (lead ? longestStep(solver_.variables(), now, start) : 0);
      if (solved && moved <= allowed) {
        u = target;
        now = next.q;
        path.motion.times.push_back(u);
        path.motion.configurations.push_back(now);
        path.reached = u;
        if (moved < 0.5 * options_.delta) step *= 2;
      } else {
        if (solved) why_ = "a joint would have to leap";
        step *= 0.5;
        if (step < minimum) {
          path.problem = why_ + " (at " + formatReal(target, 6) + ")";
          return;
        }
      }
    }
    path.complete = true;
  }

  IKSolver& solver() { return solver_; }
  const std::string& why() const { return why_; }

 private:
  const IKTermsAt& targets_;
  const CartesianPathOptions& options_;
  IKSolver solver_;
  IKOptions local_;
  std::string why_;
};

CartesianPath orNothing(CartesianPath path, const CartesianPathOptions& options) {
  if (!path.complete && !options.maximize) path.motion = {};
  return path;
}

VectorXd startOf(const IKProblem& problem, const CartesianPathOptions& options) {
  return options.start.size() > 0 ? options.start : problem.robot->initialConfiguration();
}

}  // namespace

CartesianPath followCartesianPath(const IKProblem& problem, const IKTermsAt& targets, double from, double to,
                                  const CartesianPathOptions& options) {
  if (!(from < to)) throw Error("a Cartesian path must begin before it ends");
  Follower follower(problem, targets, from, options);
  CartesianPath best;
  best.reached = -1;
  const int starts = options.keepStart ? 1 : std::max(1, options.starts);
  for (int i = 0; i < starts && !best.complete; ++i) {
    IKOptions first;
    first.start = startOf(problem, options);
    first.seed = options.seed;
    first.tolerance = options.tolerance;
    IKSolution solution;
    follower.solver().setTerms(targets(from));
    if (i == 0) {
      follower.solver().solveLocal(first, solution);
      if (!solution.solved && !options.keepStart) follower.solver().solve(first, solution);
    } else {
      RandomStream random(options.seed + static_cast<std::uint64_t>(i), "cartesian path");
      for (const IKVariable& variable : follower.solver().variables()) {
        const double low = std::max(variable.low, -std::numbers::pi), high = std::min(variable.high, std::numbers::pi);
        setVariable(variable, random.uniform(std::min(low, high), std::max(low, high)), first.start);
      }
      first.method = IKMethod::numeric;
      follower.solver().solve(first, solution);
    }
    CartesianPath path;
    path.reached = -1;
    path.problem = "the goals cannot be met at the start of the path";
    if (solution.solved && (!options.feasible || options.feasible(solution.q))) {
      path.problem.clear();
      follower.follow(from, to, solution.q, {}, path);
    }
    if (i == 0 || path.reached > best.reached || path.complete) best = std::move(path);
  }
  return orNothing(std::move(best), options);
}

RigidTransform interpolatePose(const RigidTransform& a, const RigidTransform& b, double u) {
  const Vector3d turn = momentFromRotation(orthonormalized(a.R.transpose() * b.R));
  return {a.R * rotationFromMoment(u * turn), a.p + u * (b.p - a.p)};
}

CartesianPath moveLinkAlongLine(const IKProblem& problem, int link, const RigidTransform& X_WL,
                                const CartesianPathOptions& options) {
  RobotState state(*problem.robot);
  const RigidTransform X_WL0 = poseOf(*problem.robot, state, startOf(problem, options), link);
  return followCartesianPath(
      problem,
      [&](double u) {
        std::vector<IKTerm> terms = problem.terms;
        terms.push_back({poseGoal(link, interpolatePose(X_WL0, X_WL, u))});
        return terms;
      },
      0, 1, options);
}

CartesianPath bumpMotion(const IKProblem& problem, const std::vector<int>& links, const Trajectory& motion,
                         const std::function<RigidTransform(double t)>& bump, const CartesianPathOptions& options) {
  if (motion.times.size() < 2) throw Error("a motion to be bumped needs at least two milestones");
  RobotState state(*problem.robot);
  VectorXd reference = motion.configurations.front(), rate = reference, before = reference;
  const IKTermsAt targets = [&](double t) {
    motion.evaluate(t, reference, rate);
    std::vector<IKTerm> terms = problem.terms;
    for (const int link : links)
      terms.push_back({poseGoal(link, bump(t) * poseOf(*problem.robot, state, reference, link))});
    return terms;
  };
  // Each step begins where the motion itself leads.
  const auto lead = [&](double from, const VectorXd& q, double to) {
    motion.evaluate(from, before, rate);
    motion.evaluate(to, reference, rate);
    return VectorXd(q + reference - before);
  };
  Follower follower(problem, targets, motion.startTime(), options);
  CartesianPath path;
  path.reached = -1;
  IKSolution solution;
  VectorXd q = motion.configurations.front();
  if (!follower.solve(motion.startTime(), q, solution)) {
    path.problem = "the bumped goals cannot be met at the start of the motion: " + follower.why();
    return path;
  }
  for (std::size_t i = 1; i < motion.times.size(); ++i) {  // Milestones stay milestones.
    if (!(motion.times[i] > motion.times[i - 1])) continue;
    CartesianPath part;
    follower.follow(motion.times[i - 1], motion.times[i], solution.q, lead, part);
    const std::size_t skip = path.motion.times.empty() ? 0 : 1;
    for (std::size_t k = skip; k < part.motion.times.size(); ++k) {
      path.motion.times.push_back(part.motion.times[k]);
      path.motion.configurations.push_back(part.motion.configurations[k]);
    }
    solution.q = part.motion.configurations.back();
    path.reached = part.reached;
    path.problem = part.problem;
    path.complete = part.complete;
    if (!part.complete) break;
  }
  return orNothing(std::move(path), options);
}

}  // namespace mortise
