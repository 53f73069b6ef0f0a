#include "mortise/planning/spaces/constrained_space.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/damped_newton.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "mortise/planning/spaces/manifold_edge.h"
#include "mortise/planning/spaces/planned_variables.h"

namespace mortise {

namespace {

constexpr int kTries = 10;           ///< Tries of projecting a sample.
constexpr std::size_t kRecent = 16;  ///< Edges remembered.
constexpr int kGoal = 1;             ///< Index of ik_constraint; the derived space's follow.
constexpr double kWithin = 0.5;      ///< Projections end at this part of the tolerance: what comes out is inside.

void requirePositive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(std::string("the ") + what + " of a closed chain must be above 0, not " + formatReal(value));
}

/// Orders configurations, so that an edge is the same from either end.
bool less(const VectorXd& a, const VectorXd& b) {
  return std::lexicographical_compare(a.data(), a.data() + a.size(), b.data(), b.data() + b.size());
}

}  // namespace

struct ConstrainedSpace::Work {
  /// The data that copies share.
  struct Shared {
    RobotPtr robot;
    std::vector<IKGoal> goals;
    ConstrainedSpaceOptions options;
    std::vector<std::string> names;
    int own = 0;  ///< Constraints of the derived space.
    PlannedVariables planned;
    VectorXd low, high;  ///< For projections: of coordinates that go straight.
    int anchor = -1;     ///< A goal that the pose of the floating base alone can meet.
  };

  std::shared_ptr<const Shared> shared;
  std::unique_ptr<RobotSpace> inner;
  IKEquations equations;
  DampedNewton solver;
  DampedNewtonOptions solving;
  ManifoldEdgeTools tools;
  std::vector<ManifoldEdge> recent;
  std::size_t oldest = 0;
  RobotState state;
  VectorXd r, full;
  Eigen::MatrixXd J;

  Work(std::shared_ptr<const Shared> what, std::unique_ptr<RobotSpace> space)
      : shared(std::move(what)),
        inner(std::move(space)),
        equations(shared->robot, termsOf(shared->goals), shared->planned.variables),
        state(*shared->robot) {
    equations.setFixed(shared->planned.base);
    solving.tolerance = kWithin * shared->options.tolerance;
    solving.maxIterations = shared->options.maxIterations;
    r.resize(equations.size());
    J.resize(equations.size(), inner->dimension());
    tools.interpolate = [this](const VectorXd& a, const VectorXd& b, double u, VectorXd& q) {
      inner->interpolate(a, b, u, q);
    };
    tools.distance = [this](const VectorXd& a, const VectorXd& b) { return inner->distance(a, b); };
    tools.project = [this](VectorXd& q) {
      return solver.solve(equations, q, shared->low, shared->high, solving).solved;
    };
    tools.residual = [this](const VectorXd& q) { return residual(q); };
  }
  Work(const Work&) = delete;

  double residual(const VectorXd& q) {
    MORTISE_REQUIRE_SIZE(q, inner->dimension(), "one for each coordinate");
    equations.residual(q.data(), r.data());
    const double worst = r.size() > 0 ? r.cwiseAbs().maxCoeff() : 0.0;
    return std::isnan(worst) ? kInfinity : worst;
  }

  /// Edges are kept from the lesser end to the greater.
  ManifoldEdge& tree(const VectorXd& a, const VectorXd& b, bool& turned) {
    turned = less(b, a);
    const VectorXd &first = turned ? b : a, &second = turned ? a : b;
    for (ManifoldEdge& edge : recent)
      if (edge.a() == first && edge.b() == second) return edge;
    if (recent.size() < kRecent) return recent.emplace_back(first, second);
    oldest = (oldest + 1) % kRecent;
    return recent[oldest] = ManifoldEdge(first, second);
  }

  /// Steps straight towards b, each projected, for a length of u times the distance, as long as they do not jump. Where
  /// not even the first does, the straight step itself: no solution, so that planners take it for what it is.
  void follow(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) {
    double left = inner->distance(a, b), remaining = u * left;
    VectorXd straight, next;
    q = a;
    const double step = shared->options.step;
    for (int steps = static_cast<int>(std::min(1e5, 4 * remaining / step + 4)); steps > 0 && remaining > 1e-9;
         --steps) {
      const double advance = std::min(step, remaining);
      inner->interpolate(q, b, std::min(1.0, advance / left), straight);
      next = straight;
      const bool projected = tools.project(next);
      const double moved = inner->distance(q, next), after = inner->distance(next, b);
      if (!projected || moved > (1 + shared->options.growth) * advance || after > left - 0.1 * advance) {
        if (q == a) q = straight;
        return;
      }
      q = next;
      left = after;
      remaining -= moved;
    }
  }

  /// Places a floating base such that one goal is met from the start.
  void anchor(VectorXd& q) {
    if (shared->anchor < 0) return;
    const IKGoal& goal = shared->goals[static_cast<std::size_t>(shared->anchor)];
    inner->lift(q, state.q);
    updateFrames(*shared->robot, state);
    RigidTransform X_WL;
    X_WL.R = rotationFromMoment(goal.rotationVector_DL);
    X_WL.p = goal.p_DP - X_WL.R * goal.p_LP;
    const int base = shared->robot->floatingBaseLink();
    setFloatingBasePose(*shared->robot,
                        X_WL * state.X_WL[static_cast<std::size_t>(goal.link)].inverse() * state.X_WL[base], state.q);
    inner->reduce(state.q, q);
  }
};

namespace {

/// Says whether all coordinates of the floating base are planned for, each as it is.
bool plansBase(const Robot& robot, const std::vector<IKVariable>& variables) {
  if (robot.floatingBaseLink() < 0) return false;
  int found = 0;
  for (const IKVariable& variable : variables)
    for (const DrivenCoordinate& move : variable.moves)
      found += move.link <= robot.floatingBaseLink() && move.scale == 1;
  return found == robot.floatingBaseLink() + 1;
}

}  // namespace

ConstrainedSpace::ConstrainedSpace(const RobotSpace& space, std::vector<IKGoal> goals,
                                   const ConstrainedSpaceOptions& options)
    : ConstrainedSpace(space, std::move(goals), options, {}) {}

ConstrainedSpace::ConstrainedSpace(const RobotSpace& space, std::vector<IKGoal> goals,
                                   const ConstrainedSpaceOptions& options, std::vector<std::string> names) {
  requirePositive(options.tolerance, "tolerance");
  requirePositive(options.deviation, "deviation");
  requirePositive(options.step, "step");
  requirePositive(options.resolution, "resolution");
  if (!(options.growth > 0) || !(options.growth < 1))
    throw Error("the growth of a closed chain must lie between 0 and 1, not " + formatReal(options.growth));
  if (options.deviation < 2 * options.tolerance)
    throw Error("a deviation of " + formatReal(options.deviation) + " leaves no room above the tolerance of " +
                formatReal(options.tolerance));
  if (options.maxIterations < 1) throw Error("a projection needs at least one iteration");
  std::unique_ptr<RobotSpace> inner(static_cast<RobotSpace*>(space.copy().release()));
  const Robot& robot = inner->robot();
  auto shared = std::make_shared<Work::Shared>();
  shared->robot = borrow(robot);  // The inner space keeps it.
  shared->goals = std::move(goals);
  shared->options = options;
  shared->own = static_cast<int>(names.size());
  shared->planned = plannedVariables(*inner, inner->movers()[0], robot.name());
  inner->bounds(shared->low, shared->high);
  for (std::size_t v = 0; v < shared->planned.variables.size(); ++v)
    for (const DrivenCoordinate& move : shared->planned.variables[v].moves) {
      const int joint = robot.jointOfLink(move.link);
      const bool round = robot.link(move.link).motion != LinkMotion::prismatic && joint >= 0 &&
                         robot.joints()[joint].type != JointType::normal;
      if (round) {
        shared->low[static_cast<Eigen::Index>(v)] = -kInfinity;
        shared->high[static_cast<Eigen::Index>(v)] = kInfinity;
      }
    }
  const std::span<const std::string> others = inner->constraints();
  shared->names = {others.front(), "ik_constraint"};
  shared->names.insert(shared->names.end(), names.begin(), names.end());
  shared->names.insert(shared->names.end(), others.begin() + 1, others.end());
  if (plansBase(robot, shared->planned.variables))
    for (std::size_t i = 0; i < shared->goals.size() && shared->anchor < 0; ++i) {
      const IKGoal& goal = shared->goals[i];
      if (goal.destination < 0 && goal.position == IKGoal::Position::point && goal.rotation == IKGoal::Rotation::fixed)
        shared->anchor = static_cast<int>(i);
    }
  work_ = std::make_unique<Work>(std::move(shared), std::move(inner));
  for (std::size_t i = 0; i < this->goals().size(); ++i) {
    const IKGoal& goal = this->goals()[i];
    bool moved = numEquations(goal) == 0;
    for (const IKVariable& variable : work_->shared->planned.variables)
      for (const DrivenCoordinate& move : variable.moves)
        moved = moved || robot.isAncestor(move.link, goal.link) ||
                (goal.destination >= 0 && robot.isAncestor(move.link, goal.destination));
    if (!moved)
      throw Error("no link that is planned for moves link '" + robot.link(goal.link).name + "', which goal " +
                      std::to_string(i) + " constrains",
                  {}, "plan for links between it and the root, or leave the goal out");
  }
}

ConstrainedSpace::ConstrainedSpace(const ConstrainedSpace& other)
    : MotionSpace(other),
      work_(std::make_unique<Work>(other.work_->shared, std::unique_ptr<RobotSpace>(static_cast<RobotSpace*>(
                                                            other.work_->inner->copy().release())))) {}

ConstrainedSpace::~ConstrainedSpace() = default;

std::unique_ptr<MotionSpace> ConstrainedSpace::copyMotion() const {
  return std::unique_ptr<MotionSpace>(new ConstrainedSpace(*this));
}

const RobotSpace& ConstrainedSpace::robotSpace() const { return *work_->inner; }
RobotSpace& ConstrainedSpace::robotSpace() { return *work_->inner; }
const std::vector<IKGoal>& ConstrainedSpace::goals() const { return work_->shared->goals; }
const ConstrainedSpaceOptions& ConstrainedSpace::options() const { return work_->shared->options; }

bool ConstrainedSpace::project(VectorXd& q) const { return work_->tools.project(q); }
double ConstrainedSpace::residual(const VectorXd& q) const { return work_->residual(q); }
void ConstrainedSpace::projectionBounds(VectorXd& low, VectorXd& high) const {
  low = work_->shared->low;
  high = work_->shared->high;
}
int ConstrainedSpace::manifoldDimension() const { return std::max(0, dimension() - work_->equations.size()); }

std::span<const Mover> ConstrainedSpace::movers() const { return work_->inner->movers(); }
void ConstrainedSpace::lift(const VectorXd& q, VectorXd& full) const { work_->inner->lift(q, full); }
void ConstrainedSpace::reduce(const VectorXd& full, VectorXd& q) const { work_->inner->reduce(full, q); }
std::string ConstrainedSpace::coordinateName(int i) const { return work_->inner->coordinateName(i); }
int ConstrainedSpace::dimension() const { return work_->inner->dimension(); }
void ConstrainedSpace::bounds(VectorXd& low, VectorXd& high) const { work_->inner->bounds(low, high); }
double ConstrainedSpace::extent() const { return work_->inner->extent(); }
PlanningSpace::Counts ConstrainedSpace::counts() const { return work_->inner->counts(); }
std::span<const std::string> ConstrainedSpace::constraints() const { return work_->shared->names; }
double ConstrainedSpace::distance(const VectorXd& a, const VectorXd& b) const { return work_->inner->distance(a, b); }

Value ConstrainedSpace::properties() const {
  Value map = MotionSpace::properties();
  map.set("geodesic", false);
  map.set("straight", false);
  map.set("submanifold", true);
  map.set("intrinsicDimensionality", manifoldDimension());
  return map;
}

void ConstrainedSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  const VectorXd from = a, to = b;  // q may be one of them.
  bool turned = false;
  ManifoldEdge& tree = work_->tree(from, to, turned);
  if (!tree.at(turned ? 1 - u : u, work_->tools, options(), q)) {
    work_->follow(from, to, u, q);
    return;
  }
  // Within a piece a step may come no nearer, by rounding: no step.
  const double length = distance(from, to);
  if (u > 0 && u < 1 && (distance(q, to) >= length || distance(from, q) >= length))
    work_->inner->interpolate(tree.a(), tree.b(), turned ? 1 - u : u, q);
}

std::vector<VectorXd> ConstrainedSpace::edgePoints(const VectorXd& a, const VectorXd& b) const {
  bool turned = false;
  ManifoldEdge& tree = work_->tree(a, b, turned);
  while (tree.deepen(work_->tools, options())) {
  }
  std::vector<VectorXd> points;
  if (tree.broken()) return points;
  std::vector<int> order;
  tree.order(order);
  for (const int i : order) points.push_back(tree.point(i));
  if (turned) std::reverse(points.begin(), points.end());
  return points;
}

void ConstrainedSpace::refine(const VectorXd& a, const VectorXd& b, double tolerance,
                              std::vector<VectorXd>& path) const {
  const std::vector<VectorXd> points = edgePoints(a, b);
  // Halving a piece makes what it is off a quarter.
  int parts = 1;
  for (double off = options().deviation; off > tolerance && parts < 1 << 12; off /= 4) parts *= 2;
  VectorXd q;
  std::vector<VectorXd> between;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const VectorXd &from = points[i - 1], &to = points[i];
    VectorXd last = from;
    for (int k = 1; k <= parts; ++k) {
      if (k < parts) {
        work_->inner->interpolate(from, to, static_cast<double>(k) / parts, q);
        if (!project(q)) continue;
      } else {
        q = to;
      }
      between.clear();
      work_->inner->refine(last, q, tolerance, between);
      for (VectorXd& point : between)
        if (project(point)) path.push_back(point);
      if (k < parts || i + 1 < points.size()) path.push_back(q);
      last = q;
    }
  }
}

void ConstrainedSpace::sample(RandomStream& random, VectorXd& q) {
  for (int k = 0; k < kTries; ++k) {
    work_->inner->sample(random, q);
    work_->anchor(q);
    if (!project(q)) continue;
    improve(random, q);
    return;
  }
}

void ConstrainedSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  const VectorXd middle = center;
  VectorXd near;
  work_->inner->sampleNear(random, middle, radius, near);
  VectorXd step = near - middle;
  const double length = step.norm();
  work_->residual(middle);
  work_->equations.jacobian(work_->J.data());
  const Eigen::MatrixXd& J = work_->J;
  if (J.rows() > 0) {
    Eigen::MatrixXd A = J * J.transpose();
    A.diagonal().array() += 1e-9;  // Redundant equations.
    step -= J.transpose() * A.llt().solve(J * step);
    if (step.norm() > 0) step *= length / step.norm();
  }
  for (int k = 0; k < kTries; ++k) {
    q = middle + step;
    if (project(q) && distance(middle, q) <= radius) return;
    step *= 0.5;
  }
  q = near;
}

bool ConstrainedSpace::satisfies(int constraint, const VectorXd& q) {
  if (constraint == 0) return work_->inner->satisfies(0, q);
  if (!q.allFinite()) return false;
  if (constraint == kGoal) return residual(q) <= options().tolerance;
  const int own = constraint - kGoal - 1;
  if (own >= work_->shared->own) return work_->inner->satisfies(own - work_->shared->own + 1, q);
  work_->inner->lift(q, work_->full);
  return holds(own, work_->full);
}

bool ConstrainedSpace::holdsAll(const VectorXd& q) {
  if (work_->shared->own == 0) return true;
  work_->inner->lift(q, work_->full);
  for (int i = 0; i < work_->shared->own; ++i)
    if (!holds(i, work_->full)) return false;
  return true;
}

bool ConstrainedSpace::pieceVisible(const VectorXd& a, const VectorXd& b) {
  if (work_->shared->own > 0) {
    const int parts = static_cast<int>(std::ceil(distance(a, b) / options().resolution));
    VectorXd q;
    for (int k = 1; k < parts; ++k) {
      work_->inner->interpolate(a, b, static_cast<double>(k) / parts, q);
      if (!holdsAll(q)) return false;
    }
  }
  return work_->inner->visible(a, b);
}

bool ConstrainedSpace::visible(const VectorXd& a, const VectorXd& b) {
  bool turned = false;
  ManifoldEdge& tree = work_->tree(a, b, turned);
  // Middles are checked as soon as they are found: coarse ones first.
  int checked = 2;
  do {
    if (tree.broken()) return false;
    for (; checked < tree.numPoints(); ++checked)
      if (!holdsAll(tree.point(checked)) || !work_->inner->feasible(tree.point(checked))) return false;
  } while (tree.deepen(work_->tools, options()));
  if (tree.broken()) return false;
  std::vector<int> order;
  tree.order(order);
  const std::size_t pieces = order.size() - 1;
  std::size_t stride = 1;
  while (stride < pieces) stride *= 2;
  const auto free = [&](std::size_t i) { return pieceVisible(tree.point(order[i]), tree.point(order[i + 1])); };
  if (!free(0)) return false;
  for (stride /= 2; stride >= 1; stride /= 2)  // Far ones first.
    for (std::size_t i = stride; i < pieces; i += 2 * stride)
      if (!free(i)) return false;
  return true;
}

std::string ConstrainedSpace::explain(int constraint, const VectorXd& q) {
  if (constraint == 0) return work_->inner->explain(0, q);
  const int own = constraint - kGoal - 1;
  if (constraint != kGoal && own >= work_->shared->own) return work_->inner->explain(own - work_->shared->own + 1, q);
  if (constraint != kGoal) {
    work_->inner->lift(q, work_->full);
    return explainOwn(own, work_->full);
  }
  residual(q);
  const VectorXd& r = work_->r;
  if (r.size() == 0) return {};
  int which = 0;
  Eigen::Index row = 0;
  r.cwiseAbs().maxCoeff(&row);
  for (int i = 0; i < static_cast<int>(goals().size()); ++i)
    if (work_->equations.firstRow(i) <= row) which = i;
  const IKGoal& goal = goals()[static_cast<std::size_t>(which)];
  const Robot& robot = work_->inner->robot();
  const bool turned = row - work_->equations.firstRow(which) >= positionEquations(goal);
  std::string text = "link '" + robot.link(goal.link).name + "' is " + formatReal(std::abs(r[row]), 4) +
                     (turned ? " rad" : " m") + " from its goal";
  if (goal.destination >= 0) text += " at link '" + robot.link(goal.destination).name + "'";
  return text + " (" + formatReal(options().tolerance, 4) + " is allowed)";
}

bool ConstrainedSpace::holds(int, const VectorXd&) { return true; }
std::string ConstrainedSpace::explainOwn(int, const VectorXd&) { return {}; }
void ConstrainedSpace::improve(RandomStream&, VectorXd&) {}

}  // namespace mortise
