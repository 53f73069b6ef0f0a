#pragma once

#include <array>

#include "mortise/base/bytes.h"
#include "mortise/math/transform.h"

namespace mortise::sensors {

/// The sums that the instruments of a body-fixed ("strapdown") unit S add up between two readings, in the axes of S as
/// they stood at the first of them, S0. Real units do this at a high internal rate; here it is that of the physics, so
/// turning while accelerating leaves no error (Savage, "Strapdown inertial navigation integration algorithm design",
/// 1998).
class Strapdown {
 public:
  /// At a reading.
  void begin(const Matrix3d& R_WS, const Vector3d& v_WS);
  /// After a step of `dt` seconds. Axes that are off count as not accelerated.
  void observe(const Matrix3d& R_WS, const Vector3d& v_WS, const std::array<bool, 3>& axes, double dt);

  double time() const { return time_; }                           ///< Since the last `begin`, s.
  const Matrix3d& start() const { return R_WS0_; }                ///< R_WS0
  Matrix3d turn() const { return R_WS0_.transpose() * R_WS_; }    ///< R_S0S
  const Vector3d& velocity() const { return velocity_; }          ///< Change of velocity, axes of S0, m/s.
  const Vector3d& displacement() const { return displacement_; }  ///< Its integral: m.

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  bool begun_ = false;
  Matrix3d R_WS0_ = Matrix3d::Identity();
  Matrix3d R_WS_ = Matrix3d::Identity();
  Vector3d v_WS_ = Vector3d::Zero();
  Vector3d velocity_ = Vector3d::Zero(), displacement_ = Vector3d::Zero();
  double time_ = 0;
};

}  // namespace mortise::sensors
