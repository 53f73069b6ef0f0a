#pragma once

/// Worlds of a few bodies with known answers, on every backend, through `Simulation` with its default settings.

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "mortise/math/rotation.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

constexpr double kG = 9.8;           ///< m/s^2
constexpr double kDt = 0.001;        ///< s
constexpr double kPadding = 2.5e-3;  ///< m, of objects and robots.

/// Rigid, or with the softness that ground has by default.
enum class Ground { rigid, soft };
inline const char* nameOf(Ground ground) { return ground == Ground::rigid ? "rigid ground" : "soft ground"; }

inline GeometryPtr geometryOf(Geometry::Data data) { return std::make_shared<const Geometry>(std::move(data)); }

/// Two triangles, facing along the z axis of R.
inline GeometryPtr planeMesh(double half, const Matrix3d& R = Matrix3d::Identity()) {
  TriangleMesh mesh;
  for (const Vector3d& p :
       {Vector3d(-half, -half, 0), Vector3d(half, -half, 0), Vector3d(half, half, 0), Vector3d(-half, half, 0)})
    mesh.vertices.push_back(R * p);
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return geometryOf(mesh);
}

/// Two triangles a side; `open` leaves out the side that faces up, without thickness anywhere.
inline GeometryPtr boxMesh(const Vector3d& size, bool open = false) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        0.5 * Vector3d((i & 4 ? 1 : -1) * size.x(), (i & 2 ? 1 : -1) * size.y(), (i & 1 ? 1 : -1) * size.z()));
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  if (open) mesh.triangles.resize(10);
  return geometryOf(mesh);
}

class ClosedForm : public testing::TestWithParam<const char*> {
 protected:
  static Registry& registry() {
    static NullLog log;
    static Registry* const instance = makeRegistry(log).release();
    return *instance;
  }

  void addGround(Ground ground, double friction = 0.5, double restitution = 0,
                 const Matrix3d& R_WS = Matrix3d::Identity()) {
    Terrain terrain;
    terrain.name = "ground";
    terrain.geometry = planeMesh(10, R_WS);
    terrain.friction = {friction};
    terrain.surface.friction = friction;
    terrain.surface.restitution = restitution;
    if (ground == Ground::rigid) terrain.surface.stiffness = terrain.surface.damping = kInfinity;
    world.terrains.push_back(terrain);
  }
  /// Returns its index.
  int addObject(GeometryPtr geometry, const BodyInertia& inertia, const RigidTransform& X_WO, double friction = 0.5,
                double restitution = 0) {
    RigidObject object;
    object.name = "object" + std::to_string(world.objects.size());
    object.geometry = std::move(geometry);
    object.inertia = inertia;
    object.X_WO = X_WO;
    object.surface.friction = friction;
    object.surface.restitution = restitution;
    world.objects.push_back(object);
    return static_cast<int>(world.objects.size()) - 1;
  }
  int addBox(const Vector3d& size, double mass, const RigidTransform& X_WO, double friction = 0.5) {
    return addObject(boxMesh(size), boxInertia(mass, size), X_WO, friction);
  }
  int addBall(double radius, double mass, const Vector3d& p, double restitution = 0) {
    SphereShape sphere;
    sphere.radius = radius;
    return addObject(geometryOf(sphere),
                     {mass, Vector3d::Zero(), Matrix3d::Identity() * (0.4 * mass * radius * radius)},
                     RigidTransform::translation(p), 0.5, restitution);
  }

  std::unique_ptr<Simulation> simulate() {
    SimulationOptions options;
    options.backend = GetParam();
    return std::make_unique<Simulation>(world, registry(), nullptr, log, options);
  }

  World world;
  NullLog log;
};

/// Of the contacts of the last step on everything with this id, in its favor: the force on it.
inline Vector3d contactForceOn(const Simulation& simulation, int id) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactForce& contact : simulation.contacts()) {
    if (contact.idA == id) sum += contact.force;
    if (contact.idB == id) sum -= contact.force;
  }
  return sum;
}

struct ForceRecord {
  Vector3d mean = Vector3d::Zero();
  double lowest = kInfinity, highest = -kInfinity;  ///< Of the vertical component.
};
inline ForceRecord recordForce(Simulation& simulation, int id, int steps) {
  ForceRecord record;
  for (int i = 0; i < steps; ++i) {
    simulation.step();
    const Vector3d force = contactForceOn(simulation, id);
    record.mean += force / steps;
    record.lowest = std::min(record.lowest, force.z());
    record.highest = std::max(record.highest, force.z());
  }
  return record;
}

#define MORTISE_CLOSED_FORM(Suite)                                      \
  INSTANTIATE_TEST_SUITE_P(Backends, Suite, testing::Values("mortise"), \
                           [](const auto& backend) { return std::string(backend.param); })

}  // namespace mortise::test
