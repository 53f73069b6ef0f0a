#include "rrt_star.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/math/constants.h"

namespace mortise::planners {

namespace {
constexpr double kReachFraction = 0.25;  ///< Fraction of the extent.
constexpr double kStarGoalBias = 0.05;   ///< Before there is a path.
}  // namespace

RrtStar::RrtStar(const RrtStarOptions& options)
    : Rrt({.step = options.step, .connectionThreshold = options.connectionThreshold, .bidirectional = true}),
      starOptions_(options) {}

void RrtStar::begin() {
  Rrt::begin();
  tree_.clear(space().dimension());
  around_.reset(space(), metric(), tree_, starOptions_.location);
  above_.clear();
  firstBelow_.clear();
  nextBelow_.clear();
  arrival_.clear();
  ends_.clear();
  taken_ = waiting_ = false;
  parents_.clear();
  rewires_.clear();
  reach_ = starOptions_.step > 0 ? starOptions_.step : kReachFraction * scaleOfSpace();
  for (const VectorXd& q : starts()) arrival_[addNode(q)] = 0;
}

int RrtStar::addNode(const VectorXd& q) {
  const int node = tree_.add(q);
  above_.push_back(-1);
  firstBelow_.push_back(-1);
  nextBelow_.push_back(-1);
  arrival_.push_back(kInfinity);
  around_.insert(node);
  return node;
}

void RrtStar::addGoal(int goal) {
  if (starOptions_.bidirectional && !taken_) Rrt::addGoal(goal);
  if (goal == 0 && starOptions_.step == 0) reach_ = kReachFraction * scaleOfSpace();
  ends_.push_back(addNode(goals()[static_cast<std::size_t>(goal)]));
}

RoundPlanner::Round RrtStar::round() {
  if (starOptions_.bidirectional && !solved()) {
    Rrt::round();
    return Round::more;
  }
  if (!taken_) {
    taken_ = true;
    // What the two trees found, or a start that is in the goal.
    const std::vector<VectorXd>& path = bestPath();
    int node = -1;
    for (std::size_t i = 0; i < path.size(); ++i) {
      int at = -1;
      if (i == 0 || i + 1 == path.size()) {
        around_.nearestK(path[i], 1, neighbors_, random());
        if (!neighbors_.empty() && neighbors_.front().distance == 0) at = neighbors_.front().id;
      }
      if (at < 0) at = addNode(path[i]);
      if (node >= 0 && at != node && arrival_[at] == kInfinity)
        attach(at, node, arrival_[node] + edgeCost(path[i - 1], path[i]));
      node = at;
    }
    if (node >= 0 && std::find(ends_.begin(), ends_.end(), node) == ends_.end()) ends_.push_back(node);
  }
  if (waiting_) {
    chooseParent();
  } else if (!rewires_.empty()) {
    rewire();
  } else {
    grow();
  }
  return Round::more;
}

void RrtStar::attach(int node, int parent, double cost) {
  if (above_[node] >= 0) detach(node);
  above_[node] = parent;
  nextBelow_[node] = firstBelow_[parent];
  firstBelow_[parent] = node;
  const double change = cost - arrival_[node];
  if (!(arrival_[node] < kInfinity)) {
    arrival_[node] = cost;
    return;
  }
  stack_.assign(1, node);
  while (!stack_.empty()) {
    const int at = stack_.back();
    stack_.pop_back();
    arrival_[at] += change;
    for (int below = firstBelow_[at]; below >= 0; below = nextBelow_[below]) stack_.push_back(below);
  }
}

void RrtStar::detach(int node) {
  int* link = &firstBelow_[above_[node]];
  while (*link != node) link = &nextBelow_[*link];
  *link = nextBelow_[node];
  above_[node] = -1;
}

/// A new place, and the edges by which it may be reached.
void RrtStar::grow() {
  if (!solved() && !goals().empty() && random().uniform() < kStarGoalBias) {
    q_ = goals()[random().below(goals().size())];
  } else if (!sampleBelow(bound(), q_)) {
    return;
  }
  // The nearest that is in the tree: goals may not be yet.
  around_.nearestK(q_, 1 + static_cast<int>(ends_.size()), neighbors_, random());
  int from = -1;
  double length = 0;
  for (const Neighbor& neighbor : neighbors_) {
    if (arrival_[neighbor.id] == kInfinity) continue;
    from = neighbor.id;
    length = neighbor.distance;
    break;
  }
  if (from < 0 || !(length > 0)) return;
  if (length > reach_) {
    tree_.get(from, a_);
    space().interpolate(a_, q_, reach_ / length, b_);
    q_ = b_;
  }
  if (!isFeasible(q_)) return;
  const double d = static_cast<double>(tree_.dimension()), n = static_cast<double>(tree_.size());
  const int k = static_cast<int>(std::ceil(std::numbers::e * (1 + 1 / d) * std::log(n + 1)));
  around_.nearestK(q_, std::max(1, k), neighbors_, random());
  parents_.clear();
  const double onward = lowerBoundTo(q_), maximum = bound();
  bool nearest = false;
  for (const Neighbor& neighbor : neighbors_) {
    nearest = nearest || neighbor.id == from;
    if (arrival_[neighbor.id] == kInfinity || neighbor.distance > starOptions_.connectionThreshold) continue;
    tree_.get(neighbor.id, a_);
    const double cost = arrival_[neighbor.id] + edgeCost(a_, q_);
    if (cost + onward < maximum) parents_.push_back({cost, neighbor.id, neighbor.distance});
  }
  if (!nearest) {
    tree_.get(from, a_);
    const double cost = arrival_[from] + edgeCost(a_, q_);
    if (cost + onward < maximum) parents_.push_back({cost, from, distance(a_, q_)});
  }
  if (parents_.empty()) return;
  // The cheapest last.
  std::sort(parents_.begin(), parents_.end(),
            [](const Edge& a, const Edge& b) { return a.cost != b.cost ? a.cost > b.cost : a.node > b.node; });
  waiting_ = true;
}

void RrtStar::chooseParent() {
  const Edge edge = parents_.back();
  parents_.pop_back();
  tree_.get(edge.node, a_);
  if (!passesCoarseCheck(a_, q_, edge.length) || !isFree(a_, q_)) {
    waiting_ = !parents_.empty();
    return;
  }
  waiting_ = false;
  newest_ = addNode(q_);
  attach(newest_, edge.node, edge.cost);
  if (goalsUnknown() && inGoal(q_)) {
    ends_.push_back(newest_);
    lookAtGoals();
  }
  rewires_.clear();
  const double maximum = bound();
  const auto consider = [&](int node, double length) {
    if (node == edge.node || node == newest_ || length > starOptions_.connectionThreshold) return;
    tree_.get(node, b_);
    const double cost = edge.cost + edgeCost(q_, b_);
    if (cost < arrival_[node] && cost + lowerBoundTo(b_) < maximum) rewires_.push_back({cost, node, length});
  };
  for (const Neighbor& neighbor : neighbors_) consider(neighbor.id, neighbor.distance);
  // Goals are tried from everywhere, because a node that sees one need not get near.
  for (const int end : ends_) {
    bool known = false;
    for (const Edge& other : rewires_) known = known || other.node == end;
    if (known) continue;
    tree_.get(end, b_);
    consider(end, distance(q_, b_));
  }
}

/// One of the neighbors of the newest node, which may arrive by it.
void RrtStar::rewire() {
  const Edge edge = rewires_.back();
  rewires_.pop_back();
  // Meanwhile either may be cheaper than it was, by an edge that was found before.
  tree_.get(newest_, a_);
  tree_.get(edge.node, b_);
  const double cost = arrival_[newest_] + edgeCost(a_, b_);
  if (!(cost < arrival_[edge.node] * (1 - 1e-12)) || !(cost + lowerBoundTo(b_) < bound())) return;
  if (!passesCoarseCheck(a_, b_, edge.length) || !isFree(a_, b_)) return;
  attach(edge.node, newest_, cost);
  lookAtGoals();
}

void RrtStar::lookAtGoals() {
  int best = -1;
  double minimum = bestCost();
  for (const int end : ends_) {
    if (arrival_[end] == kInfinity) continue;
    tree_.get(end, b_);
    const double cost = arrival_[end] + terminalCost(b_);
    if (!(cost < minimum * (1 - 1e-12))) continue;
    minimum = cost;
    best = end;
  }
  if (best < 0) return;
  std::vector<VectorXd> path;
  for (int node = best; node >= 0; node = above_[node]) path.push_back(tree_.at(node));
  std::reverse(path.begin(), path.end());
  offer(path);
}

bool RrtStar::roadmap(Roadmap& roadmap) const {
  if (!taken_ && starOptions_.bidirectional) return Rrt::roadmap(roadmap);
  roadmap = {};
  for (int node = 0; node < tree_.size(); ++node) {
    roadmap.configurations.push_back(tree_.at(node));
    if (above_[node] >= 0)
      roadmap.edges.push_back({above_[node], node, edgeCost(tree_.at(above_[node]), tree_.at(node)), true});
  }
  for (int start = 0; start < static_cast<int>(starts().size()); ++start) roadmap.starts.push_back(start);
  roadmap.goals = ends_;
  return true;
}

void RrtStar::count(Value& statistics) const {
  if (!taken_ && starOptions_.bidirectional) return Rrt::count(statistics);
  statistics.set("nodes", tree_.size());
  statistics.set("step", reach_);
}

}  // namespace mortise::planners
