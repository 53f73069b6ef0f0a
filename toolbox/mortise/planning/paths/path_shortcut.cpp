#include "mortise/planning/paths/path_shortcut.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// Places this near to a milestone, as a fraction of its edge, are the milestone.
constexpr double kAtMilestone = 1e-6;

/// More milestones than this are not halved any further.
constexpr std::size_t kMaxMilestones = 100'000;

}  // namespace

PathShortcutter::PathShortcutter(PlanningSpace& space, const PlanningObjective* objective,
                                 const ShortcutOptions& options)
    : space_(space), objective_(objective), options_(options) {
  if (!(options.improvement >= 0)) throw Error("the fraction that a shortcut must save is at least 0");
  if (options.smoothing < 0 || options.smoothing > 20) throw Error("a path is smoothed 0 to 20 times");
  const Value properties = space.properties();
  const Value* straight = properties.find("straight");
  straight_ = straight != nullptr && straight->isBool() && straight->asBool();
}

double PathShortcutter::edgeCost(const VectorXd& a, const VectorXd& b) const {
  return objective_ != nullptr ? objective_->edgeCost(a, b) : space_.distance(a, b);
}

void PathShortcutter::start(std::vector<VectorXd> path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].size() != space_.dimension() || !path[i].allFinite())
      throw Error("milestone " + std::to_string(i) + " of the path is not " + std::to_string(space_.dimension()) +
                  " finite numbers");
  }
  path_ = std::move(path);
  rounds_ = improvements_ = idle_ = 0;
  smoothed_ = 0;
  stage_ = Stage::vertices;
  gap_ = path_.empty() ? 0 : path_.size() - 1;
  at_ = 0;
  measure();
  if (!options_.vertices || gap_ < 2) next();
}

bool PathShortcutter::finished() const { return stage_ == Stage::done; }

/// The stage after this one that has something to do.
void PathShortcutter::next() {
  const bool any =
      options_.shortcuts || (options_.partial && straight_) || (options_.perturbations && objective_ != nullptr);
  if (stage_ == Stage::vertices && any && path_.size() >= 2 && (path_.size() > 2 || objective_ != nullptr)) {
    stage_ = Stage::random;
    idle_ = 0;
  } else if (stage_ != Stage::smoothing && options_.smoothing > 0 && path_.size() > 2) {
    stage_ = Stage::smoothing;
    smoothed_ = 0;
    at_ = 0;
  } else {
    stage_ = Stage::done;
  }
}

void PathShortcutter::measure() {
  const std::size_t edges = path_.empty() ? 0 : path_.size() - 1;
  costs_.resize(edges);
  lengths_.assign(path_.size(), 0);
  cost_ = 0;
  for (std::size_t i = 0; i < edges; ++i) {
    const double length = space_.distance(path_[i], path_[i + 1]);
    costs_[i] = objective_ != nullptr ? objective_->edgeCost(path_[i], path_[i + 1]) : length;
    cost_ += costs_[i];
    lengths_[i + 1] = lengths_[i] + length;
  }
}

PathShortcutter::Place PathShortcutter::place(double length) const {
  auto after = std::upper_bound(lengths_.begin(), lengths_.end(), length) - lengths_.begin();
  after = std::clamp<std::ptrdiff_t>(after, 1, static_cast<std::ptrdiff_t>(lengths_.size()) - 1);
  const auto edge = static_cast<std::size_t>(after - 1);
  const double span = lengths_[edge + 1] - lengths_[edge];
  return {edge, span > 0 ? std::clamp((length - lengths_[edge]) / span, 0.0, 1.0) : 0};
}

void PathShortcutter::at(const Place& place, VectorXd& q) const {
  if (place.u <= kAtMilestone) {
    q = path_[place.edge];
  } else if (place.u >= 1 - kAtMilestone) {
    q = path_[place.edge + 1];
  } else {
    space_.interpolate(path_[place.edge], path_[place.edge + 1], place.u, q);
  }
}

bool PathShortcutter::replace(std::size_t first, std::size_t last, double minCount) {
  double before = 0, after = 0;
  for (std::size_t i = first; i < last; ++i) before += costs_[i];
  const std::size_t edges = inner_.size() + 1;
  innerCosts_.resize(edges);
  const auto node = [&](std::size_t k) -> const VectorXd& {  // Of the new stretch.
    return k == 0 ? path_[first] : k == edges ? path_[last] : inner_[k - 1];
  };
  for (std::size_t k = 0; k < edges; ++k) {
    innerCosts_[k] = edgeCost(node(k), node(k + 1));
    after += innerCosts_[k];
  }
  // Also refuses costs that are no numbers.
  if (!(before - after > minCount)) return false;
  for (const VectorXd& q : inner_)
    if (!q.allFinite() || !space_.feasible(q)) return false;
  // New edges in the middle first: those at the ends are mostly parts of old ones.
  for (std::size_t k = 0; k < edges; ++k) {
    const std::size_t edge = (k + edges / 2) % edges;
    if (!space_.visible(node(edge), node(edge + 1))) return false;
  }
  path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
              path_.begin() + static_cast<std::ptrdiff_t>(last));
  path_.insert(path_.begin() + static_cast<std::ptrdiff_t>(first) + 1, inner_.begin(), inner_.end());
  const double old = cost_;
  measure();
  cost_ = std::min(cost_, old);  // Sums in another order may differ in the last digit.
  ++improvements_;
  return true;
}

bool PathShortcutter::vertexRound() {
  inner_.clear();
  if (at_ + gap_ >= path_.size()) {
    at_ = 0;
    gap_ = std::min((gap_ + 1) / 2, path_.size() - 1);
    if (gap_ < 2) {
      // The last gap of all is 2.
      next();
      return false;
    }
  }
  // Leaving out what stands for nothing is worth while even where it saves nothing.
  const bool better = replace(at_, at_ + gap_, -1e-12 * cost_ - 1e-300);
  ++at_;
  if (gap_ == 2 && at_ + gap_ >= path_.size()) next();
  return better;
}

bool PathShortcutter::shortcutRound(RandomStream& random) {
  const double length = lengths_.back();
  double a = random.uniform(0, length), b = random.uniform(0, length);
  if (a > b) std::swap(a, b);
  const Place from = place(a), to = place(b);
  if (from.edge == to.edge && objective_ == nullptr) return false;
  inner_.clear();
  at(from, from_);
  at(to, to_);
  std::size_t first = from.edge, last = to.edge + 1;
  if (from.u >= 1 - kAtMilestone)
    first = from.edge + 1;
  else if (from.u > kAtMilestone)
    inner_.push_back(from_);
  if (to.u <= kAtMilestone && to.edge > 0)
    last = to.edge;
  else if (to.u < 1 - kAtMilestone)
    inner_.push_back(to_);
  if (first >= last) return false;
  return replace(first, last, options_.improvement * cost_);
}

bool PathShortcutter::partialRound(RandomStream& random) {
  const double length = lengths_.back();
  double a = random.uniform(0, length), b = random.uniform(0, length);
  if (a > b) std::swap(a, b);
  const auto c = static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(space_.dimension())));
  const Place from = place(a), to = place(b);
  if (from.edge == to.edge) return false;
  at(from, from_);
  at(to, to_);
  inner_.clear();
  inner_.push_back(from_);
  for (std::size_t i = from.edge + 1; i <= to.edge; ++i) {
    VectorXd q = path_[i];
    q[c] = from_[c] + (to_[c] - from_[c]) * (b > a ? (lengths_[i] - a) / (b - a) : 0);
    inner_.push_back(std::move(q));
  }
  inner_.push_back(to_);
  // Milestones that coincide with their neighbors would be edges of no length.
  std::size_t first = from.edge, last = to.edge + 1;
  if (from.u <= kAtMilestone) inner_.erase(inner_.begin());
  if (to.u >= 1 - kAtMilestone) inner_.pop_back();
  return replace(first, last, options_.improvement * cost_);
}

bool PathShortcutter::perturbationRound(RandomStream& random) {
  const Place here = place(random.uniform(0, lengths_.back()));
  at(here, from_);
  const double radius = lengths_.back() * 0.25 * std::pow(2.0, -static_cast<double>(random.below(6)));
  space_.sampleNear(random, from_, radius, to_);
  inner_.assign(1, to_);
  std::size_t first = here.edge, last = here.edge + 1;
  // A corner near by is moved rather than given company.
  if (here.u > 0.5 && last + 1 < path_.size()) {
    ++last;
  } else if (here.u <= 0.5 && first > 0) {
    --first;
  }
  return replace(first, last, options_.improvement * cost_);
}

bool PathShortcutter::smoothingRound() {
  if (at_ == 0) {
    if (smoothed_ == options_.smoothing || path_.size() > kMaxMilestones) {
      stage_ = Stage::done;
      return false;
    }
    // Halves of edges are edges; where the space does not say so (or its checks are strict), they are checked.
    std::vector<VectorXd> halved{path_.front()};
    for (std::size_t i = 1; i < path_.size(); ++i) {
      VectorXd q;
      space_.interpolate(path_[i - 1], path_[i], 0.5, q);
      const bool holds = q.allFinite() && space_.feasible(q) && space_.visible(path_[i - 1], q) &&
                         space_.visible(q, path_[i]) &&
                         edgeCost(path_[i - 1], q) + edgeCost(q, path_[i]) <= costs_[i - 1] * (1 + 1e-12);
      if (holds) halved.push_back(std::move(q));
      halved.push_back(path_[i]);
    }
    const double old = cost_;
    path_ = std::move(halved);
    measure();
    cost_ = std::min(cost_, old);
    ++smoothed_;
    at_ = 1;
  }
  if (at_ + 1 >= path_.size()) {
    at_ = 0;
    return false;
  }
  space_.interpolate(path_[at_ - 1], path_[at_ + 1], 0.5, from_);
  space_.interpolate(path_[at_], from_, 0.5, to_);
  inner_.assign(1, to_);
  ++at_;
  return replace(at_ - 2, at_, 1e-9 * cost_);
}

void PathShortcutter::finish(RandomStream& random) {
  if (stage_ != Stage::done && stage_ != Stage::smoothing) {
    stage_ = options_.smoothing > 0 && path_.size() > 2 ? Stage::smoothing : Stage::done;
    smoothed_ = 0;
    at_ = 0;
  }
  while (!finished()) round(random);
}

bool PathShortcutter::round(RandomStream& random) {
  if (stage_ == Stage::done) return false;
  ++rounds_;
  if (stage_ == Stage::vertices) return vertexRound();
  if (stage_ == Stage::smoothing) return smoothingRound();
  if (!(lengths_.back() > 0) || (path_.size() == 2 && objective_ == nullptr)) {
    next();
    return false;
  }
  // Kinds take turns.
  bool better = false;
  const bool partial = options_.partial && straight_, perturbations = options_.perturbations && objective_ != nullptr;
  const int kinds = options_.shortcuts + partial + perturbations;
  int kind = static_cast<int>(rounds_ % kinds);
  if (options_.shortcuts && kind-- == 0)
    better = shortcutRound(random);
  else if (partial && kind-- == 0)
    better = partialRound(random);
  else if (perturbations)
    better = perturbationRound(random);
  idle_ = better ? 0 : idle_ + 1;
  if (options_.idle > 0 && idle_ >= options_.idle) next();
  return better;
}

ShortcutOutcome shortcutPath(PlanningSpace& space, const PlanningObjective* objective, std::vector<VectorXd> path,
                             RandomStream& random, PlanningStop& stop, const ShortcutOptions& options) {
  PathShortcutter shortcutter(space, objective, options);
  shortcutter.start(std::move(path));
  ShortcutOutcome outcome;
  outcome.costBefore = shortcutter.cost();
  const double terminal =
      objective != nullptr && !shortcutter.path().empty() ? objective->terminalCost(shortcutter.path().back()) : 0;
  while (!shortcutter.finished() && !stop.reached(shortcutter.cost() + terminal)) shortcutter.round(random);
  shortcutter.finish(random);
  outcome.path = shortcutter.path();
  outcome.cost = shortcutter.cost();
  outcome.rounds = shortcutter.rounds();
  outcome.improvements = shortcutter.improvements();
  return outcome;
}

}  // namespace mortise
