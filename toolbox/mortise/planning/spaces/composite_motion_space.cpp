#include "mortise/planning/spaces/composite_motion_space.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/spaces/composite_motion_shared.h"

namespace mortise {

MoverModel::~MoverModel() = default;
CompositeMotionSpace::~CompositeMotionSpace() = default;

int CompositeMotionSpace::Shared::moverOf(int id) const {
  const World& world = collider->world();
  for (std::size_t m = 0; m < movers.size(); ++m) {
    const bool own = movers[m].kind == Mover::Kind::robot ? collider->robotOf(id) == movers[m].index
                                                          : id == world.objectId(movers[m].index);
    if (own) return static_cast<int>(m);
  }
  return -1;
}

void CompositeMotionSpace::Shared::build() {
  if (models.empty()) throw Error("a space of things that move needs at least one of them");
  if (!(options.margin >= 0) || !std::isfinite(options.margin))
    throw Error("the margin must be a finite number of at least 0, not " + formatReal(options.margin));
  if (!(options.edges.resolution > 0)) throw Error("the resolution of edges must be above 0");
  if (!(options.edges.clearance > 0)) throw Error("the clearance of edges must be above 0");
  double square = 0;
  int number = 0, coordinate = 0;
  bool anyObject = false;
  for (const WeightedMover& mover : models) {
    const MoverModel& model = *mover.model;
    if (!(mover.weight > 0) || !std::isfinite(mover.weight))
      throw Error("the weight of a mover's distance must be above 0, not " + formatReal(mover.weight));
    if (model.kind() == Mover::Kind::robot) robots.push_back(static_cast<int>(movers.size()));
    anyObject = anyObject || model.kind() == Mover::Kind::object;
    movers.push_back({model.kind(), model.index(), number, model.fullSize()});
    first.push_back(coordinate);
    number += model.fullSize();
    coordinate += model.dimension();
    straight = straight && model.straight();
    square += std::pow(mover.weight * model.extent(), 2);
    measure *= std::pow(mover.weight, model.dimension()) * model.measure();
  }
  first.push_back(coordinate);
  extent = std::sqrt(square);
  const auto add = [&](const char* name, Check check) {
    names.emplace_back(name);
    checks.push_back(check);
  };
  if (!robots.empty()) add("joint_limits", Check::limits);
  if (anyObject) add("bounds", Check::bounds);
  if (!robots.empty()) add("self_collision", Check::self);
  if (robots.size() > 1) add("robot_collision", Check::robots);
  add("collision", Check::rest);
  for (const RobotConstraint& constraint : options.constraints) add(constraint.name.c_str(), Check::own);
  addPairs();
}

void CompositeMotionSpace::Shared::addPairs() {
  const WorldCollisionState selecting(collider);
  everything = rest = selecting.selection(IdFilter::everything());
  all.bits.assign(everything.bits.size(), 0);
  for (const Mover& mover : movers) {
    const bool robot = mover.kind == Mover::Kind::robot;
    own.push_back(selecting.selection(robot ? IdFilter::robots(mover.index) : IdFilter::objects(mover.index)));
    for (std::size_t i = 0; i < all.bits.size(); ++i) {
      all.bits[i] |= own.back().bits[i];
      if (robot) rest.bits[i] &= ~own.back().bits[i];
    }
  }
  for (int a = 0; a < collider->numIds(); ++a)
    if (const int mover = collider->shape(a) ? moverOf(a) : -1; mover >= 0) bodies.emplace_back(a, mover);
  collider->pairs().forEachPair([&](int a, int b) {
    MoverPair pair{a, b, moverOf(a), moverOf(b), -1};
    if (pair.moverA >= 0 && pair.moverA == pair.moverB) pair.ancestor = models[pair.moverA].model->commonAncestor(a, b);
    pairs.push_back(pair);
  });
}

std::shared_ptr<const WorldCollider> CompositeMotionSpace::reduced(const WorldCollider& collider,
                                                                   const std::vector<char>& moving) {
  PairTable pairs(collider.numIds());
  collider.pairs().forEachPair([&](int a, int b) {
    if (moving[a] || moving[b]) pairs.set(a, b, true);
  });
  return std::make_shared<const WorldCollider>(collider.withPairs(pairs));
}

CompositeMotionSpace::CompositeMotionSpace(Setup setup) : state_(setup.collider) {
  auto shared = std::make_shared<Shared>();
  shared->collider = std::move(setup.collider);
  shared->models = std::move(setup.movers);
  shared->options = std::move(setup.options);
  shared->build();
  shared_ = std::move(shared);
  state_.setTolerance(shared_->options.margin);
  workspaces_.resize(shared_->models.size());
  // Where the movers are in the beginning: nothing of a robot that is not planned for may be anywhere else.
  liftParts(VectorXd::Zero(dimension()), parts_);
  place();
}

CompositeMotionSpace::CompositeMotionSpace(const CompositeMotionSpace& other)
    : MotionSpace(other), shared_(other.shared_), state_(other.state_), workspaces_(other.workspaces_) {}

const World& CompositeMotionSpace::world() const { return shared_->collider->world(); }
std::span<const Mover> CompositeMotionSpace::movers() const { return shared_->movers; }
int CompositeMotionSpace::firstCoordinate(int mover) const {
  return shared_->first.at(static_cast<std::size_t>(mover));
}
int CompositeMotionSpace::dimension() const { return shared_->first.back(); }
std::span<const std::string> CompositeMotionSpace::constraints() const { return shared_->names; }
double CompositeMotionSpace::extent() const { return shared_->extent; }
double CompositeMotionSpace::measure() const { return shared_->measure; }

void CompositeMotionSpace::setPose(int id, const RigidTransform& X_W) {
  if (id < 0 || id >= shared_->collider->numIds())
    throw Error("there is no id " + std::to_string(id) + " in the world");
  if (shared_->moverOf(id) >= 0) throw Error("'" + world().nameOf(id) + "' is planned for, and cannot be placed");
  state_.setPose(id, X_W);
}

void CompositeMotionSpace::setConfiguration(int robot, const VectorXd& q) {
  if (robot < 0 || robot >= static_cast<int>(world().robots.size()))
    throw Error("there is no robot " + std::to_string(robot) + " in the world");
  for (const Mover& mover : shared_->movers)
    if (mover.kind == Mover::Kind::robot && mover.index == robot)
      throw Error("robot '" + world().robots[robot].name + "' is planned for, and cannot be placed");
  state_.setConfiguration(robot, q);
}

namespace {

/// The numbers of mover m in a planning configuration.
ConstVectorRef part(const VectorXd& q, const std::vector<int>& first, std::size_t m) {
  return q.segment(first[m], first[m + 1] - first[m]);
}

}  // namespace

void CompositeMotionSpace::liftParts(const VectorXd& q, std::vector<VectorXd>& parts) const {
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  parts.resize(shared_->models.size());
  for (std::size_t m = 0; m < parts.size(); ++m) shared_->models[m].model->lift(part(q, shared_->first, m), parts[m]);
}

void CompositeMotionSpace::join(const std::vector<VectorXd>& parts, VectorXd& full) const {
  full.resize(fullSize());
  for (std::size_t m = 0; m < parts.size(); ++m)
    full.segment(shared_->movers[m].first, shared_->movers[m].size) = parts[m];
}

void CompositeMotionSpace::lift(const VectorXd& q, VectorXd& full) const {
  liftParts(q, parts_);
  join(parts_, full);
}

void CompositeMotionSpace::reduce(const VectorXd& full, VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(full, fullSize(), "those of all that moves");
  q.resize(dimension());
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    shared_->models[m].model->reduce(full.segment(shared_->movers[m].first, shared_->movers[m].size),
                                     q.segment(shared_->first[m], shared_->first[m + 1] - shared_->first[m]));
}

std::string CompositeMotionSpace::coordinateName(int i) const {
  std::size_t m = 0;
  while (i >= shared_->first.at(m + 1)) ++m;
  const std::string name = shared_->models[m].model->coordinateName(i - shared_->first[m]);
  if (shared_->models.size() == 1) return name;
  const Mover& mover = shared_->movers[m];
  const std::string& whose =
      mover.kind == Mover::Kind::robot ? world().robots[mover.index].name : world().objects[mover.index].name;
  return whose + "." + name;
}

Value CompositeMotionSpace::properties() const {
  Value map = PlanningSpace::properties();
  map.set("geodesic", true);
  map.set("straight", shared_->straight);
  return map;
}

void CompositeMotionSpace::bounds(VectorXd& low, VectorXd& high) const {
  low.resize(dimension());
  high.resize(dimension());
  for (std::size_t m = 0; m < shared_->models.size(); ++m) {
    const int first = shared_->first[m], size = shared_->first[m + 1] - first;
    shared_->models[m].model->bounds(low.segment(first, size), high.segment(first, size));
  }
}

double CompositeMotionSpace::distance(const VectorXd& a, const VectorXd& b) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  double square = 0;
  for (std::size_t m = 0; m < shared_->models.size(); ++m) {
    const WeightedMover& mover = shared_->models[m];
    const double d =
        mover.weight * mover.model->distance(part(a, shared_->first, m), part(b, shared_->first, m), workspaces_[m]);
    square += d * d;
  }
  return std::sqrt(square);
}

void CompositeMotionSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  q.resize(dimension());
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    shared_->models[m].model->interpolate(part(a, shared_->first, m), part(b, shared_->first, m), u,
                                          q.segment(shared_->first[m], shared_->first[m + 1] - shared_->first[m]),
                                          workspaces_[m]);
}

void CompositeMotionSpace::sample(RandomStream& random, VectorXd& q) {
  q.resize(dimension());
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    shared_->models[m].model->sample(random, q.segment(shared_->first[m], shared_->first[m + 1] - shared_->first[m]),
                                     workspaces_[m]);
}

void CompositeMotionSpace::sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) {
  MORTISE_REQUIRE_SIZE(center, dimension(), "one for each coordinate");
  // Uniform in the ball of the metric at the center, cut off at the limits.
  const int n = dimension();
  difference_.resize(n);
  for (int c = 0; c < n; ++c) difference_[c] = random.gaussian();
  difference_ *= radius * std::pow(random.uniform(), 1.0 / n) / std::max(difference_.norm(), 1e-300);
  VectorXd near(n);
  for (std::size_t m = 0; m < shared_->models.size(); ++m) {
    const int first = shared_->first[m], size = shared_->first[m + 1] - first;
    difference_.segment(first, size) /= shared_->models[m].weight;
    shared_->models[m].model->displace(center.segment(first, size), difference_.segment(first, size),
                                       near.segment(first, size));
  }
  // Angles of a rotation may have gone farther than their numbers say.
  const double length = distance(center, near);
  if (length > radius) {
    interpolate(center, near, (1 - 1e-12) * radius / length, q);
  } else {
    q = near;
  }
}

void CompositeMotionSpace::place() {
  for (std::size_t m = 0; m < shared_->models.size(); ++m) shared_->models[m].model->place(parts_[m], state_);
}

/// Checks a constraint of parts_, which have been placed.
bool CompositeMotionSpace::holds(int constraint, IdPair* found) {
  const auto limits = [&](Mover::Kind kind) {
    for (std::size_t m = 0; m < shared_->models.size(); ++m)
      if (shared_->movers[m].kind == kind && !shared_->models[m].model->withinLimits(parts_[m])) return false;
    return true;
  };
  switch (shared_->checks.at(static_cast<std::size_t>(constraint))) {
    case Check::limits:
      return limits(Mover::Kind::robot);
    case Check::bounds:
      return limits(Mover::Kind::object);
    case Check::self:
      for (const int m : shared_->robots)
        if (state_.anyCollision(shared_->own[m], shared_->own[m], found)) return false;
      return true;
    case Check::robots:
      for (const int m : shared_->robots)
        for (const int other : shared_->robots)
          if (m < other && state_.anyCollision(shared_->own[m], shared_->own[other], found)) return false;
      return true;
    case Check::rest:
      return !state_.anyCollision(shared_->all, shared_->rest, found);
    case Check::own:
      break;
  }
  const std::size_t own = constraint - (shared_->names.size() - shared_->options.constraints.size());
  join(parts_, full_);
  return shared_->options.constraints[own].holds(full_);
}

bool CompositeMotionSpace::satisfies(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  if (!q.allFinite()) return false;
  liftParts(q, parts_);
  const Check check = shared_->checks.at(static_cast<std::size_t>(constraint));
  counts_.configurations += check == Check::rest;
  if (check == Check::self || check == Check::robots || check == Check::rest) place();
  return holds(constraint, nullptr);
}

bool CompositeMotionSpace::feasible(const VectorXd& q, int* violated) {
  const auto fails = [&](int constraint) {
    if (violated != nullptr) *violated = constraint;
    return false;
  };
  if (!q.allFinite()) return fails(0);
  liftParts(q, parts_);
  bool placed = false, collides = false;
  for (int c = 0; c < static_cast<int>(shared_->checks.size()); ++c) {
    const Check check = shared_->checks[static_cast<std::size_t>(c)];
    const bool asksForCollisions = check == Check::self || check == Check::robots || check == Check::rest;
    if (asksForCollisions && !placed) {
      place();
      placed = true;
      ++counts_.configurations;
      // All kinds of collisions at once; which it is matters only to those who ask.
      collides = state_.anyCollision(shared_->everything, shared_->everything);
      if (collides && violated == nullptr) return false;
    }
    if (asksForCollisions ? collides && !holds(c, nullptr) : !holds(c, nullptr)) return fails(c);
  }
  if (violated != nullptr) *violated = -1;
  return true;
}

std::string CompositeMotionSpace::explain(int constraint, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(constraint, constraints().size(), "constraints");
  liftParts(q, parts_);
  const Check check = shared_->checks.at(static_cast<std::size_t>(constraint));
  if (check == Check::limits || check == Check::bounds) {
    const Mover::Kind kind = check == Check::limits ? Mover::Kind::robot : Mover::Kind::object;
    for (std::size_t m = 0; m < shared_->models.size(); ++m)
      if (shared_->movers[m].kind == kind && !shared_->models[m].model->withinLimits(parts_[m]))
        return shared_->models[m].model->explainLimits(parts_[m]);
    return {};
  }
  if (check == Check::own) {
    const std::size_t own = constraint - (shared_->names.size() - shared_->options.constraints.size());
    join(parts_, full_);
    const RobotConstraint& which = shared_->options.constraints[own];
    return which.explain ? which.explain(full_) : "constraint '" + which.name + "' does not hold";
  }
  place();
  IdPair found;
  if (holds(constraint, &found)) return {};
  const double margin = shared_->options.margin;
  return "'" + world().nameOf(found.a) + "' " +
         (margin > 0 ? "comes within " + formatReal(margin) + " m of " : std::string("collides with ")) + "'" +
         world().nameOf(found.b) + "'";
}

void CompositeMotionSpace::refine(const VectorXd& a, const VectorXd& b, double tolerance,
                                  std::vector<VectorXd>& path) const {
  if (shared_->straight) return;
  // Where edges are not lines in coordinates: so close together that the two hardly differ.
  const int parts = static_cast<int>(std::clamp(std::ceil(distance(a, b) / std::max(tolerance, 1e-6)), 1.0, 1e6));
  for (int k = 1; k < parts; ++k) {
    VectorXd q;
    interpolate(a, b, static_cast<double>(k) / parts, q);
    path.push_back(std::move(q));
  }
}

}  // namespace mortise
