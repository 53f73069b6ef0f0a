/// Inverse kinematics of real robots: 1,000 poses that are reachable because they are those of random configurations
/// within limits. Ours from one start (local) and with restarts (global) beside KDL's ChainIkSolverPos_LMA from the
/// same start, in one process, in turn. Medians of the thread's processor time a pose. KDL knows no limits: its rate is
/// given without and with them. KDL stops at 1e-5, ours at 1e-9.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "ik/peer.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/loading/format_loader.h"
#include "shared/plugins.h"
#include "shared/timing.h"
#include "tests/support/allocation_counter.h"

namespace {

using namespace mortise;
using namespace mortise::bench;

struct Case {
  const char* name;
  const char* file;
  std::vector<const char*> links;
  const char* firstActive;  ///< The first link that may move; null: all.
  int poses = 1000;
};

RobotPtr robotOf(const std::string& file) {
  FormatLoader loader(pluginRegistry(), silentLog());
  Diagnostics diagnostics;
  return Robot::compile(loader.load<RobotDescription>(file, {}, diagnostics));
}

double middle(const IKVariable& v) {
  return std::isfinite(v.low) && std::isfinite(v.high) ? 0.5 * (v.low + v.high) : 0;
}

double randomWithin(const IKVariable& v, RandomStream& random) {
  const bool both = std::isfinite(v.low) && std::isfinite(v.high);
  return both ? random.uniform(v.low, v.high) : random.uniform(-std::numbers::pi, std::numbers::pi);
}

bool within(const std::vector<IKVariable>& variables, const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double turned =
        x[i] - 2 * std::numbers::pi * std::round((x[i] - middle(variables[i])) / (2 * std::numbers::pi));
    if (turned < variables[i].low - 1e-9 || turned > variables[i].high + 1e-9) return false;
  }
  return true;
}

double off(const RigidTransform& a, const RigidTransform& b) {
  return std::max((a.p - b.p).norm(), (a.R - b.R).cwiseAbs().maxCoeff());
}

struct Count {
  std::vector<double> microseconds, iterations;
  int solved = 0, within = 0;
  double worst = 0;
};

void print(const char* what, const Count& count, const Count* against) {
  const double n = static_cast<double>(count.microseconds.size());
  std::vector<double> sorted = count.microseconds;
  std::sort(sorted.begin(), sorted.end());
  std::printf("  %-12s %6.1f %% %6.1f %% %9.2f %9.2f %9.2f", what, 100 * count.solved / n, 100 * count.within / n,
              median(sorted), sorted[static_cast<std::size_t>(0.99 * (n - 1))], sorted.back());
  if (against != nullptr) std::printf("  %5.1f times ours", median(sorted) / median(against->microseconds));
  if (!count.iterations.empty()) std::printf("  %4.0f iterations", median(count.iterations));
  std::printf("   worst residual %.1e\n", count.worst);
}

void run(const std::string& folder, const Case& test) {
  const RobotPtr robot = robotOf(folder + "/" + test.file);
  std::vector<int> links;
  for (const char* name : test.links) {
    links.push_back(robot->description().findLink(name));
    if (links.back() < 0) throw Error(std::string("no link ") + name);
  }
  IKProblem problem;
  problem.robot = robot;
  for (const int link : links) problem.terms.push_back({poseGoal(link, {})});
  if (test.firstActive != nullptr)
    for (const int link : links)
      for (int i = link; i >= 0; i = robot->link(i).parent) {
        problem.active.push_back(i);
        if (robot->link(i).name == test.firstActive) break;
      }
  IKSolver solver(problem);
  const std::vector<IKVariable>& variables = solver.variables();
  RobotDynamics dynamics(robot);
  IKOptions options;
  options.start = robot->initialConfiguration();
  for (const IKVariable& v : variables) setVariable(v, middle(v), options.start);
  std::vector<double> x;
  Count local, global, closed, theirs;
  std::unique_ptr<IKPeer> peer;
#ifdef MORTISE_BENCH_KDL
  if (links.size() == 1) peer = makeKdlIk(*robot, links[0], variables);
#endif
  RandomStream random(7, test.name);
  IKSolution solution;
  VectorXd q = options.start;
  std::size_t allocations = 0;
  int restarts = 0;
  for (int k = 0; k < test.poses; ++k) {
    for (const IKVariable& v : variables) setVariable(v, randomWithin(v, random), q);
    dynamics.setPosition(q);
    std::vector<RigidTransform> targets;
    std::vector<IKTerm> terms;
    for (const int link : links) {
      targets.push_back(dynamics.X_WL(link));
      terms.push_back({poseGoal(link, targets.back())});
    }
    solver.setTerms(terms);
    const auto check = [&](Count& count, bool claimed) {
      dynamics.setPosition(solution.q);
      double worst = 0;
      for (std::size_t i = 0; i < links.size(); ++i) worst = std::max(worst, off(dynamics.X_WL(links[i]), targets[i]));
      if (!claimed) return;
      ++count.solved;
      count.worst = std::max(count.worst, worst);
      x.clear();
      for (const IKVariable& v : variables) x.push_back(variableValue(v, solution.q));
      count.within += within(variables, x);
    };
    solver.solveLocal(options, solution);  // Caches as warm as for the one before.
    double begin = threadSeconds();
    solver.solveLocal(options, solution);
    local.microseconds.push_back(1e6 * (threadSeconds() - begin));
    local.iterations.push_back(solution.iterations);
    check(local, solution.solved);
    if (!solver.closedForm().empty()) {
      options.method = IKMethod::analytic;
      begin = threadSeconds();
      solver.solve(options, solution);
      closed.microseconds.push_back(1e6 * (threadSeconds() - begin));
      closed.iterations.push_back(solution.iterations);
      check(closed, solution.solved);
    }
    options.method = IKMethod::numeric;
    const std::size_t before = test::allocationCount;
    begin = threadSeconds();
    solver.solve(options, solution);
    const double taken = threadSeconds() - begin;
    if (k > 0) allocations += test::allocationCount - before;
    global.microseconds.push_back(1e6 * taken);
    global.iterations.push_back(solution.iterations);
    restarts = std::max(restarts, solution.restarts);
    check(global, solution.solved);
    if (peer == nullptr) continue;
    x.clear();
    for (const IKVariable& v : variables) x.push_back(variableValue(v, options.start));
    begin = threadSeconds();
    const bool claimed = peer->solve(targets[0], x);
    theirs.microseconds.push_back(1e6 * (threadSeconds() - begin));
    solution.q = options.start;
    for (std::size_t v = 0; v < variables.size(); ++v) setVariable(variables[v], x[v], solution.q);
    check(theirs, claimed);
  }
  if (!solver.closedForm().empty()) std::printf("(%s) ", std::string(solver.closedForm()).c_str());
  std::printf("%s: %zu links, %zu variables, %d poses; %zu allocations, at most %d restarts\n", test.name, links.size(),
              variables.size(), test.poses, allocations, restarts);
  print("local", local, nullptr);
  print("global", global, nullptr);
  if (!solver.closedForm().empty()) print("closed form", closed, nullptr);
  if (peer != nullptr) print("KDL", theirs, &local);
  // Out of reach.
  std::vector<IKTerm> terms;
  for (const int link : links) terms.push_back({poseGoal(link, RigidTransform::translation({30, 0, 0}))});
  if (std::isfinite(variables[0].low) || robot->floatingBaseLink() < 0) {
    solver.setTerms(terms);
    const double begin = threadSeconds();
    solver.solve(options, solution);
    std::printf("  out of reach: %s after %.1f ms, residual %.6g\n", solution.solved ? "solved" : "unsolved",
                1e3 * (threadSeconds() - begin), solution.residual);
  }
}

}  // namespace

int main() {
  const char* reference = std::getenv("MORTISE_REFERENCE_DIR");
  if (reference == nullptr) {
    std::printf("MORTISE_REFERENCE_DIR names no reference data: nothing to solve for\n");
    return 0;
  }
  const std::string folder = std::string(reference) + "/klampt-data/robots";
  const std::vector<Case> cases = {
      {"tx90l", "tx90l.rob", {"Link_6"}, nullptr},
      {"ur5", "ur5.rob", {"ee_link"}, nullptr},
      {"puma760", "puma760.rob", {"Link_6"}, nullptr},
      {"baxter arm", "baxter_col.rob", {"left_gripper"}, nullptr},
      {"atlas leg", "atlas.rob", {"l_foot"}, "l_uglut"},
      {"kinova_gen3", "kinova_gen3_7dof.urdf", {"EndEffector_Link"}, nullptr},
      {"huboplus", "huboplus/huboplus_col.rob", {"Body_LAR", "Body_RAR", "Body_RWP"}, nullptr},
  };
  std::printf("                 solved  in limits   median   99 %%  longest, us\n");
  for (const Case& test : cases) {
    try {
      run(folder, test);
    } catch (const Error& error) {
      std::printf("%s: %s\n", test.name, error.what());
    }
  }
  return 0;
}
