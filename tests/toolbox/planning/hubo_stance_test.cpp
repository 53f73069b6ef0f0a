#include <cmath>
#include <gtest/gtest.h>

#include "mortise/loading/format_loader.h"
#include "mortise/math/rotation.h"
#include "mortise/motion/multipath.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/spaces/stance_space.h"
#include "tests/support/connect.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

/// A hold at a goal, with what the link has there within `height` of its lowest point as contacts.
Hold holdAt(const Robot& robot, const IKGoal& goal, double height, double friction) {
  Hold hold;
  hold.link = goal.link;
  hold.goal = goal;
  RigidTransform X_WL;
  X_WL.R = rotationFromMoment(goal.rotationVector_DL);
  X_WL.p = goal.p_DP - X_WL.R * goal.p_LP;
  const auto& mesh = std::get<TriangleMesh>(robot.link(goal.link).geometry->data());
  double lowest = kInfinity;
  for (const Vector3d& p : mesh.vertices) lowest = std::min(lowest, (X_WL * p).z());
  for (const Vector3d& p : mesh.vertices)
    if ((X_WL * p).z() <= lowest + height) hold.contacts.push_back({X_WL * p, Vector3d::UnitZ(), friction});
  return hold;
}

/// The stair climb that Klamp't ships, on its plane: five sections, each with the goals that its ends were made for.
/// The shipped `.stance` files do not fit the configurations (goals are 5 to 50 mm off, and the center of mass is
/// outside their contact points), so contacts are taken from the soles and the hand.
TEST(HuboStance, PlansEverySectionOfTheStairClimb) {
  MORTISE_NEEDS_REFERENCE();
  const std::string data = test::referenceDir() + "/klampt-data/";
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  FormatLoader loader(*registry, log);
  Diagnostics diagnostics;
  const auto world = std::make_shared<const World>(loader.world(data + "hubo_plane.xml", "", diagnostics));
  const auto collider = std::make_shared<const WorldCollider>(world);
  const RobotPtr robot = world->robots.at(0).robot;
  const MultiPath climb = loader.load<MultiPath>(data + "resources/hubo_stair_climb/path_coarse.xml", "", diagnostics);
  ASSERT_EQ(climb.sections.size(), 5u);
  constexpr int kHand = 13;
  for (std::size_t s = 0; s < climb.sections.size(); ++s) {
    SCOPED_TRACE(s);
    const MultiPath::Section& section = climb.sections[s];
    Stance stance;
    for (const IKGoal& goal : section.goals)
      stance.holds.push_back(goal.link == kHand ? holdAt(*robot, goal, 0.003, 0.3) : holdAt(*robot, goal, 0.01, 1.0));
    const RobotSpace inner(withoutHolds(collider, 0, stance), 0, section.milestones.front());
    StanceSpaceOptions options;
    options.margin = 0.01;
    StanceSpace space(inner, stance, options);
    VectorXd start, goal;
    space.reduce(section.milestones.front(), start);
    space.reduce(section.milestones.back(), goal);
    EXPECT_LE(space.residual(start), 3e-3);
    EXPECT_LE(space.residual(goal), 3e-3);
    ASSERT_TRUE(space.project(start));
    ASSERT_TRUE(space.project(goal));
    int violated = -1;
    ASSERT_TRUE(space.feasible(start, &violated)) << space.explain(violated, start);
    ASSERT_TRUE(space.feasible(goal, &violated)) << space.explain(violated, goal);
    RandomStream random(s);
    const std::vector<VectorXd> path = test::connect(space, start, goal, 0.5, 2000, random);
    ASSERT_FALSE(path.empty());
    // Ten times finer than it was looked at, and off the solutions by no more than Klamp't allows at its points.
    VectorXd q;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const std::vector<VectorXd> edge = space.edgePoints(path[i - 1], path[i]);
      ASSERT_GE(edge.size(), 2u);
      for (std::size_t j = 1; j < edge.size(); ++j) {
        EXPECT_LE(space.residual(edge[j]), 1e-6);
        const int parts = static_cast<int>(std::ceil(space.distance(edge[j - 1], edge[j]) / 0.001));
        for (int part = 0; part <= parts; ++part) {
          space.robotSpace().interpolate(edge[j - 1], edge[j], static_cast<double>(part) / std::max(parts, 1), q);
          ASSERT_LE(space.residual(q), 1e-3);
          ASSERT_GE(space.balanceMargin(q), options.margin - 1e-5);
          if (part % 10 == 0) {
            ASSERT_TRUE(space.robotSpace().feasible(q));
          }
        }
      }
    }
    // The same of a motion along it, which is no slower than velocities and accelerations ask for.
    MotionLimitOptions bounds;
    bounds.velocity = 1;
    bounds.acceleration = 4;
    RetimeOptions along;
    along.method = RetimeMethod::blend;
    StopClock clock({});
    const RetimeOutcome motion = retime(space, motionLimits(space, *world, bounds), path, random, clock, along);
    EXPECT_LT(motion.duration, 5);
    q = motion.trajectory.configurations.front();
    VectorXd dq = q;
    for (double t = 0; t < motion.duration; t += 0.005) {
      motion.trajectory.evaluate(t, q, dq);
      ASSERT_LE(space.residual(q), 1e-3);
      ASSERT_GE(space.balanceMargin(q), options.margin - 1e-5);
      ASSERT_TRUE(space.robotSpace().feasible(q));
    }
  }
}

}  // namespace
}  // namespace mortise
