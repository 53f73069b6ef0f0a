#include "mortise/optimization/linear_program.h"

#include <Eigen/LU>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

struct Problem {
  Eigen::MatrixXd A;
  VectorXd b, c, low, high;
};

/// By all corners: bases of columns, with all others at one of their ends.
double bestCorner(const Problem& p) {
  const int m = static_cast<int>(p.A.rows()), n = static_cast<int>(p.A.cols());
  double best = kInfinity;
  for (unsigned basis = 0; basis < 1u << n; ++basis) {
    if (__builtin_popcount(basis) != m) continue;
    for (unsigned ends = 0; ends < 1u << n; ++ends) {
      if ((ends & basis) != 0) continue;
      VectorXd x(n);
      Eigen::MatrixXd B(m, m);
      VectorXd rest = p.b;
      for (int j = 0, k = 0; j < n; ++j) {
        if ((basis >> j & 1) != 0) {
          B.col(k++) = p.A.col(j);
          continue;
        }
        x[j] = (ends >> j & 1) != 0 ? p.high[j] : p.low[j];
        rest -= x[j] * p.A.col(j);
      }
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(B);
      if (lu.rank() < m) continue;
      const VectorXd inside = lu.solve(rest);
      bool feasible = true;
      for (int j = 0, k = 0; j < n; ++j) {
        if ((basis >> j & 1) == 0) continue;
        x[j] = inside[k++];
        feasible = feasible && x[j] >= p.low[j] - 1e-9 && x[j] <= p.high[j] + 1e-9;
      }
      if (feasible) best = std::min(best, p.c.dot(x));
    }
  }
  return best;
}

LinearProgram programOf(const Problem& p) {
  LinearProgram program(static_cast<int>(p.A.rows()));
  for (Eigen::Index j = 0; j < p.A.cols(); ++j) program.addColumn(p.A.col(j), p.low[j], p.high[j], p.c[j]);
  program.setRightSide(p.b);
  return program;
}

VectorXd solutionOf(const LinearProgram& program) {
  VectorXd x(program.columns());
  for (int j = 0; j < program.columns(); ++j) x[j] = program.value(j);
  return x;
}

TEST(LinearProgram, FindsTheBestCornerOfRandomPrograms) {
  RandomStream random(7);
  int feasible = 0, infeasible = 0;
  for (int k = 0; k < 400; ++k) {
    const int m = 1 + static_cast<int>(random.below(3)), n = m + 1 + static_cast<int>(random.below(4));
    Problem p{Eigen::MatrixXd(m, n), VectorXd(m), VectorXd(n), VectorXd(n), VectorXd(n)};
    // Small whole numbers: many corners coincide.
    for (Eigen::Index i = 0; i < p.A.size(); ++i) p.A.data()[i] = static_cast<double>(random.below(5)) - 2;
    for (int i = 0; i < m; ++i) p.b[i] = static_cast<double>(random.below(9)) - 4;
    for (int j = 0; j < n; ++j) {
      p.c[j] = static_cast<double>(random.below(7)) - 3;
      p.low[j] = -static_cast<double>(random.below(2));
      p.high[j] = p.low[j] + static_cast<double>(random.below(3));
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(p.A);
    if (lu.rank() < m) continue;  // Corners are harder to list.
    const double best = bestCorner(p);
    LinearProgram program = programOf(p);
    const LinearProgramStatus status = program.solve();
    if (best == kInfinity) {
      EXPECT_EQ(status, LinearProgramStatus::infeasible) << k;
      ++infeasible;
      continue;
    }
    ++feasible;
    ASSERT_EQ(status, LinearProgramStatus::optimal) << k;
    const VectorXd x = solutionOf(program);
    EXPECT_NEAR(program.objective(), best, 1e-8) << k;
    EXPECT_NEAR((p.A * x - p.b).norm(), 0, 1e-8);
    EXPECT_GE((x - p.low).minCoeff(), -1e-8);
    EXPECT_GE((p.high - x).minCoeff(), -1e-8);
  }
  EXPECT_GT(feasible, 50);
  EXPECT_GT(infeasible, 50);
}

TEST(LinearProgram, WarmStartsGiveWhatColdOnesGive) {
  RandomStream random(11);
  LinearProgram warm(3);
  Eigen::MatrixXd A(3, 12);
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = random.gaussian();
  for (Eigen::Index j = 0; j < 12; ++j) warm.addColumn(A.col(j), 0, 1);
  for (int k = 0; k < 100; ++k) {
    LinearProgram cold(3);
    const VectorXd b = A * VectorXd::NullaryExpr(12, [&](Eigen::Index) { return random.uniform(-0.1, 1); });
    for (Eigen::Index j = 0; j < 12; ++j) {
      const double cost = random.gaussian();
      cold.addColumn(A.col(j), 0, 1, cost);
      warm.setCost(static_cast<int>(j), cost);
    }
    warm.setRightSide(b);
    cold.setRightSide(b);
    const LinearProgramStatus status = cold.solve();
    ASSERT_EQ(warm.solve(), status);
    if (status == LinearProgramStatus::optimal) {
      EXPECT_NEAR(warm.objective(), cold.objective(), 1e-9);
    }
  }
}

TEST(LinearProgram, SaysUnboundedAndInfeasible) {
  LinearProgram up(1);
  up.addColumn(vector({1}), 0, kInfinity, -1);
  up.addColumn(vector({-1}), 0, kInfinity);
  EXPECT_EQ(up.solve(), LinearProgramStatus::unbounded);
  LinearProgram none(1);
  none.addColumn(vector({1}), 0, 1);
  none.setRightSide(vector({2}));
  EXPECT_EQ(none.solve(), LinearProgramStatus::infeasible);
  // The price proves it: no column could help that does not go along it.
  EXPECT_GT(none.duals()[0], 0);
  none.addColumn(vector({1}), 0, kInfinity);
  EXPECT_EQ(none.solve(), LinearProgramStatus::optimal);
  LinearProgram free(2);
  const int x = free.addColumn(vector({1, 1}), -kInfinity, kInfinity, 1);
  const int y = free.addColumn(vector({0, 1}), -kInfinity, 5);
  free.setRightSide(vector({-3, 1}));
  ASSERT_EQ(free.solve(), LinearProgramStatus::optimal);
  EXPECT_NEAR(free.value(x), -3, 1e-12);
  EXPECT_NEAR(free.value(y), 4, 1e-12);
}

TEST(LinearProgram, EndsWhereDantzigsRuleAloneGoesRoundInCircles) {
  // Beale (1955).
  LinearProgram program(3);
  const double inf = kInfinity;
  program.addColumn(vector({0.25, 0.5, 0}), 0, inf, -0.75);
  program.addColumn(vector({-60, -90, 0}), 0, inf, 150);
  program.addColumn(vector({-0.04, -0.02, 1}), 0, inf, -0.02);
  program.addColumn(vector({9, 3, 0}), 0, inf, 6);
  for (int i = 0; i < 3; ++i) program.addColumn(VectorXd::Unit(3, i), 0, inf);
  program.setRightSide(vector({0, 0, 1}));
  ASSERT_EQ(program.solve(), LinearProgramStatus::optimal);
  EXPECT_NEAR(program.objective(), -0.05, 1e-12);
}

}  // namespace
}  // namespace mortise
