#include "mortise/mechanics/contact_torques.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/math/constants.h"
#include "mortise/mechanics/forces/contact_program.h"

namespace mortise {

namespace {

/// The same for all three programs.
struct TorqueProblem {
  std::vector<ContactPoint> points;
  std::vector<Matrix3X> jacobians;
  VectorXd bias, limits;
  VectorXd weights;       ///< Weight of a torque; 0: it does not count.
  std::vector<int> free;  ///< Links without torque that contacts must hold.
  std::vector<int> held;  ///< Links with weight that contacts can help.
  double unit = 1;        ///< Newton.
  int coneEdges = 0;
  const ContactForceLimits* forceLimits = nullptr;

  /// Rows of links, signs and scales as `rows` has them.
  struct Row {
    int link;
    double factor;
  };
  ContactProgram program(const std::vector<Row>& rows, const ContactForceLimits& bounds) const {
    std::vector<Eigen::MatrixX3d> effect;
    for (const Matrix3X& J : jacobians) {
      Eigen::MatrixX3d block(std::ssize(rows), 3);
      for (std::size_t r = 0; r < rows.size(); ++r)
        block.row(static_cast<Eigen::Index>(r)) = rows[r].factor * J.col(rows[r].link).transpose();
      effect.push_back(std::move(block));
    }
    ContactProgram result(static_cast<int>(rows.size()), points, effect, coneEdges, bounds, unit);
    VectorXd b(std::ssize(rows));
    for (std::size_t r = 0; r < rows.size(); ++r)
      b[static_cast<Eigen::Index>(r)] = rows[r].factor * bias[rows[r].link] / unit;
    result.setRightSide(b);
    return result;
  }

  std::vector<Row> freeRows() const {
    std::vector<Row> rows;
    for (const int link : free) rows.push_back({link, 1});
    return rows;
  }

  VectorXd torques(const std::vector<Vector3d>& forces) const {
    VectorXd torques = bias;
    for (std::size_t i = 0; i < forces.size(); ++i) torques -= jacobians[i].transpose() * forces[i];
    for (const int link : free) torques[link] = 0;  // But for rounding.
    return torques;
  }

  /// The least t for which all |tau| <= t * weight; infinite where nothing balances.
  double minLargest() const;
  bool minSum(std::vector<Vector3d>& forces) const;
  /// With all |tau| <= t * weight.
  bool minNormals(double t, std::vector<Vector3d>& forces) const;
};

bool solved(ContactProgram& program, double unit, std::vector<Vector3d>& forces) {
  if (program.solve() != LinearProgramStatus::optimal) return false;
  program.forces(forces);
  for (Vector3d& force : forces) force *= unit;
  return true;
}

double TorqueProblem::minLargest() const {
  double minimum = 0;  // What contacts cannot change.
  for (Eigen::Index link = 0; link < weights.size(); ++link)
    if (weights[link] > 0 && std::find(held.begin(), held.end(), link) == held.end())
      minimum = std::max(minimum, std::abs(bias[link]) / weights[link]);
  // t weight - tau >= 0 and t weight + tau >= 0, in units in which t counts about as much as forces.
  double typical = 0;
  for (const int link : held) typical += weights[link] / static_cast<double>(held.size());
  std::vector<Row> rows = freeRows();
  const std::size_t first = rows.size();
  for (const int link : held) {
    rows.push_back({link, typical / weights[link]});
    rows.push_back({link, -typical / weights[link]});
  }
  ContactProgram program = this->program(rows, *forceLimits);
  const Eigen::Index size = std::ssize(rows);
  VectorXd gradient = VectorXd::Zero(size);
  for (Eigen::Index row = static_cast<Eigen::Index>(first); row < size; ++row) {
    gradient[row] = 1;
    program.program().addColumn(program.column(-VectorXd::Unit(size, row)), 0, kInfinity);
  }
  const double scale = held.empty() ? 1 : typical / unit;
  const int t = program.program().addColumn(program.column(gradient), scale * minimum, kInfinity, 1);
  if (program.solve() != LinearProgramStatus::optimal) return kInfinity;
  return program.program().value(t) / scale;
}

bool TorqueProblem::minSum(std::vector<Vector3d>& forces) const {
  std::vector<Row> rows = freeRows();
  const std::size_t first = rows.size();
  for (const int link : held) rows.push_back({link, 1 / weights[link]});
  ContactProgram program = this->program(rows, *forceLimits);
  for (std::size_t r = first; r < rows.size(); ++r)
    for (const double sign : {1.0, -1.0})
      program.program().addColumn(program.column(sign * VectorXd::Unit(std::ssize(rows), static_cast<Eigen::Index>(r))),
                                  0, kInfinity, 1);
  return solved(program, unit, forces);
}

bool TorqueProblem::minNormals(double t, std::vector<Vector3d>& forces) const {
  ContactForceLimits bounds = *forceLimits;
  if (std::isfinite(t))
    for (const int link : held) {
      ForceBound bound;
      for (const Matrix3X& J : jacobians) bound.a_W.push_back(J.col(link));
      bound.low = bias[link] - t * weights[link];
      bound.high = bias[link] + t * weights[link];
      bounds.bounds.push_back(std::move(bound));
    }
  ContactProgram program = this->program(freeRows(), bounds);
  program.setNormalCost(1);
  return solved(program, unit, forces);
}

TorqueProblem makeProblem(const RobotDynamics& dynamics, std::span<const LinkContact> contacts, const VectorXd& bias,
                          const ContactTorqueOptions& options) {
  const Robot& robot = dynamics.robot();
  const int n = robot.numLinks();
  MORTISE_REQUIRE_SIZE(bias, n, "one for each link");
  requireLinkContacts(robot, contacts);
  requireConeEdges(options.coneEdges);
  requireForceLimits(options.forceLimits, contacts.size());
  TorqueProblem problem;
  problem.bias = bias;
  problem.limits = options.limits.size() > 0 ? options.limits : torqueLimits(robot);
  MORTISE_REQUIRE_SIZE(problem.limits, n, "one for each link");
  problem.coneEdges = options.coneEdges;
  problem.forceLimits = &options.forceLimits;
  problem.unit = std::max(1.0, robot.totalMass() * 9.8);
  bool limited = false;
  for (const double limit : problem.limits) {
    if (!(limit >= 0)) throw Error("limits of torque must be at least 0");
    limited = limited || (limit > 0 && std::isfinite(limit));
  }
  for (const LinkContact& contact : contacts) {
    problem.points.push_back(contact.point);
    problem.jacobians.emplace_back(3, n);
    contactJacobian(dynamics, contact, problem.jacobians.back());
  }
  problem.weights = VectorXd::Zero(n);
  for (int link = 0; link < n; ++link) {
    const int joint = robot.jointOfLink(link);
    const bool welded = joint >= 0 && robot.joints()[static_cast<std::size_t>(joint)].type == JointType::weld;
    if (problem.limits[link] == 0)
      problem.free.push_back(link);
    else if (std::isfinite(problem.limits[link]))
      problem.weights[link] = problem.limits[link];
    else if (!limited && !welded)
      problem.weights[link] = 1;
    const bool touched = std::any_of(problem.jacobians.begin(), problem.jacobians.end(),
                                     [&](const Matrix3X& J) { return !J.col(link).isZero(0); });
    if (problem.weights[link] > 0 && touched) problem.held.push_back(link);
  }
  return problem;
}

}  // namespace

ContactTorques solveContactTorques(const RobotDynamics& dynamics, std::span<const LinkContact> contacts,
                                   const VectorXd& bias, const ContactTorqueOptions& options) {
  const TorqueProblem problem = makeProblem(dynamics, contacts, bias, options);
  ContactTorques result;
  result.torques = result.utilization = VectorXd::Constant(bias.size(), std::nan(""));
  if (options.objective == TorqueObjective::sumOfUtilizations) {
    result.balanced = problem.minSum(result.forces_W);
  } else {
    const double t = options.objective == TorqueObjective::normalForces ? kInfinity : problem.minLargest();
    const bool bounded = options.objective == TorqueObjective::largestUtilization;
    // Wider by more than what linear programs count as feasible, until there is room for rounding.
    for (double slack = 1e-9; (!bounded || std::isfinite(t)) && !result.balanced && slack < 1e-3; slack *= 10)
      result.balanced = problem.minNormals(t * (1 + slack) + slack, result.forces_W);
  }
  if (!result.balanced) return result;
  result.torques = problem.torques(result.forces_W);
  for (Eigen::Index link = 0; link < bias.size(); ++link) {
    if (!(problem.limits[link] > 0) || !std::isfinite(problem.limits[link])) continue;
    result.utilization[link] = std::abs(result.torques[link]) / problem.limits[link];
    if (result.largestLink >= 0 && result.utilization[link] <= result.largestUtilization) continue;
    result.largestUtilization = result.utilization[link];
    result.largestLink = static_cast<int>(link);
  }
  result.withinLimits = result.largestUtilization <= 1 + 1e-7;
  return result;
}

}  // namespace mortise
