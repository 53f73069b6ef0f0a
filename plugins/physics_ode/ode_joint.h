#pragma once

/// One degree of freedom between two bodies: an ODE hinge or slider with stops, and a motor joint that carries the
/// drive, dry friction and viscous friction as rows of the solver's system.

#include <ode/ode.h>
#include <optional>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"

namespace mortise::ode {

/// A body as a joint sees it.
struct JointBody {
  dBodyID body = nullptr;  ///< Null for the world and for fixed bodies.
  Vector3d com = Vector3d::Zero();
  RigidTransform X_WB;  ///< Of a fixed body; moving ones are asked.

  /// Current pose and velocity of the body frame B.
  RigidTransform pose() const;
  void velocity(Vector3d& v_WB, Vector3d& w_WB) const;
};

class OdeJoint {
 public:
  enum class Type { revolute, prismatic };
  struct Description {
    Type type = Type::revolute;
    RigidTransform X_PC0;
    Vector3d axis = Vector3d::UnitZ();  ///< In the child's frame.
    double lower, upper;
    double position = 0, velocity = 0;
    std::optional<Vector3d> anchor;  ///< A point of the axis, in the world; else the child's origin.
  };

  /// Bodies must be where `description.position` puts them. Both may be fixed; then nothing ever moves.
  OdeJoint(dWorldID world, const Description& description, const JointBody& parent, const JointBody& child);

  void setDrive(const JointDrive& drive) { drive_ = drive; }
  const JointDrive& drive() const { return drive_; }
  const JointState& state() const { return state_; }

  /// Pose of the child in the parent at a position.
  RigidTransform childInParent(double position) const;
  /// Declares a position: the angle counts on from here.
  void setState(double position, double velocity);
  /// Takes position and velocity from the bodies.
  void measure();

  /// Sets the rows of the next step of length `h`. `errorReduction` is the world's. Adds explicit efforts to the
  /// bodies.
  void prepare(double h, double errorReduction);
  /// Rows that the joint puts into the next step's system, as last prepared.
  int rows() const { return rows_; }
  /// Reads position, velocity and drive effort back after a step of length `h`.
  void finish(double h);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  void setMotorRow(int row, double velocity, double mixing, double limit);
  void setStops(double h, double errorReduction);
  void addEffort(double effort);
  double measuredPosition() const;
  double rate(const Vector3d& axis_W) const;
  Vector3d axisInWorld() const;

  Description description_;
  JointBody parent_, child_;
  dJointID joint_ = nullptr;
  dJointID motor_ = nullptr;
  JointDrive drive_;
  JointState state_;
  Vector3d stepAxis_ = Vector3d::UnitZ();  ///< Axis in the world at the start of the step.
  bool stopSet_ = false;                   ///< ODE's joint has a stop in force.
  int rows_ = 0;
};

}  // namespace mortise::ode
