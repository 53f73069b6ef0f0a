#pragma once

/// Looks at a motion from outside, place by place, and knows nothing of how it was planned.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/planning/real_time/known_motion.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// Observe a robot's motion at times that rise; what happens in between goes unseen. Bounds are checked by differences
/// of neighbors, collisions by the query of two bodies in one place, in a world of its own.
class MotionAudit {
 public:
  /// `space`: of the robot; outlives this. `collider`: with its rules of what may touch. `motions`: what else moves.
  MotionAudit(const MotionSpace& space, std::shared_ptr<const WorldCollider> collider,
              std::vector<CoordinateLimits> limits, std::vector<KnownMotion> motions = {});

  /// Position and velocity of the space's coordinates.
  void observe(double t, const VectorXd& q, const VectorXd& dq);

  struct Findings {
    std::int64_t places = 0, jumps = 0, beyondLimits = 0, collisions = 0;
    /// Largest velocity and acceleration of a coordinate, as fractions of their bounds.
    double peakVelocity = 0, peakAcceleration = 0;
    std::string first;  ///< The first fault, for people; empty: there was none.
    bool clean() const { return jumps == 0 && beyondLimits == 0 && collisions == 0; }
  };
  const Findings& findings() const { return findings_; }

 private:
  void note(std::int64_t& count, double t, const std::string& what);
  void compare(double t, const VectorXd& q, const VectorXd& dq);

  const MotionSpace& space_;
  std::shared_ptr<const WorldCollider> collider_;
  std::vector<CoordinateLimits> limits_;
  std::vector<KnownMotion> motions_;
  WorldCollisionState state_;
  VectorXd q_, dq_, full_;
  double t_ = 0;
  Findings findings_;
};

}  // namespace mortise
