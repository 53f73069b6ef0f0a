#pragma once

/// Making a path of milestones better without leaving what is free: what planners leave is seldom what one would go.

#include <cstdint>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

struct ShortcutOptions {
  /// First, with no chance in it: leaves out stretches of milestones, long ones first, then halves of them.
  bool vertices = true;
  /// Straight between two points of the path, anywhere on its edges.
  bool shortcuts = true;
  /// Straight between two points in one coordinate only, the others stay as they are (Geraerts and Overmars, "Creating
  /// high-quality paths for motion planning", 2007). Only in spaces whose edges are lines in coordinates (`straight`).
  /// Paths get a little shorter, and many more corners.
  bool partial = false;
  /// Milestones are moved a little and kept where that is cheaper. Only where there is an objective: with lengths
  /// alone, shortcuts do as much.
  bool perturbations = true;
  /// At the end: so many times, every edge is halved and corners are moved towards the middle of their neighbors, as
  /// far as that is free and no costlier (as OMPL's B-spline smoothing). Rounds off corners; at most doubles the
  /// milestones each time.
  int smoothing = 0;
  /// A path is `finished` after this many consecutive failures; 0 disables.
  std::int64_t idle = 40;
  /// A change of chance counts when it saves at least this fraction of the path's cost.
  double improvement = 5e-3;
};

/// Improves a path in rounds, any number of them. The path is free after each, and never costs more than before: every
/// new edge was checked (`PlanningSpace::feasible`, `visible`). The same path, space and stream give the same result,
/// bit by bit. One thread.
class PathShortcutter {
 public:
  /// Both outlive it. `objective` null: length, the sum of distances. Its edges may cost anything; what it says of the
  /// end does not matter, since ends stay.
  PathShortcutter(PlanningSpace& space, const PlanningObjective* objective, const ShortcutOptions& options = {});

  /// A new path, taken to be free. Throws `Error` for milestones of wrong length or with numbers that are not finite.
  void start(std::vector<VectorXd> path);
  /// One try; true when the path has become better. Does nothing once `finished`.
  bool round(RandomStream& random);
  /// Looks for no further shortcuts, and rounds off corners as often as was asked for.
  void finish(RandomStream& random);
  /// Says whether more rounds promise little (`ShortcutOptions::idle`), or nothing is left to try.
  bool finished() const;

  const std::vector<VectorXd>& path() const { return path_; }
  /// Returns the cost of the edges.
  double cost() const { return cost_; }
  std::int64_t rounds() const { return rounds_; }
  std::int64_t improvements() const { return improvements_; }

 private:
  enum class Stage { vertices, random, smoothing, done };
  struct Place {
    std::size_t edge = 0;
    double u = 0;
  };

  double edgeCost(const VectorXd& a, const VectorXd& b) const;
  /// Replaces the milestones between `first` and `last`, not the two, by `inner_` where that is free and saves enough.
  bool replace(std::size_t first, std::size_t last, double minCount);
  void measure();
  Place place(double length) const;
  void at(const Place& place, VectorXd& q) const;
  bool vertexRound();
  bool shortcutRound(RandomStream& random);
  bool partialRound(RandomStream& random);
  bool perturbationRound(RandomStream& random);
  bool smoothingRound();
  void next();

  PlanningSpace& space_;
  const PlanningObjective* objective_;
  ShortcutOptions options_;
  bool straight_ = false;
  std::vector<VectorXd> path_;
  std::vector<double> costs_;    ///< Costs of the edges.
  std::vector<double> lengths_;  ///< Lengths from the start to each milestone.
  double cost_ = 0;
  std::int64_t rounds_ = 0, improvements_ = 0, idle_ = 0;
  Stage stage_ = Stage::done;
  std::size_t gap_ = 0, at_ = 0;  ///< Places of `vertexRound` and `smoothingRound`.
  int smoothed_ = 0;
  std::vector<VectorXd> inner_;
  std::vector<double> innerCosts_;
  VectorXd from_, to_;
};

struct ShortcutOutcome {
  std::vector<VectorXd> path;
  double costBefore = 0, cost = 0;  ///< Costs of the edges.
  std::int64_t rounds = 0, improvements = 0;
};

/// Rounds until `stop` is reached (called once a round, with the cost so far and, where there is an objective, that of
/// the end) or nothing is left to try. `StopConditions::foundSolution` must be false, or it ends at once.
ShortcutOutcome shortcutPath(PlanningSpace& space, const PlanningObjective* objective, std::vector<VectorXd> path,
                             RandomStream& random, PlanningStop& stop, const ShortcutOptions& options = {});

}  // namespace mortise
