#pragma once

/// The linear program of support polygons. For `support_polygon.h`.

#include <span>

#include "mortise/mechanics/forces/contact_program.h"
#include "mortise/mechanics/forces/planar_cone.h"
#include "mortise/mechanics/support_polygon.h"

namespace mortise {

/// Lengths of support polygons: the middle of the contacts is at 0, their largest distance from it 1.
struct SupportFrame {
  Vector3d middle = Vector3d::Zero();
  double length = 1;
  Matrix3d R_FW = Matrix3d::Identity();  ///< Rows: axes of the plane, and up.
};

/// Farthest centers of mass at which forces balance the weight, within a square around the middle of the contacts.
class SupportProgram {
 public:
  /// The centers themselves, or the directions in which they never end: those that forces without sum bring about.
  enum class Of { centers, directions };

  SupportProgram(std::span<const ContactPoint> contacts, const SupportFrame& frame, double square,
                 const SupportPolygonOptions& options, Of of = Of::centers);

  /// False when there is none.
  bool support(const Eigen::Vector2d& normal, Eigen::Vector2d& point);
  bool onSquare(const Eigen::Vector2d& point) const { return point.cwiseAbs().maxCoeff() >= 0.999 * square_; }

 private:
  ContactProgram program_;
  double square_;
  int x_ = 0, y_ = 0;
};

}  // namespace mortise
