#include "mortise/mechanics/contact_torques.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/mechanics/contact_formation.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/static_torques.h"
#include "tests/support/biped.h"
#include "tests/support/plain_simplex.h"

namespace mortise {
namespace {

const Vector3d kDownwards(0, 0, -9.8);

/// A rod of 2 kg and 1 m that turns about y at the origin and lies along x at 0.
RobotPtr rod(double torqueMax) {
  RobotDescription robot;
  robot.name = "rod";
  Link link;
  link.name = "rod";
  link.axis = Vector3d::UnitY();
  link.torqueMax = torqueMax;
  link.inertia.mass = 2;
  link.inertia.com = Vector3d(0.5, 0, 0);
  link.inertia.inertia = Vector3d(1e-3, 1.0 / 6, 1.0 / 6).asDiagonal();
  robot.links.push_back(link);
  robot.joints.push_back({JointType::normal, 0, -1});
  return Robot::compile(robot);
}

VectorXd gravityOf(RobotDynamics& dynamics) {
  VectorXd G(dynamics.robot().numLinks());
  dynamics.gravityForces(kDownwards, G);
  return G;
}

std::vector<LinkContact> soles(double friction) {
  std::vector<LinkContact> contacts;
  for (const int side : {1, -1})
    for (const double x : {-0.05, 0.15})
      for (const double y : {-0.05, 0.05})
        contacts.push_back({side > 0 ? 11 : 17, {Vector3d(x, 0.1 * side + y, 0), Vector3d::UnitZ(), friction}});
  return contacts;
}

/// Knees bent, soles on the floor.
VectorXd standing(double bend) {
  VectorXd q = VectorXd::Zero(18);
  for (const int hip : {8, 14}) {
    q[hip] = -bend;
    q[hip + 1] = 2 * bend;
    q[hip + 2] = -bend;
  }
  q[2] = 0.6 * std::cos(bend) + 0.05;
  return q;
}

TEST(ContactTorques, ARodLeansOnItsTip) {
  RobotDynamics dynamics(rod(20));
  dynamics.setPosition(VectorXd::Zero(1));
  const VectorXd G = gravityOf(dynamics);
  EXPECT_NEAR(std::abs(G[0]), 9.8, 1e-12);  // m g L / 2.
  const std::vector<LinkContact> tip = {{0, {Vector3d(1, 0, 0), Vector3d::UnitZ(), 0.5}}};
  const ContactTorques free = solveContactTorques(dynamics, {}, G);
  EXPECT_TRUE(free.balanced);
  EXPECT_NEAR(free.largestUtilization, 9.8 / 20, 1e-12);
  EXPECT_EQ(free.largestLink, 0);
  // The tip bears half the weight, and the motor nothing.
  const ContactTorques held = solveContactTorques(dynamics, tip, G);
  EXPECT_NEAR(held.torques[0], 0, 1e-6);
  EXPECT_NEAR(held.forces_W[0].z(), 9.8, 1e-6);
  // The tip bears a quarter at most: the motor does the rest.
  ContactTorqueOptions options;
  const std::vector<ContactPoint> points = {tip[0].point};
  options.forceLimits.bounds = normalForceBounds(points, 4.9);
  EXPECT_NEAR(std::abs(solveContactTorques(dynamics, tip, G, options).torques[0]), 4.9, 1e-6);
  options.objective = TorqueObjective::normalForces;
  EXPECT_NEAR(std::abs(solveContactTorques(dynamics, tip, G, options).torques[0]), 9.8, 1e-6);
  // A weak motor cannot.
  RobotDynamics weak(rod(3));
  weak.setPosition(VectorXd::Zero(1));
  options.objective = TorqueObjective::largestUtilization;
  const ContactTorques beyond = solveContactTorques(weak, tip, G, options);
  EXPECT_TRUE(beyond.balanced);
  EXPECT_FALSE(beyond.withinLimits);
  EXPECT_NEAR(beyond.largestUtilization, 4.9 / 3, 1e-6);
}

TEST(ContactTorques, LegsInTheirOrderOfEffort) {
  RobotDynamics dynamics(Robot::compile(test::bipedDescription()));
  dynamics.setPosition(standing(0.5));
  const VectorXd G = gravityOf(dynamics);
  const std::vector<LinkContact> contacts = soles(0.6);
  double last = -1;
  for (const TorqueObjective objective :
       {TorqueObjective::largestUtilization, TorqueObjective::sumOfUtilizations, TorqueObjective::normalForces}) {
    ContactTorqueOptions options;
    options.objective = objective;
    const ContactTorques torques = solveContactTorques(dynamics, contacts, G, options);
    ASSERT_TRUE(torques.balanced);
    EXPECT_TRUE(torques.withinLimits);
    EXPECT_GE(torques.largestUtilization, last - 1e-7) << "the first objective makes it least";
    if (last < 0) last = torques.largestUtilization;
    Vector3d sum = Vector3d::Zero();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Vector3d& f = torques.forces_W[i];
      EXPECT_GE(f.z(), -1e-6);
      EXPECT_LE(f.head<2>().norm(), 0.6 * f.z() + 1e-5);
      sum += f;
    }
    EXPECT_NEAR((sum + dynamics.robot().totalMass() * kDownwards).norm(), 0, 1e-5);
    // No more, and no less, than `StaticTorques` finds at this scale of all limits.
    if (objective != TorqueObjective::largestUtilization) continue;
    const StaticTorques limits(Robot::compile(test::bipedDescription()), contacts, {kDownwards, 0});
    EXPECT_TRUE(limits.within(dynamics, torques.largestUtilization * (1 + 1e-6)));
    EXPECT_FALSE(limits.within(dynamics, torques.largestUtilization * (1 - 1e-5)));
  }
}

TEST(ContactTorques, AMovingRobotObeysItsEquation) {
  RandomStream random(4);
  RobotDynamics dynamics(Robot::compile(test::bipedDescription()));
  for (int k = 0; k < 10; ++k) {
    VectorXd dq = VectorXd::Zero(18), ddq = VectorXd::Zero(18), bias(18), acceleration(18);
    for (int i = 0; i < 18; ++i) {
      dq[i] = 0.3 * random.gaussian();
      ddq[i] = 0.3 * random.gaussian();
    }
    dynamics.setState(standing(0.4), dq);
    dynamics.inverseDynamics(ddq, kDownwards, bias);
    const std::vector<LinkContact> contacts = soles(0.8);
    const ContactTorques torques = solveContactTorques(dynamics, contacts, bias);
    ASSERT_TRUE(torques.balanced) << k;
    std::vector<LinkWrench> wrenches;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Vector3d arm = contacts[i].point.p_WC - dynamics.X_WL(contacts[i].link).p;
      wrenches.push_back({contacts[i].link, arm.cross(torques.forces_W[i]), torques.forces_W[i]});
    }
    dynamics.forwardDynamics(torques.torques, kDownwards, acceleration, wrenches);
    EXPECT_NEAR((acceleration - ddq).norm(), 0, 1e-4) << k;
  }
}

TEST(ContactTorques, LinksThatTouchEachOtherChangeTorquesButNotBalance) {
  RobotDynamics dynamics(Robot::compile(test::bipedDescription()));
  dynamics.setPosition(standing(0.5));
  const VectorXd G = gravityOf(dynamics);
  std::vector<LinkContact> contacts = soles(0.6);
  const ContactTorques apart = solveContactTorques(dynamics, contacts, G);
  // A strut between the shins, as if they were tied: more forces to choose from.
  const Vector3d middle = 0.5 * (dynamics.X_WL(9).p + dynamics.X_WL(15).p);
  contacts.push_back({9, {middle, Vector3d::UnitY(), 0.9}, 15});
  EXPECT_EQ(worldContacts(contacts).size(), 8u);
  const ContactTorques together = solveContactTorques(dynamics, contacts, G);
  EXPECT_LE(together.largestUtilization, apart.largestUtilization + 1e-7);
  Matrix3X J(3, 18), left(3, 18), right(3, 18);
  contactJacobian(dynamics, contacts.back(), J);
  contactJacobian(dynamics, {9, contacts.back().point}, left);
  contactJacobian(dynamics, {15, contacts.back().point}, right);
  EXPECT_NEAR((J - left + right).norm(), 0, 1e-15);
  EXPECT_NEAR(J.leftCols(6).norm(), 0, 1e-12) << "the base feels nothing of it";
}

TEST(ContactTorques, AgreesWithPlainPrograms) {
  RandomStream random(9);
  RobotDynamics dynamics(Robot::compile(test::bipedDescription()));
  int answers = 0;
  for (int k = 0; k < 30; ++k) {
    VectorXd q = standing(random.uniform(0.1, 1));
    dynamics.setPosition(q);
    const VectorXd G = gravityOf(dynamics);
    std::vector<LinkContact> contacts;
    for (int i = 0; i < 5; ++i)
      contacts.push_back(
          {random.below(2) == 0 ? 11 : 17,
           {Vector3d(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0),
            Vector3d(0.3 * random.gaussian(), 0.3 * random.gaussian(), 1).normalized(), random.uniform(0.2, 1)}});
    // t >= +-(G - J^T f) / 60: forces along edges, t, slacks.
    std::vector<Vector3d> edges;
    Eigen::MatrixXd effect(18, 0);
    Matrix3X J(3, 18);
    for (const LinkContact& contact : contacts) {
      contactJacobian(dynamics, contact, J);
      frictionEdges(contact.point, 4, edges);
      for (const Vector3d& edge : edges) {
        effect.conservativeResize(18, effect.cols() + 1);
        effect.rightCols<1>() = J.transpose() * edge;
      }
    }
    const Eigen::Index forces = effect.cols();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(30, forces + 1 + 24);
    VectorXd b(30), c = VectorXd::Zero(A.cols());
    A.topLeftCorner(6, forces) = effect.topRows(6);
    b.head(6) = G.head(6);
    for (int i = 0; i < 12; ++i)
      for (int sign = 0; sign < 2; ++sign) {
        const Eigen::Index row = 6 + 2 * i + sign;
        const double factor = sign == 0 ? 1 : -1;
        A.block(row, 0, 1, forces) = factor * effect.row(6 + i);
        A(row, forces) = 60;
        A(row, forces + 1 + 2 * i + sign) = -1;
        b[row] = factor * G[6 + i];
      }
    c[forces] = -1;
    const double minimum = -test::PlainSimplex(A, b, c).value();
    ContactTorqueOptions options;
    options.coneEdges = 4;
    const ContactTorques torques = solveContactTorques(dynamics, contacts, G, options);
    ASSERT_EQ(torques.balanced, !std::isnan(minimum)) << k;
    if (!torques.balanced) continue;
    EXPECT_NEAR(torques.largestUtilization, minimum, 1e-6 * (1 + minimum)) << k;
    ++answers;
  }
  EXPECT_GT(answers, 5);
}

TEST(ContactTorques, BadInputSaysWhatIsWrong) {
  RobotDynamics dynamics(rod(1));
  dynamics.setPosition(VectorXd::Zero(1));
  const VectorXd G = gravityOf(dynamics);
  const ContactPoint point{Vector3d(1, 0, 0), Vector3d::UnitZ(), 0.5};
  for (const LinkContact& contact : {LinkContact{-1, point}, LinkContact{1, point}, LinkContact{0, point, 0}})
    EXPECT_THROW(solveContactTorques(dynamics, {{contact}}, G), Error);
}

TEST(ContactFormations, AreGroupedAndGoBothWays) {
  RobotDynamics dynamics(Robot::compile(test::bipedDescription()));
  const VectorXd q = standing(0.5);
  dynamics.setPosition(q);
  std::vector<LinkContact> contacts = soles(0.6);
  std::swap(contacts[1], contacts[6]);
  contacts.push_back({15, {Vector3d(0, 0, 0.3), Vector3d::UnitY(), 0.3}, 9});
  const std::vector<ContactPatch> formation = contactFormation(contacts);
  ASSERT_EQ(formation.size(), 3u);
  EXPECT_EQ(formation[0].link, 9);
  EXPECT_EQ(formation[0].target, 15);
  EXPECT_EQ(formation[0].contacts[0].n_W, Vector3d(0, -1, 0));
  EXPECT_EQ(formation[1].contacts.size(), 4u);
  EXPECT_EQ(contactFormation(contactsOf(formation)), formation);

  const Stance stance = stanceOfContacts(dynamics, contacts);
  ASSERT_EQ(stance.holds.size(), 2u);
  EXPECT_EQ(stance.holds[0].link, 11);
  EXPECT_EQ(stance.holds[0].goal.rotation, IKGoal::Rotation::fixed);
  EXPECT_EQ(contactsOf(stance).size(), 8u);
  EXPECT_EQ(stanceOfContacts(dynamics, contactsOf(stance)), stance);
}

TEST(ContactFormations, GoalsLeaveWhatContactsLeave) {
  RobotDynamics dynamics(Robot::compile(test::bipedDescription()));
  dynamics.setPosition(standing(0.5));
  ContactPatch patch;
  patch.link = 11;
  EXPECT_THROW(goalOfContacts(dynamics, patch), Error);
  const auto at = [](double x, double y) { return ContactPoint{Vector3d(x, y, 0), Vector3d::UnitZ(), 0.5}; };
  patch.contacts = {at(0.1, 0.1)};
  EXPECT_EQ(goalOfContacts(dynamics, patch).rotation, IKGoal::Rotation::free);
  EXPECT_EQ(goalOfContacts(dynamics, patch).p_DP, Vector3d(0.1, 0.1, 0));
  patch.contacts = {at(-0.1, 0.1), at(0, 0.1), at(0.1, 0.1)};
  const IKGoal line = goalOfContacts(dynamics, patch);
  EXPECT_EQ(line.rotation, IKGoal::Rotation::axis);
  EXPECT_NEAR(std::abs(line.axis_D.x()), 1, 1e-12);
  patch.contacts.push_back(at(0, 0));
  EXPECT_EQ(goalOfContacts(dynamics, patch).rotation, IKGoal::Rotation::fixed);
  patch.target = 17;
  EXPECT_EQ(goalOfContacts(dynamics, patch).destination, 17);
}

}  // namespace
}  // namespace mortise
