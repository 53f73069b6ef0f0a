#include "mortise/planning/spaces/robot_space.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/edge_subdivision.h"

namespace mortise {

namespace {

enum : int { kLimits, kSelfCollision, kCollision, kFirstOwn };

}  // namespace

struct RobotSpace::Shared {
  std::shared_ptr<const WorldCollider> collider;
  EdgeChecker edges;
  int robot;
  RobotSpaceOptions options;
  RobotCoordinates coordinates;
  std::vector<std::string> names;  ///< Names of constraints.
  IdSelection own, others;         ///< This robot, and everything but it.
  IdSelection everything;

  const ConfigurationSpace& space() const { return edges.space(); }
  const Robot& model() const { return space().robot(); }
};

namespace {

/// Only pairs with a link that is planned for, or carried by one, can change.
std::shared_ptr<const WorldCollider> reduced(const WorldCollider& full, int robot,
                                             const RobotCoordinates& coordinates) {
  const int first = full.world().linkId(robot, 0), numLinks = coordinates.robot().numLinks();
  const auto moves = [&](int id) { return id >= first && id < first + numLinks && coordinates.moves(id - first); };
  PairTable pairs(full.numIds());
  full.pairs().forEachPair([&](int a, int b) {
    if (moves(a) || moves(b)) pairs.set(a, b, true);
  });
  return std::make_shared<const WorldCollider>(full.withPairs(pairs));
}

}  // namespace

RobotSpace::RobotSpace(std::shared_ptr<const WorldCollider> collider, int robot, const VectorXd& base,
                       RobotSpaceOptions options)
    : RobotSpace(
          [&] {
            const World& world = collider->world();
            if (robot < 0 || robot >= static_cast<int>(world.robots.size()))
              throw Error("there is no robot " + std::to_string(robot) + " in the world");
            if (!(options.margin >= 0) || !std::isfinite(options.margin))
              throw Error("the margin must be a finite number of at least 0, not " + formatReal(options.margin));
            if (!(options.edges.resolution > 0)) throw Error("the resolution of edges must be above 0");
            options.edges.endsChecked = true;
            RobotCoordinates coordinates(world.robots[robot].robot, base, options.links, options.metric,
                                         options.sampling);
            auto less = reduced(*collider, robot, coordinates);
            const WorldCollisionState selecting(less);
            IdSelection own = selecting.selection(IdFilter::robots(robot));
            IdSelection everything = selecting.selection(IdFilter::everything()), others = everything;
            for (std::size_t i = 0; i < others.bits.size(); ++i) others.bits[i] &= ~own.bits[i];
            std::vector<std::string> names = {"joint_limits", "self_collision", "collision"};
            for (const RobotConstraint& constraint : options.constraints) names.push_back(constraint.name);
            return std::make_shared<const Shared>(Shared{less, EdgeChecker(less, robot), robot, std::move(options),
                                                         std::move(coordinates), std::move(names), std::move(own),
                                                         std::move(others), std::move(everything)});
          }(),
          nullptr) {}

RobotSpace::RobotSpace(std::shared_ptr<const Shared> shared, const WorldCollisionState* state)
    : shared_(std::move(shared)), state_(state != nullptr ? *state : WorldCollisionState(shared_->collider)) {
  mover_ = {Mover::Kind::robot, shared_->robot, 0, shared_->model().numLinks()};
  state_.setTolerance(shared_->options.margin);
  fullA_ = fullB_ = full_ = shared_->coordinates.base();
  if (state == nullptr) state_.setConfiguration(shared_->robot, full_);
}

void RobotSpace::setPose(int id, const RigidTransform& X_W) {
  state_.setPose(id, X_W);
  free_.clear();
}
const Robot& RobotSpace::robot() const { return shared_->model(); }
int RobotSpace::robotIndex() const { return shared_->robot; }
int RobotSpace::dimension() const { return shared_->coordinates.dimension(); }
std::string RobotSpace::coordinateName(int i) const { return shared_->coordinates.coordinate(i).name; }

void RobotSpace::lift(const VectorXd& q, VectorXd& full) const { shared_->coordinates.lift(q, full); }

void RobotSpace::reduce(const VectorXd& full, VectorXd& q) const {
  q.resize(dimension());
  shared_->coordinates.reduce(full, q);
}

Value RobotSpace::properties() const {
  Value map = PlanningSpace::properties();
  map.set("geodesic", true);
  map.set("straight", shared_->coordinates.straight());
  return map;
}

void RobotSpace::bounds(VectorXd& low, VectorXd& high) const {
  low.resize(dimension());
  high.resize(dimension());
  for (int c = 0; c < dimension(); ++c) {
    low[c] = shared_->coordinates.coordinate(c).low;
    high[c] = shared_->coordinates.coordinate(c).high;
  }
}

double RobotSpace::distance(const VectorXd& a, const VectorXd& b) const {
  return shared_->coordinates.distance(a, b, scratch_);
}

void RobotSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  q.resize(dimension());
  shared_->coordinates.interpolate(a, b, u, q, scratch_);
}

void RobotSpace::sample(RandomStream& random, VectorXd& q) {
  q.resize(dimension());
  shared_->coordinates.sample(random, q, scratch_);
}

void RobotSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  // Uniform in the ball of the metric at the center, cut off at the limits.
  VectorXd step(dimension()), near(dimension());
  for (int c = 0; c < dimension(); ++c) step[c] = random.gaussian();
  step *= radius * std::pow(random.uniform(), 1.0 / dimension()) / std::max(step.norm(), 1e-300);
  shared_->coordinates.displace(center, step, near);
  // Angles of a rotation, and other norms, may have gone farther than their numbers say.
  const double length = shared_->coordinates.straight() ? 0 : distance(center, near);
  if (length > radius) {
    interpolate(center, near, (1 - 1e-12) * radius / length, q);
  } else {
    q = near;
  }
}

std::span<const std::string> RobotSpace::constraints() const { return shared_->names; }

bool RobotSpace::satisfies(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  if (!q.allFinite()) return false;
  lift(q, full_);
  if (constraint == kLimits) return withinLimits();
  if (constraint >= kFirstOwn) return shared_->options.constraints.at(constraint - kFirstOwn).holds(full_);
  if (constraint == kSelfCollision) ++counts_.configurations;
  state_.setConfiguration(shared_->robot, full_);
  return !collides(constraint == kSelfCollision, nullptr);
}

/// Says whether full_ is within its limits.
bool RobotSpace::withinLimits() const { return shared_->coordinates.linkOutside(full_) < 0; }

bool RobotSpace::feasible(const VectorXd& q, int* violated) {
  const auto no = [violated](int constraint) {
    if (violated != nullptr) *violated = constraint;
    return false;
  };
  if (!q.allFinite()) return no(kLimits);
  lift(q, full_);
  if (!withinLimits()) return no(kLimits);
  ++counts_.configurations;
  state_.setConfiguration(shared_->robot, full_);
  // Both kinds of collisions at once; which it is matters only to those who ask.
  if (state_.anyCollision(shared_->own, shared_->everything))
    return no(violated != nullptr && !collides(true, nullptr) ? kCollision : kSelfCollision);
  for (std::size_t i = 0; i < shared_->options.constraints.size(); ++i)
    if (!shared_->options.constraints[i].holds(full_)) return no(kFirstOwn + static_cast<int>(i));
  if (violated != nullptr) *violated = -1;
  return true;
}

bool RobotSpace::collides(bool withItself, IdPair* found) {
  return state_.anyCollision(shared_->own, withItself ? shared_->own : shared_->others, found);
}

bool RobotSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  if (free_.contains(a, b)) return true;
  const bool free = proven(a, b);
  if (free) free_.insert(a, b);
  return free;
}

bool RobotSpace::proven(const VectorXd& a, const VectorXd& b) {
  lift(a, fullA_);
  lift(b, fullB_);
  const EdgeCheckResult result = shared_->edges.check(fullA_, fullB_, state_, edges_, shared_->options.edges);
  counts_.configurations += result.configurations;
  return result.free && constraintsHold();
}

bool RobotSpace::visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(deviation, dimension(), "one for each coordinate");
  ++counts_.edges;
  // How far that moves any two links, together. Prismatic links carry others as far as they are extended, so the
  // larger coordinates count.
  VectorXd from = a;
  for (Eigen::Index c = 0; c < a.size(); ++c)
    if (std::abs(b[c]) > std::abs(a[c])) from[c] = b[c];
  lift(from, fullA_);
  for (Eigen::Index c = 0; c < a.size(); ++c) from[c] += std::copysign(deviation[c], from[c]);
  lift(from, fullB_);
  shared_->edges.linkMotion(fullA_, fullB_, edges_, motion_);
  double first = 0, second = 0;
  for (std::size_t i = 0; i < motion_.size(); ++i) {
    if (!shared_->collider->shape(shared_->collider->world().linkId(shared_->robot, static_cast<int>(i)))) continue;
    second = std::max(second, std::min(first, motion_[i]));
    first = std::max(first, motion_[i]);
  }
  if (!std::isfinite(first)) return false;
  lift(a, fullA_);
  lift(b, fullB_);
  state_.setTolerance(shared_->options.margin + first + second);
  EdgeCheckOptions options = shared_->options.edges;
  options.clearance = std::max(options.clearance, shared_->options.margin + first + second);
  const EdgeCheckResult result = shared_->edges.check(fullA_, fullB_, state_, edges_, options);
  state_.setTolerance(shared_->options.margin);
  counts_.configurations += result.configurations;
  return result.free && constraintsHold();
}

/// Checks the edge from fullA_ to fullB_: the caller's constraints, far places first.
bool RobotSpace::constraintsHold() {
  if (shared_->options.constraints.empty()) return true;
  const double length = shared_->space().distance(fullA_, fullB_, shared_->options.metric);
  return forEdgeFractions(edgeStepsByHalves(length, shared_->options.edges.resolution), [&](double u) {
    shared_->space().interpolate(fullA_, fullB_, u, full_);
    for (const RobotConstraint& constraint : shared_->options.constraints)
      if (!constraint.holds(full_)) return false;
    return true;
  });
}

std::string RobotSpace::explain(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  lift(q, full_);
  if (constraint == kLimits) {
    const int outside = shared_->coordinates.linkOutside(full_);
    return outside < 0 ? std::string() : shared_->coordinates.explainOutside(outside, full_);
  }
  if (constraint >= kFirstOwn) {
    const RobotConstraint& own = shared_->options.constraints.at(constraint - kFirstOwn);
    return own.explain ? own.explain(full_) : "constraint '" + own.name + "' does not hold";
  }
  state_.setConfiguration(shared_->robot, full_);
  IdPair found;
  if (!collides(constraint == kSelfCollision, &found)) return {};
  const World& world = shared_->collider->world();
  std::string text = "'" + world.nameOf(found.a) + "' ";
  text +=
      shared_->options.margin > 0 ? "comes within " + formatReal(shared_->options.margin) + " m of " : "collides with ";
  return text + "'" + world.nameOf(found.b) + "'";
}

void RobotSpace::refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const {
  if (shared_->coordinates.straight()) return;
  // Where edges are not lines in coordinates: so close together that the two hardly differ.
  const double length = distance(a, b);
  const int parts = static_cast<int>(std::clamp(std::ceil(length / std::max(tolerance, 1e-6)), 1.0, 1e6));
  for (int k = 1; k < parts; ++k) {
    VectorXd q;
    interpolate(a, b, static_cast<double>(k) / parts, q);
    path.push_back(std::move(q));
  }
}

double RobotSpace::extent() const { return shared_->coordinates.extent(); }
double RobotSpace::measure() const { return shared_->coordinates.measure(); }

std::unique_ptr<MotionSpace> RobotSpace::copyMotion() const {
  return std::unique_ptr<MotionSpace>(new RobotSpace(shared_, &state_));
}

}  // namespace mortise
