#pragma once

#include "mortise/base/bytes.h"
#include "mortise/math/transform.h"

namespace mortise::sensors {

/// Mean proper acceleration (what an accelerometer feels: acceleration less gravity) of a point S of a moving body
/// since it was last read, along the axes of the body. Each physics step counts with its change of velocity, turned by
/// the orientation in its middle, so that the mean of the whole integrates to the change of velocity.
class ProperAcceleration {
 public:
  void reset();
  /// Remembers where the next step begins.
  void remember(const Matrix3d& R_WS, const Vector3d& v_WS);
  /// After a step of `dt` seconds. The first one counts only when `remember` was called before.
  void observe(const Matrix3d& R_WS, const Vector3d& v_WS, const Vector3d& gravity, double dt);

  double time() const { return time_; }  ///< Observed since the last `take`, s.
  /// m/s^2, axes of S; when nothing was observed, that of a body at rest. Begins anew.
  Vector3d take(const Matrix3d& R_WS, const Vector3d& gravity);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  Matrix3d R_WS_ = Matrix3d::Identity();  ///< Before the next step.
  Vector3d v_WS_ = Vector3d::Zero();
  bool known_ = false;                    ///< True if these two are.
  Vector3d velocity_ = Vector3d::Zero();  ///< Integral since the last reading, axes of S, m/s.
  double time_ = 0;
};

}  // namespace mortise::sensors
