// Wrong sizes and indices are refused before anything is written.

#include "tests/support/preconditions.h"

#include <gtest/gtest.h>

#include "mortise/optimization/linear_program.h"
#include "mortise/optimization/task_hierarchy.h"

namespace mortise {
namespace {

using test::refuses;

TEST(OptimizationPreconditions, ColumnsOfALinearProgramHaveItsRows) {
  LinearProgram program(2);
  EXPECT_TRUE(refuses([&] { program.addColumn(VectorXd::Ones(3), 0, 1); },
                      "LinearProgram::addColumn: `column` has 3 entries instead of 2, one for each row"));
  EXPECT_THROW(program.addColumn(VectorXd::Ones(2), 1, 0), PreconditionError);
  EXPECT_EQ(program.addColumn(VectorXd::Ones(2), 0, 1), 0);
  EXPECT_THROW(program.setRightSide(VectorXd::Ones(1)), PreconditionError);
  EXPECT_TRUE(
      refuses([&] { program.setCost(1, 1); }, "LinearProgram::setCost: `column` is 1, and columns run from 0 to 0"));
  EXPECT_THROW(program.value(-1), PreconditionError);
  std::vector<char> kept;
  EXPECT_THROW(program.dropColumns({1, 1}, kept), PreconditionError);
}

TEST(OptimizationPreconditions, TasksKeepToWhatWasReserved) {
  TaskHierarchy tasks;
  tasks.reserve(3, std::vector<int>{2});
  EXPECT_TRUE(refuses([&] { tasks.level(1); }, "TaskHierarchy::level: `k` is 1, and levels run from 0 to 0"));
  tasks.level(0).rows = 3;
  EXPECT_THROW(tasks.solve(), PreconditionError);
  tasks.level(0).rows = 2;
  EXPECT_TRUE(tasks.solve());
  tasks.lower().resize(2);
  EXPECT_TRUE(refuses([&] { tasks.solve(); },
                      "TaskHierarchy::requireSizes: `lower_` has 2 entries instead of 3, one for each variable"));
  tasks.lower().setZero(3);
  tasks.scale()[1] = 0;
  EXPECT_THROW(tasks.solve(), PreconditionError);
}

TEST(OptimizationPreconditions, RowsKeepToWhatWasReserved) {
  RowSpace space;
  space.reserve(2, 3);
  EXPECT_THROW(space.begin(3, 3), PreconditionError);
  EXPECT_THROW(space.begin(2, 4), PreconditionError);
  space.begin(2, 3).setOnes();
  EXPECT_THROW(space.factor(VectorXd::Ones(3), 1e-7), PreconditionError);
  BoundedLeastSquares bounded;
  bounded.reserve(2);
  VectorXd y = VectorXd::Zero(3);
  std::vector<AtLimit> active(3, AtLimit::none);
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(3, 3);
  EXPECT_THROW(bounded.solve(I, y, I, y, y, y, active, 10), PreconditionError);
}

}  // namespace
}  // namespace mortise
