#pragma once

/// One degree of freedom between two bodies: an ODE hinge or slider with stops, and a motor joint that carries the
/// drive, dry friction and viscous friction as rows of the solver's system.

#include <memory>
#include <ode/ode.h>
#include <optional>

#include "direct/articulated_forest.h"
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

/// Bodies that are held together as they are now.
struct Weld {
  Weld(dWorldID world, int indexA, int indexB, const JointBody& bodyA, const JointBody& bodyB);
  JointNow now(double h, double errorReduction) const;

  int a = -1, b = -1;
  JointBody first, second;
  dJointID joint = nullptr;
  RigidTransform X_BA;  ///< To be kept.
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
  /// Mean effort of dry friction in the last step, of a joint that no drive moves.
  double friction() const { return friction_; }

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

  // A drive below its limit and friction that sticks are equations; rows with limits cost the exact solver far more. So
  // a step is tried with those limits left out that did not act in the step before. If none of them would have acted
  // now, the result is the solution with limits, too; otherwise the step is taken again with the limits put back.

  /// Leaves out the limits that did not act in the step before.
  void leaveLimitsOut();
  /// After a step: whether what was left out was not needed. Notes which limits act.
  bool limitsKept();
  /// Puts back the limits that act, or all.
  void putLimitsBack(bool all);

  /// Reads position, velocity and drive effort back after a step of length `h`.
  void finish(double h);

  // In place of `prepare`, rows and `finish` for a solver of our own.

  /// For good: ODE's joints stay, but act no more.
  void switchOff();
  JointNow now(double h, double errorReduction) const;
  void setLaw(double h, double errorReduction, AxisLaw& law) const;
  void finish(const AxisLaw& law, double speed);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  enum Row { driveRow, dryRow, viscousRow, numRows };
  struct RowSetting {
    double velocity = 0, mixing = 0, limit = 0;
    bool acts = false;     ///< The limit acted in the last step.
    bool leftOut = false;  ///< In the current step.
  };

  void setMotorRow(Row row, double velocity, double mixing, double limit);
  void setMotorLimit(Row row, double limit);
  void setStops(double h, double errorReduction);
  void addEffort(double effort);
  double measuredPosition() const;
  double measuredRate() const;
  double rateInStep() const;
  double stopEffort() const;
  Vector3d axisInWorld() const;

  Description description_;
  Vector3d childAnchor_ = Vector3d::Zero(),
           parentAnchor_ = Vector3d::Zero();  ///< In the bodies' frames, at position 0.
  JointBody parent_, child_;
  dBodyID first_ = nullptr, second_ = nullptr;  ///< As ODE has them: the first one is never the world.
  double direction_ = 1;                        ///< -1 when the first one is the parent.
  dJointID joint_ = nullptr;
  dJointID motor_ = nullptr;
  std::unique_ptr<dJointFeedback> feedback_;       ///< Of the motor.
  std::unique_ptr<dJointFeedback> jointFeedback_;  ///< Of the joint itself, with its stops.
  JointDrive drive_;
  JointState state_;
  double friction_ = 0;
  RowSetting settings_[numRows];
  Vector3d stepAnchor_ = Vector3d::Zero();  ///< From the first body to the hinge's point at the start of the step.
  Vector3d stepAxis_ = Vector3d::UnitZ();   ///< Axis in the world at the start of the step.
  Vector3d stepArm_ = Vector3d::Zero();     ///< Half the way from the first body to the second, then.
  bool stopSet_ = false;                    ///< ODE's joint has a stop in force.
  int rows_ = 0;
};

}  // namespace mortise::ode
