#pragma once

/// Names of DART's rooms and the way between its types and Mortise's; both are double precision.

#include <Eigen/Geometry>
#include <dart/collision/CollisionDetector.hpp>
#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/CollisionGroup.hpp>
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/Contact.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/ConstrainedGroup.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/DynamicJointConstraint.hpp>
#include <dart/constraint/JointConstraint.hpp>
#include <dart/constraint/JointCoulombFrictionConstraint.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/constraint/WeldJointConstraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/EllipsoidShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/MeshShape.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "mortise/math/rotation.h"
#include "mortise/math/transform.h"

namespace mortise::dart {

namespace dyn = ::dart::dynamics;
namespace con = ::dart::constraint;
namespace col = ::dart::collision;
namespace sim = ::dart::simulation;

inline Eigen::Isometry3d toDart(const RigidTransform& X) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}
inline RigidTransform fromDart(const Eigen::Isometry3d& T) { return {T.linear(), T.translation()}; }

/// Files hold matrices that are orthonormal only to about 1e-6.
inline RigidTransform cleaned(const RigidTransform& X) { return {orthonormalized(X.R), X.p}; }

}  // namespace mortise::dart
