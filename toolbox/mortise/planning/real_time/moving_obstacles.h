#pragma once

/// A robot's motions in time against bodies whose motions are known in advance.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mortise/collision/edge_check.h"
#include "mortise/planning/real_time/known_motion.h"
#include "mortise/planning/real_time/planning_effort.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {

/// The collider without pairs of these bodies: what stays where it is.
WorldCollider withoutBodies(const WorldCollider& collider, const std::vector<int>& ids);

/// Proofs in space and time: a motion is free when no pair of a link of the robot and a body that moves can meet at any
/// time of it, by the distance of the two and by how far both can move (`EdgeProver`). One thread.
class MovingObstacles {
 public:
  /// `space`: of the robot; outlives this. `collider`: its rules say which pairs count; of these, those with a body of
  /// `motions`. Throws `Error` for bodies that are no terrain or rigid object, or are named twice.
  MovingObstacles(const MotionSpace& space, int robot, const WorldCollider& collider, std::vector<KnownMotion> motions,
                  double margin = 0);

  bool empty() const { return motions_.empty(); }
  const std::vector<KnownMotion>& motions() const { return motions_; }

  /// Says whether the robot is clear of moving bodies at this time.
  bool freeAt(const VectorXd& q, double t);
  /// On one segment of ramps that begins at time `start`.
  bool free(std::span<const ParabolicRamp> ramps, double start);
  /// On a path that begins at time `start`, from segment `first` on.
  bool free(const RampPath& path, double start, std::size_t first = 0);
  /// At rest from a time to another, and from a time on for ever.
  bool restFree(const VectorXd& q, double from, double to);
  bool restFree(const VectorXd& q, double from);
  /// On a path that begins at time `start`, and at rest after its end for ever.
  bool freeForever(const RampPath& path, double start, std::size_t first = 0);

  /// Not null: proofs take from this effort, which outlives them, and what is not proven when it is used up counts as
  /// not free.
  void chargeTo(PlanningEffort* effort) { effort_ = effort; }

  std::int64_t proofs() const { return proofs_; }

 private:
  class Chord;
  bool chordFree(std::span<const ParabolicRamp> ramps, double start, double t0, double t1, int depth);
  EdgeCheckResult prove(const VectorXd& a, const VectorXd& b, double from, double to, double deviation);
  /// Says whether the curve is clear of moving bodies at a time of it; charged for.
  bool clearAt(std::span<const ParabolicRamp> ramps, double start, double t);
  /// Says whether it is clear at some times, which is cheap beside a proof for all times.
  bool passesCoarseCheck(const RampPath& path, double start, std::size_t first);

  const MotionSpace& space_;
  int robot_;
  std::shared_ptr<const WorldCollider> collider_;
  EdgeChecker edges_;
  std::vector<KnownMotion> motions_;
  double margin_;
  WorldCollisionState state_;
  IdSelection links_, bodies_;
  std::vector<IdPair> pairs_;  ///< A link, and a body that moves.
  std::vector<int> pairOf_;    ///< By the collider's index of a pair.
  std::vector<int> motionOf_;  ///< By id; -1: it does not move by itself.
  std::vector<double> reach_;  ///< By motion: of its shape, from its frame's origin.
  EdgeChecker::Workspace edge_;
  EdgeProofWorkspace proof_;
  VectorXd fullA_, fullB_, full_, qa_, qb_, deviation_;
  std::vector<double> motion_;
  std::int64_t proofs_ = 0;
  PlanningEffort* effort_ = nullptr;
  std::function<bool(int)> goesOn_;
};

}  // namespace mortise
