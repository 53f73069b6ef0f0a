#include "estimator_test.h"

namespace mortise {
namespace {

using OmniscientTest = test::EstimatorTest;

TEST_F(OmniscientTest, KnowsWhatTheSimulatorKnows) {
  auto estimator = create("OmniscientStateEstimator");
  q0 << 0.1, 0.2, 0.3;
  start(*estimator);
  estimator->estimate(q, dq);
  EXPECT_EQ(q, q0) << "before the first reading: the start";
  EXPECT_TRUE(dq.isZero(0));
  RobotState truth(*robot);
  truth.q << 1, -2, 3;
  truth.dq << 0.5, 0.25, -0.125;
  read(*estimator, 0, &truth);
  EXPECT_EQ(q, truth.q);
  EXPECT_EQ(dq, truth.dq);
}

TEST_F(OmniscientTest, RefusesARobotThatIsNotSimulated) {
  auto estimator = create("mortise.OmniscientStateEstimator");
  try {
    start(*estimator, false);
    FAIL() << "started without a simulator";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("robot 'arm' is not simulated"), std::string::npos) << e.what();
    EXPECT_NE(e.hint().find("IntegratedStateEstimator"), std::string::npos);
  }
}

TEST_F(OmniscientTest, SavesAndRestores) {
  auto estimator = create("OmniscientStateEstimator");
  start(*estimator);
  RobotState truth(*robot);
  truth.q << 0.1, 0.2, 0.3;
  truth.dq << 4, 5, 6;
  read(*estimator, 0, &truth);
  ByteWriter out;
  estimator->save(out);
  auto other = create("OmniscientStateEstimator");
  start(*other);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  other->estimate(q, dq);
  EXPECT_EQ(q, truth.q);
  EXPECT_EQ(dq, truth.dq);
  for (std::size_t cut = 0; cut < out.bytes().size(); cut += 5) {
    ByteReader shortened(std::span(out.bytes()).first(cut));
    EXPECT_THROW(other->restore(shortened), Error) << cut;
  }
}

}  // namespace
}  // namespace mortise
