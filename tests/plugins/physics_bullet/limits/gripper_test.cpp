/// A box that slips between two fingers does so in Bullet's library, too, and holds there by the same setting.

#include "tests/plugins/physics_bullet/plain/gripper.h"

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
  EXPECT_NEAR(grip.leastForce, gripper.limit, 0.01 * gripper.limit);
  EXPECT_NEAR(grip.mostForce, gripper.limit, 0.01 * gripper.limit);
  EXPECT_GT(grip.way, 0.05 * gripper.size);
  const truth::TruthResult ours =
      runTruth("gripper", truth::engineFrom(truthRegistry(), std::string("bullet:solver=") + GetParam().setting));
  EXPECT_GT(ours.error, 0.05) << "the limit that the backend declares is none any more";
}

TEST_P(GripperOnBullet, HoldsWhereMixingSharesTheLoad) {
  const plain::Gripper gripper;
  const plain::Grip grip = plain::gripOnBullet(gripper, GetParam().solver, 1e-4);
  EXPECT_LT(grip.way, 0.01 * gripper.size);
  const truth::TruthResult ours =
      runTruth("gripper",
               truth::engineFrom(truthRegistry(), std::string("bullet:global_cfm=1e-4,solver=") + GetParam().setting));
  EXPECT_LT(ours.error, 0.01);
}

INSTANTIATE_TEST_SUITE_P(, GripperOnBullet,
                         testing::Values(Choice{BulletSolver::sequentialImpulse, "sequential_impulse"},
                                         Choice{BulletSolver::dantzig, "dantzig"}, Choice{BulletSolver::pgs, "pgs"}),
                         [](const testing::TestParamInfo<Choice>& choice) {
                           return std::string(choice.param.setting);
                         });

}  // namespace
}  // namespace mortise::test
