#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/interruption.h"
#include "mortise/collision/outward_rounding.h"
#include "mortise/collision/world_collider.h"

namespace mortise {
namespace {

/// Places a link as `updateFrames` does.
void placeLink(const Link& link, double q, const RigidTransform* X_WP, RigidTransform& X_WL) {
  const RigidTransform X_PL = link.X_PL0 * linkMotion(link, q);
  X_WL = X_WP == nullptr ? X_PL : *X_WP * X_PL;
}

bool bit(const std::vector<std::uint64_t>& mask, int i) { return (mask[i >> 6] >> (i & 63)) & 1; }

}  // namespace

WorldCollisionState::WorldCollisionState(std::shared_ptr<const WorldCollider> collider)
    : collider_(std::move(collider)) {
  const World& world = collider_->world();
  const int n = collider_->numIds();
  poses_.resize(n);
  movedAt_.assign(n, 1);
  memory_.resize(collider_->numPairs());
  const std::size_t padded = 64 * static_cast<std::size_t>(collider_->pairs().wordsPerRow());
  for (int k = 0; k < 3; ++k) {
    low_[k].assign(padded, kFloatInfinity);
    high_[k].assign(padded, -kFloatInfinity);
  }
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) poses_[world.objectId(i)] = world.objects[i].X_WO;
  for (const WorldRobot& robot : world.robots) robotStates_.emplace_back(*robot.robot);
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    RobotState& state = robotStates_[r];
    state.q = world.robots[r].q;
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l) {
      const Link& link = world.robots[r].robot->link(l);
      placeLink(link, state.q[l], link.parent < 0 ? nullptr : &state.X_WL[link.parent], state.X_WL[l]);
      poses_[world.linkId(r, l)] = state.X_WL[l];
    }
  }
  follows_.assign(world.robots.size(), 1);
  for (int id = 0; id < n; ++id) moved(id);
}

void WorldCollisionState::moved(int id) {
  const CollisionShapePtr& shape = collider_->shape(id);
  if (!shape) return;
  movedAt_[id] = clock_;
  const AxisAlignedBounds& local = shape->bounds();
  const double *R = poses_[id].R.data(), *p = poses_[id].p.data();
  double middle[3], half[3], size = 0;
  for (int k = 0; k < 3; ++k) {
    middle[k] = 0.5 * (local.min[k] + local.max[k]);
    half[k] = 0.5 * (local.max[k] - local.min[k]);
    size += std::abs(local.min[k]);
  }
  double center[3], reach[3];
  for (int k = 0; k < 3; ++k) {
    center[k] = R[k] * middle[0] + R[3 + k] * middle[1] + R[6 + k] * middle[2] + p[k];
    reach[k] = std::abs(R[k]) * half[0] + std::abs(R[3 + k]) * half[1] + std::abs(R[6 + k]) * half[2];
    size += std::abs(center[k]) + reach[k];
  }
  // Rounding of the floatAbove is far floatBelow this.
  const double slack = 1e-12 * (1 + size) + 0.5 * tolerance_;
  for (int k = 0; k < 3; ++k) {
    low_[k][id] = floatBelow(center[k] - reach[k] - slack);
    high_[k][id] = floatAbove(center[k] + reach[k] + slack);
  }
}

void WorldCollisionState::requireFinite(int id, const RigidTransform& X_W) const {
  if (X_W.p.allFinite() && X_W.R.allFinite()) return;
  throw Error("the pose of " + collider_->world().nameOf(id) + " is not finite");
}

void WorldCollisionState::setPose(int id, const RigidTransform& X_W) {
  MORTISE_REQUIRE_INDEX(id, poses_.size(), "ids");
  requireFinite(id, X_W);
  if (poses_[id].p == X_W.p && poses_[id].R == X_W.R) return;
  if (collider_->robotOf(id) >= 0) follows_[collider_->robotOf(id)] = 0;
  poses_[id] = X_W;
  ++clock_;
  moved(id);
}

void WorldCollisionState::setRobot(int robot, const RobotState& state) {
  MORTISE_REQUIRE_INDEX(robot, robotStates_.size(), "robots");
  MORTISE_REQUIRE_SIZE(state.X_WL, robotStates_[robot].X_WL.size(), "one for each link");
  const World& world = collider_->world();
  const int first = world.linkId(robot, 0);
  follows_[robot] = 0;
  ++clock_;
  for (int l = 0; l < static_cast<int>(state.X_WL.size()); ++l) {
    RigidTransform& pose = poses_[first + l];
    const RigidTransform& X_WL = state.X_WL[l];
    if (pose.p == X_WL.p && pose.R == X_WL.R) continue;
    requireFinite(first + l, X_WL);
    pose = X_WL;
    moved(first + l);
  }
}

void WorldCollisionState::setConfiguration(int robot, const VectorXd& q) {
  MORTISE_REQUIRE_INDEX(robot, robotStates_.size(), "robots");
  RobotState& state = robotStates_[robot];
  MORTISE_REQUIRE_SIZE(q, state.q.size(), "one for each link");
  const Robot& model = *collider_->world().robots[robot].robot;
  const int n = model.numLinks(), first = collider_->world().linkId(robot, 0);
  // As `updateFrames`, but only of what moves.
  const bool all = follows_[robot] == 0;
  follows_[robot] = 0;
  ++clock_;
  linkMoved_.assign(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) {
    const Link& link = model.link(i);
    if (!all && q[i] == state.q[i] && (link.parent < 0 || linkMoved_[link.parent] == 0)) continue;
    linkMoved_[i] = 1;
    RigidTransform& X_WL = state.X_WL[i];
    placeLink(link, q[i], link.parent < 0 ? nullptr : &state.X_WL[link.parent], X_WL);
    if (!std::isfinite(q[i])) requireFinite(first + i, X_WL);
    RigidTransform& pose = poses_[first + i];
    if (all && pose.p == X_WL.p && pose.R == X_WL.R) continue;
    pose = X_WL;
    moved(first + i);
  }
  state.q = q;
  follows_[robot] = 1;
}

void WorldCollisionState::setTolerance(double tolerance) {
  if (!(tolerance >= 0)) throw Error("a collision tolerance is a distance in meters, at least 0");
  if (tolerance == tolerance_) return;
  tolerance_ = tolerance;
  ++clock_;
  for (int id = 0; id < collider_->numIds(); ++id) moved(id);
}

bool WorldCollisionState::checkPair(int a, int b, int pair) {
  PairMemory* memory = pair >= 0 ? &memory_[pair] : nullptr;
  if (memory && memory->checkedAt >= std::max(movedAt_[a], movedAt_[b])) return memory->colliding;
  const CollisionShape &shapeA = *collider_->shape(a), &shapeB = *collider_->shape(b);
  QueryHint* hint = memory ? &memory->hint : nullptr;
  const bool colliding = tolerance_ > 0
                             ? withinDistance(shapeA, poses_[a], shapeB, poses_[b], tolerance_, workspace_, hint)
                             : mortise::collide(shapeA, poses_[a], shapeB, poses_[b], workspace_, hint);
  if (memory) {
    memory->checkedAt = clock_;
    memory->colliding = colliding;
    memory->found += colliding;
  }
  return colliding;
}

bool WorldCollisionState::collide(int a, int b) {
  MORTISE_REQUIRE_INDEX(a, poses_.size(), "ids");
  MORTISE_REQUIRE_INDEX(b, poses_.size(), "ids");
  if (a > b) std::swap(a, b);
  if (a == b || !collider_->shape(a) || !collider_->shape(b)) return false;
  return checkPair(a, b, collider_->pairs()(a, b) ? collider_->pairIndex(a, b) : -1);
}

void WorldCollisionState::select(const IdFilter& filter, std::vector<std::uint64_t>& mask) const {
  const World& world = collider_->world();
  const int n = collider_->numIds();
  mask.assign(collider_->pairs().wordsPerRow(), 0);
  const auto add = [&](int id) { mask[id >> 6] |= std::uint64_t(1) << (id & 63); };
  const auto matches = [&](int id) {
    if (!filter.kind) return true;
    const World::Kind kind = collider_->kind(id);
    switch (*filter.kind) {
      case World::Kind::terrain:
        return kind == World::Kind::terrain && (filter.index < 0 || id == world.terrainId(filter.index));
      case World::Kind::object:
        return kind == World::Kind::object && (filter.index < 0 || id == world.objectId(filter.index));
      default:
        return kind == World::Kind::link && (filter.index < 0 || collider_->robotOf(id) == filter.index);
    }
  };
  if (filter.ids.empty()) {
    for (int id = 0; id < n; ++id) {
      if (collider_->shape(id) && matches(id)) add(id);
    }
    return;
  }
  for (int id : filter.ids) {
    if (id < 0 || id >= n) {
      throw Error("there is no id " + std::to_string(id) + " in the world; ids go from 0 to " + std::to_string(n - 1));
    }
    if (collider_->kind(id) == World::Kind::robot) {
      for (int link = id + 1; link < n && collider_->robotOf(link) == collider_->robotOf(id); ++link) {
        if (collider_->shape(link)) add(link);
      }
    } else if (collider_->shape(id)) {
      add(id);
    }
  }
}

bool WorldCollisionState::any(IdPair* found) {
  InterruptionPoints points;
  // Pairs that collided most often come first; of equals the first one.
  while (!candidates_.empty()) {
    points.pass();
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates_.size(); ++i) {
      if (memory_[candidates_[i].pair].found > memory_[candidates_[best].pair].found) best = i;
    }
    if (memory_[candidates_[best].pair].found == 0) break;
    const Candidate c = candidates_[best];
    if (checkPair(c.a, c.b, c.pair)) {
      if (found) *found = {c.a, c.b};
      return true;
    }
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
  }
  for (const Candidate& c : candidates_) {
    points.pass();
    if (!checkPair(c.a, c.b, c.pair)) continue;
    if (found) *found = {c.a, c.b};
    return true;
  }
  return false;
}

void WorldCollisionState::all(std::vector<IdPair>& pairs) {
  pairs.clear();
  InterruptionPoints points;
  for (const Candidate& c : candidates_) {
    points.pass();
    if (checkPair(c.a, c.b, c.pair)) pairs.push_back({c.a, c.b});
  }
}

bool WorldCollisionState::anyCollision(IdPair* found) {
  const IdFilter everything;
  return anyCollision(everything, everything, found);
}
void WorldCollisionState::collisions(std::vector<IdPair>& pairs) {
  const IdFilter everything;
  collisions(everything, everything, pairs);
}

void WorldCollisionState::prepare(const IdFilter& a, const IdFilter& b, RobotPairs robotPairs) {
  select(a, maskA_);
  select(b, maskB_);
  broadPhase(maskA_, maskB_, robotPairs);
}

bool WorldCollisionState::anyCollision(const IdFilter& a, const IdFilter& b, IdPair* found) {
  prepare(a, b);
  return any(found);
}
IdSelection WorldCollisionState::selection(const IdFilter& filter) const {
  IdSelection selected;
  select(filter, selected.bits);
  return selected;
}
bool WorldCollisionState::anyCollision(const IdSelection& a, const IdSelection& b, IdPair* found) {
  MORTISE_REQUIRE_SIZE(a.bits, collider_->pairs().wordsPerRow(), "those of a selection of this world");
  MORTISE_REQUIRE_SIZE(b.bits, collider_->pairs().wordsPerRow(), "those of a selection of this world");
  broadPhase(a.bits, b.bits, RobotPairs::all);
  return any(found);
}
void WorldCollisionState::collisions(const IdFilter& a, const IdFilter& b, std::vector<IdPair>& pairs) {
  prepare(a, b);
  all(pairs);
}

void WorldCollisionState::robotSelfCollisions(int robot, std::vector<IdPair>& pairs) {
  prepare(IdFilter::robots(robot), IdFilter::robots(robot), RobotPairs::same);
  all(pairs);
}
void WorldCollisionState::robotRobotCollisions(std::vector<IdPair>& pairs) {
  prepare(IdFilter::robots(), IdFilter::robots(), RobotPairs::different);
  all(pairs);
}
void WorldCollisionState::robotObjectCollisions(int robot, int object, std::vector<IdPair>& pairs) {
  collisions(IdFilter::robots(robot), IdFilter::objects(object), pairs);
}
void WorldCollisionState::robotTerrainCollisions(int robot, int terrain, std::vector<IdPair>& pairs) {
  collisions(IdFilter::robots(robot), IdFilter::terrains(terrain), pairs);
}
void WorldCollisionState::objectObjectCollisions(int object, std::vector<IdPair>& pairs) {
  collisions(IdFilter::objects(object), IdFilter::objects(), pairs);
}
void WorldCollisionState::objectTerrainCollisions(int object, int terrain, std::vector<IdPair>& pairs) {
  collisions(IdFilter::objects(object), IdFilter::terrains(terrain), pairs);
}
bool WorldCollisionState::selfCollision(int robot, IdPair* found) {
  prepare(IdFilter::robots(robot), IdFilter::robots(robot), RobotPairs::same);
  return any(found);
}
bool WorldCollisionState::robotCollision(int robot, IdPair* found) {
  return anyCollision(IdFilter::robots(robot), IdFilter::everything(), found);
}

DistanceResult WorldCollisionState::distance(int a, int b, const DistanceOptions& options) {
  MORTISE_REQUIRE_INDEX(a, poses_.size(), "ids");
  MORTISE_REQUIRE_INDEX(b, poses_.size(), "ids");
  if (!collider_->shape(a) || !collider_->shape(b)) return {};
  QueryHint* hint = a < b && collider_->pairs()(a, b) ? &memory_[collider_->pairIndex(a, b)].hint : nullptr;
  return mortise::distance(*collider_->shape(a), poses_[a], *collider_->shape(b), poses_[b], workspace_, options, hint);
}

double WorldCollisionState::distanceBound(int a, int b) const {
  MORTISE_REQUIRE_INDEX(a, poses_.size(), "ids");
  MORTISE_REQUIRE_INDEX(b, poses_.size(), "ids");
  MORTISE_EXPECT(collider_->shape(a) != nullptr && collider_->shape(b) != nullptr, "both bodies must have a shape");
  double gap2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({double(low_[k][b]) - high_[k][a], double(low_[k][a]) - high_[k][b], 0.0});
    gap2 += gap * gap;
  }
  const CollisionShape &shapeA = *collider_->shape(a), &shapeB = *collider_->shape(b);
  const double spheres = (poses_[a] * shapeA.center() - poses_[b] * shapeB.center()).norm() * (1 - 1e-12) - 1e-12 -
                         shapeA.radius() - shapeB.radius();
  return std::max((1 - 1e-12) * std::sqrt(gap2), spheres);
}

WorldDistance WorldCollisionState::nearest(const IdFilter& a, const IdFilter& b, const DistanceOptions& options) {
  select(a, maskA_);
  select(b, maskB_);
  WorldDistance best;
  DistanceOptions bounded = options;
  const int n = collider_->numIds();
  // In the order of what their boxes and spheres leave possible: most never come to a query.
  ordered_.clear();
  InterruptionPoints points;
  for (int i = 0; i < n; ++i) {
    points.pass();
    for (int j = i + 1; j < n; ++j) {
      if (!((bit(maskA_, i) && bit(maskB_, j)) || (bit(maskB_, i) && bit(maskA_, j)))) continue;
      if (!collider_->pairs()(i, j)) continue;
      ordered_.push_back({distanceBound(i, j), i, j});
    }
  }
  std::sort(ordered_.begin(), ordered_.end());
  for (const auto& [gap, i, j] : ordered_) {
    if (gap > bounded.upperBound) break;
    points.pass();
    const DistanceResult result = distance(i, j, bounded);
    if (!result.found || (best.result.found && result.distance >= best.result.distance)) continue;
    best = {{i, j}, result};
    bounded.upperBound = result.distance;
  }
  return best;
}

void WorldCollisionState::contacts(int a, int b, double tolerance, std::vector<ElementContact>& contacts) {
  MORTISE_REQUIRE_INDEX(a, poses_.size(), "ids");
  MORTISE_REQUIRE_INDEX(b, poses_.size(), "ids");
  contacts.clear();
  if (!collider_->shape(a) || !collider_->shape(b)) return;
  mortise::contacts(*collider_->shape(a), poses_[a], *collider_->shape(b), poses_[b], tolerance, contacts, workspace_);
}

}  // namespace mortise
