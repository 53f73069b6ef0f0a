#pragma once

/// The interface of a motion planner, and what it plans with: a space of configurations, a goal, an objective.
///
/// To write a planner: derive from `Planner`, ask `PlanningStop::reached` in every round, leave what was found in the
/// result, and register the class with `plugin.planner<MyPlanner>("vendor.Name")`. To plan in a space of your own:
/// derive from `PlanningSpace`. Nothing here is about robots; `toolbox/planning` has their spaces.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/math/transform.h"

namespace mortise {

/// Configurations as a planner sees them. An object belongs to one thread; `copy` makes one for another.
class PlanningSpace {
 public:
  virtual ~PlanningSpace();

  /// Numbers in a configuration.
  virtual int dimension() const = 0;
  /// Ends of each coordinate, infinite where there are none; `dimension` entries.
  virtual void bounds(VectorXd& low, VectorXd& high) const = 0;
  /// A metric.
  virtual double distance(const VectorXd& a, const VectorXd& b) const = 0;
  /// The configuration at fraction u in [0, 1] of the way from a to b; `q` may be one of them.
  virtual void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const = 0;
  /// Somewhere within the bounds, feasible or not. Every feasible place must have a chance.
  virtual void sample(RandomStream& random, VectorXd& q) = 0;
  /// Somewhere within `radius` of the center.
  virtual void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) = 0;

  /// Returns the constraints on configurations, by name, in the order in which `feasible` asks: cheap ones first.
  virtual std::span<const std::string> constraints() const = 0;
  virtual bool satisfies(int constraint, const VectorXd& q) = 0;
  /// Returns true if all constraints hold. `violated`, when not null, gets the first that does not, or -1.
  virtual bool feasible(const VectorXd& q, int* violated = nullptr);
  /// Returns true if the edge from a to b is feasible; a and b must be feasible.
  virtual bool visible(const VectorXd& a, const VectorXd& b) = 0;
  /// Why a configuration is not feasible, for people: "link 'arm' collides with terrain 'table'".
  virtual std::string explain(int constraint, const VectorXd& q);

  /// Appends configurations between a and b, without the two, such that straight lines between neighbors stay within
  /// `tolerance` of the way: none where the way is a line in coordinates.
  virtual void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const;
  /// No two configurations within the bounds are farther apart; infinite where nothing bounds it.
  virtual double extent() const = 0;
  /// Volume in the sense of the metric; for planners that choose radii by it. Infinite where unknown.
  virtual double measure() const;

  /// The same space for another thread. It gives the same answers.
  virtual std::unique_ptr<PlanningSpace> copy() const = 0;

  /// Counts of checks so far.
  struct Counts {
    std::int64_t configurations = 0, edges = 0;
  };
  virtual Counts counts() const;

  /// Name of a coordinate, for people and tables; the default: q[i].
  virtual std::string coordinateName(int i) const;
  /// Returns properties of the space, by name: `dimension`, `extent`, `measure`, `constraints` and, true or false,
  /// `geodesic` (ways are shortest in the metric), `straight` (ways are lines in coordinates). A map.
  virtual Value properties() const;

  /// Says whether `visibleAround` can be true.
  virtual bool checksCurves() const;
  /// True if every curve from a to b is free of which no coordinate is farther than `deviation` (one for each
  /// coordinate, at least 0) from the edge that `visible` checks, place by place: what moves is kept away from
  /// everything by as much as the deviation can move it, besides the space's margin. As sure as the checks of the
  /// space's edges. The ends are known to be feasible.
  virtual bool visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation);
};

/// Set of configurations in which a path may end. An object belongs to one thread.
class PlanningGoal {
 public:
  virtual ~PlanningGoal();
  virtual bool contains(const VectorXd& q) = 0;
  /// 0 inside; grows with the distance from the goal as far as that is known. For planners that are guided by it.
  virtual double distance(const VectorXd& q) = 0;
  /// A configuration of the goal that was not given before, as far as there are any: false when none was found this
  /// time.
  virtual bool sample(RandomStream& random, VectorXd& q) = 0;
  /// Returns how many different ones `sample` can give; -1: any number.
  virtual std::int64_t count() const;
  /// Why sampling fails, for people.
  virtual std::string explain();
  virtual std::unique_ptr<PlanningGoal> copy() const = 0;
};

/// Cost of paths; less is better.
class PlanningObjective {
 public:
  virtual ~PlanningObjective();
  virtual double edgeCost(const VectorXd& a, const VectorXd& b) const = 0;
  /// Returns the cost of ending at q.
  virtual double terminalCost(const VectorXd& q) const;
  /// Never more than the cost of the best path between the two, obstacles left out; 0 where nothing is known.
  virtual double lowerBound(const VectorXd& a, const VectorXd& b) const;
};

struct PlanningProblem {
  PlanningSpace& space;
  std::vector<VectorXd> starts;
  PlanningGoal& goal;
  const PlanningObjective* objective = nullptr;  ///< Null: length, the sum of distances.
};

/// When to end. Whatever fires first counts.
struct StopConditions {
  bool foundSolution = true;  ///< At the first path.
  std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();  ///< Wall time.
  double cost = 0;                                           ///< At a path that costs no more.
  /// When the cost has fallen by less than this in so many iterations since there is a path; 0: never.
  double improvement = 0;
  std::int64_t improvementPeriod = 0;
};

/// Asked by a planner once a round. Counts the rounds, so that a run limited by time can be repeated by its count.
class PlanningStop {
 public:
  virtual ~PlanningStop();
  /// True: leave what there is and return. `cost`: of the best path so far, infinite where there is none.
  virtual bool reached(double cost) = 0;
  virtual std::int64_t iterations() const = 0;
};

/// Configurations that a planner knows, and ways between them.
struct Roadmap {
  struct Edge {
    int a = 0, b = 0;
    double cost = 0;
    bool checked = true;  ///< False: not known to be free.
  };
  std::vector<VectorXd> configurations;
  std::vector<Edge> edges;
  std::vector<int> starts, goals;  ///< Indices of configurations.
};

enum class PlanningStatus {
  solved,
  stopped,  ///< A stop condition was met before there was a path.
  startInfeasible,
  goalInfeasible,  ///< No goal is feasible.
  goalUnsampled,   ///< No goal configuration was found, which proves nothing.
  exhausted,       ///< The planner has nothing more to try.
  unsuitable       ///< The planner cannot solve problems like this one; the message says why.
};
std::string_view planningStatusName(PlanningStatus status);

struct PlanningOutcome {
  PlanningStatus status = PlanningStatus::stopped;
  std::vector<VectorXd> path;  ///< Path from a start to a goal; empty when there is none.
  double cost = std::numeric_limits<double>::infinity();
  std::string message;              ///< For people: why there is no path.
  Value statistics = Value::map();  ///< Numbers of the planner, by name.
};

class Planner {
 public:
  virtual ~Planner();
  /// A new problem; what earlier ones left is forgotten. The problem outlives the planner's work on it. All randomness
  /// comes from `random`. Throws `Error` for problems that it cannot take.
  virtual void start(const PlanningProblem& problem, RandomStream& random) = 0;
  /// Plans until `stop` is reached or nothing is left to do. Called again, it goes on and never gives a worse path.
  virtual PlanningOutcome plan(PlanningStop& stop) = 0;
  /// Gets what the planner has built so far; returns false when it keeps nothing that could be shown.
  virtual bool roadmap(Roadmap& roadmap) const;
  /// Says whether paths go on getting better after the first.
  virtual bool optimizing() const;
};

}  // namespace mortise
