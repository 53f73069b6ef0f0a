#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/planner.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/planning_run.h"
#include "tests/support/plugins.h"

namespace mortise::test {

/// A unit square with a wall that leaves a gap at the top; what is free is known exactly.
class SquareSpace final : public PlanningSpace {
 public:
  int dimension() const override { return 2; }
  void bounds(VectorXd& low, VectorXd& high) const override {
    low = VectorXd::Zero(2);
    high = VectorXd::Ones(2);
  }
  double distance(const VectorXd& a, const VectorXd& b) const override { return (a - b).norm(); }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    q = (a + u * (b - a)).eval();
  }
  void sample(RandomStream& random, VectorXd& q) override {
    const double x = random.uniform(), y = random.uniform();
    q = Eigen::Vector2d(x, y);
  }
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    const double angle = random.uniform(0, 2 * M_PI), r = radius * std::sqrt(random.uniform());
    q = (center + r * Eigen::Vector2d(std::cos(angle), std::sin(angle))).cwiseMax(0).cwiseMin(1).eval();
  }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override {
    ++counts_.configurations;
    if (throwsAt > 0 && counts_.configurations >= throwsAt) throw Error("the space gave up");
    if (constraint == 0)
      return q.minCoeff() >= 0 && q.maxCoeff() <= 1 &&
             std::min((q - Eigen::Vector2d(0.1, 0.1)).norm(), (q - Eigen::Vector2d(0.9, 0.1)).norm()) <= room;
    return !(q.x() > 0.45 && q.x() < 0.55 && q.y() < top);
  }
  bool visible(const VectorXd& a, const VectorXd& b) override {
    ++counts_.edges;
    // The part of the way between the wall's sides has to stay above it.
    double first = 0, last = 1;
    const double dx = b.x() - a.x();
    if (dx == 0) return a.x() <= 0.45 || a.x() >= 0.55 || std::min(a.y(), b.y()) >= top;
    const double u = (0.45 - a.x()) / dx, v = (0.55 - a.x()) / dx;
    first = std::max(first, std::min(u, v));
    last = std::min(last, std::max(u, v));
    if (first >= last) return true;
    return std::min(a.y() + first * (b.y() - a.y()), a.y() + last * (b.y() - a.y())) >= top;
  }
  double extent() const override { return std::sqrt(2.0); }
  double measure() const override { return 1; }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<SquareSpace>(*this); }
  Counts counts() const override { return counts_; }

  double top = 0.75;          ///< Of the wall.
  double room = 2;            ///< Nothing is free that is farther from start and goal.
  std::int64_t throwsAt = 0;  ///< Configurations after which looking fails; 0: never.

 private:
  std::string names_[2] = {"limits", "wall"};
  Counts counts_;
};

inline VectorXd at(double x, double y) { return Eigen::Vector2d(x, y); }

class QuietHost final : public Host {
 public:
  std::string_view name() const override { return "planner"; }
  void log(LogLevel level, std::string_view message) override { lines.emplace_back(level, message); }
  std::string findResource(std::string_view reference) const override { return std::string(reference); }
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return {}; }
  void publish(std::string_view, std::span<const double>) override {}

  std::vector<std::pair<LogLevel, std::string>> lines;

 private:
  RandomStream random_;
};

/// The planners of this plugin.
class Planners {
 public:
  Planners() : registry_(makeRegistry(log_)) {
    for (const ComponentInfo& info : registry_->components())
      if (info.kind == Kind::planner && info.package == "mortise_planners_ompl") names_.push_back(info.name);
  }
  Registry& registry() { return *registry_; }
  LogSink& log() { return log_; }
  const std::vector<std::string>& names() const { return names_; }
  ComponentPtr<Planner> create(const std::string& name, Host& host, const std::string& settings = "{}") {
    const ComponentInfo& info = registry_->require(Kind::planner, name);
    Diagnostics diagnostics;
    const Value complete = info.schema.complete(parseYaml(settings, "settings"), name, diagnostics);
    diagnostics.throwIfErrors();
    return registry_->create<Planner>(info, complete, host);
  }

 private:
  MemoryLog log_;
  std::unique_ptr<Registry> registry_;
  std::vector<std::string> names_;
};

inline Planners& planners() {
  static Planners all;
  return all;
}

inline std::uint64_t hashOf(const std::vector<VectorXd>& path) {
  std::uint64_t hash = path.size();
  for (const VectorXd& q : path) hash = hashBytes(q.data(), static_cast<std::size_t>(q.size()) * sizeof(double), hash);
  return hash;
}

/// From the lower left to the lower right of the square.
struct SquareProblem {
  SquareSpace space;
  ConfigurationGoal goal{space, {at(0.9, 0.1)}};
  PlanningProblem problem{space, {at(0.1, 0.1)}, goal, nullptr};
};

inline PlanningRun planSquare(const std::string& name, std::uint64_t seed, const StopConditions& conditions,
                              const std::string& settings = "{}") {
  QuietHost host;
  const ComponentPtr<Planner> planner = planners().create(name, host, settings);
  SquareProblem square;
  RandomStream random(seed, "plan");
  StopClock stop(conditions);
  return runPlanner(*planner, square.problem, random, stop);
}

}  // namespace mortise::test
