/// Bodies that sink so deep into each other that they may pass through: said, with their names.

#include "mortise/simulation/scene/sunken_pairs.h"

#include <gtest/gtest.h>

#include "mortise/simulation/simulation.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

RigidObject shot(const char* name, double radius, double mass, const Vector3d& at, const Vector3d& v) {
  RigidObject object;
  object.name = name;
  object.geometry = std::make_shared<Geometry>(SphereShape{Vector3d::Zero(), radius});
  object.inertia.mass = mass;
  object.inertia.inertia = 0.4 * mass * radius * radius * Matrix3d::Identity();
  object.X_WO.p = at;
  object.v_WO = v;
  object.surface.restitution = 0;
  object.surface.padding = 0.0025;
  return object;
}

class SunkenPairsInRuns : public testing::Test {
 protected:
  /// A ball that flies at another one for 0.1 s.
  void fly(const std::string& backend, double speed, ContactSource contacts) {
    World world;
    world.simulation.gravity.setZero();
    world.objects = {shot("flying", 0.03, 1, {-0.3, 0, 0}, {speed, 0, 0}),
                     shot("standing", 0.03, 1, {0, 0, 0}, Vector3d::Zero())};
    SimulationOptions options;
    options.backend = backend;
    options.contacts = contacts;
    const auto registry = test::makeRegistry(log_);
    Simulation simulation(world, *registry, nullptr, log_, options);
    for (int i = 0; i < 100; ++i) simulation.step();
    passed_ = simulation.objectState(0).X_WB.p.x() > simulation.objectState(1).X_WB.p.x();
    unreliable_ = simulation.statusCounts()[static_cast<std::size_t>(StepStatus::contactUnreliable)];
  }
  test::MemoryLog log_;
  bool passed_ = false;
  std::int64_t unreliable_ = 0;
};

TEST_F(SunkenPairsInRuns, BallsThatPassThroughEachOtherAreNamed) {
  MORTISE_NEEDS_ENGINES("mujoco");
  for (const ContactSource contacts : {ContactSource::external, ContactSource::engine}) {
    log_.lines.clear();
    fly("mujoco", 10, contacts);
    EXPECT_TRUE(passed_) << "MuJoCo's contacts have become harder; this needs faster balls";
    EXPECT_EQ(unreliable_, 1);
    EXPECT_TRUE(log_.mentions("'flying' and 'standing' are "));
    EXPECT_TRUE(log_.mentions("they may pass through each other"));
  }
}

TEST_F(SunkenPairsInRuns, BallsThatPartAreNot) {
  fly("mortise", 5, ContactSource::external);
  EXPECT_FALSE(passed_);
  EXPECT_EQ(unreliable_, 0);
  EXPECT_FALSE(log_.mentions("inside each other"));
}

TEST(SunkenPairs, TheThinnerOneDecidesAndOnlyOnce) {
  SceneDescription scene;
  scene.surfaces.resize(3);
  for (Surface& surface : scene.surfaces) surface.padding = 0.001;
  const auto add = [&](int id, Geometry::Data data) {
    SceneBody body;
    body.id = id;
    body.shapes.push_back({id, std::make_shared<Geometry>(std::move(data)), {}});
    scene.bodies.push_back(std::move(body));
  };
  add(0, SphereShape{Vector3d::Zero(), 0.5});
  add(1, AxisAlignedBoxShape{Vector3d(-1, -1, -0.01), Vector3d(1, 1, 0.01)});
  TriangleMesh flat;  // A ground without thickness.
  flat.vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  flat.triangles = {{0, 1, 2}};
  add(2, flat);
  SunkenPairs pairs(scene);
  const auto contact = [](int a, int b, double depth) {
    SceneContact made;
    made.idA = a;
    made.idB = b;
    made.gap = -depth;
    return made;
  };
  const std::vector<SceneContact> none, shallow = {contact(0, 1, 0.0105)},
                                        deep = {contact(0, 1, 0.0115), contact(0, 1, 0.0125)},
                                        ground = {contact(0, 2, 0.2)};
  pairs.begin(none);
  EXPECT_TRUE(pairs.end(shallow).empty());
  pairs.begin(shallow);
  const auto found = pairs.end(deep);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].idA, 0);
  EXPECT_EQ(found[0].idB, 1);
  EXPECT_EQ(found[0].depth, 0.0125);
  pairs.begin(deep);
  EXPECT_TRUE(pairs.end(deep).empty());
  pairs.begin(none);
  EXPECT_TRUE(pairs.end(ground).empty()) << "a flat ground has no half";
}

}  // namespace
}  // namespace mortise
