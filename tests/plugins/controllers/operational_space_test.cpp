// Operational space control: what it promises of motions and torques.

#include <numbers>

#include "tests/plugins/controllers/operational_space_fixture.h"

namespace mortise {
namespace {

using namespace test::operational;

TEST_F(OperationalSpaceTest, LinkTaskMovesAsItsGainsSay) {
  const World world = worldOf(arm_);
  const char* backend = "mortise";
  auto simulation = simulate(world, backend, R"({tasks: [
      {type: link, name: tip, link: rod2, point: [0.5, 0, 0], axes: xz, kP: 100},
      {type: joint, name: posture, kP: 25, priority: 2}]})");
  simulation->advance(1e-3);
  const Vector3d start = poseOf(*simulation, 2) * kTip;
  const Vector3d step(-0.06, 0, 0.08);
  const Vector3d target = start + step;
  simulation->controller(0)->command(
      "set_target", yaml("{task: tip, position: [" + formatReal(target.x()) + ", 0, " + formatReal(target.z()) + "]}"));
  const double began = simulation->time();
  double worst = 0, sideways = 0;
  while (simulation->time() < began + 1.2) {
    simulation->step();
    const Vector3d error = (target - poseOf(*simulation, 2) * kTip) / step.norm();
    const double along = error.dot(step.normalized());
    worst = std::max(worst, std::abs(along - criticallyDamped(100, simulation->time() - began)));
    sideways = std::max(sideways, (error - along * step.normalized()).norm());
  }
  EXPECT_LT(worst, 0.01) << backend;
  EXPECT_LT(sideways, 0.005) << backend;
  figure(backend, "offOfStep", worst);
}

TEST_F(OperationalSpaceTest, JointAndOrientationTasksMoveAsTheirGainsSay) {
  const World world = worldOf(arm_);
  const char* backend = "mortise";
  // Underdamped: kP 64, kD 8 gives a frequency of 8 rad/s and a damping ratio of 1/2.
  auto simulation = simulate(world, backend, R"({tasks: [
      {type: joint, name: elbow, links: [rod1], position: [1.2], kP: 64, kD: 8},
      {type: link, name: hand, link: rod2, control: orientation, rotationAxes: y, orientation: [0, 1.0, 0]}]})");
  const double turnedBefore = arm_.links[0].q + arm_.links[1].q + arm_.links[2].q;
  double worst = 0, worstTurn = 0;
  while (simulation->time() < 1.2) {
    simulation->step();
    const double t = simulation->time(), w = 8 * std::sqrt(0.75);
    const double expected = std::exp(-4 * t) * (std::cos(w * t) + 4 / w * std::sin(w * t));
    const VectorXd& q = simulation->configuration(0);
    worst = std::max(worst, std::abs((1.2 - q[1]) / 0.3 - expected));
    worstTurn = std::max(worstTurn, std::abs((1 - q.sum()) / (1 - turnedBefore) - criticallyDamped(100, t)));
  }
  EXPECT_LT(worst, 0.01) << backend;
  EXPECT_LT(worstTurn, 0.01) << backend;
}

TEST_F(OperationalSpaceTest, CenterOfMassFollowsItsTask) {
  const World world = worldOf(arm_);
  RobotDynamics dynamics(world.robots[0].robot);
  dynamics.setPosition(world.robots[0].q);
  const Vector3d start = dynamics.centerOfMass();
  const char* backend = "mortise";
  auto simulation = simulate(world, backend,
                             "{tasks: [{type: com, axes: xz, kP: 64, position: [" + formatReal(start.x() - 0.05) +
                                 ", 0, " + formatReal(start.z() + 0.05) + "]}]}");
  double worst = 0;
  while (simulation->time() < 1.5) {
    simulation->step();
    dynamics.setPosition(simulation->configuration(0));
    const Vector3d error = start + Vector3d(-0.05, 0, 0.05) - dynamics.centerOfMass();
    const double expected = criticallyDamped(64, simulation->time());
    worst = std::max(worst, (error / 0.05 - expected * Vector3d(-1, 0, 1)).norm() / std::sqrt(2.0));
  }
  EXPECT_LT(worst, 0.01) << backend;
}

TEST_F(OperationalSpaceTest, LowPriorityPostureDoesNotDisturbTheTip) {
  RobotDescription description = test::armDescription(5);
  const double bent[] = {-0.4, 0.9, 0.8, -0.6, 0.5};
  for (int i = 0; i < 5; ++i) {
    description.links[i].q = bent[i];
    description.drivers[i].torqueMin = -1000;
    description.drivers[i].torqueMax = 1000;
  }
  const World world = worldOf(description);
  const char* backend = "mortise";
  const auto run = [&](int posturePriority) {
    auto simulation = simulate(world, backend,
                               R"({tasks: [
        {type: link, name: tip, link: rod4, point: [0.5, 0, 0], axes: xz, kP: 400},
        {type: joint, name: posture, kP: 100, priority: )" +
                                   std::to_string(posturePriority) + "}]}");
    simulation->advance(1e-3);
    const Vector3d start = poseOf(*simulation, 4) * kTip;
    simulation->controller(0)->command("set_target", yaml("{task: posture, position: [0.6, -0.5, 1.5, 0.7, -0.8]}"));
    double maximum = 0;
    while (simulation->time() < 2) {
      simulation->step();
      maximum = std::max(maximum, (poseOf(*simulation, 4) * kTip - start).norm());
    }
    const double moved = (simulation->configuration(0) - world.robots[0].q).norm();
    EXPECT_GT(moved, 0.2) << "the posture does move what the tip leaves open";
    return maximum;
  };
  const double strict = run(2), shared = run(1);
  figure(backend, "tipMovedByPosture", strict);
  figure(backend, "tipMovedAtSamePriority", shared);
  EXPECT_LT(strict, 1e-3) << backend;
  EXPECT_GT(shared, 0.05) << "at the same priority they share";
}

TEST_F(OperationalSpaceTest, TasksThatContradictEachOtherShareByWeightOrYieldByPriority) {
  const World world = worldOf(arm_);
  const auto settle = [&](const std::string& first, const std::string& second) {
    auto simulation = simulate(world, "mortise",
                               "{tasks: [{type: joint, name: a, links: [0], position: [0], " + first +
                                   "}, {type: joint, name: b, links: [0], position: [0.4], " + second + "}]}");
    simulation->advance(3);
    return simulation->configuration(0)[0];
  };
  EXPECT_NEAR(settle("weight: 1", "weight: 3"), 0.3, 1e-4);
  EXPECT_NEAR(settle("weight: 1", "weight: 3, priority: 2"), 0, 1e-4);
  EXPECT_NEAR(settle("weight: 1, priority: 3", "weight: 0.01, priority: 2"), 0.4, 1e-4);
  EXPECT_NEAR(settle("enabled: false", "weight: 1, priority: 2"), 0.4, 1e-4);
}

TEST_F(OperationalSpaceTest, TorqueLimitsAreKeptExactlyAndCostLowPrioritiesFirst) {
  RobotDescription description = arm_;
  for (Driver& driver : description.drivers) {
    driver.torqueMin = -9;
    driver.torqueMax = 8;
  }
  robot_ = Robot::compile(description);
  q_ = robot_->initialConfiguration();
  auto limited = started(R"({tasks: [
    {type: link, name: tip, link: rod2, point: [0.5, 0, 0], axes: xz, kP: 40},
    {type: joint, name: posture, kP: 400, priority: 2}]})");
  RandomStream random(9, "limits");
  int atLimit = 0, exact = 0, short_ = 0;
  RobotDynamics dynamics(robot_);
  for (int trial = 0; trial < 500; ++trial) {
    VectorXd q = q_, dq(3);
    for (int i = 0; i < 3; ++i) {
      q[i] += random.uniform(-0.3, 0.3);
      dq[i] = random.uniform(-1, 1);
    }
    update(*limited, q, dq);
    VectorXd tau(3), ddq(3);
    bool any = false;
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(commands_[i].mode, ActuatorCommand::Mode::torque);
      tau[i] = commands_[i].torque;
      ASSERT_GE(tau[i], -9) << trial;
      ASSERT_LE(tau[i], 8) << trial;
      any = any || tau[i] == -9 || tau[i] == 8;
    }
    atLimit += any;
    dynamics.setState(q, dq);
    dynamics.forwardDynamics(tau, Vector3d(0, 0, -9.8), ddq);
    const Vector3d tip0 = [&] {
      RobotDynamics at(robot_);
      at.setPosition(q_);
      return Vector3d(at.X_WL(2) * kTip);
    }();
    const Vector3d wanted =
        40 * (tip0 - dynamics.X_WL(2) * kTip) - 2 * std::sqrt(40.0) * dynamics.pointVelocity(2, kTip);
    const Vector3d error = wanted - dynamics.pointAcceleration(2, kTip, ddq).tail<3>();
    if (!any) {
      EXPECT_LT(error.norm(), 1e-6) << trial;
    } else {
      (error.norm() < 1e-6 ? exact : short_) += 1;
    }
  }
  figure("", "limitsReached", atLimit);
  figure("", "tipExactAtLimits", exact);
  EXPECT_GT(atLimit, 100);
  EXPECT_GT(exact, 50) << "the posture pays first";
  EXPECT_GT(short_, 0);
}

TEST_F(OperationalSpaceTest, TorqueLimitsHoldInSimulationToo) {
  RobotDescription description = arm_;
  for (Driver& driver : description.drivers) {
    driver.torqueMin = -30;
    driver.torqueMax = 30;
  }
  const World world = worldOf(description);
  const char* backend = "mortise";
  auto simulation = simulate(world, backend, R"({tasks: [
      {type: link, name: tip, link: rod2, point: [0.5, 0, 0], axes: xz, kP: 150, position: [0.6, 0, 2.2]},
      {type: joint, name: posture, kP: 400, priority: 2}]})");
  int atLimit = 0;
  double fastest = 0;
  while (simulation->time() < 3) {
    simulation->step();
    for (const ActuatorCommand& command : simulation->view().robots[0].commands) {
      ASSERT_LE(std::abs(command.torque), 30) << backend;
      atLimit += std::abs(command.torque) == 30;
    }
    fastest = std::max(fastest, simulation->velocity(0).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(fastest, 60) << backend;
  figure(backend, "stepsAtLimit", atLimit);
  EXPECT_GT(atLimit, 50) << backend;
  EXPECT_LT((poseOf(*simulation, 2) * kTip - Vector3d(0.6, 0, 2.2)).norm(), 0.01) << backend << ": gets there later";
}

TEST_F(OperationalSpaceTest, SingularConfigurationsAreHarmless) {
  // Stretched out, exactly or nearly, and told to pull in, to reach beyond, to hold and to fold.
  RobotDescription description = arm_;
  const char* backend = "mortise";
  for (const double bend : {0.0, 0.01})
    for (const Vector3d& target : {Vector3d(1.2, 0, 1.5), Vector3d(2, 0, 1.5), Vector3d(1.5, 0, 1.5),
                                   Vector3d(0, 0, 1.5), Vector3d(0.5, 0, 2)}) {
      for (Link& link : description.links) link.q = 0;
      description.links[1].q = bend;
      const World world = worldOf(description);
      auto simulation = simulate(world, backend,
                                 R"({tasks: [
          {type: link, name: tip, link: rod2, point: [0.5, 0, 0], axes: xz, kP: 25, position: [)" +
                                     formatReal(target.x()) + ", 0, " + formatReal(target.z()) +
                                     R"(]}, {type: joint, links: [1], position: [1], priority: 2, kP: 9}]})");
      double fastest = 0, strongest = 0;
      while (simulation->time() < 4) {
        ASSERT_LE(simulation->step(), StepStatus::adaptive);
        fastest = std::max(fastest, simulation->velocity(0).cwiseAbs().maxCoeff());
        for (const ActuatorCommand& command : simulation->view().robots[0].commands)
          strongest = std::max(strongest, std::abs(command.torque));
      }
      figure(backend, "fastest", fastest);
      EXPECT_LT(fastest, 25) << backend << " " << target.transpose();
      EXPECT_LT(strongest, 500) << backend << " " << target.transpose();
    }
}

TEST_F(OperationalSpaceTest, TracksACircle) {
  const World world = worldOf(arm_);
  const char* backend = "mortise";
  auto simulation = simulate(world, backend, R"({tasks: [
      {type: link, name: tip, link: rod2, point: [0.5, 0, 0], axes: xz, kP: 400},
      {type: joint, name: posture, kP: 25, priority: 2}]})");
  simulation->advance(1e-3);
  const Vector3d start = poseOf(*simulation, 2) * kTip;
  const double r = 0.1, w = 2 * std::numbers::pi;  // One turn a second: 0.63 m/s, 3.9 m/s^2.
  const Vector3d center = start - Vector3d(r, 0, 0);
  double worst = 0, square = 0;
  int count = 0;
  // The circle starts at the tip, but the tip starts from rest.
  while (simulation->time() < 4) {
    const double t = simulation->time();
    const Vector3d out(std::cos(w * t), 0, std::sin(w * t)), on(-std::sin(w * t), 0, std::cos(w * t));
    const auto text = [](const Vector3d& v) { return Value(std::vector<double>{v.x(), v.y(), v.z()}); };
    Value target = Value::map();
    target.set("task", "tip");
    target.set("position", text(center + r * out));
    target.set("velocity", text(r * w * on));
    target.set("acceleration", text(-r * w * w * out));
    ASSERT_TRUE(simulation->controller(0)->command("set_target", target));
    simulation->step();
    if (t < 1) continue;
    const double t1 = simulation->time();
    const Vector3d error = poseOf(*simulation, 2) * kTip - center - r * Vector3d(std::cos(w * t1), 0, std::sin(w * t1));
    worst = std::max(worst, error.norm());
    square += error.squaredNorm();
    ++count;
  }
  figure(backend, "worst", worst);
  figure(backend, "rms", std::sqrt(square / count));
  EXPECT_LT(worst, 5e-4) << backend;
}

TEST_F(OperationalSpaceTest, AffineDriversMoveTheirLinksTogether) {
  RobotDescription description = arm_;
  description.drivers.pop_back();
  Driver& driver = description.drivers[1];
  driver.type = DriverType::affine;
  driver.links = {1, 2};
  driver.scale = {1, -0.5};
  driver.offset = {0, 0};
  description.links[1].q = 0.8;
  description.links[2].q = -0.4;
  const World world = worldOf(description);
  const char* backend = "mortise";
  auto simulation = simulate(world, backend, R"({tasks: [
      {type: joint, links: [0, 1], position: [-0.4, 1.2], kP: 64}]})");
  double worst = 0, apart = 0;
  while (simulation->time() < 1.5) {
    simulation->step();
    const VectorXd& q = simulation->configuration(0);
    worst = std::max(worst, std::abs((1.2 - q[1]) / 0.4 - criticallyDamped(64, simulation->time())));
    apart = std::max(apart, std::abs(q[2] + 0.5 * q[1]));
  }
  figure(backend, "offOfStep", worst);
  EXPECT_LT(worst, 0.05) << backend;
}

}  // namespace
}  // namespace mortise
