/// Kinematics and dynamics of an arm of seven joints and a humanoid of 36: ours against KDL and MuJoCo, the same robot
/// and states, in one process, in turn. All must agree before anything is timed. Medians of the thread's processor time
/// a call; the ratio is theirs over ours.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <time.h>
#include <vector>

#include "dynamics/contestant.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/loading/format_loader.h"
#include "mortise/modeling/robot_reduce.h"
#include "shared/plugins.h"
#include "shared/timing.h"
#include "tests/support/allocation_counter.h"

namespace {

using namespace mortise;
using namespace mortise::bench;

double cpuNanoseconds() { return 1e9 * threadSeconds(); }

Problem problemOf(RobotDescription description) {
  Problem problem;
  problem.robot = Robot::compile(std::move(description));
  const int n = problem.robot->numLinks();
  problem.serial = true;
  for (int i = 0; i < n; ++i) {
    if (problem.robot->children(i).empty()) problem.tips.push_back(i);
    problem.serial = problem.serial && problem.robot->link(i).parent == i - 1;
  }
  RandomStream random(11, "bench");
  for (int k = 0; k < 32; ++k) {
    Sample sample;
    for (VectorXd* v : {&sample.q, &sample.dq, &sample.ddq, &sample.tau}) {
      v->resize(n);
      for (int i = 0; i < n; ++i) (*v)[i] = random.uniform(-1, 1);
    }
    problem.samples.push_back(std::move(sample));
  }
  return problem;
}

/// The links from the world to `tip`, without what branches off.
RobotDescription limb(const RobotDescription& full, std::string_view tip) {
  std::vector<int> path;
  for (int i = full.findLink(tip); i >= 0; i = full.links[i].parent) path.insert(path.begin(), i);
  RobotDescription result;
  result.name = std::string(tip);
  for (const int i : path) {
    Link link = full.links[i];
    link.parent = static_cast<int>(result.links.size()) - 1;
    result.joints.push_back({JointType::normal, static_cast<int>(result.links.size()), -1});
    result.links.push_back(std::move(link));
  }
  return result;
}

/// Largest difference over the largest entry; entries that are not numbers in `theirs` have no counterpart.
double difference(const Eigen::MatrixXd& ours, const Eigen::MatrixXd& theirs) {
  double worst = 0, size = 1e-12;
  for (Eigen::Index i = 0; i < ours.size(); ++i) {
    if (std::isnan(theirs.data()[i])) continue;
    worst = std::max(worst, std::abs(ours.data()[i] - theirs.data()[i]));
    size = std::max(size, std::abs(theirs.data()[i]));
  }
  return worst / size;
}

void compare(const Problem& problem, Contestant& ours, Contestant& theirs, const char* name) {
  double worst[kTasks] = {};
  for (int k = 0; k < static_cast<int>(problem.samples.size()); ++k) {
    const Results a = ours.results(k), b = theirs.results(k);
    double now[kTasks] = {difference(a.positions, b.positions), 0, difference(a.tau, b.tau), difference(a.B, b.B),
                          difference(a.ddq, b.ddq)};
    for (std::size_t i = 0; i < problem.tips.size(); ++i)
      now[1] = std::max(now[1], difference(a.jacobians[i], b.jacobians[i]));
    for (int i = 0; i < kTasks; ++i) worst[i] = std::max(worst[i], now[i]);
  }
  std::printf("agreement with %-8s", name);
  for (const double x : worst) std::printf(" %10.1e", x);
  std::printf("\n");
  for (const double x : worst)
    if (!(x < 1e-7)) throw Error(std::string("mortise and ") + name + " disagree: nothing to time");
}

struct Entry {
  const char* name;
  std::unique_ptr<Contestant> contestant;
  std::vector<double> times[kTasks] = {};
  double allocations[kTasks] = {};
};

const char* const kHeads[kTasks] = {"frames", "Jacobians", "inverse", "mass", "forward"};

void heading(const char* title) {
  std::printf("\n%s\n%-23s", title, "");
  for (const char* head : kHeads) std::printf(" %10s", head);
  std::printf("\n");
}

void timeAll(const Problem& problem, std::vector<Entry>& entries, int rounds) {
  const int samples = static_cast<int>(problem.samples.size());
  for (Entry& entry : entries)
    for (int task = 0; task < kTasks; ++task) {
      entry.contestant->run(static_cast<Task>(task), 0);
      const std::size_t before = test::allocationCount;
      for (int k = 0; k < samples; ++k) entry.contestant->run(static_cast<Task>(task), k);
      entry.allocations[task] = static_cast<double>(test::allocationCount - before) / samples;
    }
  for (int round = 0; round < rounds; ++round)
    for (int task = 0; task < kTasks; ++task)
      for (Entry& entry : entries) {
        const int repeats = entries[0].name == entry.name ? 8 : 2;
        const double start = cpuNanoseconds();
        for (int r = 0; r < repeats; ++r)
          for (int k = 0; k < samples; ++k) entry.contestant->run(static_cast<Task>(task), k);
        entry.times[task].push_back((cpuNanoseconds() - start) / (repeats * samples));
      }
  for (const Entry& entry : entries) {
    std::printf("%-23s", (std::string(entry.name) + ", ns").c_str());
    for (const auto& times : entry.times) std::printf(" %10.0f", median(times));
    std::printf("\n");
  }
  for (const Entry& entry : entries) {
    if (&entry == &entries[0]) continue;
    std::printf("%-23s", (std::string(entry.name) + ", ratio").c_str());
    for (int task = 0; task < kTasks; ++task)
      std::printf(" %10.1f", median(entry.times[task]) / median(entries[0].times[task]));
    std::printf("\n");
  }
  for (const Entry& entry : entries) {
    std::printf("%-23s", (std::string(entry.name) + ", allocations").c_str());
    for (const double count : entry.allocations) std::printf(" %10.4g", count);
    std::printf("\n");
  }
}

void race(const char* title, const Problem& problem, int rounds) {
  heading(title);
  std::vector<Entry> entries;
  entries.push_back({"mortise", makeMortise(problem)});
#ifdef MORTISE_BENCH_KDL
  entries.push_back({"KDL", makeKdl(problem)});
#endif
#ifdef MORTISE_BENCH_MUJOCO
  entries.push_back({"MuJoCo", makeMujoco(problem)});
#endif
  for (const Entry& entry : entries)
    if (&entry != &entries[0]) compare(problem, *entries[0].contestant, *entry.contestant, entry.name);
  timeAll(problem, entries, rounds);
}

/// Robots of Klamp't's data beside what reference/anchors.md says of peers that cannot be installed here. "Jacobians"
/// are all at once.
void besideAnchors(FormatLoader& loader, const std::string& folder, int rounds) {
  heading("Klamp't's robots; below them figures of other libraries from a Zen 4 machine, ns");
  for (const char* name : {"ur5", "kinova_gen3_7dof.urdf", "atlas", "huboplus/huboplus_col", "pr2"}) {
    std::string file = folder + "/klampt-data/robots/" + name;
    if (std::filesystem::path(file).extension() != ".urdf") file += ".rob";
    Diagnostics diagnostics;
    const RobotDescription full = loader.load<RobotDescription>(file, {}, diagnostics);
    const VectorXd start = Robot::compile(full)->initialConfiguration();
    // Without the links that cannot move, as the others count.
    const Problem problem = problemOf(reduceRobot(full, fixedLinks(full), start).robot);
    RobotDynamics dynamics(problem.robot);
    const int n = problem.robot->numLinks();
    Matrix6X J(6, n);
    const auto ours = makeMortise(problem);
    std::vector<double> times[kTasks];
    for (int round = 0; round < rounds; ++round)
      for (int task = 0; task < kTasks; ++task) {
        constexpr int kCalls = 320;  // The clock itself takes as long as a few calls.
        const double begin = cpuNanoseconds();
        for (int call = 0; call < kCalls; ++call) {
          const int k = call % static_cast<int>(problem.samples.size());
          if (static_cast<Task>(task) != Task::jacobians) {
            ours->run(static_cast<Task>(task), k);
            continue;
          }
          dynamics.setPosition(problem.samples[k].q);
          dynamics.allJacobians(J);
        }
        times[task].push_back((cpuNanoseconds() - begin) / kCalls);
      }
    std::printf("%-23s", (std::filesystem::path(name).stem().string() + " (" + std::to_string(n) + ")").c_str());
    for (const auto& t : times) std::printf(" %10.0f", median(t));
    std::printf("\n");
  }
  std::printf(
      "UR5 (6), Pinocchio            217        274        471        333        924\n"
      "Gen3 (7), Pinocchio           179        234        473        328       1039\n"
      "Talos (38), Pinocchio        1177       1448       2574       2180       5809\n");
}

int run(int rounds) {
  Registry registry(silentLog());
  discoverPlugins(registry);
  FormatLoader loader(registry, silentLog());
  Diagnostics diagnostics;
  const RobotDescription arm =
      loader.load<RobotDescription>(MORTISE_SOURCE_DIR "/data/robots/bench_arm.urdf", {}, diagnostics);
  const RobotDescription humanoid =
      loader.load<RobotDescription>(MORTISE_SOURCE_DIR "/data/robots/humanoid.urdf", {}, diagnostics);
#ifndef MORTISE_BENCH_KDL
  std::printf("KDL is not here; ./dev bench installs it (liborocos-kdl-dev)\n");
#endif
#ifndef MORTISE_BENCH_MUJOCO
  std::printf("MuJoCo is not here; ./dev bench installs it (libmujoco-dev)\n");
#endif
  std::printf("medians of %d rounds; each figure includes forward kinematics; Jacobians: of every tip\n", rounds);
  race("arm, 7 links", problemOf(arm), rounds);
  race("humanoid, 36 links (KDL: mass and forward from 36 calls of its inverse dynamics of trees)", problemOf(humanoid),
       rounds);
  race("humanoid's base, trunk and left arm, 15 links: one chain, so every solver of KDL is its own",
       problemOf(limb(humanoid, "left_hand")), rounds);
  if (const char* folder = std::getenv("MORTISE_REFERENCE_DIR")) besideAnchors(loader, folder, rounds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 101;
  if (argc == 3 && std::string_view(argv[1]) == "--rounds") rounds = std::atoi(argv[2]);
  if ((argc != 1 && argc != 3) || rounds < 1) {
    std::fputs("usage: bench_dynamics [--rounds N]\n", stderr);
    return 2;
  }
  try {
    return run(rounds);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_dynamics: %s\n", e.what());
    return 1;
  }
}
