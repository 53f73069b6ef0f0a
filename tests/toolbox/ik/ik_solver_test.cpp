#include "mortise/ik/ik_solver.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/ik/equations/clearance_goal.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"
#include "tests/toolbox/ik/chain_robot.h"

namespace mortise {
namespace {

using test::chainRobot;
using test::handPose;
using test::poseError;
using test::sevenJoints;

VectorXd randomWithin(const Robot& robot, RandomStream& random, double fraction = 1) {
  VectorXd q(robot.numLinks());
  for (int i = 0; i < robot.numLinks(); ++i) q[i] = fraction * random.uniform(robot.link(i).qMin, robot.link(i).qMax);
  return q;
}

IKSolver handSolver(const RobotPtr& robot) {
  IKProblem problem;
  problem.robot = robot;
  problem.terms = {{poseGoal(robot->numLinks() - 1, {})}};
  return IKSolver(std::move(problem));
}

void setHand(IKSolver& solver, const RigidTransform& X) {
  solver.setTerms({{poseGoal(solver.problem().robot->numLinks() - 1, X)}});
}

/// All solutions are right, different, and the one that the pose is from is among them.
void expectClosedForm(const RobotPtr& robot, const char* name, int poses) {
  IKSolver solver = handSolver(robot);
  ASSERT_EQ(solver.closedForm(), name);
  RandomStream random(17, name);
  IKOptions options;
  options.method = IKMethod::analytic;
  int missed = 0;
  std::size_t maximum = 0;
  for (int k = 0; k < poses; ++k) {
    const VectorXd q = randomWithin(*robot, random);
    const RigidTransform X = handPose(*robot, q);
    setHand(solver, X);
    const std::vector<IKSolution> all = solver.solveAll(options);
    maximum = std::max(maximum, all.size());
    double nearest = kInfinity;
    for (const IKSolution& solution : all) {
      EXPECT_LT(solution.residual, 1e-9);
      EXPECT_LT(poseError(handPose(*robot, solution.q), X), 2e-9);
      double off = 0;
      for (int i = 0; i < robot->numLinks(); ++i) {
        EXPECT_GE(solution.q[i], robot->link(i).qMin);
        EXPECT_LE(solution.q[i], robot->link(i).qMax);
        off = std::max(off, std::abs(std::remainder(solution.q[i] - q[i], 2 * std::numbers::pi)));
      }
      nearest = std::min(nearest, off);
    }
    missed += nearest > 1e-5;
  }
  EXPECT_LE(missed, poses / 100) << "poses whose own configuration is not found: singular ones";
  EXPECT_GE(maximum, 2u);
  EXPECT_LE(maximum, 8u);
}

TEST(AnalyticIK, SphericalWrists) {
  const std::vector<Vector3d> wrist = {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}};
  const auto arm = [&](std::vector<Vector3d> axes, std::vector<Vector3d> offsets) {
    axes.insert(axes.end(), wrist.begin(), wrist.end());
    offsets.insert(offsets.end(), {{0, 0, 0.4}, {0, 0, 0}, {0, 0, 0}});
    return chainRobot(axes, offsets, 3.14);
  };
  expectClosedForm(arm({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}}, {{0, 0, 0.3}, {0, 0, 0}, {0.5, 0.1, 0}}), "spherical wrist",
                   300);
  expectClosedForm(arm({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}}, {{0, 0, 0.3}, {0.1, 0, 0}, {0.5, 0.1, 0}}), "spherical wrist",
                   300);
  // Axes at odd angles, none of which meet: a quartic.
  expectClosedForm(arm({{0.1, 0.2, 1}, {0.3, 1, 0.2}, {1, 0.4, -0.3}}, {{0, 0, 0.3}, {0.1, 0.05, 0}, {0.5, 0.1, 0.1}}),
                   "spherical wrist", 300);
  // The first two are parallel (SCARA-like).
  expectClosedForm(arm({{0, 0, 1}, {0, 0, 1}, {0, 1, 0}}, {{0, 0, 0.3}, {0.4, 0, 0}, {0.3, 0, 0.1}}), "spherical wrist",
                   300);
}

TEST(AnalyticIK, SphericalShouldersAreSolvedFromTheOtherEnd) {
  expectClosedForm(chainRobot({{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 1, 0}, {1, 0, 0.1}},
                              {{0, 0, 0.3}, {0, 0, 0}, {0, 0, 0}, {0, 0, -0.4}, {0.02, 0, -0.4}, {0, 0.03, -0.1}}, 3.0),
                   "spherical wrist", 300);
}

TEST(AnalyticIK, ThreeParallelAxes) {
  expectClosedForm(
      chainRobot({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 1, 0}},
                 {{0, 0, 0.09}, {0, 0.13, 0}, {0.42, -0.12, 0}, {0.39, 0.1, 0}, {0, 0.1, 0}, {0, 0, 0.09}}, 6.28318),
      "three parallel axes", 300);
}

TEST(AnalyticIK, PlanarArms) {
  expectClosedForm(chainRobot({{0, 1, 0}, {0, 1, 0}, {0, -1, 0}}, {{0, 0, 0}, {1, 0.1, 0}, {0.7, 0, 0.1}}, 3.1),
                   "planar arm", 200);
}

TEST(AnalyticIK, AnswersSayWhoseTheyAre) {
  const RobotPtr robot = chainRobot({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}},
                                    {{0, 0, 0.3}, {0, 0, 0}, {0.5, 0, 0}, {0, 0, 0.4}, {0, 0, 0}, {0, 0, 0}}, 3.1);
  IKSolver solver = handSolver(robot);
  const RigidTransform within = handPose(*robot, VectorXd::Constant(robot->numLinks(), 0.3));
  const RigidTransform beyond(within.R, within.p + Vector3d(5, 0, 0));
  for (const IKMethod method : {IKMethod::automatic, IKMethod::numeric, IKMethod::analytic}) {
    IKOptions options;
    options.method = method;
    setHand(solver, within);
    IKSolution solution = solver.solve(options);
    EXPECT_TRUE(solution.solved);
    EXPECT_EQ(solution.method, method == IKMethod::numeric ? IKMethod::numeric : IKMethod::analytic);
    for (const IKSolution& one : solver.solveAll(options))
      EXPECT_EQ(one.method, method == IKMethod::numeric ? IKMethod::numeric : IKMethod::analytic);
    EXPECT_EQ(solver.solveLocal(options).method, IKMethod::numeric);
    // No closed form reaches that far: the nearest that numbers find, and no word of a closed form.
    setHand(solver, beyond);
    solver.solve(options, solution);
    EXPECT_FALSE(solution.solved);
    EXPECT_EQ(solution.method, IKMethod::numeric);
  }
}

TEST(AnalyticIK, NearlySphericalWristsArePolished) {
  RobotDescription robot = chainRobot({{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}},
                                      {{0, 0, 0.3}, {0.1, 0, 0}, {0.5, 0, 0}, {0, 0, 0.4}, {0, 0, 0}, {0, 0, 0}}, 3.1)
                               ->description();
  robot.links[4].X_PL0.p += Vector3d(0.0008, -0.0005, 0);
  robot.links[5].axis = (robot.links[5].axis + Vector3d(0.0005, 0.001, 0)).normalized();
  const RobotPtr calibrated = Robot::compile(robot);
  IKSolver solver = handSolver(calibrated);
  ASSERT_EQ(solver.closedForm(), "spherical wrist");
  RandomStream random(5);
  IKOptions options;
  options.method = IKMethod::analytic;
  int solved = 0;
  for (int k = 0; k < 200; ++k) {
    setHand(solver, handPose(*calibrated, randomWithin(*calibrated, random)));
    solved += solver.solve(options).solved;
  }
  EXPECT_GE(solved, 196);
}

TEST(AnalyticIK, OnesOwnIsUsed) {
  struct Own final : AnalyticIK {
    std::string_view name() const override { return "own"; }
    void solve(const RigidTransform& X, const JointAngles&, std::vector<JointAngles>& solutions) const override {
      solutions.push_back({std::atan2(-X.R(2, 0), X.R(0, 0)), 0, 0, 0, 0, 0});
    }
  };
  IKProblem problem;
  problem.robot = Robot::compile(test::armDescription(1));
  problem.analytic = std::make_shared<Own>();
  problem.terms = {{poseGoal(0, RigidTransform::rotation(rotationY(0.4)))}};
  IKSolver solver(problem);
  EXPECT_EQ(solver.closedForm(), "own");
  const IKSolution solution = solver.solve({});
  EXPECT_TRUE(solution.solved);
  EXPECT_NEAR(solution.q[0], 0.4, 1e-12);
}

TEST(IKSolver, FindsReachablePosesWithinLimits) {
  const RobotPtr robot = sevenJoints();
  IKSolver solver = handSolver(robot);
  EXPECT_TRUE(solver.closedForm().empty());
  RandomStream random(23);
  int solved = 0;
  for (int k = 0; k < 200; ++k) {
    const RigidTransform X = handPose(*robot, randomWithin(*robot, random));
    setHand(solver, X);
    IKOptions options;
    options.seed = static_cast<std::uint64_t>(k);
    const IKSolution solution = solver.solve(options);
    solved += solution.solved;
    EXPECT_EQ(solution.solved, solution.residual <= 1e-9);
    EXPECT_TRUE((solution.q.array() >= -2.2).all() && (solution.q.array() <= 2.2).all());
    if (solution.solved) {
      EXPECT_LT(poseError(handPose(*robot, solution.q), X), 2e-9);
    }
  }
  EXPECT_GE(solved, 199);
}

TEST(IKSolver, ThreadsDoNotChangeTheAnswer) {
  const RobotPtr robot = sevenJoints();
  IKSolver alone = handSolver(robot), together = handSolver(robot);
  RandomStream random(29);
  for (int k = 0; k < 25; ++k) {
    RigidTransform X = handPose(*robot, randomWithin(*robot, random));
    if (k % 3 == 0) X.p *= 1.2;  // Some are hard, or out of reach.
    for (const bool nearest : {false, true}) {
      IKOptions options;
      options.seed = 7;
      options.restarts = 60;
      options.nearest = nearest;
      setHand(alone, X);
      setHand(together, X);
      const IKSolution one = alone.solve(options);
      options.threads = 4;
      const IKSolution four = together.solve(options);
      EXPECT_EQ(one.q, four.q) << "pose " << k;
      EXPECT_EQ(one.solved, four.solved);
      EXPECT_EQ(one.residual, four.residual);
      EXPECT_EQ(one.restarts, four.restarts);
      EXPECT_EQ(one.iterations, four.iterations);
    }
  }
}

TEST(IKSolver, OutOfReachGivesTheNearestPose) {
  // Two rods of 0.5 m: the end comes as near as 1 m lets it.
  IKProblem problem;
  problem.robot = Robot::compile(test::armDescription(2));
  IKGoal goal;
  goal.link = 1;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = Vector3d(1.8, 0, -2.4);
  problem.terms = {{goal}};
  const IKSolution solution = IKSolver(problem).solve({});
  EXPECT_FALSE(solution.solved);
  EXPECT_NEAR(solution.residual, 2, 1e-9);
  const RigidTransform X = handPose(*problem.robot, solution.q);
  EXPECT_LT((X * goal.p_LP - Vector3d(0.6, 0, -0.8)).norm(), 1e-4);
}

TEST(IKSolver, WithoutLimitsItIsKlamptsExample) {
  // Klamp't's manual: a planar arm of three joints within [0, 2 pi], local [1, 0, 0] of link 2 to [1.5, 0, 1].
  RobotDescription robot = test::armDescription(3);
  for (int i = 0; i < 3; ++i) {
    Link& link = robot.links[static_cast<std::size_t>(i)];
    link.X_PL0.p = Vector3d(i > 0 ? 1 : 0, 0, 0);
    link.qMin = 0;
    link.qMax = 6.28319;
  }
  IKProblem problem;
  problem.robot = Robot::compile(robot);
  IKGoal goal;
  goal.link = 2;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(1, 0, 0);
  goal.p_DP = Vector3d(1.5, 0, 1);
  problem.terms = {{goal}};
  for (const bool limits : {true, false}) {
    problem.limits = limits;
    const IKSolution solution = IKSolver(problem).solve({});
    EXPECT_TRUE(solution.solved);
    EXPECT_LT((handPose(*problem.robot, solution.q) * goal.p_LP - goal.p_DP).norm(), 1e-9);
    if (limits) {
      EXPECT_TRUE((solution.q.array() >= 0).all() && (solution.q.array() <= 6.2832).all());
    }
  }
}

TEST(IKSolver, JointsThatCannotMoveAreNoError) {
  RobotDescription robot = test::armDescription(2);
  robot.links[0].qMin = robot.links[0].qMax = 0;
  IKProblem problem;
  problem.robot = Robot::compile(robot);
  problem.terms = {{poseGoal(0, {})}};
  EXPECT_TRUE(IKSolver(problem).solve({}).solved);
  problem.terms = {{poseGoal(0, RigidTransform::translation({0, 0, 1}))}};
  const IKSolution solution = IKSolver(problem).solve({});
  EXPECT_FALSE(solution.solved);
  EXPECT_NEAR(solution.residual, 1, 1e-12);
  problem.active = {5};
  EXPECT_THROW(IKSolver{problem}, Error);
}

TEST(IKSolver, NothingAllocatesOnceWarm) {
  const RobotPtr robot = sevenJoints();
  IKSolver solver = handSolver(robot);
  RandomStream random(31);
  IKOptions options;
  options.start = VectorXd::Zero(robot->numLinks());
  IKSolution solution;
  for (int k = 0; k < 20; ++k) {
    setHand(solver, handPose(*robot, randomWithin(*robot, random, 0.9)));
    if (k < 5) solver.solve(options, solution);
    const std::size_t before = test::allocationCount;
    solver.solveLocal(options, solution);
    solver.solve(options, solution);
    if (k >= 5) {
      EXPECT_EQ(test::allocationCount - before, 0u);
    }
  }
}

TEST(IKPriorities, LowerOnesGiveWay) {
  const RobotPtr robot = sevenJoints();
  const int hand = robot->numLinks() - 1;
  RandomStream random(37);
  for (int k = 0; k < 10; ++k) {
    const VectorXd q = randomWithin(*robot, random, 0.7);
    IKProblem problem;
    problem.robot = robot;
    // The hand's position exactly; its elbow as high as can be; a joint's value of least importance.
    IKGoal position = poseGoal(hand, handPose(*robot, q));
    position.rotation = IKGoal::Rotation::free;
    IKGoal elbow;
    elbow.link = 3;
    elbow.position = IKGoal::Position::plane;
    elbow.direction_D = Vector3d::UnitZ();
    elbow.p_DP = Vector3d(0, 0, 3);
    problem.terms = {{position, 0}, {elbow, 1}, {CoordinateGoal{4, 0.5}, 2}};
    IKOptions options;
    options.start = q;
    IKSolver solver(problem);
    const IKSolution solution = solver.solve(options);
    ASSERT_TRUE(solution.solved);
    ASSERT_EQ(solution.levels.size(), 3u);
    EXPECT_LT((handPose(*robot, solution.q).p - position.p_DP).norm(), 1e-9);
    EXPECT_GE(handPose(*robot, solution.q, 3).p.z(), handPose(*robot, q, 3).p.z() - 1e-9) << "the elbow rises";
    // By brute force: no small motion that keeps the hand lifts the elbow by more.
    const double height = handPose(*robot, solution.q, 3).p.z();
    problem.terms = {{position}};
    IKSolver back(problem);
    for (int trial = 0; trial < 200; ++trial) {
      options.start = solution.q;
      for (int i = 0; i < 7; ++i) options.start[i] += random.uniform(-0.02, 0.02);
      const IKSolution near = back.solveLocal(options);
      if (near.solved) {
        EXPECT_LT(handPose(*robot, near.q, 3).p.z(), height + 1e-5);
      }
    }
  }
}

TEST(IKPriorities, NearestKeepsPostureAndCostsAreMadeLeast) {
  const RobotPtr robot = sevenJoints();
  RandomStream random(41);
  IKProblem problem;
  problem.robot = robot;
  problem.terms = {{poseGoal(robot->numLinks() - 1, {})}};
  IKProblem costly = problem;
  costly.cost = [](const VectorXd& q, VectorXd* gradient) {
    if (gradient != nullptr) *gradient = 2 * q;
    return q.squaredNorm();
  };
  for (int k = 0; k < 10; ++k) {
    const VectorXd q = randomWithin(*robot, random, 0.7);
    const RigidTransform X = handPose(*robot, q);
    for (const bool cost : {false, true}) {
      IKSolver solver(cost ? costly : problem);
      setHand(solver, X);
      IKOptions options;
      options.start = cost ? q : VectorXd(VectorXd::Zero(robot->numLinks()));
      options.nearest = !cost;
      options.restarts = 50;
      const IKSolution solution = solver.solve(options);
      ASSERT_TRUE(solution.solved);
      EXPECT_LT(poseError(handPose(*robot, solution.q), X), 2e-9);
      EXPECT_LT(solution.q.norm(), q.norm() + 1e-6);
    }
  }
}

TEST(IKPriorities, CenterOfMassAndLookAt) {
  const RobotPtr robot = sevenJoints();
  const VectorXd q = VectorXd::Constant(robot->numLinks(), 0.3);
  RobotDynamics dynamics(robot);
  VectorXd inside = q;
  inside[robot->numLinks() - 1] = 0;
  dynamics.setPosition(inside);
  CenterOfMassGoal center;
  center.p_W = dynamics.centerOfMass();
  LookAtGoal lookAt;
  lookAt.link = robot->numLinks() - 1;
  lookAt.p_DT = Vector3d(2, 1, 0.5);
  IKProblem problem;
  problem.robot = robot;
  problem.terms = {{center}, {lookAt}};
  const IKSolution solution = IKSolver(problem).solve({});
  ASSERT_TRUE(solution.solved);
  dynamics.setPosition(solution.q);
  EXPECT_LT((dynamics.centerOfMass() - center.p_W).norm(), 1e-8);
  const RigidTransform X = dynamics.X_WL(lookAt.link);
  EXPECT_LT((X.R.col(2) - (lookAt.p_DT - X.p).normalized()).norm(), 1e-8);
}

TEST(IKClearance, LinksKeepTheirDistance) {
  // Three rods in a plane; balls at the base and at the tip, which are to come near each other, but not nearer than
  // 0.1.
  RobotDescription description = test::armDescription(3);
  description.links[0].geometry = std::make_shared<Geometry>(SphereShape{Vector3d::Zero(), 0.1});
  description.links[2].geometry = std::make_shared<Geometry>(SphereShape{Vector3d(0.5, 0, 0), 0.1});
  description.selfCollisionPairs = {{0, 2}};
  const RobotPtr robot = Robot::compile(description);
  const auto collider = std::make_shared<WorldCollider>(worldOf(robot));
  IKGoal tip;
  tip.link = 2;
  tip.position = IKGoal::Position::point;
  tip.p_LP = Vector3d(0.5, 0, 0);
  IKProblem problem;
  problem.robot = robot;
  problem.terms = {{clearanceGoal(collider, 0, 0.1)}, {tip, 1}};
  IKOptions options;
  options.start = Eigen::Vector3d(0.1, 1.2, 1.0);
  const IKSolution solution = IKSolver(problem).solve(options);
  ASSERT_TRUE(solution.solved);
  EXPECT_NEAR((handPose(*robot, solution.q) * tip.p_LP).norm(), 0.3, 1e-6);
  EXPECT_THROW(clearanceGoal(collider, 1, 0.1), Error);
  // As exact goals they contradict each other.
  problem.terms[1].priority = 0;
  EXPECT_FALSE(IKSolver(problem).solve(options).solved);
}

}  // namespace
}  // namespace mortise
