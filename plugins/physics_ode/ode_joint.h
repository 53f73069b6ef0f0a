#pragma once

/// One degree of freedom between two bodies: an ODE hinge or slider with stops, and an ODE motor joint whose rows are
/// the drive, dry friction and viscous friction.

#include <memory>
#include <ode/ode.h>
#include <optional>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"

namespace mortise::ode {

/// A body as a joint sees it.
struct JointBody {
  dBodyID body = nullptr;  ///< Null for the world and for fixed bodies.
  Vector3d com = Vector3d::Zero();
  RigidTransform X_WB;  ///< Pose of a fixed body; moving ones are asked.

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

  /// Error reduction and force mixing of the stops.
  void setStopParameters(double erp, double cfm);
  /// Wakes the bodies of the joint when the drive changes.
  void setDrive(const JointDrive& drive);
  const JointState& state() const { return state_; }
  /// Mean effort of dry friction in the last step, of a joint that no drive moves.
  double friction() const { return friction_; }

  /// Pose of the child in the parent at a position.
  RigidTransform childInParent(double position) const;
  /// Declares a position: the angle counts on from here.
  void setState(double position, double velocity);
  /// Takes position and velocity from the bodies.
  void measure();

  /// Sets the rows of the next step of length `h`, and adds explicit efforts to the bodies.
  void prepare(double h);
  /// Rows that the joint puts into the next step's system, as last prepared.
  int rows() const { return rows_; }
  /// Reads position, velocity and efforts back after a step of length `h`.
  void finish(double h);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  enum Row { driveRow, dryRow, viscousRow, numRows };

  void setMotorRow(Row row, double velocity, double mixing, double limit);
  void setDriveRow(double h);
  void setStops();
  void addEffort(double effort);
  double measuredPosition() const;
  double measuredRate() const;
  double rateInStep() const;
  double stopEffort() const;
  Vector3d axisInWorld() const;

  Description description_;
  JointBody parent_, child_;
  dBodyID first_ = nullptr, second_ = nullptr;  ///< Bodies as ODE has them: the first one is never the world.
  double direction_ = 1;                        ///< -1 when the first one is the parent.
  dJointID joint_ = nullptr;
  dJointID motor_ = nullptr;
  std::unique_ptr<dJointFeedback> feedback_;       ///< Feedback of the motor.
  std::unique_ptr<dJointFeedback> jointFeedback_;  ///< Feedback of the joint itself, with its stops.
  JointDrive drive_;
  JointState state_;
  double friction_ = 0;
  Vector3d stepAnchor_ = Vector3d::Zero();  ///< From the first body to the hinge's point at the start of the step.
  Vector3d stepAxis_ = Vector3d::UnitZ();   ///< Axis in the world at the start of the step.
  Vector3d stepArm_ = Vector3d::Zero();     ///< Half the way from the first body to the second, then.
  bool atStop_ = false;                     ///< A stop is in force in the step.
  int rows_ = 0;
};

}  // namespace mortise::ode
