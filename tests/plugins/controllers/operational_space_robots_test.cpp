// Operational space control of robots of the reference data.

#include "mortise/loading/format_loader.h"
#include "mortise/math/rotation.h"
#include "tests/plugins/controllers/operational_space_fixture.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

using namespace test::operational;

/// The corners of the lowest layer of a link's mesh, link frame.
std::vector<Vector3d> soleCorners(const Robot& robot, int link, const RigidTransform& X_WL) {
  const auto& mesh = std::get<TriangleMesh>(robot.link(link).geometry->data());
  double lowest = kInfinity;
  for (const Vector3d& v : mesh.vertices) lowest = std::min(lowest, (X_WL * v).z());
  Vector3d min = Vector3d::Constant(kInfinity), max = -min;
  for (const Vector3d& v : mesh.vertices) {
    const Vector3d p = X_WL * v;
    if (p.z() > lowest + 2e-3) continue;
    min = min.cwiseMin(p);
    max = max.cwiseMax(p);
  }
  std::vector<Vector3d> corners;
  for (const double x : {min.x(), max.x()})
    for (const double y : {min.y(), max.y()}) corners.push_back(X_WL.inverse() * Vector3d(x, y, lowest));
  return corners;
}

std::string textOf(const std::vector<Vector3d>& points) {
  std::string text = "[";
  for (const Vector3d& p : points)
    text +=
        (text.size() > 1 ? ", [" : "[") + formatReal(p.x()) + ", " + formatReal(p.y()) + ", " + formatReal(p.z()) + "]";
  return text + "]";
}

TEST_F(OperationalSpaceTest, HumanoidStandsOnBothFeetAndLeansOver) {
  MORTISE_NEEDS_REFERENCE();
  FormatLoader loader(*registry_, log_);
  Diagnostics diagnostics;
  World world = loader.world(test::referenceDir() + "/klampt-data/hubo_plane.xml", {}, diagnostics);
  WorldRobot& hubo = world.robots[0];
  const Robot& robot = *hubo.robot;
  const int feet[] = {robot.description().findLink("Body_LAR"), robot.description().findLink("Body_RAR")};
  const int torso = robot.floatingBaseLink();
  hubo.q.setZero();
  for (const int foot : feet) {  // Hip, knee and ankle pitch.
    hubo.q[foot - 3] = -0.35;
    hubo.q[foot - 2] = 0.7;
    hubo.q[foot - 1] = -0.35;
  }
  RobotDynamics dynamics(hubo.robot);
  dynamics.setPosition(hubo.q);
  std::vector<Vector3d> soles[2];
  for (int k = 0; k < 2; ++k) soles[k] = soleCorners(robot, feet[k], dynamics.X_WL(feet[k]));
  hubo.q[2] += 0.01 - (dynamics.X_WL(feet[0]) * soles[0][0]).z();  // On the padding of the ground.
  dynamics.setPosition(hubo.q);
  Vector3d target = dynamics.centerOfMass();
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  options.timeStep = 1e-3;
  options.controlRate = 500;
  options.strict = true;
  ComponentOptions controller;
  controller.type = "OperationalSpaceController";
  controller.estimator = "OmniscientStateEstimator";
  controller.settings = yaml("{contacts: [{link: Body_LAR, friction: 0.5, points: " + textOf(soles[0]) +
                             "}, {link: Body_RAR, friction: 0.5, points: " + textOf(soles[1]) + "}], " + R"(tasks: [
        {type: com, kP: 60},
        {type: link, name: torso, link: Body_Torso5, control: orientation, kP: 60, priority: 2},
        {type: joint, name: posture, kP: 60, priority: 3}]})");
  options.components.push_back(controller);
  Simulation simulation(world, *registry_, &loader, log_, options);
  RigidTransform before[2];
  for (int k = 0; k < 2; ++k) before[k] = poseOf(simulation, feet[k]);
  const auto state = [&] {
    dynamics.setPosition(simulation.configuration(0));
    return dynamics.centerOfMass();
  };
  simulation.advance(2);
  EXPECT_LT((state() - target).norm(), 0.01) << backend;
  // Three centimeters to the left.
  simulation.controller(0)->command(
      "set_target", yaml("{task: com, position: [" + formatReal(target.x()) + ", " + formatReal(target.y() + 0.03) +
                         ", " + formatReal(target.z()) + "]}"));
  simulation.advance(3);
  const Vector3d error = state() - target - Vector3d(0, 0.03, 0);
  const double tilt = momentFromRotation(poseOf(simulation, torso).R).norm();
  double slid = 0;
  for (int k = 0; k < 2; ++k) slid = std::max(slid, (poseOf(simulation, feet[k]).p - before[k].p).norm());
  figure(backend, "centerOfMassOff", error.norm());
  figure(backend, "tilt", tilt);
  figure(backend, "feetMoved", slid);
  EXPECT_LT(error.norm(), 0.015) << backend;
  EXPECT_GT(state().y() - target.y(), 0.015) << backend << ": it did lean over";
  EXPECT_LT(tilt, 0.05) << backend;
  EXPECT_LT(slid, 5e-3) << backend;
  EXPECT_LE(simulation.worstStatus(), StepStatus::adaptive) << backend;
}

TEST_F(OperationalSpaceTest, IndustrialArmHoldsItsTool) {
  MORTISE_NEEDS_REFERENCE();
  FormatLoader loader(*registry_, log_);
  Diagnostics diagnostics;
  RobotDescription description =
      loader.load<RobotDescription>(test::referenceDir() + "/klampt-data/robots/tx90ball.rob", {}, diagnostics);
  const auto offAtTheEnd = [&](const char* backend, double& worst) {
    World world = worldOf(description);
    WorldRobot& tx90 = world.robots[0];
    tx90.q << 0, 0.3, 0.5, 0.9, 0.2, 0.8, 0.3;
    auto simulation = simulate(world, backend, "{tasks: [{type: link, name: tool, link: 6, control: pose, kP: 100}]}");
    simulation->advance(1e-3);
    const RigidTransform start = poseOf(*simulation, 6);
    const RigidTransform target(rotationAboutAxis(Vector3d::UnitX(), 0.05) * start.R,
                                start.p + Vector3d(0.01, -0.02, 0.02));
    const auto three = [](const Vector3d& v) { return Value(std::vector<double>{v.x(), v.y(), v.z()}); };
    Value command = Value::map();
    command.set("task", "tool");
    command.set("position", three(target.p));
    command.set("orientation", three(momentFromRotation(target.R)));
    EXPECT_TRUE(simulation->controller(0)->command("set_target", command));
    const double began = simulation->time();
    worst = 0;
    while (simulation->time() < began + 1.5) {
      simulation->step();
      const RigidTransform now = poseOf(*simulation, 6);
      const double expected = criticallyDamped(100, simulation->time() - began);
      const Vector3d off = target.p - now.p - expected * (target.p - start.p);
      const Vector3d turned = momentFromRotation(target.R * now.R.transpose()) - expected * Vector3d(0.05, 0, 0);
      worst = std::max({worst, off.norm() / (target.p - start.p).norm(), turned.norm() / 0.05});
    }
    return (target.p - poseOf(*simulation, 6).p).norm();
  };
  // Dry friction of 0.1 N*m holds a wrist of 1e-4 kg*m^2; what is fed forward sets it free.
  for (const bool dry : {true, false}) {
    if (!dry)
      for (Driver& driver : description.drivers) driver.dryFriction = 0;
    const char* backend = "mortise";
    double worst = 0;
    const double end = offAtTheEnd(backend, worst);
    figure(backend, dry ? "offOfStepWithFriction" : "offOfStep", worst);
    EXPECT_LT(worst, 0.01) << backend;
    EXPECT_LT(end, 1e-4) << backend;
  }
}

}  // namespace
}  // namespace mortise
