#include "roadmap_planner.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/math/constants.h"

namespace mortise::planners {

namespace {
constexpr int kChecksPerRound = 8;  ///< A round.
}  // namespace

void RoadmapPlanner::begin() {
  nodes_.clear(space().dimension());
  graph_.clear();
  near_.reset(space(), metric(), nodes_, options_.location);
  goalNodes_.clear();
  union_.clear();
  hasStart_.clear();
  hasGoal_.clear();
  pending_.clear();
  waiting_.clear();
  pendingNode_ = -1;
  checking_ = false;
  radius_ = scaleOfSpace();
  for (const VectorXd& q : starts()) add(q, true);
}

int RoadmapPlanner::add(const VectorXd& q, bool source) {
  const int node = nodes_.add(q);
  // Where goals may still come, nothing is known of what is to come.
  graph_.addNode(source, options_.optimize && goalsComplete() ? lowerBoundTo(q) : 0);
  near_.insert(node);
  union_.push_back(node);
  hasStart_.push_back(source);
  hasGoal_.push_back(false);
  return node;
}

void RoadmapPlanner::addGoal(int goal) {
  const int node = add(goals()[static_cast<std::size_t>(goal)], false);
  radius_ = std::max(radius_, scaleOfSpace());
  goalNodes_.push_back(node);
  hasGoal_[node] = true;
  waiting_.push_back(node);
}

int RoadmapPlanner::root(int node) {
  while (union_[node] != node) node = union_[node] = union_[union_[node]];
  return node;
}

void RoadmapPlanner::unite(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  union_[std::max(a, b)] = std::min(a, b);
  const int left = std::min(a, b), other = std::max(a, b);
  hasStart_[left] = hasStart_[left] || hasStart_[other];
  hasGoal_[left] = hasGoal_[left] || hasGoal_[other];
}

/// After an edge was feasible in one direction and not in the other.
void RoadmapPlanner::uniteAnew() {
  for (int node = 0; node < nodes_.size(); ++node) {
    union_[node] = node;
    hasStart_[node] = node < static_cast<int>(starts().size());
    hasGoal_[node] = false;
  }
  for (const int goal : goalNodes_) hasGoal_[goal] = true;
  for (int e = 0; e < graph_.numEdges(); ++e)
    if (!graph_.edge(e).gone && (graph_.edge(e).free[0] || graph_.edge(e).free[1]))
      unite(graph_.edge(e).a, graph_.edge(e).b);
}

RoundPlanner::Round RoadmapPlanner::round() {
  if (solved() && !optimizing()) return Round::finished;
  if (checking_) {
    checkPath();
    if (!checking_) choosePath();
    return solved() && !optimizing() ? Round::finished : Round::more;
  }
  if (!pending_.empty()) {
    connectNext();
  } else if (!waiting_.empty()) {
    pendingNode_ = waiting_.back();
    waiting_.pop_back();
    findNeighbors(pendingNode_);
  } else {
    newNode();
  }
  choosePath();
  return Round::more;
}

/// A feasible place that could be on a better path, and its neighbors.
void RoadmapPlanner::newNode() {
  if (!sampleBelow(bestCost() / (1 + options_.suboptimalityFactor), q_)) return;
  if (options_.grow) {
    // The nearest that hangs on a start.
    near_.nearestK(q_, options_.bidirectional ? 1 : 8, pending_, random());
    int from = -1;
    double length = 0;
    for (const Neighbor& neighbor : pending_) {
      if (!options_.bidirectional && graph_.cost(neighbor.id) == kInfinity) continue;
      from = neighbor.id;
      length = neighbor.distance;
      break;
    }
    pending_.clear();
    if (from < 0 || !(length > 0)) return;
    const double n = static_cast<double>(nodes_.size()) + 1;
    const double reach = std::min(options_.connectionThreshold,
                                  radius_ * std::pow(std::log(n) / n, 1.0 / static_cast<double>(nodes_.dimension())));
    if (length > reach) {
      nodes_.get(from, a_);
      space().interpolate(a_, q_, reach / length, b_);
      q_ = b_;
    }
  }
  if (!isFeasible(q_)) return;
  const int node = add(q_, false);
  if (goalsUnknown() && inGoal(q_)) {
    goalNodes_.push_back(node);
    hasGoal_[node] = true;
  }
  pendingNode_ = node;
  findNeighbors(node);
}

void RoadmapPlanner::findNeighbors(int node) {
  nodes_.get(node, q_);
  int k = options_.knn, candidates = k;
  if (options_.optimize) {
    // Karaman and Frazzoli: k = e (1 + 1/d) log n, rounded up.
    const double d = static_cast<double>(nodes_.dimension()), n = static_cast<double>(nodes_.size());
    k = candidates = static_cast<int>(std::ceil(std::numbers::e * (1 + 1 / d) * std::log(n + 1)));
  } else if (k == 0) {
    k = candidates = nodes_.size();
  } else if (!options_.sameComponent && !options_.lazy) {
    candidates = 4 * k;  // As Klamp't: for some will be connected already when their turn comes.
  }
  near_.nearestK(q_, candidates + 1, pending_, random());
  std::erase_if(pending_, [&](const Neighbor& neighbor) {
    return neighbor.id == node || neighbor.distance > options_.connectionThreshold;
  });
  // Never without a try at the ends themselves: many problems take one straight edge.
  const auto alsoTry = [&](int other) {
    if (other == node) return;
    for (const Neighbor& neighbor : pending_)
      if (neighbor.id == other) return;
    nodes_.get(other, a_);
    const double length = distance(q_, a_);
    if (length <= options_.connectionThreshold) pending_.push_back({other, length});
  };
  if (std::find(goalNodes_.begin(), goalNodes_.end(), node) != goalNodes_.end())
    for (int start = 0; start < static_cast<int>(starts().size()); ++start) alsoTry(start);
  testsLeft_ = std::max(k, 1) + static_cast<int>(starts().size());
  if (options_.lazy) {
    for (const Neighbor& neighbor : pending_) connectLazily(node, neighbor.id, neighbor.distance);
    pending_.clear();
    return;
  }
  std::reverse(pending_.begin(), pending_.end());
}

void RoadmapPlanner::connectLazily(int a, int b, double length) {
  if (graph_.connected(a, b)) return;
  double ab = length, ba = length;
  nodes_.get(a, a_);
  nodes_.get(b, b_);
  // One place costs little, and less than computing cheapest paths anew without the edge later on.
  space().interpolate(a_, b_, 0.5, middle_);
  if (!isFeasible(middle_)) return;
  if (problem().objective != nullptr) {
    ab = edgeCost(a_, b_);
    ba = edgeCost(b_, a_);
  }
  graph_.addEdge(a, b, ab, ba);
}

void RoadmapPlanner::connectNext() {
  while (!pending_.empty()) {
    const int other = pending_.back().id;
    const double length = pending_.back().distance;
    pending_.pop_back();
    const int mine = root(pendingNode_), its = root(other);
    if (!options_.sameComponent && !options_.optimize && mine == its) continue;
    if (options_.optimize && mine == its && !solved()) {
      // No path needs it yet: checked when a better one goes over it.
      connectLazily(pendingNode_, other, length);
      continue;
    }
    if (graph_.connected(pendingNode_, other)) continue;
    // The edge that a path from start to goal would take.
    const bool arrives = hasStart_[its] && !hasStart_[mine] ? true : !hasGoal_[its] && hasGoal_[mine];
    const int from = arrives ? other : pendingNode_, to = arrives ? pendingNode_ : other;
    nodes_.get(from, a_);
    nodes_.get(to, b_);
    double there = length, back = length;
    if (problem().objective != nullptr) {
      there = edgeCost(a_, b_);
      back = edgeCost(b_, a_);
    }
    if (solved()) {
      const double minimum =
          std::min(lowerBoundFrom(a_) + there + lowerBoundTo(b_), lowerBoundFrom(b_) + back + lowerBoundTo(a_));
      if (!(minimum < bestCost() / (1 + options_.suboptimalityFactor))) continue;
    }
    if (isFree(a_, b_)) {
      graph_.edge(graph_.addEdge(from, to, there, back, true, false)).seen = true;
      unite(from, to);
    }
    if (--testsLeft_ <= 0) pending_.clear();
    return;
  }
}

/// The cheapest path on the roadmap, when it is better than the one there is.
void RoadmapPlanner::choosePath() {
  int end = -1;
  double minimum = bestCost() / (1 + options_.suboptimalityFactor);
  for (const int goal : goalNodes_) {
    if (graph_.cost(goal) == kInfinity) continue;
    nodes_.get(goal, a_);
    const double cost = graph_.cost(goal) + terminalCost(a_);
    // More than rounding: the same path must not be taken for a better one.
    if (!(cost < minimum * (1 - 1e-12))) continue;
    minimum = cost;
    end = goal;
  }
  if (end < 0) return;
  path_.clear();
  pathEdges_.clear();
  for (int node = end;;) {
    path_.push_back(node);
    const int edge = graph_.arrival(node);
    if (edge < 0) break;
    pathEdges_.push_back(edge);
    node = graph_.other(edge, node);
  }
  std::reverse(path_.begin(), path_.end());
  std::reverse(pathEdges_.begin(), pathEdges_.end());
  checking_ = true;
}

/// Checks edges of the path, and those of the next one when one is infeasible; not more than a proof or some samples.
void RoadmapPlanner::checkPath() {
  for (int check = 0; check < kChecksPerRound && checking_; ++check) {
    // The one in the middle of those that are not known to be free: ends are in free places, edges between random
    // places are blocked more often.
    int next = -1;
    const int middle = static_cast<int>(pathEdges_.size()) / 2;
    for (int k = 0; k < static_cast<int>(pathEdges_.size()); ++k) {
      const LazyGraph::Edge& edge = graph_.edge(pathEdges_[k]);
      if (edge.free[graph_.direction(pathEdges_[k], path_[k])]) continue;
      // First those that have not been checked.
      if (next >= 0 && graph_.edge(pathEdges_[next]).seen != edge.seen) {
        if (!edge.seen) next = k;
        continue;
      }
      if (next < 0 || std::abs(k - middle) < std::abs(next - middle)) next = k;
    }
    if (next < 0) return takePath();
    const int e = pathEdges_[next], from = path_[next];
    nodes_.get(from, a_);
    nodes_.get(path_[next + 1], b_);
    LazyGraph::Edge& edge = graph_.edge(e);
    const bool proves = edge.seen;
    if (!proves && passesCoarseCheck(a_, b_)) {
      edge.seen = true;
    } else if (proves && isFree(a_, b_)) {
      edge.free[graph_.direction(e, from)] = true;
      return;
    } else {
      const bool counted = edge.free[0] || edge.free[1];
      graph_.removeEdge(e);
      checking_ = false;
      if (!options_.lazy && counted) uniteAnew();
      if (proves) return;
      choosePath();
    }
  }
}

void RoadmapPlanner::takePath() {
  checking_ = false;
  std::vector<VectorXd> path;
  for (const int node : path_) path.push_back(nodes_.at(node));
  offer(path);
  // A hair more than the best: what is as good as that stays known.
  if (options_.optimize && goalsComplete()) graph_.setBound(bestCost() * (1 + 1e-9));
}

bool RoadmapPlanner::roadmap(Roadmap& roadmap) const {
  roadmap = {};
  for (int node = 0; node < nodes_.size(); ++node) roadmap.configurations.push_back(nodes_.at(node));
  for (int e = 0; e < graph_.numEdges(); ++e) {
    const LazyGraph::Edge& edge = graph_.edge(e);
    if (!edge.gone) roadmap.edges.push_back({edge.a, edge.b, edge.cost[0], edge.free[0] || edge.free[1]});
  }
  for (int start = 0; start < static_cast<int>(starts().size()); ++start) roadmap.starts.push_back(start);
  roadmap.goals = goalNodes_;
  return true;
}

void RoadmapPlanner::count(Value& statistics) const {
  statistics.set("nodes", nodes_.size());
  statistics.set("edges", graph_.edgesLeft());
}

}  // namespace mortise::planners
