// Wrong sizes and indices are refused before anything is written.

#include "tests/support/preconditions.h"

#include <gtest/gtest.h>
#include <limits>

#include "mortise/dynamics/gravity.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

using test::refuses;

const Vector3d kDown(0, 0, -9.8);
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class DynamicsPreconditions : public testing::Test {
 protected:
  RobotPtr robot = Robot::compile(test::armDescription(3));
  RobotDynamics dynamics{robot};
  VectorXd good = VectorXd::Zero(3), small = VectorXd::Zero(2), large = VectorXd::Zero(4);
};

TEST_F(DynamicsPreconditions, StatesHaveOneEntryForEachLink) {
  EXPECT_TRUE(refuses([&] { dynamics.setPosition(small); },
                      "RobotDynamics::setPosition: `q` has 2 entries instead of 3, one for each link"));
  EXPECT_TRUE(refuses([&] { dynamics.setState(good, large); },
                      "RobotDynamics::setState: `dq` has 4 entries instead of 3, one for each link"));
  EXPECT_NO_THROW(dynamics.setState(good, good));
}

TEST_F(DynamicsPreconditions, InverseAndForwardDynamicsDoNotWriteBeyondTheirOutputs) {
  EXPECT_TRUE(refuses([&] { dynamics.inverseDynamics(good, kDown, small); },
                      "RobotDynamics::inverseDynamics: `tau` has 2 entries instead of 3, one for each link"));
  EXPECT_TRUE(refuses([&] { dynamics.inverseDynamics(large, kDown, good); },
                      "RobotDynamics::inverseDynamics: `ddq` has 4 entries instead of 3, one for each link"));
  EXPECT_THROW(dynamics.forwardDynamics(small, kDown, good), PreconditionError);
  EXPECT_THROW(dynamics.forwardDynamics(good, kDown, small), PreconditionError);
  EXPECT_THROW(dynamics.solveMassMatrix(good, small), PreconditionError);
  EXPECT_THROW(dynamics.solveMassMatrix(small, good), PreconditionError);
  EXPECT_THROW(dynamics.coriolisForces(small), PreconditionError);
  EXPECT_THROW(dynamics.gravityForces(kDown, small), PreconditionError);
  EXPECT_THROW(dynamics.biasForces(kDown, small), PreconditionError);
  EXPECT_THROW(GravityModel(*robot).compute(RobotState(*robot), kDown, small), PreconditionError);
}

TEST_F(DynamicsPreconditions, WrenchesActOnLinksOfTheRobot) {
  const LinkWrench beyond{3}, before{-1};
  EXPECT_THROW(dynamics.inverseDynamics(good, kDown, good, {&beyond, 1}), PreconditionError);
  EXPECT_THROW(dynamics.forwardDynamics(good, kDown, good, {&before, 1}), PreconditionError);
}

TEST_F(DynamicsPreconditions, MatricesHaveTheirShape) {
  Eigen::MatrixXd B(3, 2);
  EXPECT_TRUE(refuses([&] { dynamics.massMatrix(B); }, "RobotDynamics::massMatrix: `B` is 3 x 2 instead of 3 x 3"));
  Matrix6X J6(6, 2);
  Matrix3X J3(3, 2);
  EXPECT_THROW(dynamics.jacobian(0, Vector3d::Zero(), J6), PreconditionError);
  EXPECT_THROW(dynamics.jacobianRate(0, Vector3d::Zero(), J6), PreconditionError);
  EXPECT_THROW(dynamics.allJacobians(J6), PreconditionError);
  EXPECT_THROW(dynamics.positionJacobian(0, Vector3d::Zero(), J3), PreconditionError);
  EXPECT_THROW(dynamics.orientationJacobian(0, J3), PreconditionError);
  EXPECT_THROW(dynamics.centerOfMassJacobian(J3), PreconditionError);
}

TEST_F(DynamicsPreconditions, LinksExist) {
  Matrix6X J(6, 3);
  EXPECT_TRUE(refuses([&] { dynamics.jacobian(3, Vector3d::Zero(), J); },
                      "RobotDynamics::jacobian: `link` is 3, and links run from 0 to 2"));
  EXPECT_THROW(dynamics.X_WL(-1), PreconditionError);
  EXPECT_THROW(dynamics.angularVelocity(3), PreconditionError);
  EXPECT_THROW(dynamics.pointVelocity(3, Vector3d::Zero()), PreconditionError);
  EXPECT_THROW(dynamics.pointAcceleration(-1, Vector3d::Zero(), good), PreconditionError);
}

TEST_F(DynamicsPreconditions, NumbersAreFinite) {
  good[1] = kNan;
  EXPECT_TRUE(refuses([&] { dynamics.setPosition(good); },
                      "RobotDynamics::setPosition: `q` has nan at entry 1, and all entries must be finite"));
  VectorXd tau(3);
  EXPECT_THROW(dynamics.inverseDynamics(good, kDown, tau), PreconditionError);
  EXPECT_THROW(dynamics.gravityForces(Vector3d(0, 0, kNan), tau), PreconditionError);
}

TEST_F(DynamicsPreconditions, ARefusedCallChangesNothing) {
  dynamics.setState(VectorXd::Constant(3, 0.5), VectorXd::Constant(3, 1));
  VectorXd before(3), after(3);
  dynamics.inverseDynamics(good, kDown, before);
  EXPECT_THROW(dynamics.setState(good, small), PreconditionError);
  EXPECT_THROW(dynamics.setPosition(large), PreconditionError);
  dynamics.inverseDynamics(good, kDown, after);
  EXPECT_EQ(before, after);
}

TEST_F(DynamicsPreconditions, ChecksAllocateNothing) {
  VectorXd tau(3);
  const std::size_t before = test::allocationCount;
  dynamics.setState(good, good);
  dynamics.inverseDynamics(good, kDown, tau);
  EXPECT_EQ(test::allocationCount - before, 0u);
}

}  // namespace
}  // namespace mortise
