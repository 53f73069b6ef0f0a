#pragma once

/// Distances of bodies along a path, compared with the layers that a simulation puts around them: a path on which bare
/// surfaces are apart may still push things there.

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "mortise/collision/world_collider.h"

namespace mortise {

/// Nearest place of two bodies whose layers touch.
struct PaddedTouch {
  IdPair ids;
  double distance = 0;  ///< Meters between the bare surfaces, above 0.
  double padding = 0;   ///< Meters, of both together.
  std::size_t segment = 0;
  double u = 0;     ///< Place on the segment, from 0 to 1.
  double time = 0;  ///< Seconds, of timed paths.
};

class PaddingMonitor {
 public:
  /// `collider`: of the pairs that the simulation lets touch. `padding`: meters, one an id. `moving`: ids that move.
  PaddingMonitor(std::shared_ptr<const WorldCollider> collider, std::vector<double> padding, std::vector<int> moving);

  /// Forgets what was found.
  void begin();
  /// Returns the poses of everything, which are set from outside.
  WorldCollisionState& state() { return state_; }
  /// Checks where `state` has everything now. `where`: the place on the path; `clearance`: also the minimum distance,
  /// which takes longer.
  void check(const PaddedTouch& where, bool clearance);

  /// One a pair, in ascending order of ids. Pairs whose bare surfaces meet are left out.
  const std::vector<PaddedTouch>& touches() const { return touches_; }
  /// Returns, where requested, the minimum distance of two bodies less their padding; infinite when nothing could
  /// touch.
  double clearance() const { return clearance_; }
  const IdPair& nearest() const { return nearest_; }

 private:
  double paddingOf(const IdPair& pair) const;
  void note(const IdPair& pair, double distance, const PaddedTouch& where);

  std::vector<double> padding_;
  IdFilter moving_;
  WorldCollisionState state_;
  double maximum_ = 0;  ///< Largest padding of any pair.
  std::vector<IdPair> near_;
  std::vector<PaddedTouch> touches_;
  double clearance_ = std::numeric_limits<double>::infinity();
  IdPair nearest_;
};

}  // namespace mortise
