/// Edges on which several things move at once.

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/collision/edge_prover.h"
#include "mortise/planning/spaces/composite_motion_shared.h"

namespace mortise {

class CompositeMotionSpace::EdgeMotion {
 public:
  EdgeMotion(CompositeMotionSpace& space, double farthest)
      : shared_(*space.shared_), workspaces_(space.workspaces_), farthest_(farthest) {}

  double farthest() const { return farthest_; }
  void place(double u, WorldCollisionState& state) const {
    for (std::size_t m = 0; m < shared_.models.size(); ++m) {
      shared_.models[m].model->along(u, workspaces_[m]);
      shared_.models[m].model->place(workspaces_[m].full, state);
    }
  }
  const IdSelection& moving() const { return shared_.everything; }
  const IdSelection& others() const { return shared_.everything; }
  int numPairs() const { return static_cast<int>(shared_.pairs.size()); }
  int indexOf(const IdPair& pair) const { return shared_.collider->pairIndex(pair.a, pair.b); }
  IdPair pair(int index) const {
    const MoverPair& pair = shared_.pairs[static_cast<std::size_t>(index)];
    return {pair.a, pair.b};
  }
  void reach(double half, const WorldCollisionState& state, std::vector<double>& byId) const {
    for (const auto& [id, mover] : shared_.bodies)
      byId[static_cast<std::size_t>(id)] =
          shared_.models[mover].model->motionWithin(id, -1, half, 0, state, workspaces_[mover]);
  }
  double motionOfPair(int index, double half, int part, const WorldCollisionState& state) const {
    const MoverPair& pair = shared_.pairs[static_cast<std::size_t>(index)];
    double motion = 0;
    if (pair.moverA >= 0)
      motion += shared_.models[pair.moverA].model->motionWithin(pair.a, pair.ancestor, half, part, state,
                                                                workspaces_[pair.moverA]);
    if (pair.moverB >= 0)
      motion += shared_.models[pair.moverB].model->motionWithin(pair.b, pair.ancestor, half, part, state,
                                                                workspaces_[pair.moverB]);
    return motion;
  }

 private:
  const Shared& shared_;
  std::vector<MoverWorkspace>& workspaces_;
  double farthest_;
};

/// From parts_ to partsTo_. The largest motion of a body, in meters.
double CompositeMotionSpace::beginEdge() {
  double farthest = 0;
  for (std::size_t m = 0; m < shared_->models.size(); ++m)
    farthest = std::max(farthest, shared_->models[m].model->begin(parts_[m], partsTo_[m], workspaces_[m]));
  return farthest;
}

bool CompositeMotionSpace::visible(const VectorXd& a, const VectorXd& b) {
  ++counts_.edges;
  liftParts(a, parts_);
  liftParts(b, partsTo_);
  const double length = distance(a, b);
  if (!std::isfinite(length)) throw Error("an end of the edge is not finite");
  const bool proven = shared_->options.edges.method == EdgeCheckOptions::Method::proven;
  EdgeMotion motion(*this, beginEdge());
  const EdgeCheckResult result =
      proven ? EdgeProver(motion, state_, proof_, {shared_->options.edges.clearance, true}).prove()
             : sampleEdge(motion, state_, edgeStepsByHalves(length, shared_->options.edges.resolution), true);
  counts_.configurations += result.configurations;
  return result.free && constraintsHold(length);
}

bool CompositeMotionSpace::visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) {
  MORTISE_REQUIRE_SIZE(a, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, dimension(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(deviation, dimension(), "one for each coordinate");
  // How far the deviation moves any two bodies together: those of one robot each by as much as its farthest. Prismatic
  // links carry others as far as they are extended, so the larger coordinates count.
  VectorXd from = a;
  for (Eigen::Index c = 0; c < a.size(); ++c)
    if (std::abs(b[c]) > std::abs(a[c])) from[c] = b[c];
  VectorXd to = from;
  for (Eigen::Index c = 0; c < a.size(); ++c) to[c] += std::copysign(deviation[c], from[c]);
  liftParts(from, parts_);
  liftParts(to, partsTo_);
  const double farthest = beginEdge();
  if (!std::isfinite(farthest)) return false;
  state_.setTolerance(shared_->options.margin + 2 * farthest);
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

/// The caller's constraints along the edge that was begun, far places first.
bool CompositeMotionSpace::constraintsHold(double length) {
  if (shared_->options.constraints.empty()) return true;
  return forEdgeFractions(edgeStepsByHalves(length, shared_->options.edges.resolution), [&](double u) {
    for (std::size_t m = 0; m < shared_->models.size(); ++m) {
      shared_->models[m].model->along(u, workspaces_[m]);
      parts_[m] = workspaces_[m].full;
    }
    join(parts_, full_);
    for (const RobotConstraint& constraint : shared_->options.constraints)
      if (!constraint.holds(full_)) return false;
    return true;
  });
}

}  // namespace mortise
