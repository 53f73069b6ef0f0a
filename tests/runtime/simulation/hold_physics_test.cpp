// What hangs and what is held stays there.

#include "tests/runtime/simulation/closed_form.h"

namespace mortise::test {
namespace {

class HoldOn : public ClosedForm {};

/// Adds a closed ring of rings: point (i, j) of `columns` by `rows`, both wrapping around if `wrap`.
template <typename PointAt>
void addGrid(TriangleMesh& mesh, int columns, int rows, bool wrapRows, PointAt pointAt) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) mesh.vertices.push_back(pointAt(i, j));
  const auto at = [&](int i, int j) { return first + (i % columns) * rows + j % rows; };
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j + (wrapRows ? 0 : 1) < rows; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
}

constexpr double kCupRadius = 0.04, kCupHeight = 0.08, kHandleRadius = 0.03, kHandleThickness = 0.006;

/// A cup with walls without thickness around the z axis, open upward, and a ring as its handle at +x.
TriangleMesh cupMesh() {
  constexpr double kTurn = 2 * std::numbers::pi;
  TriangleMesh mesh;
  addGrid(mesh, 32, 2, false, [&](int i, int j) {
    const double a = kTurn * i / 32;
    return Vector3d(kCupRadius * std::cos(a), kCupRadius * std::sin(a), (j - 0.5) * kCupHeight);
  });
  mesh.vertices.emplace_back(0, 0, -kCupHeight / 2);
  for (int i = 0; i < 32; ++i) mesh.triangles.push_back({64, 2 * ((i + 1) % 32), 2 * i});
  addGrid(mesh, 32, 12, true, [&](int i, int j) {
    const double a = kTurn * i / 32, b = kTurn * j / 12;
    const double r = kHandleRadius + kHandleThickness * std::cos(b);
    return Vector3d(kCupRadius + kHandleRadius + r * std::cos(a), kHandleThickness * std::sin(b), r * std::sin(a));
  });
  return mesh;
}

TEST_P(HoldOn, CupHangsByItsHandleOnAHook) {
  constexpr double kRod = 0.004;
  for (const double tilt : {0.0, 0.3}) {
    SCOPED_TRACE("tilted by " + std::to_string(tilt));
    world = World();
    TriangleMesh rod;
    addGrid(rod, 16, 2, false, [&](int i, int j) {
      const double a = 2 * std::numbers::pi * i / 16;
      return Vector3d(kRod * std::sin(a), (j - 0.5) * 0.2, kRod * std::cos(a));
    });
    Terrain hook;
    hook.name = "hook";
    hook.geometry = geometryOf(rod);
    world.terrains.push_back(hook);
    BodyInertia inertia{0.2, Vector3d::Zero(), Vector3d(2e-4, 2e-4, 2e-4).asDiagonal()};
    // The handle's inner top lies on the hook, the cup is below it.
    const Matrix3d R = rotationY(-std::numbers::pi / 2 + tilt);
    const double inner = kHandleRadius - kHandleThickness - kPadding - 3e-4;
    const Vector3d handle(0, 0, kRod - inner);
    const int cup =
        addObject(geometryOf(cupMesh()), inertia, {R, handle - R * Vector3d(kCupRadius + kHandleRadius, 0, 0)});
    const auto simulation = simulate();
    simulation->advance(4);
    const ForceRecord record = recordForce(*simulation, world.objectId(cup), 1000);
    const Vector3d p = simulation->objectState(cup).X_WB.p;
    EXPECT_NEAR(record.mean.z(), 0.2 * kG, 0.05 * 0.2 * kG);
    EXPECT_GT(p.z(), -0.1) << "it has not fallen";
    EXPECT_LT(p.z(), -0.06) << "and hangs below the hook";
    EXPECT_LT(p.head<2>().norm(), tilt == 0 ? 0.005 : 0.06);
    if (tilt == 0) {
      EXPECT_LT(simulation->objectState(cup).v_WB.norm(), 5e-3);
      EXPECT_NEAR(record.mean.z(), 0.2 * kG, 0.01 * 0.2 * kG);
    }
  }
}

/// Two fingers that slide along x towards each other, at z = 1, `opening` apart with their paddings.
RobotDescription gripper(double opening, bool meshes) {
  RobotDescription robot;
  robot.name = "gripper";
  const Vector3d size(0.02, 0.04, 0.04);
  for (const double side : {-1.0, 1.0}) {
    Link link;
    link.name = side < 0 ? "left" : "right";
    link.motion = LinkMotion::prismatic;
    link.axis = Vector3d(-side, 0, 0);
    link.X_PL0.p = Vector3d(side * (opening / 2 + kPadding + size.x() / 2), 0, 1);
    link.inertia = boxInertia(0.5, size);
    link.geometry = meshes ? boxMesh(size) : boxGeometry(size);
    link.qMin = -0.1;
    link.qMax = 0.1;
    link.torqueMax = 100;
    robot.links.push_back(link);
    const int index = static_cast<int>(robot.links.size()) - 1;
    robot.joints.push_back({JointType::normal, index, -1});
    Driver driver;
    driver.name = link.name;
    driver.links = {index};
    driver.torqueMin = -100;
    driver.torqueMax = 100;
    driver.servoP = 1e4;
    driver.servoD = 200;
    robot.drivers.push_back(driver);
  }
  return robot;
}

TEST_P(HoldOn, GraspHoldsABoxForTenSeconds) {
  for (const bool meshes : {true, false}) {
    SCOPED_TRACE(meshes ? "triangles" : "boxes");
    world = World();
    const double size = 0.1;
    world.robots.push_back(placedRobot(gripper(size + 2 * kPadding, meshes)));
    const Vector3d extent = Vector3d::Constant(size);
    const int box = addObject(meshes ? boxMesh(extent) : boxGeometry(extent), boxInertia(1, extent),
                              RigidTransform::translation({0, 0, 1}));
    const auto simulation = simulate();
    Value target = Value::list();
    for (int i = 0; i < 2; ++i) target.push_back(0.005);  // 50 N on each side.
    ASSERT_TRUE(simulation->controller(0)->command("set_q", target));
    simulation->advance(0.1);
    const BodyState start = simulation->objectState(box);
    EXPECT_NEAR(start.X_WB.p.z(), 1, 1e-3);
    double slip = 0, turn = 0;
    for (int i = 0; i < 10000; ++i) {
      simulation->step();
      const BodyState& state = simulation->objectState(box);
      slip = std::max(slip, (state.X_WB.p - start.X_WB.p).norm());
      turn = std::max(turn, (state.X_WB.R - start.X_WB.R).norm());
    }
    EXPECT_LT(slip, 1e-3);
    EXPECT_LT(turn, 0.01);
    EXPECT_LE(simulation->worstStatus(), StepStatus::adaptive);
  }
}

MORTISE_CLOSED_FORM(HoldOn);

}  // namespace
}  // namespace mortise::test
