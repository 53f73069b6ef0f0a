/// A box that slips between two fingers does so in Bullet's library, too, and holds there by the same setting.

#include "tests/plugins/physics_bullet/plain/gripper.h"

#include "mortise/base/random.h"
#include "tests/workbench/closed_forms/support.h"

namespace mortise::test {
namespace {

using plain::BulletSolver;

struct Choice {
  BulletSolver solver;
  const char* setting;  ///< The same for the backend.
};

class GripperOnBullet : public testing::TestWithParam<Choice> {};

TEST_P(GripperOnBullet, SlipsAsInThePlainProgram) {
  const plain::Gripper gripper;
  const plain::Grip grip = plain::gripOnBullet(gripper, GetParam().solver);
  EXPECT_NEAR(grip.minForce, gripper.limit, 0.01 * gripper.limit);
  EXPECT_NEAR(grip.maxForce, gripper.limit, 0.01 * gripper.limit);
  EXPECT_GT(grip.travel, 0.05 * gripper.size);
  const truth::TruthResult ours =
      runTruth("gripper", truth::engineFrom(truthRegistry(), std::string("bullet:solver=") + GetParam().setting));
  EXPECT_GT(ours.error, 0.05) << "the limit that the backend declares is none any more";
}

TEST_P(GripperOnBullet, HoldsWhereMixingSharesTheLoad) {
  const plain::Gripper gripper;
  const plain::Grip grip = plain::gripOnBullet(gripper, GetParam().solver, 1e-4);
  EXPECT_LT(grip.travel, 0.01 * gripper.size);
  const truth::TruthResult ours =
      runTruth("gripper",
               truth::engineFrom(truthRegistry(), std::string("bullet:global_cfm=1e-4,solver=") + GetParam().setting));
  EXPECT_LT(ours.error, 0.01);
}

/// Dantzig's method fails on contacts that nothing mixes, most of the time, and Bullet then sweeps: where the box turns
/// to hangs on the last digits of its mass, wherever friction acts. The other solvers do not care.
TEST(GripperOnBulletByDantzig, SlipsAsFarAsRoundingHasIt) {
  RandomStream random(7);
  for (const plain::GripContacts contacts : {plain::GripContacts::twoPoints, plain::GripContacts::onePoint})
    for (const BulletSolver solver : {BulletSolver::dantzig, BulletSolver::sequentialImpulse}) {
      double minimum = 1, maximum = 0;
      for (int i = 0; i < 20; ++i) {
        plain::Gripper gripper;
        gripper.mass *= 1 + 1e-12 * random.uniform(-1, 1);
        const plain::BulletGrip grip = plain::gripOnBullet(gripper, solver, 0, contacts);
        minimum = std::min(minimum, grip.travel / gripper.size);
        maximum = std::max(maximum, grip.travel / gripper.size);
        if (solver == BulletSolver::dantzig) {
          EXPECT_GT(grip.fallbacks, 300);
        }
      }
      // No farther than a pendulum that hangs on the farthest point of a finger swings.
      const plain::Gripper gripper;
      const double arm = std::hypot(gripper.fingerHalf[1], gripper.fingerHalf[2]) / gripper.size;
      EXPECT_LT(maximum, 2 * arm + 0.05);
      if (solver == BulletSolver::dantzig) {
        EXPECT_LT(minimum, 0.25);
        EXPECT_GT(maximum, 0.4);
      } else {
        EXPECT_NEAR(minimum, maximum, 1e-6);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(, GripperOnBullet,
                         testing::Values(Choice{BulletSolver::sequentialImpulse, "sequential_impulse"},
                                         Choice{BulletSolver::dantzig, "dantzig"}, Choice{BulletSolver::pgs, "pgs"}),
                         [](const testing::TestParamInfo<Choice>& choice) {
                           return std::string(choice.param.setting);
                         });

}  // namespace
}  // namespace mortise::test
