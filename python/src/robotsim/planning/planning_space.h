#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mortise/component/planner.h"
#include "robotsim/model/convert.h"
#include "robotsim/planning/direct_space.h"
#include "robotsim/planning/robot_test.h"

namespace mortise::robotsim {

/// The functions of a `CSpaceInterface` and of a planner's endpoints. Unless they are `alone` they are held while a
/// call into the planner lasts and no longer, so that programs whose functions refer to the planner make no cycles that
/// Python could not collect.
struct PlanningFunctions {
  /// By name, as `CSpaceInterface` and `PlannerInterface` keep them.
  explicit PlanningFunctions(const py::dict& functions);
  /// Before each call of a planner: what may have changed.
  void refresh() const;
  /// Says whether no function of a program is among them, so that they may be kept from call to call.
  bool alone() const;
  DirectSpace* direct() const { return full != nullptr && full->usable() ? full : nullptr; }

  std::vector<std::pair<std::string, py::object>> feasible, visible;
  std::vector<RobotTest*> tests;  ///< Tests of `feasible` that need no call of Python; null: the others.
  RobotModelPtr robot;            ///< The robot whose metric and straight lines are those of the space.
  py::object space;               ///< Keeps `whole`.
  DirectSpace* full = nullptr;    ///< The space where all of it needs no call of Python.
  py::object sample, sampleNear, distance, interpolate;  ///< None: the default.
  py::object goalTest, goalSample, edgeCost, terminalCost;
};

/// Gives planners the functions of the call that is under way.
struct FunctionsInUse {
  const PlanningFunctions* functions = nullptr;
  const PlanningFunctions& operator*() const;
  const PlanningFunctions* operator->() const { return &**this; }
};

/// A space out of functions in Python. One thread, which holds the GIL.
class ProgramSpace final : public PlanningSpace {
 public:
  struct Options {
    int dimension = 0;
    double resolution = 1e-2;  ///< In the metric: where there are no visibility tests, edges are checked in such steps.
    VectorXd low, high;        ///< Empty: unbounded.
    double volume = kUnknown;
    std::vector<std::string> names;  ///< Names of the feasibility tests.
    bool straight = false;           ///< Ways are lines in coordinates, and samples anywhere between the ends.
  };
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  ProgramSpace(Options options, const FunctionsInUse& use) : options_(std::move(options)), use_(use) {}

  int dimension() const override { return options_.dimension; }
  void bounds(VectorXd& low, VectorXd& high) const override;
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override { return options_.names; }
  bool satisfies(int constraint, const VectorXd& q) override;
  bool feasible(const VectorXd& q, int* violated = nullptr) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  double extent() const override;
  double measure() const override { return options_.volume; }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<ProgramSpace>(options_, use_); }
  Counts counts() const override { return counts_; }
  Value properties() const override;

 private:
  VectorXd answer(const py::object& result, const char* what) const;
  Options options_;
  const FunctionsInUse& use_;
  Counts counts_;
};

/// A goal by a test in Python, and a sampler where there is one.
class ProgramGoal final : public PlanningGoal {
 public:
  ProgramGoal(PlanningSpace& space, const FunctionsInUse& use) : space_(space), use_(use) {}
  bool contains(const VectorXd& q) override;
  double distance(const VectorXd& q) override { return contains(q) ? 0 : 1; }
  bool sample(RandomStream& random, VectorXd& q) override;
  std::unique_ptr<PlanningGoal> copy() const override { return std::make_unique<ProgramGoal>(space_, use_); }

 private:
  PlanningSpace& space_;
  const FunctionsInUse& use_;
};

/// The cost of a path by functions in Python.
class ProgramObjective final : public PlanningObjective {
 public:
  ProgramObjective(const PlanningSpace& space, const FunctionsInUse& use) : space_(space), use_(use) {}
  double edgeCost(const VectorXd& a, const VectorXd& b) const override;
  double terminalCost(const VectorXd& q) const override;

 private:
  const PlanningSpace& space_;
  const FunctionsInUse& use_;
};

}  // namespace mortise::robotsim
