#pragma once

/// The search of a real-time planner through trees of motions. Not needed to use the planner.

#include <vector>

#include "mortise/planning/real_time/real_time_planner.h"

namespace mortise {

/// A tree of milestones that grows from the robot's state, all at rest but the root, and, where nothing else moves, one
/// from configurations of the target. Among bodies that move every milestone has a time, and there is the first tree
/// alone.
class RampTree {
 public:
  /// All outlive this.
  RampTree(RealTimePlanner& planner, const RealTimeCycle& cycle, RealTimeTarget& target, RandomStream& random);
  /// Until there is a motion to the target or no effort is left; called again, it goes on.
  bool search(PlanningEffort& effort, RampPath& path);
  /// Says whether a configuration of the target has been found.
  bool hasGoals() const { return !goals_.empty(); }

 private:
  struct Node {
    enum class EdgeKind {
      root,
      ramps,    ///< From the root's state, which may move.
      current,  ///< The motion as planned before, to its end.
      line      ///< Straight from its parent, at rest on both ends.
    };
    VectorXd q;
    int parent = -1;
    EdgeKind edgeKind = EdgeKind::line;
    double arrival = 0;                      ///< Seconds since the root; counts only where bodies move.
    double wait = 0;                         ///< Seconds at the parent before setting out.
    std::vector<ParabolicRamp> motion = {};  ///< Motion of `ramps`.
  };
  void plantRoots();
  void addGoal();
  std::size_t nearest(const std::vector<Node>& tree, const VectorXd& q) const;
  /// A step from the nearest node of the tree of the start towards `q`, or all the way.
  enum class Step { blocked, advanced, arrived };
  Step growStart(const VectorXd& q, std::size_t from);
  Step growGoal(const VectorXd& q, std::size_t from);
  Step stepTowards(const VectorXd& from, const VectorXd& q);
  Step growTimed(const VectorXd& q, std::size_t from);
  bool searchStatic(PlanningEffort& effort, RampPath& path);
  bool searchTimed(PlanningEffort& effort, RampPath& path);
  void assemble(std::size_t start, const std::vector<VectorXd>& rest, RampPath& path) const;
  RampPath straight(const VectorXd& a, const VectorXd& b) const;

  RealTimePlanner& planner_;
  const RealTimeCycle& cycle_;
  RealTimeTarget& target_;
  RandomStream& random_;
  std::vector<Node> start_, goal_;
  std::vector<VectorXd> goals_;
  double step_;
  std::uint64_t rounds_ = 0;
  VectorXd q_, dq_, ddq_, sample_, next_;
  std::vector<ParabolicRamp> ramps_;
};

}  // namespace mortise
