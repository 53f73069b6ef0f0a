#include "mortise/base/expect.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "mortise/math/transform.h"
#include "tests/support/preconditions.h"

namespace mortise {

/// Outside of the anonymous namespace: its name is part of the messages.
struct Samples {
  explicit Samples(int count) { MORTISE_REQUIRE(count > 0, "there must be samples"); }

  static std::vector<std::vector<int>> read(const std::vector<double>& values, int expected) {
    MORTISE_REQUIRE_SIZE(values, expected, "one for each sample");
    return {};
  }
  static double at(int index, int count) {
    MORTISE_REQUIRE_INDEX(index, count, "samples");
    return 0;
  }
  template <typename Number>
  static Number mean(const VectorXd& values) {
    MORTISE_EXPECT_FINITE(values);
    return Number();
  }
};

namespace {

using test::refuses;

class ExpectTest : public testing::Test {
 protected:
  ~ExpectTest() override { setPreconditionChecks(true); }
};

TEST_F(ExpectTest, TestsCheckEverything) { EXPECT_TRUE(preconditionChecks()); }

TEST_F(ExpectTest, MessagesNameFunctionArgumentAndBothSizes) {
  EXPECT_TRUE(refuses(
      [] {
        Samples::read({1, 2}, 3);
      },
      "Samples::read: `values` has 2 entries instead of 3, one for each sample"));
  EXPECT_TRUE(
      refuses([] { Samples::read({1}, 3); }, "Samples::read: `values` has 1 entry instead of 3, one for each sample"));
  EXPECT_TRUE(refuses([] { Samples(0); }, "Samples::Samples: there must be samples, but `count > 0` does not hold"));
}

TEST_F(ExpectTest, IndicesTellTheirRange) {
  EXPECT_TRUE(refuses([] { Samples::at(3, 3); }, "Samples::at: `index` is 3, and samples run from 0 to 2"));
  EXPECT_TRUE(refuses([] { Samples::at(-1, 3); }, "Samples::at: `index` is -1, and samples run from 0 to 2"));
  EXPECT_TRUE(refuses([] { Samples::at(0, 0); }, "Samples::at: `index` is 0, and there are no samples"));
  EXPECT_NO_THROW(Samples::at(2, 3));
}

TEST_F(ExpectTest, ShapesAreToldAsRowsTimesColumns) {
  const Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 4);
  const auto call = [&] { MORTISE_REQUIRE_SHAPE(J, 6, 5); };
  EXPECT_NE(test::refusalOf(call).find("`J` is 6 x 4 instead of 6 x 5"), std::string::npos) << test::refusalOf(call);
  EXPECT_NO_THROW([&] { MORTISE_REQUIRE_SHAPE(J, 6, 4); }());
}

TEST_F(ExpectTest, NumbersThatAreNotFiniteAreFoundByEntry) {
  const auto mean = [](double x) { Samples::mean<double>(Vector3d(0, x, 1)); };
  EXPECT_TRUE(refuses([&] { mean(std::numeric_limits<double>::quiet_NaN()); },
                      "Samples::mean: `values` has nan at entry 1, and all entries must be finite"));
  EXPECT_TRUE(refuses([&] { mean(-std::numeric_limits<double>::infinity()); },
                      "Samples::mean: `values` has an infinite number at entry 1, and all entries must be finite"));
  EXPECT_NO_THROW(mean(0));
}

TEST_F(ExpectTest, ExpectationsAreNotEvaluatedWhereTheyAreSwitchedOff) {
  int evaluated = 0;
  const auto call = [&] { MORTISE_EXPECT(++evaluated < 0, "never"); };
  setPreconditionChecks(false);
  EXPECT_NO_THROW(call());
  EXPECT_EQ(evaluated, 0);
  EXPECT_NO_THROW(Samples::mean<double>(Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_THROW(Samples::at(3, 3), PreconditionError);  // Requirements always are.
  setPreconditionChecks(true);
  EXPECT_THROW(call(), PreconditionError);
  EXPECT_EQ(evaluated, 1);
}

TEST_F(ExpectTest, TheErrorIsOneOfMortiseWithANextStep) {
  try {
    Samples::at(7, 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
  }
}

}  // namespace
}  // namespace mortise
