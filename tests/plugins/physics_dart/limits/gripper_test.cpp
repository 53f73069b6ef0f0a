/// A box that slips between two fingers with projected Gauss-Seidel, and holds with Dantzig's method, does so in DART's
/// library, too.

#include "tests/plugins/physics_dart/plain/gripper.h"

#include "tests/workbench/closed_forms/support.h"

namespace mortise::test {
namespace {

using plain::DartLcp;

TEST(GripperOnDart, SlipsAsInThePlainProgram) {
  const plain::Gripper gripper;
  EXPECT_GT(plain::gripOnDart(gripper, DartLcp::pgs).travel, 0.05 * gripper.size);
  EXPECT_GT(runTruth("gripper", truth::engineFrom(truthRegistry(), "dart:lcp_solver=pgs")).error, 0.05)
      << "the limit that the backend declares is none any more";
}

TEST(GripperOnDart, HoldsWithDantzigsMethodAndWhereMixingSharesTheLoad) {
  const plain::Gripper gripper;
  const plain::Grip grip = plain::gripOnDart(gripper, DartLcp::dantzig);
  EXPECT_LT(grip.travel, 1e-5 * gripper.size);
  EXPECT_NEAR(grip.minForce, gripper.limit, 1e-3 * gripper.limit);
  EXPECT_NEAR(grip.maxForce, gripper.limit, 1e-3 * gripper.limit);
  EXPECT_LT(runTruth("gripper", truth::engineFrom(truthRegistry(), "dart")).error, 1e-4);
  EXPECT_LT(
      runTruth("gripper", truth::engineFrom(truthRegistry(), "dart:lcp_solver=pgs,constraint_force_mixing=1e-3")).error,
      0.01);
}

}  // namespace
}  // namespace mortise::test
