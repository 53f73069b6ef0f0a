#include "mortise/planning/real_time/ramp_tree.h"

#include <algorithm>
#include <cmath>

#include "mortise/planning/real_time/moving_ramps.h"

namespace mortise {

namespace {

/// Configurations of the target that trees grow from at most, and one in how many iterations a new one is looked for.
constexpr std::size_t kMaxGoals = 20;
constexpr std::uint64_t kGoalPeriod = 10;
/// Among bodies that move: how often the target itself is the direction, and how often a milestone is left later than
/// it could be, by up to so many seconds.
constexpr double kTowardsGoal = 0.3, kWaiting = 0.3, kLongestWait = 1.5;

}  // namespace

RampTree::RampTree(RealTimePlanner& planner, const RealTimeCycle& cycle, RealTimeTarget& target, RandomStream& random)
    : planner_(planner), cycle_(cycle), target_(target), random_(random) {
  const double extent = planner_.space_.extent();
  step_ = planner_.options_.step * (std::isfinite(extent) ? extent : 1);
  const auto n = static_cast<Eigen::Index>(planner_.limits_.size());
  for (VectorXd* v : {&q_, &dq_, &ddq_}) v->setZero(n);
  cycle_.current.evaluate(0, q_, dq_, ddq_);
}

void RampTree::plantRoots() {
  start_.clear();
  start_.push_back({q_, -1, Node::EdgeKind::root, 0, 0});
  if (dq_.isZero(0)) return;
  VectorXd end = q_, dq = dq_, ddq = dq_;
  cycle_.current.evaluate(cycle_.current.duration(), end, dq, ddq);
  start_.push_back({end, 0, Node::EdgeKind::current, cycle_.current.duration(), 0});
  if (!brakingRamps(q_, dq_, planner_.limits_, ramps_)) return;
  for (std::size_t j = 0; j < ramps_.size(); ++j) end[static_cast<Eigen::Index>(j)] = ramps_[j].x1;
  if (!planner_.space_.feasible(end) || !planner_.staticallyFree(ramps_)) return;
  if (planner_.moves() && !planner_.obstacles_->free(ramps_, cycle_.start)) return;
  start_.push_back({end, 0, Node::EdgeKind::ramps, ramps_[0].T, 0, ramps_});
}

void RampTree::addGoal() {
  VectorXd q;
  if (goals_.size() >= kMaxGoals || !target_.sample(random_, q)) return;
  // Who cannot stay there has not arrived.
  if (planner_.moves() && !planner_.obstacles_->restFree(q, cycle_.start + 1e6)) return;
  goals_.push_back(q);
  goal_.push_back({q, -1, Node::EdgeKind::root, 0, 0});
}

std::size_t RampTree::nearest(const std::vector<Node>& tree, const VectorXd& q) const {
  std::size_t best = 0;
  double minimum = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const double d = planner_.space_.distance(tree[i].q, q);
    if (d < minimum) {
      minimum = d;
      best = i;
    }
  }
  return best;
}

/// Leaves where the step leads in `next_`; `arrived`: that is `q`.
RampTree::Step RampTree::stepTowards(const VectorXd& from, const VectorXd& q) {
  const double d = planner_.space_.distance(from, q);
  next_ = q;
  if (d > step_) planner_.space_.interpolate(from, q, step_ / d, next_);
  if (!planner_.space_.feasible(next_)) return Step::blocked;
  return d > step_ ? Step::advanced : Step::arrived;
}

RampTree::Step RampTree::growStart(const VectorXd& q, std::size_t from) {
  const Step step = stepTowards(start_[from].q, q);
  if (step == Step::blocked) return step;
  if (from == 0 && !dq_.isZero(0)) {
    if (!fastestRamps(q_, dq_, next_, VectorXd::Zero(next_.size()), planner_.limits_, ramps_) ||
        !planner_.staticallyFree(ramps_))
      return Step::blocked;
    start_.push_back({next_, 0, Node::EdgeKind::ramps, 0, 0, ramps_});
    return step;
  }
  if (!planner_.space_.visible(start_[from].q, next_)) return Step::blocked;
  start_.push_back({next_, static_cast<int>(from), Node::EdgeKind::line, 0, 0});
  return step;
}

RampTree::Step RampTree::growGoal(const VectorXd& q, std::size_t from) {
  const Step step = stepTowards(goal_[from].q, q);
  if (step == Step::blocked || !planner_.space_.visible(next_, goal_[from].q)) return Step::blocked;
  goal_.push_back({next_, static_cast<int>(from), Node::EdgeKind::line, 0, 0});
  return step;
}

RampPath RampTree::straight(const VectorXd& a, const VectorXd& b) const {
  return RampPath::throughMilestones({a, b}, planner_.limits_);
}

/// From the root to a node, and on through milestones at rest.
void RampTree::assemble(std::size_t node, const std::vector<VectorXd>& rest, RampPath& path) const {
  std::vector<std::size_t> branch;
  for (int i = static_cast<int>(node); i >= 0; i = start_[static_cast<std::size_t>(i)].parent)
    branch.push_back(static_cast<std::size_t>(i));
  std::reverse(branch.begin(), branch.end());
  path = RampPath(static_cast<int>(q_.size()));
  std::vector<ParabolicRamp> ramps;
  VectorXd at = q_;
  const auto lineTo = [&](const VectorXd& q) {
    const RampPath line = straight(at, q);
    path.append(line, 0, line.duration());
    for (Eigen::Index c = 0; c < at.size(); ++c)
      at[c] = line.segment(line.numSegments() - 1)[static_cast<std::size_t>(c)].x1;
  };
  for (const std::size_t i : branch) {
    const Node& n = start_[i];
    if (n.wait > 0) {
      restingRamps(at, n.wait, ramps);
      path.append(ramps);
    }
    if (n.edgeKind == Node::EdgeKind::current) {
      path.append(cycle_.current, 0, cycle_.current.duration());
      at = n.q;
    } else if (n.edgeKind == Node::EdgeKind::ramps) {
      path.append(n.motion);
      for (Eigen::Index c = 0; c < at.size(); ++c) at[c] = n.motion[static_cast<std::size_t>(c)].x1;
    } else if (n.edgeKind == Node::EdgeKind::line) {
      lineTo(n.q);
    }
  }
  for (const VectorXd& q : rest) lineTo(q);
  if (path.empty()) path = restingPath(at);
}

bool RampTree::searchStatic(PlanningEffort& effort, RampPath& path) {
  while (effort.spend()) {
    const std::uint64_t round = rounds_++;
    if (goals_.empty() || round % kGoalPeriod == 0) addGoal();
    if (goals_.empty()) continue;
    planner_.space_.sample(random_, sample_);
    // The first round looks straight at the target, and so does one tree at the other in all rounds.
    if (round == 0) sample_ = goals_.front();
    const bool fromStart = round % 2 == 0;
    const std::vector<Node>& one = fromStart ? start_ : goal_;
    const std::vector<Node>& other = fromStart ? goal_ : start_;
    const std::size_t from = nearest(one, sample_);
    if ((fromStart ? growStart(sample_, from) : growGoal(sample_, from)) == Step::blocked) continue;
    const std::size_t reached = one.size() - 1;
    const VectorXd meeting = one.back().q;
    std::size_t at = nearest(other, meeting);
    if (other[at].q == meeting) {
      std::vector<VectorXd> rest;
      for (int i = static_cast<int>(fromStart ? at : reached); i >= 0; i = goal_[static_cast<std::size_t>(i)].parent)
        rest.push_back(goal_[static_cast<std::size_t>(i)].q);
      assemble(fromStart ? reached : at, rest, path);
      return true;
    }
    Step step = Step::advanced;
    while (step == Step::advanced && effort.spend()) {
      step = fromStart ? growGoal(meeting, at) : growStart(meeting, at);
      at = other.size() - 1;
    }
    if (step != Step::arrived) continue;
    std::vector<VectorXd> rest;
    for (int i = static_cast<int>(fromStart ? at : reached); i >= 0; i = goal_[static_cast<std::size_t>(i)].parent)
      rest.push_back(goal_[static_cast<std::size_t>(i)].q);
    assemble(fromStart ? reached : at, rest, path);
    return true;
  }
  return false;
}

/// A milestone later than its parent: from the root by ramps of its state, from others straight, after a wait.
RampTree::Step RampTree::growTimed(const VectorXd& q, std::size_t from) {
  const Step step = stepTowards(start_[from].q, q);
  if (step == Step::blocked) return step;
  MovingObstacles& obstacles = *planner_.obstacles_;
  if (from == 0 && !dq_.isZero(0)) {
    if (!fastestRamps(q_, dq_, next_, VectorXd::Zero(next_.size()), planner_.limits_, ramps_) ||
        !planner_.staticallyFree(ramps_) || !obstacles.free(ramps_, cycle_.start))
      return Step::blocked;
    start_.push_back({next_, 0, Node::EdgeKind::ramps, ramps_[0].T, 0, ramps_});
    return step;
  }
  const Node& parent = start_[from];
  const double wait = random_.uniform() < kWaiting ? random_.uniform(0, kLongestWait) : 0;
  const RampPath line = straight(parent.q, next_);
  if (!(line.duration() > 0)) return Step::blocked;
  const double leave = parent.arrival + wait;
  if (!planner_.space_.visible(parent.q, next_) || !obstacles.free(line, cycle_.start + leave)) return Step::blocked;
  if (wait > 0 && !obstacles.restFree(parent.q, cycle_.start + parent.arrival, cycle_.start + leave))
    return Step::blocked;
  start_.push_back({next_, static_cast<int>(from), Node::EdgeKind::line, leave + line.duration(), wait});
  return step;
}

bool RampTree::searchTimed(PlanningEffort& effort, RampPath& path) {
  while (effort.spend()) {
    const std::uint64_t round = rounds_++;
    if (goals_.empty() || round % kGoalPeriod == 0) addGoal();
    if (goals_.empty()) continue;
    const bool towards = round == 0 || random_.uniform() < kTowardsGoal;
    if (towards)
      sample_ = goals_[round == 0 ? 0 : random_.below(goals_.size())];
    else
      planner_.space_.sample(random_, sample_);
    std::size_t from = nearest(start_, sample_);
    // The nearest may be too late or too early: others get their turn.
    if (towards && random_.uniform() < 0.5) from = random_.below(start_.size());
    Step step = growTimed(sample_, from);
    while (towards && step == Step::advanced && effort.spend()) step = growTimed(sample_, start_.size() - 1);
    if (!towards || step != Step::arrived) continue;
    if (!planner_.obstacles_->restFree(sample_, cycle_.start + start_.back().arrival)) continue;
    assemble(start_.size() - 1, {}, path);
    return true;
  }
  return false;
}

bool RampTree::search(PlanningEffort& effort, RampPath& path) {
  if (start_.empty()) plantRoots();
  return planner_.moves() ? searchTimed(effort, path) : searchStatic(effort, path);
}

}  // namespace mortise
