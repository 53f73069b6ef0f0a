/// Ways on which several things move at once.

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/planning/spaces/composite_motion_shared.h"
#include "mortise/planning/spaces/edge_subdivision.h"

namespace mortise {

bool CompositeMotionSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  liftParts(a, parts_);
  liftParts(b, partsTo_);
  const double length = distance(a, b);
  if (!std::isfinite(length)) throw Error("an end of the way is not finite");
  const bool proven = shared_->options.edges.method == EdgeCheckOptions::Method::proven;
  return (proven ? prove() : sampleWay(length)) && ownAlong(length);
}

bool CompositeMotionSpace::visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(deviation, dimension(), "one for each coordinate");
  // How far that moves any two bodies, together: those of one robot both by as much as its farthest. Prismatic links
  // carry others as far as they are extended, so the larger coordinates count.
  VectorXd from = a;
  for (Eigen::Index c = 0; c < a.size(); ++c)
    if (std::abs(b[c]) > std::abs(a[c])) from[c] = b[c];
  VectorXd to = from;
  for (Eigen::Index c = 0; c < a.size(); ++c) to[c] += std::copysign(deviation[c], from[c]);
  liftParts(from, parts_);
  liftParts(to, partsTo_);
  double most = 0;
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    most = std::max(most, shared_->models[m].model->begin(parts_[m], partsTo_[m], workspaces_[m]));
  if (!std::isfinite(most)) return false;
  state_.setTolerance(shared_->options.margin + 2 * most);
  bool free = false;
  try {
    free = visible(a, b);
  } catch (...) {
    state_.setTolerance(shared_->options.margin);
    throw;
  }
  state_.setTolerance(shared_->options.margin);
  return free;
}

bool CompositeMotionSpace::blocked(double u) {
  for (std::size_t m = 0; m < shared_->models.size(); ++m) {
    shared_->models[m].model->along(u, workspaces_[m]);
    shared_->models[m].model->place(workspaces_[m].whole, state_);
  }
  ++counts_.configurations;
  return state_.anyCollision(shared_->everything, shared_->everything);
}

double CompositeMotionSpace::motionOfPair(std::size_t index, double half, int part) {
  const MoverPair& pair = shared_->pairs[index];
  double motion = 0;
  if (pair.moverA >= 0)
    motion += shared_->models[pair.moverA].model->motionWithin(pair.a, pair.ancestor, half, part, state_,
                                                               workspaces_[pair.moverA]);
  if (pair.moverB >= 0)
    motion += shared_->models[pair.moverB].model->motionWithin(pair.b, pair.ancestor, half, part, state_,
                                                               workspaces_[pair.moverB]);
  return motion;
}

/// Of the way from parts_ to partsTo_: as `EdgeChecker`, with two bodies that may both move.
bool CompositeMotionSpace::prove() {
  /// Metres: collisions are looked for first in configurations between which no body moves farther.
  constexpr double kLook = 0.2;
  double farthest = 0;
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    farthest = std::max(farthest, shared_->models[m].model->begin(parts_[m], partsTo_[m], workspaces_[m]));
  hints_.resize(shared_->pairs.size());
  pairs_.clear();
  ways_.assign(1, {0, 1, 0, 0});
  // Middles of parts of this half length and of longer ones have been looked at.
  double lookedAt = 0.5;
  if (blocked(0.5)) return false;
  // To find what blocks is cheap beside proving that nothing does. Short ways are tried first: most are free.
  const auto lookAround = [&] {
    for (int steps = 4; farthest > kLook * steps; steps *= 2) {
      for (int i = 1; i < steps; i += 2)
        if (blocked(static_cast<double>(i) / steps)) return true;
      lookedAt = 1.0 / steps;
    }
    return false;
  };
  const bool isLong = farthest > 2 * kLook;
  if (isLong && lookAround()) return false;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    EdgeChecker::Workspace::Part way = ways_[w];
    const double u = 0.5 * (way.from + way.to), half = 0.5 * (way.to - way.from);
    if (w == 1 && !isLong && lookAround()) return false;
    if (half < lookedAt) {
      if (blocked(u)) return false;
    } else if (w > 0 || isLong) {
      for (std::size_t m = 0; m < shared_->models.size(); ++m) {
        shared_->models[m].model->along(u, workspaces_[m]);
        shared_->models[m].model->place(workspaces_[m].whole, state_);
      }
    }
    if (w == 0) {
      // Of the whole way most pairs are settled by boxes that hold all that a body can reach.
      reach_.assign(static_cast<std::size_t>(shared_->collider->numIds()), 0);
      for (const auto& [id, mover] : shared_->bodies)
        reach_[static_cast<std::size_t>(id)] =
            shared_->models[mover].model->motionWithin(id, -1, half, 0, state_, workspaces_[mover]);
      state_.pairsInReach(shared_->everything, shared_->everything, reach_, inReach_);
      for (const IdPair& pair : inReach_) pairs_.push_back(shared_->collider->pairIndex(pair.a, pair.b));
      way.count = pairs_.size();
    }
    const std::size_t firstLeft = pairs_.size();
    for (std::size_t i = way.first; i < way.first + way.count; ++i) {
      const int index = pairs_[i];
      const MoverPair& pair = shared_->pairs[static_cast<std::size_t>(index)];
      const double motion = motionOfPair(static_cast<std::size_t>(index), half, static_cast<int>(w));
      const double reach = motion + state_.tolerance();
      if (state_.distanceBound(pair.a, pair.b) > reach) continue;
      if (!withinDistance(*shared_->collider->shape(pair.a), state_.pose(pair.a), *shared_->collider->shape(pair.b),
                          state_.pose(pair.b), reach, queries_, &hints_[static_cast<std::size_t>(index)]))
        continue;
      if (!(motion > shared_->options.edges.clearance) || u <= way.from || u >= way.to) return false;
      pairs_.push_back(index);
    }
    const std::size_t count = pairs_.size() - firstLeft;
    if (count == 0) continue;
    ways_.push_back({way.from, u, firstLeft, count});
    ways_.push_back({u, way.to, firstLeft, count});
  }
  return true;
}

bool CompositeMotionSpace::sampleWay(double length) {
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    shared_->models[m].model->begin(parts_[m], partsTo_[m], workspaces_[m]);
  return forEdgeSteps(length, shared_->options.edges.resolution, [&](double u) { return !blocked(u); });
}

/// The caller's constraints along the way that was begun, far places first.
bool CompositeMotionSpace::ownAlong(double length) {
  if (shared_->options.constraints.empty()) return true;
  return forEdgeSteps(length, shared_->options.edges.resolution, [&](double u) {
    for (std::size_t m = 0; m < shared_->models.size(); ++m) {
      shared_->models[m].model->along(u, workspaces_[m]);
      parts_[m] = workspaces_[m].whole;
    }
    join(parts_, whole_);
    for (const RobotConstraint& constraint : shared_->options.constraints)
      if (!constraint.holds(whole_)) return false;
    return true;
  });
}

}  // namespace mortise
