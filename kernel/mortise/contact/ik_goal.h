#pragma once

#include "mortise/math/transform.h"

namespace mortise {

/// A full or partial pose constraint on a link. L is the link's frame, D that of the destination: another link, or the
/// world. Plain data; what `.ikgoal` files hold.
struct IKGoal {
  enum class Position {
    free,
    plane,  ///< The point lies in a plane of D: one equation.
    line,   ///< On a line of D: two.
    point   ///< At a point of D: three.
  };
  enum class Rotation {
    free,
    twoAxis,  ///< An axis of L is at right angles to one of D: one equation.
    axis,     ///< An axis of L lies along one of D: two equations.
    fixed     ///< All of R_DL: three.
  };

  int link = 0;
  int destination = -1;  ///< Link index; -1: the world.
  Position position = Position::free;
  Vector3d p_LP = Vector3d::Zero();         ///< The point P of the link (m).
  Vector3d p_DP = Vector3d::Zero();         ///< Its target: the point, or one of the line or plane (m).
  Vector3d direction_D = Vector3d::Zero();  ///< Direction of the line, or normal of the plane.
  Rotation rotation = Rotation::free;
  Vector3d axis_L = Vector3d::Zero();             ///< `axis` and `twoAxis`.
  Vector3d axis_D = Vector3d::Zero();             ///< Its target, for these.
  Vector3d rotationVector_DL = Vector3d::Zero();  ///< `fixed`: R_DL as a rotation vector (rad).

  bool operator==(const IKGoal&) const = default;
};

}  // namespace mortise
