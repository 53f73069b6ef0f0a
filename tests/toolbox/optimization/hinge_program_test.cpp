#include "mortise/optimization/hinge_program.h"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

BandedMatrix diagonal(int n, double value) {
  BandedMatrix H(n, 1);
  for (int i = 0; i < n; ++i) H.at(i, i) = value;
  return H;
}

TEST(BandedMatrix, SolvesAsDenseOnesDo) {
  RandomStream random(2);
  BandedMatrix H(9, 3);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(9, 9);
  for (int i = 0; i < 9; ++i)
    for (int j = std::max(0, i - 3); j <= i; ++j) {
      H.at(i, j) = i == j ? 8 + random.uniform(0, 1) : random.uniform(-1, 1);
      dense(i, j) = dense(j, i) = H.at(i, j);
    }
  VectorXd b(9);
  for (int i = 0; i < 9; ++i) b[i] = random.uniform(-1, 1);
  EXPECT_LT((H.times(b) - dense * b).norm(), 1e-13);
  VectorXd x = b;
  ASSERT_TRUE(H.factor());
  H.solve(x);
  EXPECT_LT((dense * x - b).norm(), 1e-12);
  BandedMatrix indefinite(2, 1);
  indefinite.at(0, 0) = 1;
  indefinite.at(1, 1) = -1;
  EXPECT_FALSE(indefinite.factor());
}

TEST(HingeProgram, AHingeIsExactWhereItsWeightIsLargeEnough) {
  // x^2 / 2 with weight * max(0, 1 - x): x = min(weight, 1).
  for (const double weight : {0.3, 0.9, 2.0, 1000.0}) {
    VectorXd x = vector({0});
    const double objective =
        solveHingeProgram(diagonal(1, 1), vector({0}), {{0, vector({1}), 1, weight}}, vector({-5}), vector({5}), x);
    const double expected = std::min(weight, 1.0);
    EXPECT_NEAR(x[0], expected, 1e-4) << weight;
    EXPECT_NEAR(objective, 0.5 * expected * expected + weight * (1 - expected), 1e-3);
  }
}

TEST(HingeProgram, KeepsToItsBox) {
  VectorXd x = vector({0, 0});
  solveHingeProgram(diagonal(2, 1), vector({-10, 3}), {}, vector({-1, -1}), vector({2, 1}), x);
  EXPECT_NEAR(x[0], 2, 1e-9);
  EXPECT_NEAR(x[1], -1, 1e-9);
}

/// No feasible direction makes it better: sampled.
TEST(HingeProgram, NothingNearbyIsBetter) {
  RandomStream random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 6;
    BandedMatrix H(n, 2);
    for (int i = 0; i < n; ++i) {
      H.at(i, i) = 3;
      if (i > 0) H.at(i, i - 1) = random.uniform(-1, 1);
    }
    VectorXd c(n);
    for (int i = 0; i < n; ++i) c[i] = random.uniform(-1, 1);
    std::vector<Hinge> hinges;
    for (int k = 0; k < 8; ++k) {
      Hinge hinge;
      hinge.first = static_cast<int>(random.uniform(0, n - 2));
      hinge.left = vector({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)})
                       .head(std::min(3, n - hinge.first));
      hinge.right = random.uniform(-1, 1);
      hinge.weight = random.uniform(0.5, 5);
      hinges.push_back(hinge);
    }
    const VectorXd low = VectorXd::Constant(n, -0.7), high = VectorXd::Constant(n, 0.7);
    const auto objective = [&](const VectorXd& x) {
      double sum = 0.5 * x.dot(H.times(x)) + c.dot(x);
      for (const Hinge& hinge : hinges)
        sum += hinge.weight * std::max(0.0, hinge.right - hinge.left.dot(x.segment(hinge.first, hinge.left.size())));
      return sum;
    };
    VectorXd x = VectorXd::Zero(n);
    const double found = solveHingeProgram(H, c, hinges, low, high, x);
    EXPECT_NEAR(found, objective(x), 1e-12);
    for (int probe = 0; probe < 500; ++probe) {
      VectorXd other(n);
      const double reach = std::pow(10.0, random.uniform(-4, 0));
      for (int i = 0; i < n; ++i) other[i] = std::clamp(x[i] + random.uniform(-reach, reach), -0.7, 0.7);
      EXPECT_GE(objective(other), found - 1e-4);
    }
  }
}

}  // namespace
}  // namespace mortise
