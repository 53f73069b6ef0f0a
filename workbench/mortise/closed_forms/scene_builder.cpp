#include "mortise/closed_forms/scene_builder.h"

#include <string>
#include <utility>

#include "mortise/closed_forms/shapes.h"

namespace mortise::truth {

SceneBuilder::SceneBuilder() { scene.gravity = Vector3d(0, 0, -kGravity); }

int SceneBuilder::addFixed(GeometryPtr shape, const RigidTransform& X_WB) {
  SceneBody body;
  body.motion = BodyMotion::fixed;
  return add(std::move(body), std::move(shape), X_WB);
}

int SceneBuilder::addBody(GeometryPtr shape, const RigidTransform& X_WB, const BodyInertia& inertia) {
  SceneBody body;
  body.inertia = inertia;
  return add(std::move(body), std::move(shape), X_WB);
}

int SceneBuilder::addBox(const Vector3d& size, double mass, const RigidTransform& X_WB) {
  return addBody(boxGeometry(size), X_WB, {mass, Vector3d::Zero(), boxMoments(mass, size)});
}

int SceneBuilder::addSphere(double radius, double mass, const Vector3d& center) {
  return addBody(sphereGeometry(radius), RigidTransform::translation(center),
                 {mass, Vector3d::Zero(), sphereMoments(mass, radius)});
}

int SceneBuilder::addJoint(SceneJoint::Type type, int parent, int child, const Vector3d& axisInChild, double position,
                           double velocity) {
  SceneJoint joint;
  joint.name = "joint" + std::to_string(scene.joints.size());
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = axisInChild.normalized();
  joint.position = position;
  joint.velocity = velocity;
  SceneBody& body = scene.bodies[child];
  const bool revolute = type == SceneJoint::Type::revolute;
  const RigidTransform X_WP = parent < 0 ? RigidTransform() : scene.bodies[parent].X_WB;
  const RigidTransform motion = revolute ? RigidTransform::rotation(rotationAbout(joint.axis, position))
                                         : RigidTransform::translation(joint.axis * position);
  joint.X_PC0 = X_WP.inverse() * body.X_WB * motion.inverse();
  scene.joints.push_back(joint);
  if (parent >= 0) {
    const SceneBody& above = scene.bodies[parent];
    body.w_WB = above.w_WB;
    body.v_WB = above.v_WB + above.w_WB.cross(body.X_WB.p - above.X_WB.p);
  }
  (revolute ? body.w_WB : body.v_WB) += velocity * (body.X_WB.R * joint.axis);
  return static_cast<int>(scene.joints.size()) - 1;
}

void SceneBuilder::addHinge(int a, int b, const Vector3d& point, const Vector3d& axis) {
  SceneConstraint hinge;
  hinge.type = SceneConstraint::Type::hinge;
  hinge.a = a;
  hinge.b = b;
  hinge.point = point;
  hinge.axis = axis;
  scene.constraints.push_back(hinge);
}

void SceneBuilder::finish() {
  const int n = static_cast<int>(scene.bodies.size());
  scene.filter = CollisionFilter(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) scene.filter.allow(i, j);
  for (const SceneJoint& joint : scene.joints)
    if (joint.parent >= 0) scene.filter.allow(joint.parent, joint.child, false);
}

int SceneBuilder::add(SceneBody body, GeometryPtr shape, const RigidTransform& X_WB) {
  const int id = static_cast<int>(scene.bodies.size());
  body.id = id;
  body.name = "body" + std::to_string(id);
  body.X_WB = X_WB;
  if (shape) body.shapes.push_back({id, std::move(shape), {}});
  scene.bodies.push_back(std::move(body));
  scene.surfaces.push_back(surface);
  return id;
}

std::vector<BodyState> bodiesOf(const Scene& scene, std::size_t count) {
  std::vector<BodyState> out(count);
  scene.readBodies(out);
  return out;
}

BodyState bodyOf(const Scene& scene, const SceneDescription& description, int body) {
  return bodiesOf(scene, description.bodies.size())[body];
}

JointState jointOf(const Scene& scene, const SceneDescription& description, int joint) {
  std::vector<JointState> out(description.joints.size());
  scene.readJoints(out);
  return out[joint];
}

Vector3d contactForceOn(const Scene& scene, int body) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactForce& contact : scene.contacts()) {
    if (contact.bodyA == body) sum += contact.force;
    if (contact.bodyB == body) sum -= contact.force;
  }
  return sum;
}

}  // namespace mortise::truth
