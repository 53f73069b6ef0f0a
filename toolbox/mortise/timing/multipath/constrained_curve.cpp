#include "mortise/timing/multipath/constrained_curve.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/damped_newton.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// Rounds of halving.
constexpr int kRounds = 24;
constexpr std::size_t kMaxPoints = 200000;
/// By how much of a piece's length its middle may be moved.
constexpr double kJumpFraction = 0.75;

VectorXd middleOf(const HermiteTrajectory& stretch, std::size_t piece) {
  const double h = stretch.times[piece + 1] - stretch.times[piece];
  return 0.5 * (stretch.configurations[piece] + stretch.configurations[piece + 1]) +
         0.125 * h * (stretch.velocities[piece] - stretch.velocities[piece + 1]);
}

}  // namespace

struct GoalResidual::State {
  RobotPtr robot;
  IKEquations equations;
  DampedNewton solver;
  DampedNewtonOptions options;
  VectorXd low, high, r;
};

GoalResidual::GoalResidual(const RobotPtr& robot, const std::vector<IKGoal>& goals)
    : state_(new State{robot, IKEquations(robot, termsOf(goals), linkVariables(*robot)), {}, {}, {}, {}, {}}) {
  state_->options.tolerance = 1e-9;
  state_->options.maxIterations = 60;
  state_->low.setConstant(robot->numLinks(), -kInfinity);
  state_->high.setConstant(robot->numLinks(), kInfinity);
  state_->r.resize(state_->equations.size());
}

GoalResidual::~GoalResidual() = default;

double GoalResidual::at(const VectorXd& q) {
  if (state_->r.size() == 0) return 0;
  state_->equations.residual(q.data(), state_->r.data());
  return state_->r.cwiseAbs().maxCoeff();
}

void GoalResidual::limit(const std::vector<VectorXd>& configurations) {
  const int n = state_->robot->numLinks();
  state_->low.setConstant(n, -kInfinity);
  state_->high.setConstant(n, kInfinity);
  for (int i = 0; i < n; ++i) {
    const int joint = state_->robot->jointOfLink(i);
    const JointType type =
        joint >= 0 ? state_->robot->joints()[static_cast<std::size_t>(joint)].type : JointType::normal;
    if (type != JointType::normal && type != JointType::weld) continue;
    double low = state_->robot->link(i).qMin, high = state_->robot->link(i).qMax;
    for (const VectorXd& q : configurations) low = std::min(low, q[i]), high = std::max(high, q[i]);
    state_->low[i] = low;
    state_->high[i] = high;
  }
}

bool GoalResidual::project(VectorXd& q) {
  if (state_->r.size() == 0) return true;
  state_->solver.solve(state_->equations, q, state_->low, state_->high, state_->options);
  return at(q) <= 1e-7;
}

void GoalResidual::keep(const VectorXd& q, VectorXd& dq) {
  if (state_->r.size() == 0) return;
  Eigen::MatrixXd J(state_->r.size(), q.size());
  state_->equations.residual(q.data(), state_->r.data());
  state_->equations.jacobian(J.data());
  dq -= J.completeOrthogonalDecomposition().solve(J * dq);
}

PathCurve constrainedCurve(const RobotPtr& robot, const std::vector<IKGoal>& goals,
                           const std::vector<VectorXd>& milestones, const ConstrainedCurveOptions& options,
                           std::vector<VectorXd>* points) {
  if (!(options.tolerance > 0)) throw Error("the tolerance must be above 0, not " + formatReal(options.tolerance));
  GoalResidual residual(robot, goals);
  residual.limit(milestones);
  std::vector<VectorXd> knots;
  std::vector<std::size_t> milestoneOf;
  for (std::size_t i = 0; i < milestones.size(); ++i) {
    VectorXd q = milestones[i];
    const double off = residual.at(q);
    if (!(off <= options.milestoneTolerance) || !residual.project(q))
      throw Error("milestone " + std::to_string(i) + " is off its goals by " + formatReal(off) + " (m or rad)", {},
                  "check that the robot is the one that the path was made for");
    const bool keep =
        i == 0 || i + 1 == milestones.size() || i >= options.smoothing.kept.size() || options.smoothing.kept[i] != 0;
    if (!keep && (q - knots.back()).norm() < options.smoothing.spacing) continue;
    knots.push_back(std::move(q));
    milestoneOf.push_back(i);
  }
  SmoothCurveOptions smoothing = options.smoothing;
  PathCurve curve;
  for (int round = 0;; ++round) {
    smoothing.kept.assign(knots.size(), 1);
    curve = smoothCurve(knots, smoothing);
    std::vector<VectorXd> finer;
    std::vector<std::size_t> finerOf;
    std::size_t added = 0;
    for (std::size_t i = 0; i < knots.size(); ++i) {
      if (i > 0) {
        // The piece that ends at this knot.
        const PathCurve::Place before = curve.milestones[i - 1];
        PathCurve::Place from = before;
        if (from.knot + 1 == curve.stretches[from.stretch].times.size() && from.stretch != curve.milestones[i].stretch)
          from = {from.stretch + 1, 0};
        const HermiteTrajectory& stretch = curve.stretches[from.stretch];
        if (from.knot + 1 < stretch.times.size() && knots[i] != knots[i - 1]) {
          VectorXd middle = middleOf(stretch, from.knot);
          const double length = (knots[i] - knots[i - 1]).norm(), off = residual.at(middle);
          if (length > options.step || off > options.tolerance) {
            const VectorXd guess = middle;
            if (!residual.project(middle) || (middle - guess).norm() > kJumpFraction * length || round >= kRounds ||
                knots.size() + added > kMaxPoints)
              throw Error("between milestones " + std::to_string(milestoneOf[i - 1]) + " and " +
                              std::to_string(milestoneOf[i - 1] + 1) +
                              " there is no smooth motion on which the links stay at their goals",
                          {}, "add milestones in between, for instance by planning from one to the other");
            finer.push_back(std::move(middle));
            finerOf.push_back(milestoneOf[i - 1]);
            ++added;
          }
        }
      }
      finer.push_back(knots[i]);
      finerOf.push_back(milestoneOf[i]);
    }
    if (added == 0) break;
    knots = std::move(finer);
    milestoneOf = std::move(finerOf);
  }
  // Places of the milestones: the first knot that came from each.
  std::vector<PathCurve::Place> places(milestones.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < knots.size(); ++i)
    for (; next <= milestoneOf[i]; ++next) places[next] = curve.milestones[i];
  curve.milestones = std::move(places);
  if (points != nullptr) *points = std::move(knots);
  return curve;
}

}  // namespace mortise
