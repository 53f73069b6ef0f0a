#pragma once

/// Scenes built by hand for tests of physics backends, and a fixture that runs each test on every backend present.

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/math/rotation.h"
#include "mortise/plugin/registry.h"
#include "tests/support/quiet_host.h"

namespace mortise::test {

constexpr double kStep = 0.001;
constexpr double kGravity = 9.8;

/// The parameter is the backend's name.
class PhysicsTest : public testing::TestWithParam<std::string> {
 protected:
  static Registry& registry() {
    static NullLog log;
    static Registry* const instance = [] {
      auto* registry = new Registry(log);
      registry->addFolder(MORTISE_BINARY_DIR "/lib/mortise/plugins", "install");
      registry->discover();
      return registry;
    }();
    return *instance;
  }

  void SetUp() override {
    if (registry().find(Kind::physics, GetParam()) == nullptr)
      GTEST_SKIP() << "no plugin offers the physics backend '" << GetParam() << "'";
    physics_ = make(Value::map());
  }

  ComponentPtr<Physics> make(const Value& settings) {
    const ComponentInfo& info = registry().require(Kind::physics, GetParam());
    Diagnostics diagnostics;
    const Value complete = registry().completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    return registry().create<Physics>(info, complete, host_);
  }

  /// Where the backend detects no collisions, contacts are those that the test hands over, if any.
  std::unique_ptr<Scene> build(SceneDescription description) {
    if (!physics_->capabilities().ownContacts) description.contactSource = ContactSource::external;
    return physics_->build(description);
  }
  Physics& physics() { return *physics_; }

  QuietHost host_{"physics"};
  ComponentPtr<Physics> physics_;
};

#define MORTISE_FOR_EACH_BACKEND(Suite)                                      \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values(std::string("mortise")), \
                           [](const testing::TestParamInfo<std::string>& backend) { return backend.param; })

inline GeometryPtr geometry(Geometry::Data data) { return std::make_shared<const Geometry>(std::move(data)); }

/// A box around the origin.
inline GeometryPtr boxGeometry(const Vector3d& size) { return geometry(AxisAlignedBoxShape{-0.5 * size, 0.5 * size}); }

/// The same as triangles, the way files have it.
inline TriangleMesh boxMesh(const Vector3d& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        0.5 * Vector3d((i & 4 ? 1 : -1) * size.x(), (i & 2 ? 1 : -1) * size.y(), (i & 1 ? 1 : -1) * size.z()));
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return mesh;
}

/// A flat square of two triangles at z = 0, facing up.
inline GeometryPtr planeGeometry(double half = 5) {
  TriangleMesh mesh;
  mesh.vertices = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return geometry(mesh);
}

/// A square ground of n x n cells with a rim that rises, so that it is no flat patch; flat at z = 0 inside the rim.
inline GeometryPtr bowlGeometry(double half = 2, int n = 9) {
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const bool rim = i == 0 || j == 0 || i == n || j == n;
      mesh.vertices.emplace_back(half * (2.0 * i / n - 1), half * (2.0 * j / n - 1), rim ? 0.5 : 0.0);
    }
  const auto at = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return geometry(mesh);
}

inline Matrix3d boxInertia(double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseProduct(size);
  return Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal() * (mass / 12);
}

inline Matrix3d rotationAbout(const Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// Adds bodies and keeps ids, surfaces and the filter in step: every id may touch every other one.
class SceneBuilder {
 public:
  SceneBuilder() { scene.gravity = Vector3d(0, 0, -kGravity); }

  Surface surface = {.friction = 0.5, .restitution = 0};

  int addFixed(GeometryPtr shape, const RigidTransform& X_WB = {}) {
    SceneBody body;
    body.motion = BodyMotion::fixed;
    return add(std::move(body), std::move(shape), X_WB);
  }
  int addBody(GeometryPtr shape, const RigidTransform& X_WB, const BodyInertia& inertia) {
    SceneBody body;
    body.inertia = inertia;
    return add(std::move(body), std::move(shape), X_WB);
  }
  int addBox(const Vector3d& size, double mass, const RigidTransform& X_WB) {
    return addBody(boxGeometry(size), X_WB, {mass, Vector3d::Zero(), boxInertia(mass, size)});
  }
  int addSphere(double radius, double mass, const Vector3d& center) {
    SphereShape sphere;
    sphere.radius = radius;
    return addBody(geometry(sphere), RigidTransform::translation(center),
                   {mass, Vector3d::Zero(), Matrix3d::Identity() * (0.4 * mass * radius * radius)});
  }
  /// A joint between bodies that are already where `position` puts them.
  int addJoint(SceneJoint::Type type, int parent, int child, const Vector3d& axisInChild, double position = 0) {
    SceneJoint joint;
    joint.name = "joint" + std::to_string(scene.joints.size());
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.axis = axisInChild.normalized();
    joint.position = position;
    const RigidTransform X_WP = parent < 0 ? RigidTransform() : scene.bodies[parent].X_WB;
    const RigidTransform motion = type == SceneJoint::Type::revolute
                                      ? RigidTransform::rotation(rotationAbout(joint.axis, position))
                                      : RigidTransform::translation(joint.axis * position);
    joint.X_PC0 = X_WP.inverse() * scene.bodies[child].X_WB * motion.inverse();
    scene.joints.push_back(joint);
    return static_cast<int>(scene.joints.size()) - 1;
  }
  void finish() {
    const int n = static_cast<int>(scene.bodies.size());
    scene.filter = CollisionFilter(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) scene.filter.allow(i, j);
    for (const SceneJoint& joint : scene.joints)
      if (joint.parent >= 0) scene.filter.allow(joint.parent, joint.child, false);
  }

  SceneDescription scene;

 private:
  int add(SceneBody body, GeometryPtr shape, const RigidTransform& X_WB) {
    const int id = static_cast<int>(scene.bodies.size());
    body.id = id;
    body.name = "body" + std::to_string(id);
    body.X_WB = X_WB;
    if (shape) body.shapes.push_back({id, std::move(shape), {}});
    scene.bodies.push_back(std::move(body));
    scene.surfaces.push_back(surface);
    return id;
  }
};

inline void advance(Scene& scene, int steps, double dt = kStep) {
  for (int i = 0; i < steps; ++i) scene.step(dt);
}

inline std::vector<BodyState> bodiesOf(const Scene& scene, std::size_t count) {
  std::vector<BodyState> out(count);
  scene.readBodies(out);
  return out;
}

inline BodyState bodyOf(const Scene& scene, const SceneDescription& description, int body) {
  return bodiesOf(scene, description.bodies.size())[body];
}

inline JointState jointOf(const Scene& scene, const SceneDescription& description, int joint) {
  std::vector<JointState> out(description.joints.size());
  scene.readJoints(out);
  return out[joint];
}

/// Sum of the contact forces on a body.
inline Vector3d contactForceOn(const Scene& scene, int body) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactForce& contact : scene.contacts()) {
    if (contact.bodyA == body) sum += contact.force;
    if (contact.bodyB == body) sum -= contact.force;
  }
  return sum;
}

/// The same, averaged over the next steps.
inline Vector3d meanContactForceOn(Scene& scene, int body, int steps) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < steps; ++i) {
    scene.step(kStep);
    sum += contactForceOn(scene, body);
  }
  return sum / steps;
}

}  // namespace mortise::test
