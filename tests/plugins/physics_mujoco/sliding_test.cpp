#include "mujoco_test.h"

// Bodies that slide or spin stay on their ground, whatever their speed: MuJoCo's convex problem drives surfaces apart
// at the friction coefficient times the speed of sliding, which contacts with a material of their own must not.

namespace mortise::test {
namespace {

struct Ground {
  const char* name;
  double stiffness, damping;  ///< Of each surface; two touch, in series.
  const char* profile;
  const char* cone;
};

/// The soft ones are those that Klamp't gives terrains, and a much softer one.
constexpr double kRigid = std::numeric_limits<double>::infinity();
const Ground kGrounds[] = {{"terrain", 8e5, 2e5, "recommended", "elliptic"},
                           {"springy", 2e4, 4e2, "recommended", "elliptic"},
                           {"normalized", kRigid, kRigid, "normalized", "elliptic"},
                           {"terrain, pyramidal", 8e5, 2e5, "recommended", "pyramidal"},
                           {"normalized, pyramidal", kRigid, kRigid, "normalized", "pyramidal"}};

class MujocoSliding : public Mujoco {
 protected:
  struct Course {
    double highest = 0;  ///< m above where it started.
    BodyState end;
    int unsettled = 0;
  };
  /// A block on the ground for 0.2 s.
  Course slide(const Ground& ground, double friction, const Vector3d& v, const Vector3d& w, double dt) {
    SceneBuilder b;
    b.surface.friction = friction;
    b.surface.stiffness = ground.stiffness;
    b.surface.damping = ground.damping;
    b.addFixed(nullptr);
    const Vector3d size(0.3, 0.3, 0.02);
    const double depth = std::isinf(ground.stiffness) ? 0 : 2 * kGravity / (4 * 0.5 * ground.stiffness);
    const int block = b.addBox(size, 2, RigidTransform::translation({0, 0, 0.01 - depth}));
    b.scene.bodies[block].v_WB = v;
    b.scene.bodies[block].w_WB = w;
    b.finish();
    b.scene.timeStep = dt;
    HandContacts contacts(b.scene);
    contacts.addBox(block, size);
    auto scene = make(settingsOf({{"profile", ground.profile}, {"cone", ground.cone}}))->build(b.scene);
    Course course;
    for (double t = 0; t < 0.2 - 0.5 * dt; t += dt) {
      contacts.step(*scene, dt);
      course.end = bodyOf(*scene, b.scene, block);
      course.highest = std::max(course.highest, course.end.X_WB.p.z() - 0.01 + depth);
    }
    course.unsettled = static_cast<int>(scene->effectiveSettings().at("unsettled_sliding").asInteger());
    return course;
  }
};

TEST_P(MujocoSliding, BodiesKeepToTheGroundAtAnySpeed) {
  for (const Ground& ground : kGrounds)
    for (const double friction : {0.2, 0.5, 1.0})
      for (const double speed : {1.0, 5.0, 20.0})
        for (const double dt : {1e-3, 5e-3}) {
          SCOPED_TRACE(std::string(ground.name) + ", " + std::to_string(friction) + ", " + std::to_string(speed) +
                       " m/s, " + std::to_string(dt) + " s");
          const Course course = slide(ground, friction, Vector3d(speed, 0, 0), Vector3d::Zero(), dt);
          EXPECT_LT(course.highest, 1e-5);
          EXPECT_EQ(course.unsettled, 0);
          const double exact = std::max(0.0, speed - 0.2 * friction * kGravity);
          EXPECT_NEAR(course.end.v_WB.x(), exact, 1e-2 * friction * kGravity * 0.2);
        }
}

TEST_P(MujocoSliding, BodiesThatSpinStayDownAsWell) {
  for (const Ground& ground : kGrounds) {
    SCOPED_TRACE(ground.name);
    const Course course = slide(ground, 0.5, Vector3d::Zero(), Vector3d(0, 0, 20), 1e-3);
    EXPECT_LT(course.highest, 1e-4);
    EXPECT_LT(course.end.w_WB.z(), 18);
    EXPECT_GT(course.end.w_WB.z(), 5);
  }
}

TEST_P(MujocoSliding, BodiesComeToRest) {
  for (const Ground& ground : kGrounds) {
    SCOPED_TRACE(ground.name);
    const Course course = slide(ground, 0.5, Vector3d(0.5, 0.3, 0), Vector3d(0, 0, 1), 1e-3);
    EXPECT_LT(course.end.v_WB.norm(), 1e-4);
    EXPECT_LT(course.end.w_WB.norm(), 1e-3);
  }
}

MORTISE_FOR_MUJOCO(MujocoSliding);

}  // namespace
}  // namespace mortise::test
