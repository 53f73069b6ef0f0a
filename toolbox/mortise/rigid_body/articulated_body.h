#pragma once

#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/dynamics/scene_bodies.h"
#include "mortise/rigid_body/implicit_joint_drives.h"
#include "mortise/rigid_body/tree_plan.h"

namespace mortise::rigid {

/// A tree of bodies and joints in reduced coordinates: its state, its joint-space dynamics with implicit drives, and
/// its rows of the contact solver. Each body has a frame C at its center of mass with diagonal inertia.
///
/// Coordinates are, for a free base, its angular velocity and the velocity of its center of mass in world axes, then
/// one for each joint. With M the inertia (composite rigid body algorithm) and c what gravity, applied forces and
/// velocities ask for (recursive Newton-Euler algorithm; both after Featherstone, "Rigid Body Dynamics Algorithms",
/// 2008), the velocity v at the end of a step satisfies
///
///   M v = M v_before - h c + drives(v) + contacts,
///
/// which `ImplicitJointDrives` solves.
class ArticulatedBody {
 public:
  ArticulatedBody(const SceneDescription& description, TreePlan plan, std::span<const MassFrame> frames);

  const TreePlan& plan() const { return plan_; }
  bool fixedBase() const { return plan_.fixedBase; }
  int numLinks() const { return static_cast<int>(links_.size()); }
  int linkBody(int link) const { return links_[link].body; }
  int linkJoint(int link) const { return links_[link].joint; }

  // State. `link` -1 is the base. Poses are those of C.
  void setBase(const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC);
  void setJoint(int link, double position, double velocity);
  double position(int link) const { return positions_[link]; }
  double velocity(int link) const { return velocities_[firstJoint() + link]; }
  /// Recomputes poses and velocities after the state has changed.
  void update();
  const RigidTransform& pose(int link) const { return frames_[link + 1].X_WC; }
  const Vector3d& linearVelocity(int link) const { return motions_[link + 1].linear; }
  const Vector3d& angularVelocity(int link) const { return motions_[link + 1].angular; }

  /// Force at the center of mass and torque on a link or the base, for the next step.
  void addForce(int link, const Vector3d& force, const Vector3d& torque);

  // The step. `beginStep` leaves the velocity that the body would have without contacts, its drives on the pieces of
  // their laws where the last step's contacts would put them. `relinearize` is told what contacts change, and when that
  // puts a drive on another piece, it finds the right pieces and the velocity without contacts anew and returns true:
  // rows must be made again. `endStep` comes after all that; null: no contacts.
  void setDrive(int link, const JointDrive& drive) { drives_[link] = drive; }
  const JointDrive& drive(int link) const { return drives_[link]; }
  void beginStep(const Vector3d& gravity, double h, double erp, double maxCorrectionSpeed);
  bool relinearize(const double* change);
  void endStep(const double* change);
  /// Moves on with the velocities. The momentum of a free body is then what forces and contacts make it: velocities
  /// are those for the inertia at the start of the step, and the base takes up the difference. Where links turn so far
  /// in a step that centrifugal forces, which are taken from its start, would create energy, the next step begins with
  /// the rates that have the energy that the step's forces left (`articulated_body_energy.cpp`).
  void integrate(double h);
  /// Says whether this step began with such rates, or took less than all of the centrifugal forces.
  bool corrected() const { return corrected_; }

  // Rows of the solver, between `beginStep` and `endStep`. With L^T L = M + E, E the slopes of the drives' pieces in
  // force, a row is J L^-1; it has entries only for `path`.
  int numVelocities() const { return static_cast<int>(after_.size()); }
  /// Velocities that move a link, descending.
  std::span<const int> path(int link) const { return paths_[link + 1]; }
  /// Those that move either of two.
  std::span<const int> path(int a, int b);
  /// The row of a force at a point of a link and a moment, in `y`; returns what it measures of the velocity without
  /// contacts.
  double makeRow(int link, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                 std::span<const int> path, double* y) const;
  /// The same for a force on `a` with its reaction on `b`.
  double makeRow(int a, int b, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                 std::span<const int> path, double* y);
  Vector3d freeVelocity(int link, const Vector3d& point) const;
  /// x = L^-1 x.
  void unwhiten(double* x) const { solver_.factor().solveLower(x); }

  // For Newton's method on drives and contacts together, in the velocities themselves (`ContactNewton`), between
  // `beginStep` and `endStep` or `endStepAt`: rows J, what they measure of a base that moves by itself, and the answer
  // of a link to spatial impulses (moment about the origin, force) on the pieces found last, 6 x 6.
  void makeJacobian(const Vector3d& point, const Vector3d& force, std::span<const int> path, double* y) const;
  void makeJacobian(int a, int b, const Vector3d& point, const Vector3d& force, std::span<const int> path, double* y);
  double measureBase(const Vector3d& point, const Vector3d& force) const;
  void response(int link, double* matrix) const;
  const Vector3d& reference() const { return reference_; }
  ImplicitJointDrives& drives() { return solver_; }
  std::span<const double> momentumBefore() const { return momentum_; }
  /// Returns the start of that: the velocity with the last step's contacts.
  std::span<const double> guess() const { return guess_; }
  /// Velocities and what contacts give.
  void endStepAt(const double* v, const double* impulse);
  /// Drives as `beginStep` left them, up to the pieces that it started from.
  void beginAgain();

  double effort(int link) const { return efforts_[link]; }
  double stop(int link) const { return stopEfforts_[link]; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Link {
    int body = -1, joint = -1, parent = -1;
    bool revolute = true;
    Vector3d axis = Vector3d::UnitZ();      ///< In C.
    Vector3d p_CJ = Vector3d::Zero();       ///< Joint origin at position 0, in C.
    Matrix3d R_PC0 = Matrix3d::Identity();  ///< C in the parent's C at position 0.
    Vector3d p_PJ = Vector3d::Zero();       ///< Joint origin in the parent's C.
    double lower = 0, upper = 0;
  };
  struct Frame {
    RigidTransform X_WC;
    double mass = 0;
    Vector3d moments = Vector3d::Zero();
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  };
  struct Motion {
    Vector3d angular = Vector3d::Zero(), linear = Vector3d::Zero();
  };
  struct Composite {
    double mass;
    Vector3d moment;   ///< Mass times position of the center of mass.
    Matrix3d inertia;  ///< About the reference point.
  };
  int firstJoint() const { return plan_.fixedBase ? 0 : 6; }
  /// The base counts as a body of its own only where forces move it.
  int firstMassive() const { return plan_.fixedBase ? 1 : 0; }
  void addLink(const SceneDescription& description, int joint, std::span<const int> linkOfBody,
               std::span<const MassFrame> frames);
  void findPaths(const std::vector<int>& parents);
  void readDrives();
  void findStops(double h, double erp, double maxCorrectionSpeed);
  void computeInertia();
  /// Generalized forces that would keep the present velocities.
  void computeBias(const Vector3d& gravity);
  void updateVelocities();
  struct Momentum {
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  };
  Momentum momentum(const Vector3d& about) const;
  void expectMomentum(const Vector3d& gravity, double h);
  void addContactMomentum();
  void restoreMomentum();
  bool turnsFar(double h, double angle) const;
  double kineticEnergy() const;
  void limitBias(double h);
  double expectedEnergy(double h);
  void restoreEnergy(double h);
  Vector3d massCenter() const;
  void moveMassCenter(const Vector3d& from, double h);
  void setRates(std::span<const double> rates, double factor);
  /// World inertia of a body about its center of mass.
  static Matrix3d worldInertia(const Frame& frame);

  TreePlan plan_;
  std::vector<Link> links_;
  std::vector<Frame> frames_;    ///< Frames of base and links.
  std::vector<Motion> motions_;  ///< Motions of base and links.
  std::vector<double> positions_;
  std::vector<double> velocities_;  ///< The coordinates' rates.
  Vector3d baseSpin_ = Vector3d::Zero(), baseVelocity_ = Vector3d::Zero();

  std::vector<JointDrive> drives_;
  std::vector<double> efforts_, stopEfforts_;
  ImplicitJointDrives solver_;
  std::vector<ImplicitJointDrives::Stops> stops_;
  std::vector<double> momentum_, bias_, after_, guess_, impulse_, scratch_;
  bool hasImpulse_ = false;
  Momentum expected_;  ///< At the end of the step, about `reference_`.
  /// The kinetic energy that the forces of a step left, where links turned far in it; else infinite.
  double energy_ = std::numeric_limits<double>::infinity();
  bool corrected_ = false;    ///< Value of `corrected()`.
  bool turning_ = false;      ///< Links turn so far that the following hold for this step.
  double biasFraction_ = 1;   ///< Fraction of `velocityBias_` that the step takes.
  TreeMatrix bareFactor_;     ///< Bare factor of the inertia alone.
  std::vector<Motion> held_;  ///< Applied forces.
  /// Forces that velocities alone cause.
  std::vector<double> velocityBias_;
  std::vector<std::vector<int>> paths_;
  std::map<std::pair<int, int>, std::vector<int>> sharedPaths_;
  mutable std::vector<double> gather_;
  Vector3d reference_ = Vector3d::Zero();  ///< Origin of `axes_`.
  std::vector<Composite> composites_;
  std::vector<Motion> axes_;                    ///< Joint motion, linear part at the reference point.
  std::vector<Motion> accelerations_, forces_;  ///< Work space of the Newton-Euler recursion.
};

}  // namespace mortise::rigid
