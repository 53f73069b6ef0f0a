#include "robotsim/planning/inverse_kinematics.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "mortise/ik/equations/rotation_errors.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise::robotsim {

using Eigen::MatrixXd;

namespace {

struct Frames {
  RigidTransform X_WL, X_WD;
};

Frames framesOf(RobotModel& robot, const IKGoal& goal) {
  Frames frames;
  frames.X_WL = robot.dynamics().X_WL(robot.requireLink(goal.link));
  if (goal.destination >= 0) frames.X_WD = robot.dynamics().X_WL(robot.requireLink(goal.destination));
  return frames;
}

/// Two unit vectors at right angles to the unit vector `axis`: y and z turned as x is turned onto it. Klamp't measures
/// errors of lines and axes along these.
void besidesOf(const Vector3d& axis, Vector3d& u, Vector3d& v) {
  constexpr double kOpposite = 1e-9;
  if (1 + axis.x() < kOpposite) {
    u = -Vector3d::UnitY();
    v = Vector3d::UnitZ();
    return;
  }
  const double k = 1 / (1 + axis.x());
  u = {-axis.y(), 1 - k * axis.y() * axis.y(), -k * axis.y() * axis.z()};
  v = {-axis.z(), -k * axis.y() * axis.z(), 1 - k * axis.z() * axis.z()};
}

void positionPart(RobotModel& robot, const Objective& objective, int row, VectorXd& r, MatrixXd* J) {
  const IKGoal& goal = objective.goal;
  const Frames f = framesOf(robot, goal);
  const Vector3d e = f.X_WL * goal.p_LP - f.X_WD * goal.p_DP;
  MatrixXd rows;
  if (goal.position == IKGoal::Position::point) rows = Matrix3d::Identity();
  if (goal.position == IKGoal::Position::plane) rows = (f.X_WD.R * goal.direction_D).normalized().transpose();
  if (goal.position == IKGoal::Position::line) {
    Vector3d x, y;
    besidesOf((f.X_WD.R * goal.direction_D).normalized(), x, y);
    rows.resize(2, 3);
    rows << x.transpose(), y.transpose();
  }
  r.segment(row, rows.rows()) = objective.positionScale * rows * e;
  if (J == nullptr) return;
  const int n = robot.numLinks();
  Matrix3X change(3, n);
  robot.dynamics().positionJacobian(goal.link, goal.p_LP, change);
  if (goal.destination >= 0) {
    // The target moves, and what is measured along turns with it.
    Matrix6X destination(6, n);
    robot.dynamics().jacobian(goal.destination, goal.p_DP, destination);
    change -= destination.bottomRows(3);
    if (goal.position != IKGoal::Position::point) change += crossMatrix(e) * destination.topRows(3);
  }
  J->middleRows(row, rows.rows()) = objective.positionScale * rows * change;
}

/// The error of an axis a that should lie along b, and its derivative with a.
struct AxisError {
  Eigen::Vector2d value;
  Eigen::Matrix<double, 2, 3> rate;
};

/// Returns the error as `getResidual` gives it: |u.a| + (1 - b.a) and |v.a| + (1 - b.a). It has corners where the axis
/// fits.
AxisError reportedAxisError(const Vector3d& a, const Vector3d& b, const Vector3d& u, const Vector3d& v) {
  const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  AxisError error;
  error.value << std::abs(u.dot(a)) + (1 - b.dot(a)), std::abs(v.dot(a)) + (1 - b.dot(a));
  error.rate << (sign(u.dot(a)) * u - b).transpose(), (sign(v.dot(a)) * v - b).transpose();
  return error;
}

/// Smooth where the axis fits: the vector (u.a, v.a) is as long as the sine. Beyond a right angle, where the sine falls
/// again, it grows on to 2, so that the opposite way is the farthest from the goal.
AxisError smoothAxisError(const Vector3d& a, const Vector3d& b, const Vector3d& u, const Vector3d& v) {
  AxisError error;
  error.rate << u.transpose(), v.transpose();
  error.value = error.rate * a;
  if (b.dot(a) >= 0) return error;
  constexpr double kMinSine = 1e-9;
  if (error.value.norm() < kMinSine) error.value = {kMinSine, 0};  // Any way back will do.
  const Eigen::Vector2d p = error.value;
  const double s = p.norm();
  error.rate = ((2 / s - 1) * Eigen::Matrix2d::Identity() - 2 * p * p.transpose() / (s * s * s)) * error.rate;
  error.value *= 2 / s - 1;
  return error;
}

void rotationPart(RobotModel& robot, const Objective& objective, int row, VectorXd& r, MatrixXd* J, Errors errors) {
  const IKGoal& goal = objective.goal;
  const Frames f = framesOf(robot, goal);
  const int n = robot.numLinks();
  Matrix3X w = Matrix3X::Zero(3, n), wD = Matrix3X::Zero(3, n);
  if (J != nullptr) {
    robot.dynamics().orientationJacobian(goal.link, w);
    if (goal.destination >= 0) robot.dynamics().orientationJacobian(goal.destination, wD);
  }
  if (goal.rotation == IKGoal::Rotation::fixed) {
    const Matrix3d E = f.X_WL.R * (f.X_WD.R * rotationFromMoment(goal.rotationVector_DL)).transpose();
    const Vector3d e = momentFromRotation(E);
    r.segment(row, 3) = objective.rotationScale * e;
    if (J != nullptr) J->middleRows(row, 3) = objective.rotationScale * rotationVectorRate(e) * (w - E * wD);
    return;
  }
  const Vector3d a = f.X_WL.R * goal.axis_L, b = (f.X_WD.R * goal.axis_D).normalized();
  Vector3d u, v;
  besidesOf(b, u, v);
  const AxisError error = errors == Errors::reported ? reportedAxisError(a, b, u, v) : smoothAxisError(a, b, u, v);
  r.segment(row, 2) = objective.rotationScale * error.value;
  if (J != nullptr) J->middleRows(row, 2) = objective.rotationScale * error.rate * (-crossMatrix(a)) * (w - wD);
}

/// Angles that turn freely or lie a turn outside of their limits come back to where people expect them.
void normalizeAngles(RobotModel& robot, VectorXd& q) {
  const RobotDescription& d = robot.description();
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = d.links[static_cast<std::size_t>(i)];
    const int joint = robot.robot()->jointOfLink(i);
    if (link.motion != LinkMotion::revolute || joint < 0) continue;
    const JointType type = d.joints[static_cast<std::size_t>(joint)].type;
    double angle = q[i];
    if (type == JointType::spin) {
      q[i] = angle - kTurn * std::floor(angle / kTurn);
      if (q[i] > link.qMax && q[i] - kTurn >= link.qMin) q[i] -= kTurn;
      if (q[i] < link.qMin && q[i] + kTurn <= link.qMax) q[i] += kTurn;
    } else if (type == JointType::normal && (angle < link.qMin || angle > link.qMax) && std::isfinite(link.qMin)) {
      angle = link.qMin + (angle - link.qMin) - kTurn * std::floor((angle - link.qMin) / kTurn);
      if (angle <= link.qMax) q[i] = angle;
    }
  }
}

}  // namespace

int positionRows(const IKGoal& goal) {
  return goal.position == IKGoal::Position::free    ? 0
         : goal.position == IKGoal::Position::plane ? 1
         : goal.position == IKGoal::Position::line  ? 2
                                                    : 3;
}

int rotationRows(const IKGoal& goal) {
  return goal.rotation == IKGoal::Rotation::free ? 0 : goal.rotation == IKGoal::Rotation::fixed ? 3 : 2;
}

void evaluate(RobotModel& robot, const std::vector<ObjectivePtr>& objectives, VectorXd& r, MatrixXd* J, Errors errors) {
  int rows = 0;
  for (const ObjectivePtr& objective : objectives)
    rows += positionRows(objective->goal) + rotationRows(objective->goal);
  r.resize(rows);
  if (J != nullptr) J->setZero(rows, robot.numLinks());
  int row = 0;
  for (const ObjectivePtr& objective : objectives) {
    if (positionRows(objective->goal) > 0) positionPart(robot, *objective, row, r, J);
    row += positionRows(objective->goal);
    if (rotationRows(objective->goal) > 0) rotationPart(robot, *objective, row, r, J, errors);
    row += rotationRows(objective->goal);
  }
}

std::vector<int> defaultLinks(RobotModel& robot, const std::vector<ObjectivePtr>& objectives) {
  std::vector<char> used(static_cast<std::size_t>(robot.numLinks()), 0);
  const auto& links = robot.description().links;
  for (const ObjectivePtr& objective : objectives) {
    if (!objective) throw std::invalid_argument("objectives: expected an Objective, found None");
    for (const int end : {objective->goal.link, objective->goal.destination})
      if (end >= 0) robot.requireLink(end);
    std::vector<char> once(used.size(), 0);  // What moves both ends moves nothing.
    for (const int end : {objective->goal.link, objective->goal.destination})
      for (int i = end; i >= 0; i = links[static_cast<std::size_t>(i)].parent) once[static_cast<std::size_t>(i)] ^= 1;
    for (std::size_t i = 0; i < used.size(); ++i) used[i] |= once[i];
  }
  std::vector<int> result;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const int joint = robot.robot()->jointOfLink(static_cast<int>(i));
    const bool weld = joint >= 0 && robot.description().joints[static_cast<std::size_t>(joint)].type == JointType::weld;
    const bool held = links[i].qMin == links[i].qMax;
    if (used[i] && !weld && !held) result.push_back(static_cast<int>(i));
  }
  return result;
}

namespace {

/// Newton's method on the active coordinates, as Klamp't makes it. The toolbox's solver of goals as equations
/// (`DampedNewton`) does not serve here:
/// - It solves what Klamp't's method is known not to: the manual's arm (planar3R.rob, from zero to (1.5, 0, 1)) stays
///   unsolved within its limits, which the tests ask for; damped steps of the toolbox reach the point.
/// - It minimizes one sum of squares. A bias among its equations would draw links away from their goals, where here it
///   takes what the goals leave free in each step; priorities (`IKRefinement`) come after the goals are met.
/// - It ends by the norm of all equations, Klamp't by the largest entry, and counts other iterations
///   (`lastSolveIters`), so that programs for Klamp't would get other configurations.
class Newton {
 public:
  Newton(RobotModel& robot, const std::vector<ObjectivePtr>& objectives, const SolverSettings& settings)
      : robot_(robot), objectives_(objectives), settings_(settings), q_(robot.q()) {
    const auto n = static_cast<Eigen::Index>(settings.active.size());
    x_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) x_[i] = q_[settings.active[static_cast<std::size_t>(i)]];
  }

  SolverResult run() {
    SolverResult result;
    clamp(x_);
    double f = merit(x_);
    const auto n = static_cast<double>(x_.size());
    const double longest = 10 * std::max(x_.norm(), n);
    while (!(result.solved = worst() < settings_.tolerance) && result.iterations < settings_.iterations && n > 0) {
      VectorXd g;
      VectorXd step = direction(g);
      if (step.norm() > longest) step *= longest / step.norm();
      ++result.iterations;
      const VectorXd before = x_;
      if (search(g, step, f)) break;
      if ((x_ - before).cwiseQuotient(x_.cwiseAbs().cwiseMax(1.0)).cwiseAbs().maxCoeff() < kMinStep) break;
    }
    merit(x_);
    result.solved = worst() < settings_.tolerance;
    VectorXd q = q_;
    normalizeAngles(robot_, q);
    robot_.setConfiguration(q);
    return result;
  }

 private:
  static constexpr double kMinStep = 1e-7, kDamping = 0.01, kDecrease = 1e-4;
  /// Joints are free where the goals change less than that: more would pull them away from the goals they are to meet.
  static constexpr double kFree = 1e-5;

  double worst() const { return r_.size() == 0 ? 0 : r_.cwiseAbs().maxCoeff(); }

  void clamp(VectorXd& x) const {
    if (settings_.low.size() == 0) return;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const int link = settings_.active[static_cast<std::size_t>(i)];
      x[i] = std::max(settings_.low[link], std::min(settings_.high[link], x[i]));
    }
  }

  double merit(const VectorXd& x) {
    for (Eigen::Index i = 0; i < x.size(); ++i) q_[settings_.active[static_cast<std::size_t>(i)]] = x[i];
    robot_.setPositions(q_);
    evaluate(robot_, objectives_, r_, nullptr, Errors::smooth);
    return 0.5 * r_.squaredNorm();
  }

  VectorXd direction(VectorXd& g) {
    MatrixXd full;
    evaluate(robot_, objectives_, r_, &full, Errors::smooth);
    MatrixXd J(full.rows(), x_.size());
    for (Eigen::Index i = 0; i < x_.size(); ++i) J.col(i) = full.col(settings_.active[static_cast<std::size_t>(i)]);
    g = J.transpose() * r_;
    for (Eigen::Index i = 0; i < x_.size() && settings_.low.size() > 0; ++i) {
      const int link = settings_.active[static_cast<std::size_t>(i)];
      if ((x_[i] == settings_.low[link] && g[i] > 0) || (x_[i] == settings_.high[link] && g[i] < 0)) J.col(i).setZero();
    }
    const Eigen::JacobiSVD<MatrixXd> svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorXd s = svd.singularValues();
    const VectorXd inverse = s.cwiseQuotient((s.array().square() + kDamping * kDamping).matrix());
    VectorXd step = -svd.matrixV() * inverse.cwiseProduct(svd.matrixU().transpose() * r_);
    if (settings_.bias.size() > 0) {
      // Towards the bias as far as the goals leave joints free.
      VectorXd wish(x_.size());
      for (Eigen::Index i = 0; i < x_.size(); ++i)
        wish[i] = settings_.bias[settings_.active[static_cast<std::size_t>(i)]] - x_[i];
      const VectorXd squares = s.array().square();
      const VectorXd seen = squares.cwiseQuotient((squares.array() + kFree * kFree).matrix());
      step += wish - svd.matrixV() * seen.cwiseProduct(svd.matrixV().transpose() * wish);
    }
    return step;
  }

  /// Backtracks by the minima of a parabola and of cubics through what is known. True: no step is long enough to count.
  bool search(const VectorXd& g, const VectorXd& step, double& f) {
    const double slope = g.dot(step), f0 = f;
    if (slope >= 0) return false;
    const VectorXd x0 = x_;
    const double minimum =
        kMinStep / std::max(1e-300, step.cwiseQuotient(x0.cwiseAbs().cwiseMax(1.0)).cwiseAbs().maxCoeff());
    double a = 1, previous = 0, fPrevious = 0;
    while (true) {
      x_ = x0 + a * step;
      clamp(x_);
      f = merit(x_);
      if (a < minimum) return true;
      if (f <= f0 + kDecrease * a * slope) return false;
      double next = 0.5 * a;
      if (previous == 0) {
        next = -slope / (2 * (f - f0 - slope));
      } else {
        const double u = f - f0 - a * slope, v = fPrevious - f0 - previous * slope;
        const double c3 = (u / (a * a) - v / (previous * previous)) / (a - previous);
        const double c2 = (a * v / (previous * previous) - previous * u / (a * a)) / (a - previous);
        const double root = c2 * c2 - 3 * c3 * slope;
        if (c3 == 0)
          next = -slope / (2 * c2);
        else if (root >= 0)
          next = c2 <= 0 ? (std::sqrt(root) - c2) / (3 * c3) : -slope / (c2 + std::sqrt(root));
        next = std::min(std::isfinite(next) ? next : 0.5 * a, 0.5 * a);
      }
      previous = a;
      fPrevious = f;
      a = std::max(next, 0.1 * a);
    }
  }

  RobotModel& robot_;
  const std::vector<ObjectivePtr>& objectives_;
  const SolverSettings& settings_;
  VectorXd q_, x_, r_;
};

}  // namespace

SolverResult solve(RobotModel& robot, const std::vector<ObjectivePtr>& objectives, const SolverSettings& settings) {
  return Newton(robot, objectives, settings).run();
}

RigidTransform nearestMatch(const IKGoal& goal, const RigidTransform& X) {
  RigidTransform result = X;
  if (goal.rotation == IKGoal::Rotation::fixed) result.R = rotationFromMoment(goal.rotationVector_DL);
  if (goal.rotation == IKGoal::Rotation::axis) {
    const auto turn = Eigen::Quaterniond::FromTwoVectors(X.R * goal.axis_L, goal.axis_D);
    result.R = turn.toRotationMatrix() * X.R;
  }
  const Vector3d at = result.R * goal.p_LP + result.p, away = at - goal.p_DP;
  const Vector3d d = goal.direction_D.norm() > 0 ? Vector3d(goal.direction_D.normalized()) : Vector3d::Zero();
  if (goal.position == IKGoal::Position::point) result.p -= away;
  if (goal.position == IKGoal::Position::plane) result.p -= d * d.dot(away);
  if (goal.position == IKGoal::Position::line) result.p -= away - d * d.dot(away);
  return result;
}

RigidTransform samplePose(const IKGoal& goal, RandomStream& random) {
  RigidTransform X;
  const double u = random.uniform(), a = kTurn * random.uniform(), b = kTurn * random.uniform();
  X.R = Eigen::Quaterniond(std::sqrt(1 - u) * std::sin(a), std::sqrt(1 - u) * std::cos(a), std::sqrt(u) * std::sin(b),
                           std::sqrt(u) * std::cos(b))
            .normalized()
            .toRotationMatrix();
  return nearestMatch(goal, X);
}

}  // namespace mortise::robotsim
