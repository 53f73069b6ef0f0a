#include "mortise/planning/robot_space.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
enum : int { kLimits, kSelfCollision, kCollision, kFirstOwn };

/// One number of a configuration: a link, or all links of an affine driver.
struct Coordinate {
  std::string name;
  int driver = -1;         ///< Affine only.
  std::vector<int> links;  ///< whole[links[k]] = offset[k] + scale[k] * value
  std::vector<double> scale, offset;
  double low = -kInfinity, high = kInfinity;
  bool straight = true;  ///< Neither round the circle nor part of a rotation.
};

}  // namespace

struct RobotSpace::Shared {
  std::shared_ptr<const WorldCollider> collider;
  EdgeChecker edges;
  int robot;
  VectorXd base;
  RobotSpaceOptions options;
  std::vector<Coordinate> coordinates;
  std::vector<int> coordinateOfLink;
  std::vector<std::string> names;  ///< Of constraints.
  bool straight = true;            ///< All coordinates are: ways are lines, distances weighted Euclidean ones.
  VectorXd weights;                ///< By coordinate, where all is straight: distance^2 = sum (weight * difference)^2.
  double extent = 0;
  IdSelection own, others;  ///< This robot, and everything but it.
  IdSelection everything;

  const ConfigurationSpace& space() const { return edges.space(); }
  const Robot& model() const { return space().robot(); }
  void build();
};

namespace {

/// Only pairs with a link that is planned for, or carried by one, can change.
std::shared_ptr<const WorldCollider> reduced(const std::shared_ptr<const WorldCollider>& whole, int robot,
                                             const std::vector<char>& moves) {
  const World& world = whole->world();
  const int first = world.linkId(robot, 0);
  const auto group = [&](int id) {  // What moves together: everything that stands still, or one moving link.
    const int link = id - first;
    return link >= 0 && link < static_cast<int>(moves.size()) && moves[link] != 0 ? id : -1;
  };
  PairTable pairs(whole->numIds());
  for (int a = 0; a < whole->numIds(); ++a)
    for (int b = a + 1; b < whole->numIds(); ++b)
      if (whole->pairs()(a, b) && (group(a) >= 0 || group(b) >= 0)) pairs.set(a, b, true);
  return std::make_shared<const WorldCollider>(whole->withPairs(pairs));
}

/// To 1e-9; with whole turns added or taken away where the link goes round.
bool linkWithinLimits(const Link& link, double q, bool round) {
  constexpr double kSlack = 1e-9;
  if (round && std::isfinite(link.qMin)) q -= kTurn * std::floor((q - link.qMin + kSlack) / kTurn);
  if (round && !std::isfinite(link.qMin) && std::isfinite(link.qMax))
    q -= kTurn * std::ceil((q - link.qMax - kSlack) / kTurn);
  return q >= link.qMin - kSlack && q <= link.qMax + kSlack;
}

/// Ends of a driver's value that keep it and all its links within their limits.
void driverBounds(const Robot& robot, const Driver& driver, Coordinate& coordinate) {
  coordinate.low = driver.qMin;
  coordinate.high = driver.qMax;
  for (std::size_t k = 0; k < driver.links.size(); ++k) {
    if (driver.scale[k] == 0) continue;
    const Link& link = robot.link(driver.links[k]);
    const double a = (link.qMin - driver.offset[k]) / driver.scale[k];
    const double b = (link.qMax - driver.offset[k]) / driver.scale[k];
    coordinate.low = std::max(coordinate.low, std::min(a, b));
    coordinate.high = std::min(coordinate.high, std::max(a, b));
  }
}

}  // namespace

void RobotSpace::Shared::build() {
  const Robot& robotModel = model();
  const int n = robotModel.numLinks();
  coordinateOfLink.assign(n, -1);
  std::vector<char> wanted(n, options.links.empty());
  for (const int link : options.links) {
    if (link < 0 || link >= n)
      throw Error("there is no link " + std::to_string(link) + " in robot '" + robotModel.name() + "'", {},
                  "links run from 0 to " + std::to_string(n - 1));
    wanted[link] = 1;
  }
  const auto jointOf = [&](int link) {
    const int joint = robotModel.jointOfLink(link);
    return joint >= 0 ? robotModel.joints()[joint].type : JointType::normal;
  };
  for (int i = 0; i < n; ++i) {
    if (!wanted[i] || coordinateOfLink[i] >= 0 || jointOf(i) == JointType::weld) continue;
    Coordinate coordinate;
    const int d = robotModel.driverOfLink(i);
    const Driver* driver = d >= 0 ? &robotModel.driver(d) : nullptr;
    if (driver != nullptr && driver->type == DriverType::affine) {
      coordinate.name = driver->name.empty() ? robotModel.link(i).name : driver->name;
      coordinate.driver = d;
      coordinate.links = driver->links;
      coordinate.scale = driver->scale;
      coordinate.offset = driver->offset;
      driverBounds(robotModel, *driver, coordinate);
    } else {
      const Link& link = robotModel.link(i);
      coordinate.name = link.name;
      coordinate.links = {i};
      coordinate.scale = {1};
      coordinate.offset = {0};
      coordinate.low = link.qMin;
      coordinate.high = link.qMax;
      coordinate.straight = jointOf(i) == JointType::normal || link.motion == LinkMotion::prismatic;
    }
    for (const int link : coordinate.links) coordinateOfLink[link] = static_cast<int>(coordinates.size());
    straight = straight && coordinate.straight;
    coordinates.push_back(std::move(coordinate));
  }
  if (coordinates.empty())
    throw Error("no link of robot '" + robotModel.name() + "' is left to plan for", {},
                "name at least one link that is not welded");
  names = {"joint_limits", "self_collision", "collision"};
  for (const RobotConstraint& constraint : options.constraints) names.push_back(constraint.name);

  weights.resize(static_cast<Eigen::Index>(coordinates.size()));
  straight = straight && options.metric.norm == 2;
  double square = 0;
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    double sum = 0;
    for (std::size_t k = 0; k < coordinates[c].links.size(); ++k) {
      const int link = coordinates[c].links[k];
      const double w = (options.metric.weights.size() > 0 ? options.metric.weights[link] : 1) * coordinates[c].scale[k];
      sum += w * w;
    }
    weights[static_cast<Eigen::Index>(c)] = std::sqrt(sum);
    const double range = coordinates[c].straight ? coordinates[c].high - coordinates[c].low : std::numbers::pi;
    square += sum * range * range;
  }
  extent = std::sqrt(square);
  const WorldCollisionState selecting(collider);
  own = selecting.selection(IdFilter::robots(robot));
  everything = others = selecting.selection(IdFilter::everything());
  for (std::size_t i = 0; i < others.bits.size(); ++i) others.bits[i] &= ~own.bits[i];
}

RobotSpace::RobotSpace(std::shared_ptr<const WorldCollider> collider, int robot, const VectorXd& base,
                       RobotSpaceOptions options)
    : RobotSpace(
          [&] {
            const World& world = collider->world();
            if (robot < 0 || robot >= static_cast<int>(world.robots.size()))
              throw Error("there is no robot " + std::to_string(robot) + " in the world");
            const Robot& model = *world.robots[robot].robot;
            const int n = model.numLinks();
            if (base.size() != n || !base.allFinite())
              throw Error("the configuration of robot '" + model.name() + "' needs " + std::to_string(n) +
                          " finite numbers");
            if (options.metric.weights.size() != 0 && options.metric.weights.size() != n)
              throw Error("weights of distances: one a link is needed, " + std::to_string(n));
            if (!(options.margin >= 0) || !std::isfinite(options.margin))
              throw Error("the margin must be a finite number of at least 0, not " + formatReal(options.margin));
            if (!(options.edges.resolution > 0)) throw Error("the resolution of ways must be above 0");
            options.edges.clearance = std::max(options.edges.clearance, options.margin);
            options.edges.endsChecked = true;
            // Which links move: those planned for and all that they carry.
            auto probe = std::make_shared<Shared>(Shared{
                collider, EdgeChecker(collider, robot), robot, base, options, {}, {}, {}, true, {}, 0, {}, {}, {}});
            probe->build();
            std::vector<char> moves(n, 0);
            for (int i = 0; i < n; ++i)
              moves[i] = probe->coordinateOfLink[i] >= 0 || (model.link(i).parent >= 0 && moves[model.link(i).parent]);
            auto less = reduced(collider, robot, moves);
            auto shared = std::make_shared<Shared>(Shared{
                less, EdgeChecker(less, robot), robot, base, std::move(options), {}, {}, {}, true, {}, 0, {}, {}, {}});
            shared->build();
            return std::shared_ptr<const Shared>(std::move(shared));
          }(),
          nullptr) {}

RobotSpace::RobotSpace(std::shared_ptr<const Shared> shared, const WorldCollisionState* state)
    : shared_(std::move(shared)), state_(state != nullptr ? *state : WorldCollisionState(shared_->collider)) {
  mover_ = {Mover::Kind::robot, shared_->robot, 0, shared_->model().numLinks()};
  state_.setTolerance(shared_->options.margin);
  wholeA_ = wholeB_ = whole_ = shared_->base;
  if (state == nullptr) state_.setConfiguration(shared_->robot, whole_);
}

void RobotSpace::setPose(int id, const RigidTransform& X_W) { state_.setPose(id, X_W); }
const Robot& RobotSpace::robot() const { return shared_->model(); }
int RobotSpace::robotIndex() const { return shared_->robot; }
int RobotSpace::dimension() const { return static_cast<int>(shared_->coordinates.size()); }
std::string RobotSpace::coordinateName(int i) const { return shared_->coordinates.at(i).name; }

void RobotSpace::lift(const VectorXd& q, VectorXd& whole) const {
  whole = shared_->base;
  for (std::size_t c = 0; c < shared_->coordinates.size(); ++c) {
    const Coordinate& coordinate = shared_->coordinates[c];
    for (std::size_t k = 0; k < coordinate.links.size(); ++k)
      whole[coordinate.links[k]] = coordinate.offset[k] + coordinate.scale[k] * q[static_cast<Eigen::Index>(c)];
  }
}

void RobotSpace::reduce(const VectorXd& whole, VectorXd& q) const {
  q.resize(dimension());
  for (std::size_t c = 0; c < shared_->coordinates.size(); ++c) {
    const Coordinate& coordinate = shared_->coordinates[c];
    double along = 0, square = 0;
    for (std::size_t k = 0; k < coordinate.links.size(); ++k) {
      along += coordinate.scale[k] * (whole[coordinate.links[k]] - coordinate.offset[k]);
      square += coordinate.scale[k] * coordinate.scale[k];
    }
    q[static_cast<Eigen::Index>(c)] = square > 0 ? along / square : 0;
  }
}

Value RobotSpace::properties() const {
  Value map = PlanningSpace::properties();
  map.set("geodesic", true);
  map.set("straight", shared_->straight);
  return map;
}

void RobotSpace::bounds(VectorXd& low, VectorXd& high) const {
  low.resize(dimension());
  high.resize(dimension());
  for (int c = 0; c < dimension(); ++c) {
    low[c] = shared_->coordinates[c].low;
    high[c] = shared_->coordinates[c].high;
  }
}

double RobotSpace::distance(const VectorXd& a, const VectorXd& b) const {
  if (shared_->straight) return shared_->weights.cwiseProduct(a - b).norm();
  lift(a, wholeA_);
  lift(b, wholeB_);
  return shared_->space().distance(wholeA_, wholeB_, shared_->options.metric);
}

void RobotSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  if (shared_->straight) {
    q = (1 - u) * a + u * b;
    return;
  }
  lift(a, wholeA_);
  lift(b, wholeB_);
  shared_->space().interpolate(wholeA_, wholeB_, u, whole_);
  reduce(whole_, q);
}

void RobotSpace::sample(RandomStream& random, VectorXd& q) {
  shared_->space().sample(random, whole_, shared_->options.sampling);
  reduce(whole_, q);
}

void RobotSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  VectorXd low, high;
  bounds(low, high);
  q.resize(dimension());
  // Uniform in the ball of the weighted metric, cut off at the limits.
  double square = 0;
  for (int c = 0; c < dimension(); ++c) {
    q[c] = random.gaussian();
    square += q[c] * q[c];
  }
  const double length = radius * std::pow(random.uniform(), 1.0 / dimension()) / std::max(std::sqrt(square), 1e-300);
  for (int c = 0; c < dimension(); ++c) {
    const double w = shared_->weights[c];
    q[c] = center[c] + (w > 0 ? length * q[c] / w : 0.0);
    if (shared_->coordinates[c].straight) q[c] = std::clamp(q[c], low[c], high[c]);
  }
}

std::span<const std::string> RobotSpace::constraints() const { return shared_->names; }

bool RobotSpace::satisfies(int constraint, const VectorXd& q) {
  if (!q.allFinite()) return false;
  lift(q, whole_);
  if (constraint == kLimits) return withinLimits();
  if (constraint >= kFirstOwn) return shared_->options.constraints.at(constraint - kFirstOwn).holds(whole_);
  if (constraint == kSelfCollision) ++counts_.configurations;
  state_.setConfiguration(shared_->robot, whole_);
  return !collides(constraint == kSelfCollision, nullptr);
}

/// Of whole_.
bool RobotSpace::withinLimits() const {
  for (const Coordinate& coordinate : shared_->coordinates)
    for (const int i : coordinate.links)
      if (!linkWithinLimits(shared_->model().link(i), whole_[i], !coordinate.straight)) return false;
  return true;
}

bool RobotSpace::feasible(const VectorXd& q, int* violated) {
  const auto no = [violated](int constraint) {
    if (violated != nullptr) *violated = constraint;
    return false;
  };
  if (!q.allFinite()) return no(kLimits);
  lift(q, whole_);
  if (!withinLimits()) return no(kLimits);
  ++counts_.configurations;
  state_.setConfiguration(shared_->robot, whole_);
  // Both kinds of collisions at once; which it is matters only to those who ask.
  if (state_.anyCollision(shared_->own, shared_->everything))
    return no(violated != nullptr && !collides(true, nullptr) ? kCollision : kSelfCollision);
  for (std::size_t i = 0; i < shared_->options.constraints.size(); ++i)
    if (!shared_->options.constraints[i].holds(whole_)) return no(kFirstOwn + static_cast<int>(i));
  if (violated != nullptr) *violated = -1;
  return true;
}

bool RobotSpace::collides(bool withItself, IdPair* found) {
  return state_.anyCollision(shared_->own, withItself ? shared_->own : shared_->others, found);
}

bool RobotSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  lift(a, wholeA_);
  lift(b, wholeB_);
  const EdgeCheckResult result = shared_->edges.check(wholeA_, wholeB_, state_, edges_, shared_->options.edges);
  counts_.configurations += result.configurations;
  return result.free && constraintsAlong();
}

/// Of wholeA_ to wholeB_: the caller's constraints, far places first.
bool RobotSpace::constraintsAlong() {
  if (shared_->options.constraints.empty()) return true;
  const double length = shared_->space().distance(wholeA_, wholeB_, shared_->options.metric);
  const double most = std::ceil(length / shared_->options.edges.resolution);
  if (!(most < 1e9)) return false;
  std::int64_t parts = 1;
  while (parts < static_cast<std::int64_t>(most)) parts *= 2;
  for (std::int64_t step = parts; step > 1; step /= 2)
    for (std::int64_t k = step / 2; k < parts; k += step) {
      shared_->space().interpolate(wholeA_, wholeB_, static_cast<double>(k) / static_cast<double>(parts), whole_);
      for (const RobotConstraint& constraint : shared_->options.constraints)
        if (!constraint.holds(whole_)) return false;
    }
  return true;
}

std::string RobotSpace::explain(int constraint, const VectorXd& q) {
  lift(q, whole_);
  const Robot& model = shared_->model();
  if (constraint == kLimits) {
    for (const Coordinate& coordinate : shared_->coordinates)
      for (const int i : coordinate.links) {
        const Link& link = model.link(i);
        if (!linkWithinLimits(link, whole_[i], !coordinate.straight))
          return "link '" + link.name + "' is at " + formatReal(whole_[i]) + ", outside its limits " +
                 formatReal(link.qMin) + " to " + formatReal(link.qMax);
      }
    return {};
  }
  if (constraint >= kFirstOwn) {
    const RobotConstraint& own = shared_->options.constraints.at(constraint - kFirstOwn);
    return own.explain ? own.explain(whole_) : "constraint '" + own.name + "' does not hold";
  }
  state_.setConfiguration(shared_->robot, whole_);
  IdPair found;
  if (!collides(constraint == kSelfCollision, &found)) return {};
  const World& world = shared_->collider->world();
  std::string text = "'" + world.nameOf(found.a) + "' ";
  text +=
      shared_->options.margin > 0 ? "comes within " + formatReal(shared_->options.margin) + " m of " : "collides with ";
  return text + "'" + world.nameOf(found.b) + "'";
}

void RobotSpace::refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const {
  if (shared_->straight) return;
  // Where lines in coordinates are no ways: so close together that the two are as good as one.
  const double length = distance(a, b);
  const int parts = static_cast<int>(std::clamp(std::ceil(length / std::max(tolerance, 1e-6)), 1.0, 1e6));
  for (int k = 1; k < parts; ++k) {
    VectorXd q;
    interpolate(a, b, static_cast<double>(k) / parts, q);
    path.push_back(std::move(q));
  }
}

double RobotSpace::extent() const { return shared_->extent; }

double RobotSpace::measure() const {
  double volume = 1;
  for (std::size_t c = 0; c < shared_->coordinates.size(); ++c) {
    const Coordinate& coordinate = shared_->coordinates[c];
    const double range = coordinate.high - coordinate.low;
    volume *= shared_->weights[static_cast<Eigen::Index>(c)] * (coordinate.straight ? range : std::min(range, kTurn));
  }
  return volume;
}

std::unique_ptr<PlanningSpace> RobotSpace::copy() const {
  return std::unique_ptr<PlanningSpace>(new RobotSpace(shared_, &state_));
}

}  // namespace mortise
