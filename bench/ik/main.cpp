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

/// A robot, its solver and its peer, and how both did.
class Trial {
 public:
  Trial(const std::string& folder, const Case& test)
      : test_(test),
        robot_(robotOf(folder + "/" + test.file)),
        links_(linksOf(*robot_, test)),
        solver_(problemOf(robot_, links_, test)),
        variables_(solver_.variables()),
        dynamics_(robot_) {
    options_.start = robot_->initialConfiguration();
    for (const IKVariable& v : variables_) setVariable(v, middle(v), options_.start);
#ifdef MORTISE_BENCH_KDL
    if (links_.size() == 1) peer_ = makeKdlIk(*robot_, links_[0], variables_);
#endif
  }

  /// Solves for poses that random configurations have.
  void solvePoses() {
    RandomStream random(7, test_.name);
    VectorXd q = options_.start;
    for (int k = 0; k < test_.poses; ++k) {
      for (const IKVariable& v : variables_) setVariable(v, randomWithin(v, random), q);
      aimAt(q);
      solveLocally();
      if (!solver_.closedForm().empty()) solveInClosedForm();
      const std::size_t allocations = solveGlobally();
      if (k > 0) allocations_ += allocations;
      if (peer_ != nullptr) solveByPeer();
    }
  }

  void report() const {
    if (!solver_.closedForm().empty()) std::printf("(%s) ", std::string(solver_.closedForm()).c_str());
    std::printf("%s: %zu links, %zu variables, %d poses; %zu allocations, at most %d restarts\n", test_.name,
                links_.size(), variables_.size(), test_.poses, allocations_, restarts_);
    print("local", local_, nullptr);
    print("global", global_, nullptr);
    if (!solver_.closedForm().empty()) print("closed form", closed_, nullptr);
    if (peer_ != nullptr) print("KDL", theirs_, &local_);
  }

  /// Solves for what is out of reach.
  void solveOutOfReach() {
    if (!std::isfinite(variables_[0].low) && robot_->floatingBaseLink() >= 0) return;
    std::vector<IKTerm> terms;
    for (const int link : links_) terms.push_back({poseGoal(link, RigidTransform::translation({30, 0, 0}))});
    solver_.setTerms(terms);
    const double begin = threadSeconds();
    solver_.solve(options_, solution_);
    std::printf("  out of reach: %s after %.1f ms, residual %.6g\n", solution_.solved ? "solved" : "unsolved",
                1e3 * (threadSeconds() - begin), solution_.residual);
  }

 private:
  static std::vector<int> linksOf(const Robot& robot, const Case& test) {
    std::vector<int> links;
    for (const char* name : test.links) {
      links.push_back(robot.description().findLink(name));
      if (links.back() < 0) throw Error(std::string("no link ") + name);
    }
    return links;
  }

  static IKProblem problemOf(const RobotPtr& robot, const std::vector<int>& links, const Case& test) {
    IKProblem problem;
    problem.robot = robot;
    for (const int link : links) problem.terms.push_back({poseGoal(link, {})});
    if (test.firstActive != nullptr)
      for (const int link : links)
        for (int i = link; i >= 0; i = robot->link(i).parent) {
          problem.active.push_back(i);
          if (robot->link(i).name == test.firstActive) break;
        }
    return problem;
  }

  void aimAt(const VectorXd& q) {
    dynamics_.setPosition(q);
    targets_.clear();
    std::vector<IKTerm> terms;
    for (const int link : links_) {
      targets_.push_back(dynamics_.X_WL(link));
      terms.push_back({poseGoal(link, targets_.back())});
    }
    solver_.setTerms(terms);
  }

  void check(Count& count, bool claimed) {
    if (!claimed) return;
    dynamics_.setPosition(solution_.q);
    double worst = 0;
    for (std::size_t i = 0; i < links_.size(); ++i)
      worst = std::max(worst, off(dynamics_.X_WL(links_[i]), targets_[i]));
    ++count.solved;
    count.worst = std::max(count.worst, worst);
    x_.clear();
    for (const IKVariable& v : variables_) x_.push_back(variableValue(v, solution_.q));
    count.within += within(variables_, x_);
  }

  void take(Count& count, double begin) {
    count.microseconds.push_back(1e6 * (threadSeconds() - begin));
    count.iterations.push_back(solution_.iterations);
    check(count, solution_.solved);
  }

  void solveLocally() {
    solver_.solveLocal(options_, solution_);  // Caches as warm as for the one before.
    const double begin = threadSeconds();
    solver_.solveLocal(options_, solution_);
    take(local_, begin);
  }

  void solveInClosedForm() {
    options_.method = IKMethod::analytic;
    const double begin = threadSeconds();
    solver_.solve(options_, solution_);
    take(closed_, begin);
  }

  /// Returns how often memory was allocated.
  std::size_t solveGlobally() {
    options_.method = IKMethod::numeric;
    const std::size_t before = test::allocationCount;
    const double begin = threadSeconds();
    solver_.solve(options_, solution_);
    const double taken = threadSeconds() - begin;
    const std::size_t allocations = test::allocationCount - before;
    global_.microseconds.push_back(1e6 * taken);
    global_.iterations.push_back(solution_.iterations);
    restarts_ = std::max(restarts_, solution_.restarts);
    check(global_, solution_.solved);
    return allocations;
  }

  void solveByPeer() {
    x_.clear();
    for (const IKVariable& v : variables_) x_.push_back(variableValue(v, options_.start));
    const double begin = threadSeconds();
    const bool claimed = peer_->solve(targets_[0], x_);
    theirs_.microseconds.push_back(1e6 * (threadSeconds() - begin));
    solution_.q = options_.start;
    for (std::size_t v = 0; v < variables_.size(); ++v) setVariable(variables_[v], x_[v], solution_.q);
    check(theirs_, claimed);
  }

  const Case& test_;
  RobotPtr robot_;
  std::vector<int> links_;
  IKSolver solver_;
  const std::vector<IKVariable>& variables_;
  RobotDynamics dynamics_;
  IKOptions options_;
  IKSolution solution_;
  std::unique_ptr<IKPeer> peer_;
  std::vector<RigidTransform> targets_;
  std::vector<double> x_;
  Count local_, global_, closed_, theirs_;
  std::size_t allocations_ = 0;
  int restarts_ = 0;
};

void run(const std::string& folder, const Case& test) {
  Trial trial(folder, test);
  trial.solvePoses();
  trial.report();
  trial.solveOutOfReach();
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
