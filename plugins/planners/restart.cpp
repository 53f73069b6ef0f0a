#include "restart.h"

#include <algorithm>
#include <cmath>

#include "mortise/math/constants.h"

namespace mortise::planners {

namespace {
constexpr std::size_t kCandidates = 12;    ///< Paths kept; the worst goes.
constexpr std::int64_t kShortcuts = 1000;  ///< In a row, where runs have no number of rounds.
/// Time is there until the whole plan is stopped: small gains count, and patience.
const ShortcutOptions kShortcutting = {.idle = 200, .improvement = 1e-6};
}  // namespace

/// One run of the planner: ends by conditions of its own, or when the whole plan does.
class Restarting::Run final : public PlanningStop {
 public:
  explicit Run(const StopConditions& conditions) : conditions_(conditions) {}
  /// For the next calls; `best`: cost of the best path of all runs.
  void attach(PlanningStop& outer, double best) {
    outer_ = &outer;
    best_ = best;
    outerFired_ = false;
  }
  bool outerFired() const { return outerFired_; }

  bool reached(double cost) override {
    if (ends(cost)) return true;
    if (outer_->reached(std::min(cost, best_))) return outerFired_ = true;
    ++iterations_;
    return false;
  }
  std::int64_t iterations() const override { return iterations_; }

 private:
  bool ends(double cost) {
    if (iterations_ >= conditions_.iterations) return true;
    if (!(cost < kInfinity)) return false;
    if (conditions_.foundSolution || cost <= conditions_.cost) return true;
    if (conditions_.improvementPeriod <= 0) return false;
    if (!(markedCost_ < kInfinity)) {
      markedCost_ = cost;
      markedAt_ = iterations_;
    } else if (iterations_ - markedAt_ >= conditions_.improvementPeriod) {
      if (markedCost_ - cost < conditions_.improvement) return true;
      markedCost_ = cost;
      markedAt_ = iterations_;
    }
    return false;
  }

  StopConditions conditions_;
  PlanningStop* outer_ = nullptr;
  double best_ = kInfinity, markedCost_ = kInfinity;
  bool outerFired_ = false;
  std::int64_t iterations_ = 0, markedAt_ = 0;
};

Restarting::Restarting(std::function<std::unique_ptr<RoundPlanner>()> make, const RestartOptions& options)
    : make_(std::move(make)), options_(options), planner_(make_()) {}

Restarting::~Restarting() = default;

void Restarting::start(const PlanningProblem& problem, RandomStream& random) {
  problem_ = &problem;
  candidates_.clear();
  best_.clear();
  cost_ = kInfinity;
  phase_ = Phase::planning;
  limit_ = options_.run.iterations;
  restarts_ = shortcutRounds_ = shortcuts_ = 0;
  last_ = {};
  run_.reset();
  random_ = RandomStream(random.bits());
  planner_->start(problem, random_);
}

bool Restarting::offer(const std::vector<VectorXd>& path, double cost) {
  if (!(cost < cost_)) return false;
  best_ = path;
  cost_ = cost;
  return true;
}

void Restarting::keep(const PlanningOutcome& outcome) {
  offer(outcome.path, outcome.cost);
  if (!options_.shortcut) return;
  Candidate candidate;
  candidate.path = std::make_unique<PathShortcutter>(problem_->space, problem_->objective, kShortcutting);
  candidate.path->start(outcome.path);
  candidate.end = problem_->objective != nullptr ? problem_->objective->terminalCost(outcome.path.back()) : 0;
  candidates_.push_back(std::move(candidate));
  if (candidates_.size() <= kCandidates) return;
  // The newest has not had a chance yet.
  const auto worst = std::max_element(candidates_.begin(), candidates_.end() - 1,
                                      [](const Candidate& a, const Candidate& b) { return a.cost() < b.cost(); });
  candidates_.erase(worst);
}

/// At random, better paths more often, as Klamp't: by exp(-3 (cost / best - 1)).
Restarting::Candidate* Restarting::choose() {
  double sum = 0;
  const auto weight = [&](const Candidate& candidate) {
    if (candidate.path->finished()) return 0.0;
    return cost_ > 0 ? std::exp(-3 * std::min(100.0, candidate.cost() / cost_ - 1)) : 1.0;
  };
  for (const Candidate& candidate : candidates_) sum += weight(candidate);
  if (!(sum > 0)) return nullptr;
  double left = random_.uniform() * sum;
  Candidate* last = nullptr;
  for (Candidate& candidate : candidates_) {
    if (candidate.path->finished()) continue;
    last = &candidate;
    left -= weight(candidate);
    if (left <= 0) break;
  }
  return last;
}

void Restarting::shortcutRound() {
  Candidate* candidate = shortcutsLeft_ > 0 ? choose() : nullptr;
  if (candidate != nullptr) {
    --shortcutsLeft_;
    ++shortcutRounds_;
    if (candidate->path->round(random_)) {
      ++shortcuts_;
      offer(candidate->path->path(), candidate->cost());
    }
    return;
  }
  if (!options_.restart) {
    phase_ = Phase::ended;
    return;
  }
  ++restarts_;
  planner_->start(*problem_, random_);
  run_.reset();
  phase_ = Phase::planning;
}

PlanningOutcome Restarting::plan(PlanningStop& stop) {
  if (!options_.shortcut && !options_.restart) return planner_->plan(stop);
  for (;;) {
    if (phase_ == Phase::planning) {
      if (!run_) {
        StopConditions conditions;
        if (options_.restart) {
          conditions = options_.run;
          conditions.iterations = limit_;
        }
        run_ = std::make_unique<Run>(conditions);
      }
      run_->attach(stop, cost_);
      last_ = planner_->plan(*run_);
      if (run_->outerFired()) {
        // An inner planner that goes on has told of its path; it is not kept for shortcuts before its run ends.
        if (!last_.path.empty()) offer(last_.path, last_.cost);
        break;
      }
      const bool found = !last_.path.empty();
      if (found) {
        keep(last_);
      } else if (last_.status != PlanningStatus::stopped && last_.status != PlanningStatus::goalUnsampled) {
        phase_ = Phase::ended;  // No run will do better.
        continue;
      } else if (options_.moreEachTime && limit_ <= std::numeric_limits<std::int64_t>::max() / 2) {
        limit_ *= 2;
      }
      if (planner_->optimal()) {
        phase_ = Phase::ended;
        continue;
      }
      phase_ = Phase::shortcutting;
      shortcutsLeft_ = options_.restart && options_.run.iterations < std::numeric_limits<std::int64_t>::max()
                           ? std::max<std::int64_t>(1, options_.run.iterations - run_->iterations())
                       : options_.restart ? kShortcuts
                                          : std::numeric_limits<std::int64_t>::max();
      if (options_.shortcuts > 0) shortcutsLeft_ = options_.shortcuts;
      if (!options_.shortcut) shortcutsLeft_ = 0;
    } else {
      if (stop.reached(cost_) || phase_ == Phase::ended) break;
      shortcutRound();
    }
  }
  PlanningOutcome outcome = last_;
  outcome.path = best_;
  outcome.cost = cost_;
  if (!best_.empty()) {
    outcome.status = PlanningStatus::solved;
    outcome.message.clear();
  }
  outcome.statistics.set("restarts", restarts_);
  outcome.statistics.set("shortcutRounds", shortcutRounds_);
  outcome.statistics.set("shortcuts", shortcuts_);
  return outcome;
}

}  // namespace mortise::planners
