#include "mortise/optimization/task_hierarchy.h"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

#include "mortise/base/random.h"
#include "tests/support/allocation_counter.h"

namespace mortise {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd randomMatrix(RandomStream& random, int rows, int columns) {
  MatrixXd A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) A(i, j) = random.uniform(-1, 1);
  return A;
}

VectorXd randomTask(RandomStream& random, int size, double maximum = 1) {
  return maximum * randomMatrix(random, size, 1);
}

void fill(TaskLevel& level, const MatrixXd& A, const VectorXd& b) {
  level.rows = static_cast<int>(A.rows());
  level.A.topRows(A.rows()) = A;
  level.b.head(b.size()) = b;
}

TEST(TaskHierarchy, OneLevelIsThePseudoinverse) {
  RandomStream random(1, "pseudoinverse");
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 3 + trial % 7, rows = 1 + trial % 9;
    MatrixXd A = randomMatrix(random, rows, n);
    if (trial % 3 == 0 && rows > 1) A.row(rows - 1) = 2 * A.row(0);
    const VectorXd b = randomTask(random, rows);
    TaskHierarchy tasks;
    tasks.reserve(n, std::vector<int>{rows});
    tasks.singularity = 0;
    fill(tasks.level(0), A, b);
    ASSERT_TRUE(tasks.solve());
    const VectorXd expected = A.completeOrthogonalDecomposition().solve(b);
    EXPECT_LT((tasks.solution() - expected).norm(), 1e-9 * (1 + expected.norm())) << trial;
    EXPECT_EQ(tasks.level(0).rank, A.completeOrthogonalDecomposition().rank());
    EXPECT_NEAR(tasks.level(0).error, (A * expected - b).norm(), 1e-9);
  }
}

TEST(TaskHierarchy, NearestToTheReferenceInUnitsOfTheScale) {
  TaskHierarchy tasks;
  tasks.reserve(2, std::vector<int>{1});
  fill(tasks.level(0), Eigen::RowVector2d(1, 1), VectorXd::Constant(1, 10));
  tasks.reference() << 1, 2;
  tasks.scale() << 1, 2;
  ASSERT_TRUE(tasks.solve());
  // 7 are missing; shares go with the squares of the scales.
  EXPECT_NEAR(tasks.solution()[0], 1 + 7 / 5.0, 1e-12);
  EXPECT_NEAR(tasks.solution()[1], 2 + 28 / 5.0, 1e-12);
}

TEST(TaskHierarchy, WeightsDecideWithinALevelAndNeverBetweenLevels) {
  TaskHierarchy tasks;
  tasks.reserve(1, std::vector<int>{2, 1});
  fill(tasks.level(0), Eigen::Vector2d(1, 1), Eigen::Vector2d(0, 10));
  tasks.level(0).weight << 1, 4;
  fill(tasks.level(1), MatrixXd::Constant(1, 1, 1), VectorXd::Constant(1, -1000));
  tasks.level(1).weight << 1e12;
  ASSERT_TRUE(tasks.solve());
  EXPECT_NEAR(tasks.solution()[0], 8, 1e-12);
  EXPECT_EQ(tasks.level(1).rank, 0);
  EXPECT_NEAR(tasks.level(1).error, 1008e6, 1);
  tasks.level(0).weight << 0, 0;
  ASSERT_TRUE(tasks.solve());
  EXPECT_NEAR(tasks.solution()[0], -1000, 1e-9) << "a level without weight decides nothing";
}

TEST(TaskHierarchy, LimitsCostTheLastLevelFirst) {
  // x + y = 1 comes first; y should be 5, and may be 2 at most.
  TaskHierarchy tasks;
  tasks.reserve(2, std::vector<int>{1, 1});
  fill(tasks.level(0), Eigen::RowVector2d(1, 1), VectorXd::Constant(1, 1));
  fill(tasks.level(1), Eigen::RowVector2d(0, 1), VectorXd::Constant(1, 5));
  tasks.upper() << 100, 2;
  ASSERT_TRUE(tasks.solve());
  EXPECT_EQ(tasks.solution()[1], 2.0) << "exactly";
  EXPECT_NEAR(tasks.solution()[0], -1, 1e-12);
  // Now the sum itself is out of reach.
  tasks.level(0).b[0] = 200;
  ASSERT_TRUE(tasks.solve());
  EXPECT_EQ(tasks.solution()[0], 100.0);
  EXPECT_EQ(tasks.solution()[1], 2.0);
  EXPECT_NEAR(tasks.level(0).error, 98, 1e-9);
}

/// The same by trying every set of limits: level by level the best point of all faces of the box, the errors of the
/// levels before held as equations.
std::optional<VectorXd> byEnumeration(const std::vector<MatrixXd>& A, const std::vector<VectorXd>& b,
                                      const VectorXd& lower, const VectorXd& upper) {
  const int n = static_cast<int>(lower.size());
  MatrixXd C(0, n);
  VectorXd d(0);
  VectorXd x;
  for (std::size_t k = 0; k <= A.size(); ++k) {
    const MatrixXd M = k < A.size() ? A[k] : MatrixXd::Identity(n, n);
    const VectorXd c = k < A.size() ? b[k] : VectorXd::Zero(n);
    double best = std::numeric_limits<double>::infinity();
    VectorXd bestX;
    int faces = 1;
    for (int i = 0; i < n; ++i) faces *= 3;
    for (int face = 0; face < faces; ++face) {
      MatrixXd E = C;
      VectorXd e = d;
      for (int i = 0, rest = face; i < n; ++i, rest /= 3) {
        if (rest % 3 == 0) continue;
        E.conservativeResize(E.rows() + 1, n);
        e.conservativeResize(e.size() + 1);
        E.row(E.rows() - 1) = VectorXd::Unit(n, i).transpose();
        e[e.size() - 1] = rest % 3 == 1 ? lower[i] : upper[i];
      }
      VectorXd p = VectorXd::Zero(n);
      MatrixXd N = MatrixXd::Identity(n, n);
      if (E.rows() > 0) {
        Eigen::JacobiSVD<MatrixXd> svd(E, Eigen::ComputeFullU | Eigen::ComputeFullV);
        svd.setThreshold(1e-9);
        p = svd.solve(e);
        if ((E * p - e).norm() > 1e-8) continue;
        N = svd.matrixV().rightCols(n - svd.rank());
      }
      if (N.cols() > 0) {
        Eigen::JacobiSVD<MatrixXd> svd(M * N, Eigen::ComputeThinU | Eigen::ComputeThinV);
        svd.setThreshold(1e-9);
        // Where the shortest of the best points is outside, one on a smaller face is as good.
        p += N * svd.solve(c - M * p);
      }
      if ((p - lower).minCoeff() < -1e-9 || (upper - p).minCoeff() < -1e-9) continue;
      const double error = (M * p - c).squaredNorm();
      if (error < best - 1e-12) best = error, bestX = p;
    }
    if (bestX.size() == 0) return std::nullopt;
    x = bestX;
    C.conservativeResize(C.rows() + M.rows(), n);
    C.bottomRows(M.rows()) = M;
    d.conservativeResize(C.rows());
    d.tail(M.rows()) = M * x;
  }
  return x;
}

TEST(TaskHierarchy, AgreesWithTryingEverySetOfLimits) {
  RandomStream random(7, "enumeration");
  int compared = 0, limited = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 4, levels = 1 + trial % 3;
    std::vector<MatrixXd> A;
    std::vector<VectorXd> b;
    std::vector<int> rows;
    for (int k = 0; k < levels; ++k) {
      rows.push_back(1 + static_cast<int>(random.uniform(0, 2.99)));
      A.push_back(randomMatrix(random, rows.back(), n));
      b.push_back(randomTask(random, rows.back(), 3));
      if (trial % 5 == 0 && rows.back() > 1) A.back().row(1) = -0.5 * A.back().row(0);
      if (trial % 7 == 0 && k > 0) A.back().row(0) = A.front().row(0);
    }
    VectorXd lower = randomTask(random, n), upper = lower;
    for (int i = 0; i < n; ++i) upper[i] += trial % 11 == 0 && i == 0 ? 0 : random.uniform(0.1, 2);
    TaskHierarchy tasks;
    tasks.reserve(n, rows);
    tasks.singularity = 0;
    for (int k = 0; k < levels; ++k) fill(tasks.level(k), A[k], b[k]);
    tasks.lower() = lower;
    tasks.upper() = upper;
    ASSERT_TRUE(tasks.solve()) << trial;
    const VectorXd x = tasks.solution();
    for (int i = 0; i < n; ++i) {
      ASSERT_GE(x[i], lower[i]) << trial;
      ASSERT_LE(x[i], upper[i]) << trial;
      limited += x[i] == lower[i] || x[i] == upper[i];
    }
    const auto expected = byEnumeration(A, b, lower, upper);
    if (!expected) continue;
    ++compared;
    ASSERT_LT((x - *expected).norm(), 1e-6)
        << trial << "\nours " << x.transpose() << "\nbrute " << expected->transpose();
    // From another start: the same.
    tasks.start() = randomTask(random, n, 2);
    for (AtLimit& at : tasks.startLimits()) at = static_cast<AtLimit>(static_cast<int>(random.uniform(0, 2.99)) - 1);
    ASSERT_TRUE(tasks.solve()) << trial;
    ASSERT_LT((tasks.solution() - x).norm(), 1e-8) << trial;
  }
  EXPECT_GT(compared, 290);
  EXPECT_GT(limited, 300);
}

TEST(TaskHierarchy, LargeProblemsFulfilTheConditionsOfKuhnAndTucker) {
  RandomStream random(11, "kkt");
  int limited = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 40;
    const std::vector<int> rows = {6, 10, 20};
    std::vector<MatrixXd> A;
    std::vector<VectorXd> b;
    TaskHierarchy tasks;
    tasks.reserve(n, rows);
    tasks.singularity = 0;
    for (int k = 0; k < 3; ++k) {
      A.push_back(randomMatrix(random, rows[k], n));
      b.push_back(randomTask(random, rows[k], 8));
      fill(tasks.level(k), A[k], b[k]);
    }
    tasks.lower().setConstant(-0.7);
    tasks.upper().setConstant(1);
    ASSERT_TRUE(tasks.solve());
    const VectorXd x = tasks.solution();
    MatrixXd above(0, n);
    for (int k = 0; k < 4; ++k) {
      const VectorXd gradient =
          k < 3 ? VectorXd(A[k].transpose() * (A[k] * x - b[k])) : VectorXd(x - VectorXd::Zero(n));
      // gradient = above^T a + sum of forces on the limits, lower ones positive, upper ones negative; a limit that a
      // level before pushes on may push either way, which is a combination of theirs.
      std::vector<int> at;
      for (int i = 0; i < n; ++i)
        if (x[i] == -0.7 || x[i] == 1) at.push_back(i);
      limited += static_cast<int>(at.size());
      MatrixXd support(n, above.rows() + static_cast<int>(at.size()));
      support.leftCols(above.rows()) = above.transpose();
      for (std::size_t i = 0; i < at.size(); ++i)
        support.col(above.rows() + static_cast<int>(i)) = VectorXd::Unit(n, at[i]);
      if (support.cols() == 0) {
        EXPECT_LT(gradient.norm(), 1e-8);
      } else {
        const auto decomposition = support.completeOrthogonalDecomposition();
        const VectorXd force = decomposition.solve(gradient);
        EXPECT_LT((support * force - gradient).norm(), 1e-8) << trial << " level " << k;
        if (decomposition.rank() == support.cols())
          for (std::size_t i = 0; i < at.size(); ++i) {
            const double push = force[above.rows() + static_cast<int>(i)];
            if (x[at[i]] == 1)
              EXPECT_LT(push, 1e-8);
            else
              EXPECT_GT(push, -1e-8);
          }
      }
      if (k == 3) break;
      above.conservativeResize(above.rows() + A[k].rows(), n);
      above.bottomRows(A[k].rows()) = A[k];
    }
  }
  EXPECT_GT(limited, 100);
}

TEST(TaskHierarchy, LowerLevelsDoNotDisturb) {
  RandomStream random(3, "strict");
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 8;
    const MatrixXd A = randomMatrix(random, 3, n);
    const VectorXd b = randomTask(random, 3);
    TaskHierarchy tasks;
    tasks.reserve(n, std::vector<int>{3, n});
    fill(tasks.level(0), A, b);
    fill(tasks.level(1), randomMatrix(random, n, n), randomTask(random, n, 1e4));
    ASSERT_TRUE(tasks.solve());
    EXPECT_LT(tasks.level(0).error, 1e-8);
    EXPECT_EQ(tasks.level(1).rank, n - 3);
  }
}

TEST(TaskHierarchy, NearSingularTasksStayBoundedAndContinuous) {
  // Two rows that become parallel: what they ask for then cannot be had.
  double before = 0;
  double largest = 0, jump = 0;
  for (int i = 0; i <= 4000; ++i) {
    const double angle = 0.2 * std::pow(10.0, -i / 400.0);  // Down to 2e-11.
    TaskHierarchy tasks;
    tasks.reserve(3, std::vector<int>{2, 3});
    MatrixXd A(2, 3);
    A << 1, 0, 0, std::cos(angle), std::sin(angle), 0;
    fill(tasks.level(0), A, Eigen::Vector2d(0, 1));
    fill(tasks.level(1), MatrixXd::Identity(3, 3), Eigen::Vector3d(0, 0, 4));
    ASSERT_TRUE(tasks.solve());
    const double x = tasks.solution()[1];
    if (angle > 0.101) {
      EXPECT_NEAR(x, 1 / std::sin(angle), 1e-6);
    }
    EXPECT_NEAR(tasks.solution()[2], 4, 1e-9) << "what the first level leaves alone goes on";
    largest = std::max(largest, std::abs(x));
    if (i > 0) jump = std::max(jump, std::abs(x - before));
    before = x;
  }
  EXPECT_LE(largest, 10.1);
  EXPECT_LT(jump, 2);
  EXPECT_NEAR(before, 0, 1e-9);
}

TEST(TaskHierarchy, ARowThatVanishesIsSingularWhenItsUsualLengthIsKnown) {
  TaskHierarchy tasks;
  tasks.reserve(2, std::vector<int>{2});
  for (const double effect : {1.0, 0.2, 0.01, 1e-12}) {
    Eigen::Matrix2d A;
    A << effect, 0, 0, 1;
    fill(tasks.level(0), A, Eigen::Vector2d(1, 1));
    tasks.level(0).length.setZero();
    ASSERT_TRUE(tasks.solve());
    EXPECT_NEAR(tasks.solution()[0] * effect, 1, 1e-9) << "taken as it is";
    tasks.level(0).length.setOnes();
    ASSERT_TRUE(tasks.solve());
    const double expected = effect < 1e-7 ? 0 : effect < 0.1 ? effect / 0.01 : 1 / effect;
    EXPECT_NEAR(tasks.solution()[0], expected, 1e-9 * (1 + expected));
    EXPECT_NEAR(tasks.solution()[1], 1, 1e-12);
  }
}

TEST(TaskHierarchy, EmptyAndHopelessProblemsAreAnswered) {
  TaskHierarchy tasks;
  tasks.reserve(3, std::vector<int>{2, 3});
  tasks.reference() << 1, 2, 3;
  ASSERT_TRUE(tasks.solve());
  EXPECT_EQ(tasks.solution(), Eigen::Vector3d(1, 2, 3)) << "no rows: the reference";
  tasks.level(0).rows = 2;
  tasks.level(0).b << 5, -5;
  ASSERT_TRUE(tasks.solve()) << "rows of zeros";
  EXPECT_EQ(tasks.solution(), Eigen::Vector3d(1, 2, 3));
  EXPECT_NEAR(tasks.level(0).error, std::sqrt(50.0), 1e-12);
  tasks.lower() << 7, 7, 7;
  tasks.upper() << 7, 7, 7;
  ASSERT_TRUE(tasks.solve());
  EXPECT_EQ(tasks.solution(), Eigen::Vector3d(7, 7, 7)) << "one point only";
  tasks.reserve(0, std::vector<int>{});
  EXPECT_TRUE(tasks.solve());
}

TEST(TaskHierarchy, SameInputSameBitsAndNoAllocation) {
  RandomStream random(5, "bits");
  TaskHierarchy tasks;
  tasks.reserve(30, std::vector<int>{6, 12, 30});
  for (int k = 0; k < 3; ++k)
    fill(tasks.level(k), randomMatrix(random, k == 2 ? 30 : 6 * (k + 1), 30),
         VectorXd::Zero(k == 2 ? 30 : 6 * (k + 1)));
  tasks.lower().setConstant(-0.5);
  tasks.upper().setConstant(0.5);
  tasks.solve();
  const std::size_t before = test::allocationCount;
  int iterations = 0;
  for (int trial = 0; trial < 40; ++trial) {
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < tasks.level(k).rows; ++i) tasks.level(k).b[i] = random.uniform(-3, 3);
    ASSERT_TRUE(tasks.solve());
    for (int k = 0; k < 3; ++k) iterations += tasks.level(k).iterations;
  }
  EXPECT_EQ(test::allocationCount - before, 0u);
  EXPECT_GT(iterations, 100) << "limits were in the way";
  const VectorXd x = tasks.solution();
  const std::vector<AtLimit> limits = tasks.startLimits();
  tasks.solve();
  const VectorXd next = tasks.solution();
  tasks.start() = x;
  tasks.startLimits() = limits;
  tasks.solve();
  EXPECT_EQ(tasks.solution(), next);
}

}  // namespace
}  // namespace mortise
