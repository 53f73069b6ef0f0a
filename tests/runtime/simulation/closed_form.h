#pragma once

/// Worlds of a few bodies with known answers, on every backend, through `Simulation` with its default settings.

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/scene_builder.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/math/rotation.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

constexpr double kG = truth::kGravity;
constexpr double kDt = 0.001;        ///< s
constexpr double kPadding = 2.5e-3;  ///< m, of objects and robots.

/// Rigid, or with the softness that ground has by default.
enum class Ground { rigid, soft };
inline const char* nameOf(Ground ground) { return ground == Ground::rigid ? "rigid ground" : "soft ground"; }

using truth::geometryOf;

/// Two triangles, facing along the z axis of R.
inline GeometryPtr planeMesh(double half, const Matrix3d& R = Matrix3d::Identity()) {
  return truth::planeGeometry(half, R);
}

/// Two triangles a side; `open` leaves out the side that faces up, without thickness anywhere.
inline GeometryPtr boxMesh(const Vector3d& size, bool open = false) {
  TriangleMesh mesh = truth::boxMesh(size);
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
    return addObject(truth::sphereGeometry(radius), {mass, Vector3d::Zero(), truth::sphereMoments(mass, radius)},
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
