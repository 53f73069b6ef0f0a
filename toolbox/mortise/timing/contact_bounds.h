#pragma once

/// Bounds of contact forces, and of torques with contacts, along a path.

#include <memory>

#include "mortise/contact/hold.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/timing/path_bound.h"
#include "mortise/timing/torque_bounds.h"

namespace mortise {

struct ContactBoundOptions {
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  int coneEdges = 8;     ///< Edges of the pyramids, inside the friction cones, that stand for them.
  bool torques = true;   ///< True if the motors' torques are bounded; otherwise the floating base alone is borne.
  bool friction = true;  ///< True if holds bear only what the friction cones of their contacts do.
  // Margins, as Klamp't's contact time scaling has them.
  double torqueScale = 1;    ///< Fraction of the motors' torques that may be used.
  double frictionScale = 1;  ///< Fraction of the coefficients of friction.
  double minForce = 0;       ///< Newton along its normal that each contact point bears at least.
};

/// A robot that moves with links held at goals: forces at the holds' contacts, within friction cones, together with the
/// motors' torques, within limits, have to make the motion; a floating base has no force of its own (Hauser, "Fast
/// interpolation and time-optimization with contact", IJRR 2014). Goals without contact points, and holds without
/// `friction`, bear whatever their equations keep: forces along the equations' derivatives.
///
/// Rows are the edges of the polygon of accelerations and squared velocities along the path for which there are such
/// forces, found by linear programs in the directions that its edges face (Bretl and Lall, "Testing static equilibrium
/// for legged robots", 2008; Caron and Pham, 2016); an edge is inside of the polygon, so that what keeps to them is
/// right, by no more than 1e-4 of the box.
class ContactBounds final : public PathBound {
 public:
  /// Throws `Error` for bad contacts and goals.
  ContactBounds(RobotPtr robot, const std::vector<IKGoal>& goals, const std::vector<Hold>& holds,
                const ContactBoundOptions& options = {});
  ~ContactBounds() override;

  void addRows(const VectorXd& q, const VectorXd& slope, const VectorXd& bend, const PathBox& box,
               std::vector<PathRow>& rows) override;
  double excess(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) override;
  /// Returns the utilization of torques, with forces that minimize the largest; 1 and more where no forces make the
  /// motion. Without `torques`: 0, or infinite.
  double utilization(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) override;
  std::string explain(const VectorXd& q) override;

 private:
  struct Setup;
  std::unique_ptr<Setup> setup_;
};

}  // namespace mortise
