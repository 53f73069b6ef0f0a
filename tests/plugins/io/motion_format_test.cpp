#include "io_test.h"

namespace mortise::test {
namespace {

using MotionFormats = IoTest;

TEST_F(MotionFormats, Configuration) {
  const VectorXd q = loader.load<VectorXd>(write("a.config", "3\t1 -2.5\n 3e-1 # end\n"), {}, diagnostics);
  EXPECT_EQ(q, Vector3d(1, -2.5, 0.3));
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST_F(MotionFormats, PathHoldsTimesAndConfigurations) {
  const Trajectory t = loader.load<Trajectory>(write("a.path", "0\t2\t0 1\n1.5\t2\t2 3\n"), {}, diagnostics);
  EXPECT_EQ(t.times, (std::vector<double>{0, 1.5}));
  VectorXd q(2), dq(2);
  t.evaluate(0.75, q, dq);
  EXPECT_TRUE(q.isApprox(Eigen::Vector2d(1, 2)));
  EXPECT_TRUE(dq.isApprox(Eigen::Vector2d::Constant(2 / 1.5)));
}

TEST_F(MotionFormats, ListsWithoutTimesComeOneSecondApart) {
  const Trajectory list = loader.load<Trajectory>(write("a.configs", "1 5\n1 6\n1 7\n"), {}, diagnostics);
  EXPECT_EQ(list.times, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(list.configurations[2][0], 7);
  const Trajectory milestones = loader.load<Trajectory>(write("a.milestones", "1 5\t1 0\n1 6\t1 0\n"), {}, diagnostics);
  ASSERT_EQ(milestones.configurations.size(), 2u);
  EXPECT_EQ(milestones.configurations[1][0], 6);
}

TEST_F(MotionFormats, WrittenByEveryFormatThatSaysItCan) {
  const Trajectory path{{0, 1.5}, {Eigen::Vector2d(0, 1), Eigen::Vector2d(2, 3)}};
  for (const char* name : {"a.path", "a.json"}) {
    loader.write(path, this->path(name), diagnostics);
    EXPECT_EQ(loader.load<Trajectory>(this->path(name), {}, diagnostics).configurations[1], path.configurations[1]);
    EXPECT_EQ(loader.load<Trajectory>(this->path(name), {}, diagnostics).times, path.times);
  }
  for (const char* name : {"a.config", "a.json"}) {
    loader.write(path.configurations[1], this->path(name), diagnostics);
    EXPECT_EQ(loader.load<VectorXd>(this->path(name), {}, diagnostics), path.configurations[1]);
  }
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST_F(MotionFormats, BadFilesAreRefused) {
  const auto refused = [this](const char* name, const char* content, const char* message) {
    const std::string file = write(name, content);
    const std::string text = errorText([&] {
      if (std::string(name) == "a.config")
        loader.load<VectorXd>(file, {}, diagnostics);
      else
        loader.load<Trajectory>(file, {}, diagnostics);
    });
    EXPECT_NE(text.find(message), std::string::npos) << content << ": " << text;
  };
  refused("a.config", "", "expected the length of a vector, found the end of the file");
  refused("a.config", "2000000000 1 2", "a.config:1:1: a vector of 2000000000 numbers does not fit");
  refused("a.config", "-1 1", "does not fit");
  refused("a.config", "2 1", "a.config:1:4: expected a number of the vector, found the end");
  refused("a.config", "2 1 nan", "a.config:1:5: expected a number of the vector, found 'nan'");
  refused("a.path", "0 1 1\n1 2 1 1\n", "a.path:2:1: this vector has 2 numbers, the first one has 1");
  refused("a.path", "1 1 1\n0 1 1\n", "a.path:2:1: time 0 lies before the one above, 1");
  refused("a.path", "", "'a.path' holds no configurations");
  refused("a.path", "x 1 1", "a.path:1:1: expected a time");
  refused("a.milestones", "1 5\t2 0 0\n", "the velocity of milestone 0");
}

}  // namespace
}  // namespace mortise::test
