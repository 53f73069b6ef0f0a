#pragma once

/// Proves that an edge is free: that nothing that moves along it collides anywhere on it. For all that moves: the
/// caller says where things are at each fraction of the edge, and how far they can move around it.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "mortise/base/interruption.h"
#include "mortise/collision/edge_subdivision.h"
#include "mortise/collision/world_collider.h"

namespace mortise {

struct EdgeCheckResult {
  bool free = false;
  double u = 0;            ///< When blocked: where, from 0 (start) to 1 (end).
  IdPair ids;              ///< When blocked: the two that collide.
  bool touching = false;   ///< When blocked: they do collide there; false: they come nearer than the clearance.
  int configurations = 0;  ///< That were checked for collisions.
  int pairQueries = 0;     ///< Distances or collisions of two bodies that had to be computed.
};

/// Buffers of proofs between calls; one a thread.
struct EdgeProofWorkspace {
  struct Part {
    double from, to;
    std::size_t first, count;  ///< Its pairs in `pairs`.
  };
  std::vector<Part> parts;
  std::vector<int> pairs;        ///< Part after part: the pairs that it has to prove.
  std::vector<IdPair> inReach;   ///< Pairs that the whole edge has to prove.
  std::vector<double> reach;     ///< By id: how far it moves on either half of the edge.
  std::vector<QueryHint> hints;  ///< By pair.
  QueryWorkspace queries;
};

/// Cost of the distance of two bodies, on the average near each other, beside a configuration in which boxes keep
/// most bodies apart.
constexpr int kPairQueryWork = 4;

struct EdgeProofOptions {
  /// Meters, above 0. An edge is called blocked where a pair comes this near: to prove a smaller gap takes ever more
  /// checks.
  double clearance = 1e-4;
  bool endsChecked = false;  ///< The ends are known not to collide.
  /// Not null: told of the work since the last call, 1 for each configuration that was checked and `kPairQueryWork` for
  /// each pair query. False: the proof is given up, and the edge counts as blocked, though nothing touches.
  const std::function<bool(int work)>* goesOn = nullptr;
};

// `Motion`, of the templates below, is what moves along the edge:
// - `double farthest() const`: no body moves farther than this on the whole edge, in meters;
// - `void place(double u, WorldCollisionState&)`: puts everything that moves where it is at fraction u;
// - `const IdSelection& moving() const`, `others() const`: what is checked for collisions, against what;
// - `int numPairs() const`, `int indexOf(const IdPair&) const`, `IdPair pair(int index) const`: the pairs that have to
//   be kept apart, and which of them one of the collider's pairs is;
// - `void reach(double half, const WorldCollisionState&, std::vector<double>& byId)`: fills in how far each body that
//   moves can get from where `place(0.5)` put it, within the part of the edge that reaches `half` of the whole to
//   either side; 0 for all others;
// - `double motionOfPair(int index, double half, int part, const WorldCollisionState&)`: no two points of the pair
//   approach each other by more than this, within that part around where everything is placed. `part` is the same
//   number until the next `place`.

/// Places everything at fraction u, and returns whether something collides there.
template <typename Motion>
bool collidesAt(double u, Motion& motion, WorldCollisionState& state, EdgeCheckResult& result) {
  interruptionPoint();
  motion.place(u, state);
  ++result.configurations;
  if (!state.anyCollision(motion.moving(), motion.others(), &result.ids)) return false;
  result.u = u;
  result.touching = true;
  return true;
}

/// Checks the ends, unless they are known, and the places that divide the edge into `steps`, far ones first. What
/// happens between them is not seen.
template <typename Motion>
EdgeCheckResult sampleEdge(Motion& motion, WorldCollisionState& state, std::int64_t steps, bool endsChecked) {
  EdgeCheckResult result;
  const auto free = [&](double u) { return !collidesAt(u, motion, state, result); };
  result.free = (endsChecked || (free(1) && free(0))) && forEdgeFractions(steps, free);
  return result;
}

/// Halves the edge until no pair can reach each other within its part of it, by the distance between the two in the
/// middle and by how far they can move from there at most (after Schwarzer, Saha and Latombe, 2004). Before that,
/// collisions are searched for in a few configurations: to find what blocks is cheap beside proving that nothing does.
template <typename Motion>
class EdgeProver {
 public:
  /// All outlive this.
  EdgeProver(Motion& motion, WorldCollisionState& state, EdgeProofWorkspace& workspace, const EdgeProofOptions& options)
      : motion_(motion), state_(state), w_(workspace), options_(options) {}

  EdgeCheckResult prove() {
    w_.hints.resize(static_cast<std::size_t>(motion_.numPairs()));
    w_.pairs.clear();
    w_.parts.assign(1, {0, 1, 0, 0});
    result_ = {};
    if (blocked(0.5)) return result_;
    searched_ = 0.5;
    // Short edges are proven first, and searched only where the whole does not prove free at once: most are free.
    const bool isLong = motion_.farthest() > 2 * kSearchDistance;
    if (isLong && search()) return result_;
    for (std::size_t p = 0; p < w_.parts.size(); ++p) {
      if (p == 1 && !isLong && search()) return result_;
      if (!provePart(p, p > 0 || isLong) || !goesOn()) return result_;
    }
    result_.free = true;
    return result_;
  }

 private:
  /// Meters: before the proof, collisions are searched for in configurations between which no body moves farther.
  static constexpr double kSearchDistance = 0.2;

  bool goesOn() {
    if (options_.goesOn == nullptr) return true;
    const int work = kPairQueryWork * result_.pairQueries + result_.configurations;
    const int more = work - reportedWork_;
    reportedWork_ = work;
    return (*options_.goesOn)(more);
  }

  bool blocked(double u) { return collidesAt(u, motion_, state_, result_); }

  bool search() {
    if (!options_.endsChecked && (blocked(1) || blocked(0))) return true;
    for (int steps = 4; motion_.farthest() > kSearchDistance * steps; steps *= 2) {
      for (int i = 1; i < steps; i += 2)
        if (blocked(static_cast<double>(i) / steps)) return true;
      searched_ = 1.0 / steps;
    }
    return false;
  }

  /// Finds the pairs of the full edge; boxes of everything that a body can reach settle most.
  void findPairs(double half) {
    w_.reach.assign(static_cast<std::size_t>(state_.collider().numIds()), 0);
    motion_.reach(half, state_, w_.reach);
    state_.pairsInReach(motion_.moving(), motion_.others(), w_.reach, w_.inReach);
    for (const IdPair& pair : w_.inReach) w_.pairs.push_back(motion_.indexOf(pair));
  }

  /// Says whether the pair cannot meet within the part.
  bool apart(int index, double motion) {
    const auto [a, b] = motion_.pair(index);
    const double reach = motion + state_.tolerance();
    if (state_.distanceBound(a, b) > reach) return true;
    ++result_.pairQueries;
    const WorldCollider& collider = state_.collider();
    return !withinDistance(*collider.shape(a), state_.pose(a), *collider.shape(b), state_.pose(b), reach, w_.queries,
                           &w_.hints[static_cast<std::size_t>(index)]);
  }

  /// Leaves the pairs that it cannot settle to its halves. False: the edge is blocked. `moved`: since the middle of
  /// this part was placed, something else may have been.
  bool provePart(std::size_t p, bool moved) {
    EdgeProofWorkspace::Part part = w_.parts[p];
    const double u = 0.5 * (part.from + part.to), half = 0.5 * (part.to - part.from);
    if (half < searched_) {
      if (blocked(u)) return false;
    } else if (moved) {
      motion_.place(u, state_);
    }
    if (p == 0) {
      findPairs(half);
      part.count = w_.pairs.size();
    }
    const std::size_t firstLeft = w_.pairs.size();
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      const int index = w_.pairs[i];
      const double motion = motion_.motionOfPair(index, half, static_cast<int>(p), state_);
      if (apart(index, motion)) continue;
      if (!(motion > options_.clearance) || u <= part.from || u >= part.to) {
        const auto [a, b] = motion_.pair(index);
        result_.u = u;
        result_.ids = {std::min(a, b), std::max(a, b)};
        return false;
      }
      w_.pairs.push_back(index);
    }
    const std::size_t count = w_.pairs.size() - firstLeft;
    if (count == 0) return true;
    w_.parts.push_back({part.from, u, firstLeft, count});
    w_.parts.push_back({u, part.to, firstLeft, count});
    return true;
  }

  Motion& motion_;
  WorldCollisionState& state_;
  EdgeProofWorkspace& w_;
  const EdgeProofOptions options_;
  double searched_ = 0.5;  ///< Middles of parts of this half length and of longer ones have been searched.
  EdgeCheckResult result_;
  int reportedWork_ = 0;  ///< Work that `goesOn` knows of.
};

}  // namespace mortise
