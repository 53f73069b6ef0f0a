// Boxes that touch to the last bit: a corner that rounding puts on the other's face, or a hair inside, is still
// nearest.

#include <gtest/gtest.h>

#include "mortise/collision/query.h"
#include "mortise/collision/shape.h"

namespace mortise {
namespace {

TEST(TouchingBoxes, AreNearHoweverTheyRound) {
  const auto ground =
      makeCollisionShape(std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-5, -5, -1), Vector3d(5, 5, 0)}));
  const auto foot = makeCollisionShape(
      std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-0.1, -0.05, -0.05), Vector3d(0.15, 0.05, -0.02)}));
  QueryWorkspace workspace;
  for (const double tilt : {0.0, 5.5e-17, 1e-16, 1e-15})
    for (const double height :
         {0.05, 0.050000000000000003, 0.05000000000000001, 0.050000000000000044, 0.0500000000001}) {
      RigidTransform X;
      X.R << 1, 0, tilt, 0, 1, 0, -tilt, 0, 1;
      X.p = Vector3d(-2.8e-17, 0.1, height);
      EXPECT_NEAR(distance(*ground, RigidTransform(), *foot, X, workspace).distance, 0, 1e-12) << tilt << " " << height;
      EXPECT_NEAR(distance(*foot, X, *ground, RigidTransform(), workspace).distance, 0, 1e-12) << tilt << " " << height;
      EXPECT_TRUE(withinDistance(*ground, RigidTransform(), *foot, X, 1e-9, workspace)) << tilt << " " << height;
      EXPECT_TRUE(withinDistance(*foot, X, *ground, RigidTransform(), 1e-9, workspace)) << tilt << " " << height;
    }
}

}  // namespace
}  // namespace mortise
