#pragma once

/// Two fingers on slides that press on a box from both sides, at the limit of their motors: for programs that see an
/// engine's library and nothing of Mortise. The same scene is the row `gripper` of `mortise compare truth`.

namespace plain {

struct Gripper {
  double size = 0.1;  ///< m, edge of the box.
  double mass = 1;    ///< kg, of the box.
  double fingerHalf[3] = {0.01, 0.02, 0.02}, fingerMass = 0.1;
  double friction = 0.5;
  double limit = 40;  ///< N, of each motor.
  double gravity = 9.8;
  double step = 0.001, seconds = 1;
};

struct Grip {
  double minForce = 1e30, maxForce = 0;  ///< N, of a finger, in the second half of the time.
  double travel = 0;                     ///< m, of the box, from a tenth of the time on.
};

}  // namespace plain
