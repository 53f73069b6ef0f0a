// Parts of robots: what is frozen must weigh, collide and move as it did in the whole.

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <numeric>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/robot_reduce.h"

namespace mortise {
namespace {

/// A tree of eight links with turned frames, matter and shapes; link 3 is prismatic, two branches from link 2.
RobotDescription tree() {
  RandomStream random(11);
  const auto vector = [&random] { return Vector3d(random.gaussian(), random.gaussian(), random.gaussian()); };
  RobotDescription robot;
  robot.name = "tree";
  const int parents[] = {-1, 0, 1, 2, 3, 2, 5, 6};
  for (int i = 0; i < 8; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = parents[i];
    link.motion = i == 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = vector().normalized();
    link.X_PL0 = RigidTransform(rotationFromMoment(vector()), vector());
    link.inertia.mass = 1 + random.uniform();
    link.inertia.com = 0.3 * vector();
    const Matrix3d R = rotationFromMoment(vector());
    link.inertia.inertia = R * Vector3d(0.2, 0.3, 0.4).asDiagonal() * R.transpose();
    link.geometry = std::make_shared<Geometry>(SphereShape{vector(), 0.1});
    link.geometryFile = "ball.geom";
    robot.links.push_back(link);
    robot.joints.push_back({JointType::normal, i, -1});
    Driver driver;
    driver.name = link.name;
    driver.links = {i};
    robot.drivers.push_back(driver);
  }
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b)
      if (parents[b] != a) robot.selfCollisionPairs.emplace_back(a, b);
  return robot;
}

VectorXd drawn(RandomStream& random, int n) {
  VectorXd v(n);
  for (double& x : v) x = random.gaussian();
  return v;
}

TEST(ReducedRobot, FreezingLeavesTheDynamicsOfTheRest) {
  const RobotPtr full = Robot::compile(tree());
  RandomStream random(3);
  const VectorXd q = drawn(random, 8);
  const ReducedRobot reduced = reduceRobot(full->description(), {0, 3, 5}, q);
  const RobotPtr part = Robot::compile(reduced.robot);
  EXPECT_EQ(reduced.links, (std::vector<int>{1, 2, 4, 6, 7}));
  EXPECT_EQ(reduced.drivers, reduced.links);
  EXPECT_EQ(reduced.carrier, (std::vector<int>{-1, 0, 1, 1, 2, 1, 3, 4}));
  EXPECT_EQ(reduced.linkOf, (std::vector<int>{-1, 0, 1, -1, 2, -1, 3, 4}));
  EXPECT_NEAR(part->totalMass() + reduced.worldInertia.mass, full->totalMass(), 1e-12);
  EXPECT_EQ(part->link(0).q, q[1]);

  RobotDynamics a(full), b(part);
  const SubRobot view(*full, reduced.links);
  for (int k = 0; k < 5; ++k) {
    const VectorXd partQ = drawn(random, 5), partDq = drawn(random, 5), partDdq = drawn(random, 5);
    const VectorXd fullQ = reduced.expand(partQ);
    EXPECT_EQ(reduced.reduce(fullQ), partQ);
    EXPECT_EQ(fullQ[3], q[3]);
    VectorXd dq = VectorXd::Zero(8), ddq = VectorXd::Zero(8);
    view.assign(partDq, dq);
    view.assign(partDdq, ddq);
    a.setState(fullQ, dq);
    b.setState(partQ, partDq);
    for (int i = 0; i < 8; ++i) {
      const RigidTransform X_WC = reduced.carrier[i] < 0 ? RigidTransform() : b.X_WL(reduced.carrier[i]);
      const RigidTransform X = X_WC * reduced.X_CL[i];
      EXPECT_LT((X.R - a.X_WL(i).R).norm() + (X.p - a.X_WL(i).p).norm(), 1e-12) << i;
    }
    const Vector3d gravity(1, -2, -9.8);
    VectorXd tauWhole(8), tauPart(5);
    a.inverseDynamics(ddq, gravity, tauWhole);
    b.inverseDynamics(partDdq, gravity, tauPart);
    EXPECT_LT((view.select(tauWhole) - tauPart).norm(), 1e-9);
    Eigen::MatrixXd B(8, 8), Bpart(5, 5);
    a.massMatrix(B);
    b.massMatrix(Bpart);
    EXPECT_LT((view.selectRowsAndColumns(B) - Bpart).norm(), 1e-9);
    Matrix6X J(6, 8), Jpart(6, 5);
    a.jacobian(7, Vector3d(0.1, 0.2, 0.3), J);
    b.jacobian(4, Vector3d(0.1, 0.2, 0.3), Jpart);
    EXPECT_LT((view.selectColumns(J) - Jpart).norm(), 1e-10);
  }
}

TEST(ReducedRobot, ShapesAndPairsGoToWhoCarriesThem) {
  const RobotDescription full = tree();
  const ReducedRobot reduced = reduceRobot(full, {0, 3}, VectorXd::Zero(8));
  // The part of link 3 is with link 2, that of link 0 with the world.
  EXPECT_EQ(reduced.robot.links[1].geometry->typeName(), "Group");
  EXPECT_TRUE(reduced.robot.links[1].geometryFile.empty());
  ASSERT_TRUE(reduced.worldGeometry);
  EXPECT_EQ(reduced.robot.links[2].geometryFile, "ball.geom");
  EXPECT_EQ(reduced.robot.links[2].geometry, full.links[4].geometry);
  const auto& pairs = reduced.robot.selfCollisionPairs;
  const auto has = [&pairs](int a, int b) {
    return std::find(pairs.begin(), pairs.end(), std::pair(a, b)) != pairs.end();
  };
  // Whole link 4 hangs on 3, which is part of reduced link 1 now: they touch by design.
  EXPECT_FALSE(has(1, 2));
  EXPECT_TRUE(has(0, 2));
  EXPECT_TRUE(has(2, 3));
  EXPECT_FALSE(has(1, 3));  // Link 5 hangs on 2.
}

TEST(ReducedRobot, AffineDriversAndChainsKeepWhatMoves) {
  RobotDescription full = tree();
  full.drivers.resize(1);
  full.drivers[0].type = DriverType::affine;
  full.drivers[0].links = {4, 6, 7};
  full.drivers[0].scale = {1, 2, 3};
  full.drivers[0].offset = {0, 0.1, 0.2};
  full.joints = {{JointType::normal, 0, -1},       {JointType::weld, 3, -1},   {JointType::normal, 4, -1},
                 {JointType::ballAndSocket, 7, 2}, {JointType::normal, 1, -1}, {JointType::normal, 2, -1}};
  const ReducedRobot reduced = reduceRobot(full, fixedLinks(full), VectorXd::Zero(8));
  EXPECT_EQ(reduced.linkOf[3], -1);
  ASSERT_EQ(reduced.robot.joints.size(), 5u);
  EXPECT_EQ(reduced.robot.joints[2].type, JointType::ballAndSocket);
  EXPECT_EQ(reduced.robot.joints[2].link, 6);
  EXPECT_EQ(reduced.robot.joints[2].base, 2);
  EXPECT_NO_THROW(Robot::compile(reduced.robot));
  const ReducedRobot less = reduceRobot(full, {2, 6}, VectorXd::Zero(8));
  ASSERT_EQ(less.robot.drivers.size(), 1u);
  EXPECT_EQ(less.robot.drivers[0].links, (std::vector<int>{3, 5}));
  EXPECT_EQ(less.robot.drivers[0].scale, (std::vector<double>{1, 3}));
  for (const Joint& joint : less.robot.joints) EXPECT_NE(joint.type, JointType::ballAndSocket);
  EXPECT_NO_THROW(Robot::compile(less.robot));
  // A chain whose base is frozen hangs on what carries that.
  const ReducedRobot hung = reduceRobot(full, {2}, VectorXd::Zero(8));
  EXPECT_EQ(hung.robot.joints[3].type, JointType::ballAndSocket);
  EXPECT_EQ(hung.robot.joints[3].base, 1);
  EXPECT_NO_THROW(Robot::compile(hung.robot));
}

TEST(ReducedRobot, RefusesWhatDoesNotFit) {
  const RobotDescription full = tree();
  std::vector<int> all(8);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_THROW(reduceRobot(full, all, VectorXd::Zero(8)), Error);
  EXPECT_THROW(reduceRobot(full, {8}, VectorXd::Zero(8)), Error);
  EXPECT_THROW(reduceRobot(full, {1}, VectorXd::Zero(7)), Error);
  EXPECT_THROW(reduceRobot(full, {1}, VectorXd::Constant(8, std::nan(""))), Error);
}

TEST(SubRobot, MapsIndicesBothWays) {
  RobotDescription description = tree();
  description.drivers[7].type = DriverType::affine;
  description.drivers[7].links = {6, 7};
  description.drivers[7].scale = {1, 1};
  description.drivers[7].offset = {0, 0};
  const RobotPtr robot = Robot::compile(description);
  const SubRobot arm = SubRobot::chain(*robot, 2, 6);
  EXPECT_EQ(arm.links(), (std::vector<int>{5, 6}));
  EXPECT_EQ(arm.drivers(), (std::vector<int>{5, 6}));  // Driver 7 also moves link 7.
  EXPECT_EQ(arm.linkOf(6), 1);
  EXPECT_EQ(arm.linkOf(7), -1);
  EXPECT_EQ(arm.driverOf(7), -1);
  VectorXd q = VectorXd::LinSpaced(8, 0, 7);
  EXPECT_EQ(arm.select(q), VectorXd(Eigen::Vector2d(5, 6)));
  arm.assign(Eigen::Vector2d(-1, -2), q);
  EXPECT_EQ(q[6], -2);
  EXPECT_EQ(q[7], 7);
  EXPECT_EQ(SubRobot::chain(*robot, -1, 2).links(), (std::vector<int>{0, 1, 2}));
  EXPECT_THROW(SubRobot::chain(*robot, 4, 7), Error);
  EXPECT_THROW(SubRobot(*robot, {1, 1}), Error);
  EXPECT_THROW(SubRobot(*robot, {8}), Error);
  EXPECT_THROW(arm.select(VectorXd(3)), Error);
}

}  // namespace
}  // namespace mortise
