#include "dart_scenes.h"
#include "mortise/math/rotation.h"
#include "tests/support/error_text.h"

// Bodies that joints of the world hold: DART's coordinates are the joint's, so that they go where it lets them, and
// nowhere else.

namespace mortise::test {
namespace {

class DartPlace : public DartTest {
 protected:
  /// A door of 1 m whose hinge stands at x = 2, turned by 0.3 rad at the start; or a drawer.
  static SceneBuilder door(SceneConstraint::Type type, bool fromParent = false) {
    SceneBuilder b;
    const int parent = fromParent ? b.addBox(Vector3d::Constant(0.1), 1, {rotationZ(0.2), Vector3d(2, -1, 1)}) : -1;
    const int body = b.addBox(Vector3d(1, 0.05, 2), 3, at(0.3));
    SceneConstraint c;
    c.type = type;
    c.a = body;
    c.b = parent;
    c.point = Vector3d(2, 0, 1);
    c.axis = type == SceneConstraint::Type::hinge ? Vector3d(Vector3d::UnitZ()) : Vector3d(Vector3d::UnitX());
    b.scene.constraints.push_back(c);
    b.scene.gravity = Vector3d::Zero();
    b.scene.contactSource = ContactSource::external;
    b.finish();
    return b;
  }
  static RigidTransform at(double angle) {
    const Matrix3d R = rotationZ(angle);
    return {R, Vector3d(2, 0, 1) + R * Vector3d(0.5, 0, 0)};
  }
};

TEST_P(DartPlace, ADoorGoesWhereItsHingeLetsIt) {
  for (const bool fromParent : {false, true}) {
    const SceneBuilder b = door(SceneConstraint::Type::hinge, fromParent);
    const int body = b.scene.constraints[0].a;
    auto scene = buildWith(b.scene, {});
    for (const double angle : {1.4, -2.0, 3.1}) {
      BodyState state;
      state.X_WB = at(angle);
      state.w_WB = Vector3d(0, 0, 0.7);
      state.v_WB = state.w_WB.cross(state.X_WB.p - Vector3d(2, 0, 1));
      scene->setBodyState(body, state);
      const BodyState now = bodyOf(*scene, b.scene, body);
      EXPECT_NEAR((now.X_WB.p - state.X_WB.p).norm(), 0, 1e-9) << angle;
      EXPECT_NEAR((now.X_WB.R - state.X_WB.R).norm(), 0, 1e-9) << angle;
      EXPECT_NEAR((now.v_WB - state.v_WB).norm() + (now.w_WB - state.w_WB).norm(), 0, 1e-9) << angle;
    }
  }
}

TEST_P(DartPlace, WhatTheJointDoesNotAllowIsAnErrorThatSaysWhatToDo) {
  const SceneBuilder b = door(SceneConstraint::Type::hinge);
  const int body = b.scene.constraints[0].a;
  auto scene = buildWith(b.scene, {});
  const BodyState before = bodyOf(*scene, b.scene, body);
  const auto said = [&](const BodyState& state) { return errorText([&] { scene->setBodyState(body, state); }); };
  BodyState state;
  state.X_WB = at(0.5);
  state.X_WB.p.y() += 0.25;
  const std::string away = said(state);
  EXPECT_NE(away.find("is held by a hinge"), std::string::npos) << away;
  EXPECT_NE(away.find("0.25 m and 0 rad off"), std::string::npos) << away;
  EXPECT_NE(away.find("hint: give a state that the joint allows, or choose a backend"), std::string::npos) << away;
  state.X_WB = at(0.5);
  state.X_WB.R = state.X_WB.R * rotationAboutAxis(Vector3d::UnitX(), 0.1);
  state.X_WB.p = at(0.5).p;
  EXPECT_NE(said(state).find("rad off"), std::string::npos) << said(state);
  state.X_WB = at(0.5);
  state.v_WB = Vector3d(0, 0, 2);
  EXPECT_NE(said(state).find("velocity: it is 2 m/s and 0 rad/s off"), std::string::npos) << said(state);
  const BodyState after = bodyOf(*scene, b.scene, body);
  EXPECT_EQ(after.X_WB.p, before.X_WB.p);
}

TEST_P(DartPlace, ADrawerSlides) {
  const SceneBuilder b = door(SceneConstraint::Type::slider);
  const int body = b.scene.constraints[0].a;
  auto scene = buildWith(b.scene, {});
  BodyState state;
  state.X_WB = at(0.3);
  state.X_WB.p.x() += 0.4;
  state.v_WB = Vector3d(-1, 0, 0);
  scene->setBodyState(body, state);
  EXPECT_NEAR((bodyOf(*scene, b.scene, body).X_WB.p - state.X_WB.p).norm(), 0, 1e-12);
  EXPECT_NEAR((bodyOf(*scene, b.scene, body).v_WB - state.v_WB).norm(), 0, 1e-12);
  state.X_WB.p.z() += 1;
  EXPECT_NE(errorText([&] { scene->setBodyState(body, state); }).find("is held by a slider"), std::string::npos);
}

MORTISE_FOR_DART(DartPlace);

}  // namespace
}  // namespace mortise::test
