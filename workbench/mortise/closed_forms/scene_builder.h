#pragma once

/// Scenes put together by hand, body by body, without a world: what a backend is given, and nothing else.

#include <vector>

#include "mortise/component/physics.h"

namespace mortise::truth {

constexpr double kGravity = 9.8;  ///< m/s^2

/// Adds bodies and keeps ids, surfaces and the filter in step: every id may touch every other one.
class SceneBuilder {
 public:
  SceneBuilder();

  /// The surface of the bodies that are added from now on.
  Surface surface = {.friction = 0.5, .restitution = 0};

  // Each returns the body's index, which is its world id as well. `shape` may be null.
  int addFixed(GeometryPtr shape, const RigidTransform& X_WB = {});
  int addBody(GeometryPtr shape, const RigidTransform& X_WB, const BodyInertia& inertia);
  int addBox(const Vector3d& size, double mass, const RigidTransform& X_WB);
  int addSphere(double radius, double mass, const Vector3d& center);

  /// A joint between bodies that are already where `position` puts them; parents first. `parent` -1: the world. The
  /// child gets the velocity that the joint's and its parent's give it. Returns the joint's index.
  int addJoint(SceneJoint::Type type, int parent, int child, const Vector3d& axisInChild, double position = 0,
               double velocity = 0);
  /// A hinge between free bodies, or a body and the world (`b` -1). World coordinates.
  void addHinge(int a, int b, const Vector3d& point, const Vector3d& axis);

  /// Makes the filter; after the last body.
  void finish();

  SceneDescription scene;

 private:
  int add(SceneBody body, GeometryPtr shape, const RigidTransform& X_WB);
};

// Returns the bodies that a scene reports.
std::vector<BodyState> bodiesOf(const Scene& scene, std::size_t count);
BodyState bodyOf(const Scene& scene, const SceneDescription& description, int body);
JointState jointOf(const Scene& scene, const SceneDescription& description, int joint);
/// Sum of the contact forces on a body.
Vector3d contactForceOn(const Scene& scene, int body);

}  // namespace mortise::truth
