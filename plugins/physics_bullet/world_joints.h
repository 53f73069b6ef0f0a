#pragma once

#include <span>
#include <vector>

#include "mass_frame.h"
#include "mortise/component/physics.h"
#include "solver/row_solver.h"

namespace mortise::bullet {

/// Joints as blocks of the solver, at rigid bodies and robots alike: those between bodies of a world
/// (`SceneConstraint`), and with `articulation: maximal` those of robots, whose links are rigid bodies then.
class WorldJoints {
 public:
  /// `ends` has an entry for each body; bodies are where the description puts them. Throws `Error` for an axis of
  /// length zero and limits that cross.
  WorldJoints(const SceneDescription& description, std::span<const RowEnd> ends);

  /// Adds the joints of robots, and puts their links where the joints' positions say. `frames` by body.
  void addRobotJoints(const SceneDescription& description, std::span<const RowEnd> ends,
                      std::span<const MassFrame> frames);
  void setDrive(int robotJoint, const JointDrive& drive) { at(robotJoint).drive = drive; }
  /// Also moves what hangs on the joint.
  void setState(int robotJoint, double position, double velocity);

  /// Places a robot's base, and what hangs on it.
  void setBase(const RowEnd& base, const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC);

  void addTo(RowSolver& solver, double h, double erp, double maxCorrectionSpeed);
  void finish(const RowSolver& solver, double h);
  /// Of constraints.
  void read(std::span<JointState> out) const;
  JointState readRobotJoint(int robotJoint) const { return stateOf(joints_[numConstraints_ + robotJoint]); }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct State {
    double position = 0;  ///< Of A against B; angles count on over whole turns.
    double forces[6] = {};
    double all = 0, drive = 0, dry = 0, stop = 0;  ///< Mean efforts along the axis in the last step.
  };
  struct Joint {
    SceneConstraint::Type type = SceneConstraint::Type::fixed;
    const RowEnd *a = nullptr, *b = nullptr;
    RigidTransform X_AJ, X_BJ;  ///< In the bodies' frames at their centers of mass; the axis is x.
    double lower = 0, upper = 0;
    JointDrive drive;
    int block = -1, axis = -1;  ///< In the solver, this step.
    State state;
  };
  static RigidTransform pose(const RowEnd& end);
  static double positionOf(const Joint& joint, const RigidTransform& X_WJa, const RigidTransform& X_WJb);
  static JointState stateOf(const Joint& joint);
  static bool hasAxis(const Joint& joint);
  std::vector<JointState> robotStates() const;
  void placeAfter(const RowEnd& moved, std::span<const JointState> states);
  static void place(const Joint& joint, double position, double velocity);
  Joint& at(int robotJoint) { return joints_[numConstraints_ + robotJoint]; }

  RowEnd world_;
  std::vector<Joint> joints_;
  int numConstraints_ = 0;
};

}  // namespace mortise::bullet
