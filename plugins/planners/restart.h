#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mortise/component/planner.h"
#include "mortise/planning/paths/path_shortcut.h"
#include "round_planner.h"

namespace mortise::planners {

struct RestartOptions {
  bool shortcut = false;
  bool restart = false;
  StopConditions run;          ///< Conditions of one run between restarts; `seconds` is ignored.
  std::int64_t shortcuts = 0;  ///< Rounds of shortcuts after each run; 0: what the run left of its iterations.
  bool moreEachTime = false;   ///< A run that found nothing makes the next ones twice as long.
};

/// Makes a planner that ends at its first path a planner that goes on: `shortcut` makes the path better, `restart`
/// plans anew with other random numbers; both: as Klamp't, shortcuts on all paths kept, better ones more often. The
/// best path is kept. Without either, it is the planner itself.
class Restarting : public Planner {
 public:
  Restarting(std::function<std::unique_ptr<RoundPlanner>()> make, const RestartOptions& options);
  ~Restarting() override;

  void start(const PlanningProblem& problem, RandomStream& random) override;
  PlanningOutcome plan(PlanningStop& stop) override;
  bool roadmap(Roadmap& roadmap) const override { return planner_->roadmap(roadmap); }
  bool optimizing() const override { return options_.shortcut || options_.restart || planner_->optimizing(); }

 private:
  class Run;
  struct Candidate {
    std::unique_ptr<PathShortcutter> path;
    double end = 0;  ///< Cost of ending there.
    double cost() const { return path->cost() + end; }
  };
  void keep(const PlanningOutcome& outcome);
  bool offer(const std::vector<VectorXd>& path, double cost);
  Candidate* choose();
  void shortcutRound();

  std::function<std::unique_ptr<RoundPlanner>()> make_;
  RestartOptions options_;
  std::unique_ptr<RoundPlanner> planner_;
  const PlanningProblem* problem_ = nullptr;
  RandomStream random_;
  std::vector<Candidate> candidates_;
  std::vector<VectorXd> best_;
  double cost_ = 0;
  enum class Phase { planning, shortcutting, ended } phase_ = Phase::planning;
  std::unique_ptr<Run> run_;
  std::int64_t limit_ = 0, shortcutsLeft_ = 0, restarts_ = 0, shortcutRounds_ = 0, shortcuts_ = 0;
  PlanningOutcome last_;
};

}  // namespace mortise::planners
