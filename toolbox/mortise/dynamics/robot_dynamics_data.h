#pragma once

/// The inside of `RobotDynamics`, shared by its source files only.

#include <cmath>
#include <vector>

#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/small_vectors.h"

namespace mortise {

struct RobotDynamics::Data {
  /// What never changes, in one array in link order.
  struct LinkConstants {
    int parent;
    bool revolute;
    bool turned;  ///< The rotation at q = 0 is not the identity.
    bool hasMass;
    int axisKind;       ///< 0, 1, 2: along x, y, z; 3: any other direction.
    double axisSign;    ///< For kinds 0 to 2.
    double axisLength;  ///< |axis|: rate of motion = axisLength * dq.
    detail::M3 R0;
    detail::V3 p0;
    detail::V3 axis;  ///< Unit, link frame.
    double mass;
    detail::V3 com;
    detail::S3 inertia;  ///< About the centre of mass, link axes.
  };

  struct LinkState {
    detail::M3 R;     ///< World.
    detail::V3 p;     ///< World.
    detail::V3 s;     ///< Axis times its length, world: motion for each unit of dq.
    detail::V3 com;   ///< World.
    detail::V3 w, v;  ///< Angular velocity and velocity of the origin.
  };

  /// Spatial inertia about `reference`, world axes.
  struct RigidInertia {
    double mass = 0;
    detail::V3 moment;   ///< mass * (com - reference)
    detail::S3 inertia;  ///< About the reference.
  };

  struct Articulated {
    detail::S3 A;      ///< Rotation-rotation.
    double H[9] = {};  ///< Rotation-linear, row-major: torque = A w + H v, force = H^T w + M v.
    detail::S3 M;      ///< Linear-linear.
  };

  explicit Data(RobotPtr robotPtr);

  RobotPtr robot;
  int n = 0;
  double totalMass = 0;
  int referenceLink =
      0;  ///< Spatial quantities are taken about its origin, so that far from the world's origin no digits are lost.
  bool moving = false;  ///< dq is not all zero.
  std::vector<LinkConstants> link;
  std::vector<LinkState> state;
  VectorXd dq;

  // Workspaces.
  std::vector<double> sine, cosine;
  std::vector<detail::V3> alpha, accel, force, torque;  ///< Newton-Euler.
  std::vector<RigidInertia> composite;
  std::vector<detail::V3> subtreeMoment;
  std::vector<double> subtreeMass;
  std::vector<Articulated> body;
  struct Sweep {
    detail::V3 Sw, Sv;  ///< Motion of the joint about the reference.
    detail::V3 cw, cv;  ///< Velocity-product acceleration.
    detail::V3 pn, pf;  ///< Bias force.
    detail::V3 Un, Uf;  ///< Force of the articulated body for a unit joint acceleration.
    detail::V3 aw, av;
    double sizeA = 0, sizeM = 0;  ///< How large the inertias below are that differences are taken of.
    double inverseD = 0;
    double u = 0;
  };
  std::vector<Sweep> sweep;
  VectorXd zero, scratch;

  void placeLinks(const VectorXd& q);
  detail::V3 reference() const { return state[referenceLink].p; }
  /// The joint's motion about the reference.
  void jointMotion(int i, const detail::V3& origin, detail::V3& Sw, detail::V3& Sv) const;
  RigidInertia worldInertia(int i, const detail::V3& origin) const;
  void newtonEuler(const VectorXd* ddq, bool velocities, const Vector3d& gravity, VectorXd& tau,
                   std::span<const LinkWrench> wrenches);
  void articulatedBodies(const VectorXd& tau, bool velocities, const Vector3d& gravity, VectorXd& ddq,
                         std::span<const LinkWrench> wrenches);
};

}  // namespace mortise
