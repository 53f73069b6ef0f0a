#pragma once

/// The inner loops of `RobotDynamics`. They are compiled twice, for any processor and for those with AVX2; both do the
/// same operations in the same order on each number and fuse none, so both give the same bits.

#include <cstddef>

#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise::detail {

struct Sweeps {
  /// q to frames.
  void (*place)(RobotDynamics::Data& d);
  /// Frames to motions of the joints and centers of mass, about the reference.
  void (*motions)(RobotDynamics::Data& d);
  /// Motions and dq to velocities.
  void (*velocities)(RobotDynamics::Data& d);
  /// Frames to inertias in world axes, about the centers of mass and about the reference.
  void (*inertias)(RobotDynamics::Data& d);
  /// Force that each link needs: with ddq from `in` when `accelerating`; `up` is the acceleration of what the robot
  /// stands on.
  void (*linkForces)(RobotDynamics::Data& d, bool accelerating, bool velocities, const V3& up);
  /// Sums forces from the leaves down, `out` gets their components along the joints.
  void (*jointForces)(RobotDynamics::Data& d);
  void (*massMatrix)(RobotDynamics::Data& d, double* B, std::ptrdiff_t stride);
  /// Articulated bodies, and `reduce` along with them. False when too few digits are left in one of them.
  bool (*factor)(RobotDynamics::Data& d);
  /// First half of `out` = B^-1 `in`, from the leaves down, and second half, from the root up.
  void (*reduce)(RobotDynamics::Data& d);
  void (*spread)(RobotDynamics::Data& d);
};

/// For the processor that this runs on.
const Sweeps& sweeps();

extern const Sweeps kPortableSweeps;
#if defined(__x86_64__)
extern const Sweeps kAvx2Sweeps;
#endif

/// A joint whose share of inertia is this much smaller than what it is a difference of has lost digits.
constexpr double kFewDigits = 1e-8;

}  // namespace mortise::detail
