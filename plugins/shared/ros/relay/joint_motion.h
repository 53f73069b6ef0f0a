#pragma once

#include <cstdint>
#include <vector>

#include "mortise/base/bytes.h"

namespace mortise::ros {

/// A stretch of one joint's commanded motion. Behind its end the joint rests where the stretch ends.
struct JointSegment {
  enum class Kind : std::uint8_t {
    linear,    ///< Position from `q0` to `q1`.
    hermite,   ///< Position by the cubic through both positions and velocities.
    velocity,  ///< Velocity from `v0` to `v1`, linearly; `q0` moves with it, to `q1`.
    torque,    ///< Torque alone.
  };
  double start = 0, end = 0;  ///< s
  Kind kind = Kind::linear;
  double q0 = 0, q1 = 0, v0 = 0, v1 = 0;
  double effort0 = 0, effort1 = 0;  ///< Torque, linear in between; `effort1` stays behind the end.
};

/// The command of a joint at a time.
struct JointTarget {
  double q = 0, v = 0, effort = 0;
  bool torque = false;  ///< The torque alone counts.
};

/// The commands of one joint over time: stretches that follow each other. A later one ends those before it.
class JointMotion {
 public:
  /// Rests at `q`.
  explicit JointMotion(double q = 0);

  JointTarget at(double time) const;
  /// Forgets what begins at `time` or later.
  void cut(double time);
  /// Forgets what is over at `time` and does not count any more.
  void forgetBefore(double time);
  /// Starts must increase.
  void append(const JointSegment& segment) { segments_.push_back(segment); }
  std::size_t size() const { return segments_.size(); }

  void save(ByteWriter& out) const;
  /// Throws `Error` for what `save` cannot have written.
  void restore(ByteReader& in);

 private:
  std::vector<JointSegment> segments_;  ///< The first one counts before its start, too.
};

}  // namespace mortise::ros
