#include "mortise/timing/contact_bounds.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/math/constants.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/optimization/linear_program.h"

namespace mortise {

namespace {

/// Without other bounds, accelerations and squared velocities are not looked for beyond those that take so many times
/// the robot's weight.
constexpr double kMaxWeights = 30;
/// By how much of the box an edge may lie inside of the polygon, and how often edges are divided.
constexpr double kEdgeError = 1e-4;
constexpr int kDeepest = 6;
constexpr double kNearZero = 1e-9;
/// Forces along goals that have less effect than this fraction of the others' have none.
constexpr double kNoEffect = 1e-8;

struct PolygonCorner {
  double u = 0, x = 0;
};

double away(const PolygonCorner& a, const PolygonCorner& b) {
  return std::max(std::abs(a.u - b.u), std::abs(a.x - b.x));
}

bool isBase(const Robot& robot, int link) {
  const int joint = robot.jointOfLink(link);
  if (joint < 0 || robot.driverOfLink(link) >= 0) return false;
  const JointType type = robot.joints()[static_cast<std::size_t>(joint)].type;
  return type == JointType::floating || type == JointType::floatingPlanar;
}

}  // namespace

struct ContactBounds::Setup {
  RobotPtr robot;
  ContactBoundOptions options;
  RobotDynamics dynamics;
  std::vector<int> contactLinks;
  std::vector<ContactPoint> contacts;
  std::optional<IKEquations> goals;
  std::vector<int> base;
  std::vector<MotorLimit> borne, alone;  ///< Motors that forces at the contacts reach, and others.
  double unit = 1;                       ///< Newton.
  // Workspace.
  VectorXd zero, rest, first, second, r;
  Matrix3X jacobian;
  Eigen::MatrixXd goalJacobian;
  std::vector<Vector3d> edges;
  VectorXd pressed;      ///< Effect of the least forces of contacts, by row.
  Eigen::MatrixXd left;  ///< Combinations of rows to which forces along the goals add nothing.

  int rows() const { return static_cast<int>(base.size() + borne.size()); }

  double entry(const VectorXd& torques, int row) const {
    const auto k = static_cast<std::size_t>(row);
    if (k < base.size()) return torques[base[k]];
    const MotorLimit& motor = borne[k - base.size()];
    double sum = 0;
    for (std::size_t i = 0; i < motor.links.size(); ++i) sum += motor.scale[i] * torques[motor.links[i]];
    return sum;
  }
  static double torqueOf(const MotorLimit& motor, const VectorXd& torques) {
    double sum = 0;
    for (std::size_t i = 0; i < motor.links.size(); ++i) sum += motor.scale[i] * torques[motor.links[i]];
    return sum;
  }
  VectorXd column(const VectorXd& torques) const {
    VectorXd result(rows());
    for (int k = 0; k < rows(); ++k) result[k] = entry(torques, k) / unit;
    return result;
  }

  /// Torques at rest; `dynamics` then stands at q.
  void restAt(const VectorXd& q) {
    dynamics.setPosition(q);
    dynamics.inverseDynamics(zero, options.gravity_W, rest);
  }

  /// The goals' forces along each equation, by row.
  Eigen::MatrixXd goalColumns(const VectorXd& q) {
    if (!goals) return Eigen::MatrixXd(rows(), 0);
    goals->residual(q.data(), r.data());
    goals->jacobian(goalJacobian.data());
    Eigen::MatrixXd columns(rows(), goalJacobian.rows());
    for (Eigen::Index i = 0; i < goalJacobian.rows(); ++i)
      columns.col(i) = column(goalJacobian.row(i).transpose()) * unit;
    return columns;
  }
  /// Forces along the goals may be anything: rows that they reach are met whatever the rest is. What remains are the
  /// combinations of rows that they do not reach.
  void eliminate(const Eigen::MatrixXd& columns) {
    if (columns.cols() == 0) {
      left.setIdentity(columns.rows(), columns.rows());
      return;
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
    qr.setThreshold(kNoEffect);
    const Eigen::Index free = columns.rows() - qr.rank();
    Eigen::MatrixXd last = Eigen::MatrixXd::Zero(columns.rows(), free);
    last.bottomRows(free).setIdentity();
    last.applyOnTheLeft(qr.householderQ());
    left = last.transpose();
  }

  void press() {
    pressed = VectorXd::Zero(rows());
    if (!(options.minForce > 0)) return;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const RigidTransform X_WL = dynamics.X_WL(contactLinks[i]);
      dynamics.positionJacobian(contactLinks[i], X_WL.R.transpose() * (contacts[i].p_WC - X_WL.p), jacobian);
      pressed += column(jacobian.transpose() * contacts[i].n_W) * options.minForce;
    }
  }

  /// A program with the columns of forces, at the position that `dynamics` has; motors' columns are separate.
  LinearProgram forces(const VectorXd& q) {
    eliminate(goalColumns(q));
    press();
    LinearProgram program(static_cast<int>(left.rows()));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const RigidTransform X_WL = dynamics.X_WL(contactLinks[i]);
      dynamics.positionJacobian(contactLinks[i], X_WL.R.transpose() * (contacts[i].p_WC - X_WL.p), jacobian);
      frictionEdges(contacts[i], options.coneEdges, edges);
      for (const Vector3d& edge : edges)
        program.addColumn(left * column(jacobian.transpose() * edge) * unit, 0, kInfinity);
    }
    return program;
  }
  void addMotors(LinearProgram& program) const {
    for (std::size_t k = 0; k < borne.size(); ++k)
      program.addColumn(left.col(static_cast<Eigen::Index>(base.size() + k)), borne[k].low / unit,
                        borne[k].high / unit);
  }
};

ContactBounds::ContactBounds(RobotPtr robot, const std::vector<IKGoal>& goals, const std::vector<Hold>& holds,
                             const ContactBoundOptions& options)
    : setup_(new Setup{robot, options, RobotDynamics(robot), {}, {}, {}, {}, {}, {}, 1, {}, {}, {}, {}, {}, {}, {}, {},
                       {},    {}}) {
  requireConeEdges(options.coneEdges);
  for (const double scale : {options.torqueScale, options.frictionScale})
    if (!(scale > 0 && scale <= 1))
      throw Error("of torques and friction a fraction above 0 and at most 1 may be used, not " + formatReal(scale));
  if (!(options.minForce >= 0)) throw Error("contacts bear at least 0 N, not " + formatReal(options.minForce));
  Setup& s = *setup_;
  const int n = robot->numLinks();
  std::vector<IKGoal> free = goals;
  std::vector<char> reached(static_cast<std::size_t>(n), 0);
  const auto reach = [&](int link) {
    for (int i = link; i >= 0; i = robot->link(i).parent) reached[static_cast<std::size_t>(i)] = 1;
  };
  for (const Hold& hold : holds) {
    if (!options.friction || hold.contacts.empty()) {
      free.push_back(hold.goal);
      continue;
    }
    if (hold.link < 0 || hold.link >= n)
      throw Error("a hold is of link " + std::to_string(hold.link) + ", which robot '" + robot->name() +
                  "' does not have");
    for (const ContactPoint& contact : hold.contacts) {
      requireContact(contact, s.contacts.size());
      s.contacts.push_back(contact);
      s.contacts.back().friction *= options.frictionScale;
      s.contactLinks.push_back(hold.link);
    }
    reach(hold.link);
  }
  for (const IKGoal& goal : free) {
    reach(goal.link);
    reach(goal.destination);
  }
  if (!free.empty()) s.goals.emplace(robot, termsOf(free), linkVariables(*robot));
  for (int i = 0; i < n; ++i)
    if (isBase(*robot, i)) s.base.push_back(i);
  for (MotorLimit& motor : options.torques ? motorLimits(*robot) : std::vector<MotorLimit>{}) {
    motor.low *= options.torqueScale;
    motor.high *= options.torqueScale;
    const bool any = std::any_of(motor.links.begin(), motor.links.end(),
                                 [&](int link) { return reached[static_cast<std::size_t>(link)] != 0; });
    (any ? s.borne : s.alone).push_back(std::move(motor));
  }
  s.unit = std::max(1.0, robot->totalMass() * options.gravity_W.norm());
  s.zero = s.rest = s.first = s.second = VectorXd::Zero(n);
  s.jacobian.resize(3, n);
  if (s.goals) {
    s.r.resize(s.goals->size());
    s.goalJacobian.resize(s.goals->size(), n);
  }
}

ContactBounds::~ContactBounds() = default;

void ContactBounds::addRows(const VectorXd& q, const VectorXd& slope, const VectorXd& bend, const PathBox& box,
                            std::vector<PathRow>& rows) {
  Setup& s = *setup_;
  s.dynamics.setState(q, slope);
  s.dynamics.inverseDynamics(bend, s.options.gravity_W, s.second);
  s.restAt(q);
  s.dynamics.inverseDynamics(slope, s.options.gravity_W, s.first);
  s.first -= s.rest;
  s.second -= s.rest;
  for (const MotorLimit& motor : s.alone) {
    const double rest = Setup::torqueOf(motor, s.rest), alpha = Setup::torqueOf(motor, s.first),
                 beta = Setup::torqueOf(motor, s.second);
    if (std::isfinite(motor.high)) rows.push_back({alpha, beta, motor.high - rest});
    if (std::isfinite(motor.low)) rows.push_back({-alpha, -beta, rest - motor.low});
  }
  if (s.rows() == 0) return;
  const VectorXd alpha = s.column(s.first), beta = s.column(s.second);
  const auto sizeOf = [](double bound, const VectorXd& effect) {
    return std::isfinite(bound) ? std::max(bound, 1e-12) : kMaxWeights / std::max(effect.cwiseAbs().maxCoeff(), 1e-9);
  };
  const double sizeU = sizeOf(box.u, alpha), sizeX = sizeOf(box.x, beta);
  LinearProgram program = s.forces(q);
  s.addMotors(program);
  const int u = program.addColumn(s.left * -alpha * sizeU, -1, 1), x = program.addColumn(s.left * -beta * sizeX, 0, 1);
  program.setRightSide(s.left * (s.column(s.rest) - s.pressed));
  const auto extreme = [&](double du, double dx) -> std::optional<PolygonCorner> {
    const double size = std::hypot(du, dx);
    program.setCost(u, -du / size);
    program.setCost(x, -dx / size);
    if (program.solve() != LinearProgramStatus::optimal) return std::nullopt;
    return PolygonCorner{program.value(u), program.value(x)};
  };
  // Counterclockwise.
  std::vector<PolygonCorner> corners;
  for (const auto& [du, dx] : {std::array{1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}}) {
    const std::optional<PolygonCorner> corner = extreme(du, dx);
    if (!corner) {  // No forces at all: not even at rest.
      rows.push_back({0, 0, -1});
      return;
    }
    if (corners.empty() || (away(*corner, corners.back()) > kNearZero && away(*corner, corners.front()) > kNearZero))
      corners.push_back(*corner);
  }
  const auto addRow = [&](double du, double dx, double maximum) { rows.push_back({du / sizeU, dx / sizeX, maximum}); };
  if (corners.size() == 1) {
    for (const double sign : {1.0, -1.0}) {
      addRow(sign, 0, sign * corners[0].u + kNearZero);
      addRow(0, sign, sign * corners[0].x + kNearZero);
    }
    return;
  }
  const auto expand = [&](const auto& self, const PolygonCorner& a, const PolygonCorner& b, int depth) -> void {
    const double length = std::hypot(b.u - a.u, b.x - a.x);
    const double du = (b.x - a.x) / length, dx = (a.u - b.u) / length, along = du * a.u + dx * a.x;
    const auto same = [](double one, double other, double end) {
      return std::abs(one - end) <= kNearZero && std::abs(other - end) <= kNearZero;
    };
    // Sides of the box.
    if (same(a.x, b.x, 0) || same(a.x, b.x, 1) || same(a.u, b.u, 1) || same(a.u, b.u, -1)) return;
    if (depth < kDeepest) {
      const std::optional<PolygonCorner> beyond = extreme(du, dx);
      if (beyond && du * beyond->u + dx * beyond->x > along + kEdgeError && away(*beyond, a) > kNearZero &&
          away(*beyond, b) > kNearZero) {
        self(self, a, *beyond, depth + 1);
        self(self, *beyond, b, depth + 1);
        return;
      }
    }
    addRow(du, dx, along + (std::abs(along) < kNearZero ? kNearZero : 0));
  };
  for (std::size_t i = 0; i < corners.size(); ++i) expand(expand, corners[i], corners[(i + 1) % corners.size()], 0);
}

double ContactBounds::excess(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) {
  Setup& s = *setup_;
  s.dynamics.setState(q, dq);
  s.dynamics.inverseDynamics(ddq, s.options.gravity_W, s.first);
  s.restAt(q);
  s.first -= s.rest;
  double maximum = 0;
  for (const MotorLimit& motor : s.alone) {
    const double rest = Setup::torqueOf(motor, s.rest), moving = Setup::torqueOf(motor, s.first);
    if (std::abs(moving) <= 1e-12 * (std::abs(rest) + 1)) continue;
    const double room = moving > 0 ? motor.high - rest : rest - motor.low;
    maximum = std::max(maximum, room > 0 ? std::abs(moving) / room : kInfinity);
  }
  if (s.rows() == 0) return maximum;
  const VectorXd moving = s.column(s.first);
  const double size = moving.cwiseAbs().maxCoeff();
  if (size < 1e-10) return maximum;
  LinearProgram program = s.forces(q);
  s.addMotors(program);
  // How much of the motion there could be.
  const int utilization = program.addColumn(s.left * -moving, 0, 1e3, -1);
  program.setRightSide(s.left * (s.column(s.rest) - s.pressed));
  if (program.solve() != LinearProgramStatus::optimal) return kInfinity;
  const double possible = program.value(utilization);
  return std::max(maximum, possible > 0 ? 1 / possible : kInfinity);
}

double ContactBounds::utilization(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) {
  Setup& s = *setup_;
  s.dynamics.setState(q, dq);
  s.dynamics.inverseDynamics(ddq, s.options.gravity_W, s.first);
  double maximum = 0;
  for (const MotorLimit& motor : s.alone) {
    const double torque = Setup::torqueOf(motor, s.first), limit = torque > 0 ? motor.high : -motor.low;
    if (std::abs(torque) > 1e-12) maximum = std::max(maximum, limit > 0 ? std::abs(torque) / limit : kInfinity);
  }
  if (s.rows() == 0) return maximum;
  s.dynamics.setPosition(q);
  // With f for forces: base rows J^T f = b; motors' rows J^T f + tau = b, where the torque is a share of its limits,
  // tau = sigma * limit - p = -sigma * limit + m with p, m >= 0 up to 2 sigma * limit.
  const int rows = s.rows(), motors = static_cast<int>(s.borne.size()), bases = rows - motors;
  s.press();
  const VectorXd right = s.column(s.first) - s.pressed;
  const Eigen::MatrixXd goals = s.goalColumns(q);
  Eigen::MatrixXd tallGoals(bases + 2 * motors, goals.cols());
  tallGoals << goals, goals.bottomRows(motors);
  s.eliminate(tallGoals);
  LinearProgram program(static_cast<int>(s.left.rows()));
  const auto addColumn = [&](const VectorXd& column, double low, double high) {
    VectorXd tall = VectorXd::Zero(bases + 2 * motors);
    tall.head(rows) = column;
    tall.tail(motors) = column.tail(motors);
    program.addColumn(s.left * tall, low, high);
  };
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const RigidTransform X_WL = s.dynamics.X_WL(s.contactLinks[i]);
    s.dynamics.positionJacobian(s.contactLinks[i], X_WL.R.transpose() * (s.contacts[i].p_WC - X_WL.p), s.jacobian);
    frictionEdges(s.contacts[i], s.options.coneEdges, s.edges);
    for (const Vector3d& edge : s.edges) addColumn(s.column(s.jacobian.transpose() * edge) * s.unit, 0, kInfinity);
  }
  VectorXd limits = VectorXd::Zero(bases + 2 * motors);
  for (int k = 0; k < motors; ++k) {
    const MotorLimit& motor = s.borne[static_cast<std::size_t>(k)];
    limits[bases + k] = motor.high / s.unit;
    limits[rows + k] = motor.low / s.unit;
    program.addColumn(-s.left.col(bases + k), 0, kInfinity);
    program.addColumn(s.left.col(rows + k), 0, kInfinity);
  }
  const int sigma = program.addColumn(s.left * limits, 0, kInfinity, 1);
  VectorXd tall(bases + 2 * motors);
  tall << right, right.tail(motors);
  program.setRightSide(s.left * tall);
  if (program.solve() != LinearProgramStatus::optimal) return kInfinity;
  return std::max(maximum, program.value(sigma));
}

std::string ContactBounds::explain(const VectorXd& q) {
  const double utilization = this->utilization(q, setup_->zero, setup_->zero);
  if (utilization <= 1) return {};
  if (std::isinf(utilization)) return "even at rest the contacts cannot bear the robot: it is not balanced on them";
  return "even at rest a motor needs " + formatReal(std::round(utilization * 1000) / 10) + " % of its torque";
}

}  // namespace mortise
