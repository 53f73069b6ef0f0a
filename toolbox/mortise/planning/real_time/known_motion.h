#pragma once

/// A body whose motion is known in advance.

#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// Poses in the world at times; in between, positions go straight and rotations turn about one axis, both at constant
/// speed. Before the first time the body rests at the first pose, after the last at the last one, unless it repeats.
class KnownMotion {
 public:
  /// `id`: of the body in the world. `repeat`: the last pose is followed by the first, over and over, in both
  /// directions of time. Throws `Error` without poses, for times that do not rise, for numbers that are not finite, and
  /// where a motion that repeats would jump.
  KnownMotion(int id, std::vector<double> times, std::vector<RigidTransform> poses, bool repeat = false);

  int id() const { return id_; }
  bool repeats() const { return repeat_; }
  /// Seconds of one repetition; of a motion that does not repeat, from its first time to its last.
  double duration() const { return times_.back() - times_.front(); }
  RigidTransform poseAt(double t) const;
  /// No point of the body that is within `reach` (m) of its frame's origin is farther than this from where it is at
  /// time `t`, at any time from `t - before` to `t + after`.
  double motionAround(double t, double before, double after, double reach) const;
  /// When there is nothing new to see any more for who begins to look at time `from`.
  double seenBy(double from) const;

 private:
  struct Travel {
    double length = 0, angle = 0;
  };
  /// The time within the motion, and how many repetitions came before.
  double local(double t, double& repetitions) const;
  std::size_t segmentAt(double local) const;
  /// Returns how far the origin has moved and the body has turned since some time, which is the same in all calls.
  Travel traveled(double t) const;

  int id_;
  std::vector<double> times_;
  std::vector<RigidTransform> poses_;
  std::vector<Vector3d> turns_;  ///< Rotation vector from each pose to the next, in its own frame.
  std::vector<Travel> travels_;  ///< At each time, since the first.
  bool repeat_;
};

}  // namespace mortise
