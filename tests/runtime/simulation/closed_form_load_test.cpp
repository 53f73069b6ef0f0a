// What rests is carried, and stays where it is.

#include "mortise/loading/format_loader.h"
#include "tests/runtime/simulation/closed_form.h"
#include "tests/support/reference.h"

namespace mortise::test {
namespace {

class LoadOn : public ClosedForm {};

TEST_P(LoadOn, MeanForceUnderASingleBodyIsItsWeight) {
  const double mass = 2, weight = mass * kG;
  const Vector3d size(0.2, 0.3, 0.1);
  CylinderShape can;
  can.base = Vector3d(0, 0, -0.05);
  can.radius = 0.04;
  can.height = 0.1;
  SphereShape sphere;
  sphere.radius = 0.05;
  const std::pair<const char*, GeometryPtr> shapes[] = {{"box of triangles", boxMesh(size)},
                                                        {"box", boxGeometry(size)},
                                                        {"cylinder", geometryOf(can)},
                                                        {"ball", geometryOf(sphere)}};
  for (const Ground ground : {Ground::rigid, Ground::soft})
    for (const auto& [name, shape] : shapes) {
      SCOPED_TRACE(std::string(name) + " on " + nameOf(ground));
      world = World();
      addGround(ground);
      const int body =
          addObject(shape, boxInertia(mass, size), {rotationZ(0.3), Vector3d(0.31, 0.12, 0.05 + kPadding + 0.002)});
      const auto simulation = simulate();
      simulation->advance(1);
      const ForceRecord record = recordForce(*simulation, world.objectId(body), 500);
      EXPECT_NEAR(record.mean.z(), weight, 1e-3 * weight);
      EXPECT_LT(record.mean.head<2>().norm(), 1e-3 * weight);
      EXPECT_NEAR(simulation->objectState(body).X_WB.p.z(), 0.05 + kPadding, 1e-3);
      EXPECT_EQ(simulation->worstStatus(), StepStatus::normal);
    }
}

TEST_P(LoadOn, StackOfTenStandsForTenSeconds) {
  for (const Ground ground : {Ground::rigid, Ground::soft}) {
    SCOPED_TRACE(nameOf(ground));
    world = World();
    addGround(ground);
    const double size = 0.1, pitch = size + 2 * kPadding;
    for (int i = 0; i < 10; ++i)
      addBox(Vector3d::Constant(size), 1,
             RigidTransform::translation({0, 0, size / 2 + kPadding + i * pitch + 2e-4 * (i + 1)}));
    const auto simulation = simulate();
    simulation->advance(1);
    std::vector<Vector3d> start;
    for (int i = 0; i < 10; ++i) start.push_back(simulation->objectState(i).X_WB.p);
    std::vector<Vector3d> force(10, Vector3d::Zero());
    double drift = 0;
    const int steps = 9000, window = 500;
    for (int i = 0; i < steps; ++i) {
      simulation->step();
      for (int k = 0; k < 10; ++k)
        drift = std::max(drift, (simulation->objectState(k).X_WB.p - start[k]).head<2>().norm());
      if (i < steps - window) continue;
      for (const ContactForce& contact : simulation->contacts())  // On what is above, ids ascend upward.
        force[contact.idB - 1] -= contact.force / window;
    }
    EXPECT_LT(drift, 2e-3);
    for (int k = 0; k < 10; ++k) {
      const double weight = (10 - k) * kG;
      EXPECT_NEAR(force[k].z(), weight, 0.02 * weight) << "below box " << k;
      EXPECT_NEAR(simulation->objectState(k).X_WB.p.z(), size / 2 + kPadding + k * pitch, 5e-3) << "box " << k;
    }
    EXPECT_LE(simulation->worstStatus(), StepStatus::adaptive);
  }
}

TEST_P(LoadOn, BoxOfThinWallsLiesFlat) {
  for (const Ground ground : {Ground::rigid, Ground::soft})
    for (const bool upsideDown : {false, true}) {
      SCOPED_TRACE(std::string(nameOf(ground)) + (upsideDown ? ", on its rim" : ", on its bottom"));
      world = World();
      addGround(ground);
      const Vector3d size(0.3, 0.2, 0.1);
      BodyInertia inertia = boxInertia(1, size);
      inertia.com = Vector3d(0, 0, -0.02);
      const Matrix3d R = upsideDown ? Matrix3d(rotationZ(0.2) * rotationX(std::numbers::pi)) : rotationZ(0.2);
      const int box = addObject(boxMesh(size, true), inertia, {R, Vector3d(0.1, 0.2, 0.05 + kPadding + 0.001)});
      const auto simulation = simulate();
      simulation->advance(1.5);
      const ForceRecord record = recordForce(*simulation, world.objectId(box), 1000);
      EXPECT_NEAR(record.mean.z(), kG, 1e-3 * kG);
      EXPECT_LT(record.highest - record.lowest, 0.01 * kG);
      const BodyState& state = simulation->objectState(box);
      EXPECT_NEAR(state.X_WB.p.z(), 0.05 + kPadding, 1e-3);
      EXPECT_GT(std::abs(state.X_WB.R(2, 2)), 0.99999);
    }
}

TEST_P(LoadOn, GroundCarriesAStandingHumanoid) {
  MORTISE_NEEDS_REFERENCE();
  FormatLoader loader(registry(), log);
  Diagnostics diagnostics;
  world = loader.world(referenceDir() + "/klampt-data/hubo_plane.xml", {}, diagnostics);
  diagnostics.throwIfErrors();
  double weight = 0;
  for (const Link& link : world.robots[0].robot->links()) weight += kG * link.inertia.mass;
  const auto simulation = simulate();
  simulation->advance(1);
  const Vector3d ground = recordForce(*simulation, 0, 500).mean;
  EXPECT_NEAR(-ground.z(), weight, 0.02 * weight);
}

MORTISE_CLOSED_FORM(LoadOn);

}  // namespace
}  // namespace mortise::test
