#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/model/robot.h"
#include "mortise/optimization/row_space.h"

namespace mortise {

/// A point of a link that presses on something that does not move.
struct SupportPoint {
  int link = 0;
  Vector3d p_LP = Vector3d::Zero();     ///< In the link's frame, m.
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, world frame; from the ground into the robot.
  double friction = 0.5;                ///< Coefficient of friction.
};

/// Accelerations as an affine function of what a controller decides on: x = (torque of each driver; forces at support
/// points), ddq = M x + ddq0. Welded links do not move, and the links of an affine driver move as its scales say, so
/// that the equations of motion are those of the coordinates that are left: P^T B P a = P^T (D u + J^T f - C - G).
/// A coordinate without inertia does not accelerate.
class ActuatedDynamics {
 public:
  explicit ActuatedDynamics(RobotPtr robot);

  /// Points at which forces may act; each force is a sum of `edges` (>= 3) forces along the edges of a pyramid inside
  /// the cone of friction, and each of those is one variable, N, which must not be negative; one edge along the normal
  /// without friction. Allocates.
  void setSupports(std::span<const SupportPoint> supports, int edges);
  int numDrivers() const { return drivers_; }
  int numForces() const { return forces_; }
  int numVariables() const { return drivers_ + forces_; }
  /// Degrees of freedom that are left.
  int numCoordinates() const { return coordinates_; }
  /// The coordinate of a link, -1 when it is welded, and how much the link moves with it.
  int coordinate(int link) const { return coordinate_[link]; }
  double linkScale(int link) const { return scale_[link]; }
  /// Says whether a driver can move anything: those that push a floating base cannot.
  bool acts(int driver) const { return acts_[driver]; }

  /// Frames, velocities and M, ddq0 for this state; everything below is about it. `gravity`: m/s^2, world frame.
  /// `viscous`: with the viscous friction of the drivers, as it will be after `period` seconds (friction * period adds
  /// to the inertia): where friction stops a light link within less than a period, its friction now says nothing.
  void update(const VectorXd& q, const VectorXd& dq, const Vector3d& gravity, bool viscous = false, double period = 0);
  RobotDynamics& robot() { return dynamics_; }
  const RobotDynamics& robot() const { return dynamics_; }

  /// Rows A x = b that ask for J ddq = wanted; J: any number of rows x numLinks. For a point of a link `wanted` is its
  /// acceleration less dJ/dt dq.
  void rows(const ConstMatrixRef& J, const ConstVectorRef& wanted, MatrixRef A, VectorRef b);
  /// Returns, of the rows `first` to `first` + 2 of the last call of `rows`, those of a point's acceleration, the
  /// center of mass's or an angular one: how long such rows are, in units of `scales`, far from singular configurations
  /// (`TaskLevel::length`). Geometric mean of what the robot would have as one rigid body of the mean moment of inertia
  /// about `p_W` (or of its mass), and of the longest of the three, supports held: links at the end are much lighter
  /// than the whole, and about some axes more than about others.
  double regularLength(int first, bool angular, const Vector3d& p_W) const;
  /// A row that asks for one link's ddq.
  void linkRow(int link, double wanted, Eigen::Index row, MatrixRef A, VectorRef b) const;
  /// The same for a coordinate.
  void coordinateRow(int coordinate, double wanted, Eigen::Index row, MatrixRef A, VectorRef b) const;
  /// Rate of a coordinate: of its first link, over the link's scale.
  double coordinateRate(int coordinate, const VectorXd& dq) const;
  /// ddq (numLinks) for x.
  void accelerations(const VectorXd& x, VectorXd& ddq) const;
  /// dJ/dt dq of the center of mass, m/s^2.
  Vector3d centerOfMassBias() const;

  /// Torque of each driver against gravity and velocity-dependent forces and for accelerations of -damping * velocity,
  /// as far as a single driver can; what supports carry is not in it.
  void restTorques(double damping, const VectorXd& dq, VectorRef torques);
  /// Returns the scales that make torques of large and small links comparable with each other and with forces: how much
  /// of a torque changes the accelerations by as much as a unit of another, 1 / sqrt(c^T B^-1 c) of its generalized
  /// force c, the supports held; for forces the root of the robot's mass. 1 for what changes nothing.
  const VectorXd& scales() const { return unit_; }
  /// World force at a support for the forces in x.
  Vector3d supportForce(int support, const VectorXd& x) const;

 private:
  void findPattern();
  void factorMass();
  void whiten(VectorRef x) const;
  void unwhiten(VectorRef x) const;
  double freeEnergy(VectorRef x) const;
  void gather(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& row, VectorRef column) const;

  RobotPtr model_;
  RobotDynamics dynamics_;
  int links_ = 0, drivers_ = 0, forces_ = 0, coordinates_ = 0;
  std::vector<int> coordinate_, firstLink_;
  std::vector<double> scale_;
  std::vector<char> acts_, dead_;
  std::vector<SupportPoint> supports_;
  std::vector<int> firstForce_;      ///< First force of each support, and the end.
  std::vector<Vector3d> direction_;  ///< Direction of each force, world frame.
  /// Rows of each column of L that are not zero, below the diagonal. Leaves come first, so that there are few.
  std::vector<std::vector<int>> below_;
  Eigen::MatrixXd B_, reducedB_, L_, M_, driverMap_;
  Matrix3X J_;
  VectorXd bias_, rest_, reducedBias_, work_, unit_, zero_, mobility_, length_;
  RowSpace held_;  ///< Rows of the supports, in coordinates in which B is 1.
  double mass_ = 0;
};

}  // namespace mortise
