// Forward kinematics of many configurations in a loop of C++, for `bench_python_promises batches`: prints nanoseconds
// of the processor for a configuration, the median of several rounds.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/robot_state.h"
#include "shared/plugins.h"

int main(int argc, char** argv) {
  using namespace mortise;
  if (argc < 2) return std::fputs("usage: kinematics_loop ROBOT [CONFIGURATIONS]\n", stderr), 2;
  const int count = argc > 2 ? std::atoi(argv[2]) : 100000;
  FormatLoader loader(bench::pluginRegistry(), bench::silentLog());
  Diagnostics diagnostics;
  const RobotPtr robot = Robot::compile(loader.load<RobotDescription>(argv[1], {}, diagnostics));
  const int n = robot->numLinks();
  std::mt19937 random(0);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> q(static_cast<std::size_t>(count) * n), frames(q.size() * 12);
  for (double& value : q) value = uniform(random);
  RobotState state(*robot);
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    const std::clock_t begin = std::clock();
    double* to = frames.data();
    for (int i = 0; i < count; ++i) {
      state.q = Eigen::Map<const VectorXd>(q.data() + static_cast<std::size_t>(i) * n, n);
      updateFrames(*robot, state);
      for (const RigidTransform& X : state.X_WL) X.toRows(to), to += 12;
    }
    rounds.push_back(1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / count);
  }
  std::nth_element(rounds.begin(), rounds.begin() + 4, rounds.end());
  std::printf("%.1f\n", rounds[4]);
}
