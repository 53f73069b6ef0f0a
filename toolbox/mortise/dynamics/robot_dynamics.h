#pragma once

/// Kinematics and dynamics of one robot. Everything is computed in world axes from the link frames, without
/// transforming vectors between links: rotations of files that are orthonormal only to 1e-6 then give what the
/// definition gives.

#include <Eigen/Core>
#include <memory>
#include <span>

#include "mortise/model/robot.h"

namespace mortise {

using Matrix3X = Eigen::Matrix<double, 3, Eigen::Dynamic>;
/// Rows: 3 angular, then 3 linear.
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// A force on a link: at the origin of the link, world axes.
struct LinkWrench {
  int link = 0;
  Vector3d torque = Vector3d::Zero();  ///< N*m, about the link's origin.
  Vector3d force = Vector3d::Zero();   ///< N
};

/// The equation of motion is B(q) ddq + C(q, dq) + G(q) = tau + sum J^T f. Holds the workspace of all algorithms: one
/// object a thread. Nothing allocates after construction. First set the state, then ask; outputs must have the right
/// size.
class RobotDynamics {
 public:
  explicit RobotDynamics(RobotPtr robot);
  ~RobotDynamics();
  RobotDynamics(RobotDynamics&&) noexcept;
  RobotDynamics& operator=(RobotDynamics&&) noexcept;

  const Robot& robot() const;

  /// Link frames from q (numLinks). Velocities become zero.
  void setPosition(const VectorXd& q);
  /// Link frames and velocities.
  void setState(const VectorXd& q, const VectorXd& dq);

  // Kinematics, world frame.
  RigidTransform X_WL(int link) const;
  Vector3d angularVelocity(int link) const;
  /// Velocity of the point of a link that is at `p_LP` in the link's frame.
  Vector3d pointVelocity(int link, const Vector3d& p_LP) const;
  /// Angular and linear acceleration of a point for joint accelerations `ddq`; the rows of a Jacobian times ddq plus
  /// its time derivative times dq.
  Eigen::Matrix<double, 6, 1> pointAcceleration(int link, const Vector3d& p_LP, const VectorXd& ddq) const;
  /// 6 x numLinks; columns of links that do not move the point are zero.
  void jacobian(int link, const Vector3d& p_LP, Eigen::Ref<Matrix6X> J) const;
  void positionJacobian(int link, const Vector3d& p_LP, Eigen::Ref<Matrix3X> J) const;
  void orientationJacobian(int link, Eigen::Ref<Matrix3X> J) const;
  /// Every link's Jacobian in one 6 x numLinks matrix: column i holds the motion of link i's joint as w, and as v the
  /// velocity of the point that stands at the world's origin. The Jacobian of a link at a point p has the columns of
  /// itself and the links above it, with v + w x p for v. (Pinocchio's `computeJointJacobians`.)
  void allJacobians(Eigen::Ref<Matrix6X> J) const;
  /// d/dt of `jacobian` along the current velocity.
  void jacobianRate(int link, const Vector3d& p_LP, Eigen::Ref<Matrix6X> Jdot) const;

  Vector3d centerOfMass() const;
  Vector3d centerOfMassVelocity() const;
  void centerOfMassJacobian(Eigen::Ref<Matrix3X> J);

  // Dynamics.
  /// B, symmetric, numLinks x numLinks. Composite rigid bodies (Walker and Orin, 1982) with the branch-induced zeros
  /// left out.
  void massMatrix(Eigen::Ref<Eigen::MatrixXd> B);
  /// B^-1 x, by articulated bodies without velocity; rows without inertia give 0.
  void solveMassMatrix(const VectorXd& x, VectorXd& result);
  /// C: velocity-dependent forces.
  void coriolisForces(VectorXd& C);
  /// G for `gravity` such as (0, 0, -9.8).
  void gravityForces(const Vector3d& gravity, VectorXd& G);
  /// C + G - sum J^T f in one sweep.
  void biasForces(const Vector3d& gravity, VectorXd& forces, std::span<const LinkWrench> wrenches = {});
  /// tau for `ddq`: recursive Newton-Euler (Luh, Walker and Paul, 1980).
  void inverseDynamics(const VectorXd& ddq, const Vector3d& gravity, VectorXd& tau,
                       std::span<const LinkWrench> wrenches = {});
  /// ddq for `tau`: articulated bodies (Featherstone, 1983). A degree of freedom without inertia gets 0.
  void forwardDynamics(const VectorXd& tau, const Vector3d& gravity, VectorXd& ddq,
                       std::span<const LinkWrench> wrenches = {});

  double kineticEnergy() const;
  double potentialEnergy(const Vector3d& gravity) const;

  struct Data;  ///< Internal.

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace mortise
