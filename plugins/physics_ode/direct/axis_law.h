#pragma once

/// The effort along a joint's axis as a function of the speed at the end of a step: drive with limits, dry and viscous
/// friction, stops. It falls with the speed and is linear in pieces; `DirectSolver` looks for the pieces that hold.

#include "mortise/component/physics.h"

namespace mortise::ode {

class AxisLaw {
 public:
  /// Stops: the speeds that just reach them, infinite where there are none.
  void set(const JointDrive& drive, double position, double h, double slowest, double fastest);

  /// On the present pieces the effort is offset - slope * v, N*m or N.
  double offset() const { return offset_; }
  double slope() const { return slope_; }
  /// Goes to neighboring pieces where `v` lies outside of the present ones. Returns whether it did.
  bool follow(double v);

  double driveEffort(double v) const;
  double stopEffort(double v) const;
  double dryEffort(double v) const;

  /// Which pieces hold, for the next step and for snapshots.
  struct Pieces {
    signed char drive = 0;  ///< -1 and 1: at the lower or upper limit.
    signed char dry = 0;    ///< 0: sticks; 1: slips forwards.
    signed char stop = 0;   ///< -1: at the lower one, 1: at the upper one.
    signed char padding = 0;
  };
  const Pieces& pieces() const { return pieces_; }
  void setPieces(const Pieces& pieces) { pieces_ = pieces; }

 private:
  void combine();

  double rest_ = 0, damping_ = 0, low_ = 0, high_ = 0;
  double viscous_ = 0, dry_ = 0, stick_ = 0;
  double slowest_ = 0, fastest_ = 0;
  double offset_ = 0, slope_ = 0;
  Pieces pieces_;
};

}  // namespace mortise::ode
