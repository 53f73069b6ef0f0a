#pragma once

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "mortise/planning/paths/path_shortcut.h"
#include "round_planner.h"
#include "structures/marching_grid.h"

namespace mortise::planners {

struct FmmOptions {
  double gridResolution = 0;  ///< Length of a step in each coordinate; 0: by the number of nodes.
  bool refine = false;        ///< Goes on with ever finer grids.
};

/// The fast marching method: shortest paths by their distance field on a grid over the bounds. What the grid does not
/// see, edges that are infeasible between free nodes, is found when a path is checked, and taken out of the grid.
class Fmm final : public RoundPlanner {
 public:
  explicit Fmm(const FmmOptions& options) : options_(options) {}
  bool roadmap(Roadmap& roadmap) const override;
  bool optimizing() const override { return options_.refine; }

 protected:
  void begin() override;
  void addGoal(int goal) override;
  Round round() override;
  void count(Value& statistics) const override;

 private:
  enum class Phase { direct, marching, descending, checking, probing, smoothing };
  std::string unsuitable() const;
  void chooseCells();
  void makeGrid();
  void beginMarch();
  Round march();
  void descend();
  void check();
  void probe();
  void smooth();
  Round nextGrid(const std::string& why);

  FmmOptions options_;
  VectorXd low_, high_;
  std::vector<int> cells_;
  MarchingGrid grid_;
  Phase phase_ = Phase::direct;
  std::size_t directAt_ = 0;
  std::set<std::pair<int, std::int64_t>> closedStarts_, closedGoals_;  ///< Ways to corners that are blocked.
  std::vector<std::int64_t> nodes_;                                    ///< Nodes of the path, between its ends.
  int pathStart_ = -1, pathGoal_ = -1;
  std::size_t checkAt_ = 0;
  std::deque<std::pair<std::int64_t, std::int64_t>> probes_;
  std::set<std::pair<std::int64_t, std::int64_t>> probed_;
  bool marchAgain_ = false;
  std::unique_ptr<PathShortcutter> smoother_;
  int grids_ = 0;
  std::vector<std::int64_t> corners_;
  VectorXd a_, b_;
};

}  // namespace mortise::planners
