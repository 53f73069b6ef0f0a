#include "rrt.h"

#include <algorithm>
#include <cmath>

namespace mortise::planners {

namespace {
constexpr double kStepFraction = 0.25;     ///< Fraction of the extent.
constexpr double kMinFraction = 1.0 / 64;  ///< Fraction of the step that a node's reach is not shortened below.
constexpr double kGoalBias = 0.05;         ///< Bias of one tree alone.
constexpr int kConnectSteps = 64;
}  // namespace

void Rrt::begin() {
  step_ = options_.step > 0 ? options_.step : 0;
  nodes_.clear(space().dimension());
  parents_.clear();
  sides_.clear();
  proven_.clear();
  reach_.clear();
  goalNodes_.clear();
  targets_.clear();
  for (NearestNeighbors& near : near_) near.reset(space(), metric(), nodes_, options_.location);
  next_ = kStart;
  from_ = target_ = -1;
  proving_ = false;
  if (step_ == 0) step_ = kStepFraction * scaleOfSpace();
  minimum_ = kMinFraction * step_;
  for (const VectorXd& q : starts()) add(q, kStart, -1);
}

void Rrt::addGoal(int goal) {
  if (goal == 0 && options_.step == 0) {
    step_ = kStepFraction * scaleOfSpace();
    minimum_ = kMinFraction * step_;
  }
  const int node = add(goals()[static_cast<std::size_t>(goal)], kGoal, -1);
  goalNodes_.push_back(node);
  targets_.push_back(node);
}

int Rrt::add(const VectorXd& q, Side side, int parent) {
  const int node = nodes_.add(q);
  parents_.push_back(parent);
  sides_.push_back(side);
  proven_.push_back(0);
  reach_.push_back(step_);
  near_[side].insert(node);
  return node;
}

RoundPlanner::Round Rrt::round() {
  if (solved()) return Round::finished;
  if (proving_) return prove();
  if (target_ < 0 && !targets_.empty()) {
    target_ = targets_.back();
    targets_.pop_back();
    from_ = -1;
    attempts_ = 0;
  }
  if (target_ >= 0) {
    connect();
    return Round::more;
  }
  const bool grows = options_.bidirectional && near_[kGoal].size() > 0;
  const Side side = grows ? next_ : kStart;
  next_ = next_ == kStart ? kGoal : kStart;
  extend(side);
  return Round::more;
}

void Rrt::extend(Side side) {
  if (!options_.bidirectional && !goals().empty() && random().uniform() < kGoalBias) {
    sample_ = goals()[random().below(goals().size())];
  } else {
    sample(sample_);
  }
  double length = 0;
  const int from = near_[side].nearest(sample_, &length, random());
  if (!(length > 0)) return;
  nodes_.get(from, a_);
  const bool shortened = length > reach_[from];
  if (shortened) {
    space().interpolate(a_, sample_, reach_[from] / length, x_);
    length = reach_[from];
  } else {
    x_ = sample_;
  }
  if (!isFeasible(x_) || !passesCoarseCheck(a_, x_, length)) {
    reach_[from] = std::max(minimum_, 0.5 * std::min(reach_[from], length));
    return;
  }
  reach_[from] = std::min(step_, 1.5 * reach_[from]);
  const int node = add(x_, side, from);
  if (side == kStart && goals().empty() && inGoal(x_)) {
    goalNodes_.push_back(node);
    join(node, -1);
  } else if (near_[side == kStart ? kGoal : kStart].size() > 0) {
    target_ = node;
    from_ = -1;
    attempts_ = 0;
  }
}

void Rrt::stopConnecting() { target_ = from_ = -1; }

void Rrt::connect() {
  const Side side = sides_[target_] == kStart ? kGoal : kStart;
  // A tree that does not grow from the goal only offers its nodes to be reached.
  const bool grows = options_.bidirectional || side == kStart;
  nodes_.get(target_, b_);
  double length = 0;
  if (from_ < 0) {
    from_ = near_[side].nearest(b_, &length, random());
    if (from_ < 0) return stopConnecting();
    nodes_.get(from_, a_);
  } else {
    nodes_.get(from_, a_);
    length = distance(a_, b_);
  }
  if (length <= options_.connectionThreshold && passesCoarseCheck(a_, b_, length)) {
    const int a = side == kStart ? from_ : target_, b = side == kStart ? target_ : from_;
    stopConnecting();
    return join(a, b);
  }
  if (!grows || ++attempts_ > kConnectSteps) return stopConnecting();
  const double step = std::min(reach_[from_], 0.5 * length);
  if (step < minimum_) return stopConnecting();
  space().interpolate(a_, b_, step / length, x_);
  if (!isFeasible(x_) || !passesCoarseCheck(a_, x_, step)) {
    reach_[from_] = std::max(minimum_, 0.5 * step);
    return stopConnecting();
  }
  from_ = add(x_, side, from_);
}

/// An edge between a node of the start tree and one of the goal tree seems feasible; b = -1: `a` is in the goal itself.
void Rrt::join(int a, int b) {
  chain_.clear();
  for (int node = a; node >= 0; node = parents_[node]) chain_.push_back(node);
  std::reverse(chain_.begin(), chain_.end());
  bridge_ = b >= 0 ? chain_.size() - 1 : std::numeric_limits<std::size_t>::max();
  bridgeProven_ = b < 0;
  for (int node = b; node >= 0; node = parents_[node]) chain_.push_back(node);
  proving_ = true;
}

/// One edge of the chain: the bridge first, then from there to the ends.
RoundPlanner::Round Rrt::prove() {
  std::size_t edge = chain_.size();
  if (!bridgeProven_) {
    edge = bridge_;
  } else {
    for (std::size_t k = 0; k + 1 < chain_.size(); ++k) {
      if (k == bridge_) continue;
      const int child = k < bridge_ ? chain_[k + 1] : chain_[k];
      if (proven_[child] != 0) continue;
      edge = k;
      break;
    }
  }
  if (edge == chain_.size()) {
    std::vector<VectorXd> path;
    for (const int node : chain_) path.push_back(nodes_.at(node));
    proving_ = false;
    offer(path);
    return Round::finished;
  }
  nodes_.get(chain_[edge], a_);
  nodes_.get(chain_[edge + 1], b_);
  if (isFree(a_, b_)) {
    if (edge == bridge_) {
      bridgeProven_ = true;
    } else {
      proven_[edge < bridge_ ? chain_[edge + 1] : chain_[edge]] = 1;
    }
    return Round::more;
  }
  if (edge == bridge_) {
    for (const int node : {chain_[edge], chain_[edge + 1]}) reach_[node] = std::max(minimum_, 0.5 * reach_[node]);
  } else {
    cut(edge);
  }
  proving_ = false;
  return Round::more;
}

/// An edge of a tree is infeasible. What hung on it hangs on the other tree now, by the bridge, which is proven;
/// without a bridge it is given up.
void Rrt::cut(std::size_t edge) {
  const bool inStart = edge < bridge_;
  const int top = inStart ? chain_[edge + 1] : chain_[edge];  // Of what comes loose.
  std::vector<char> loose(parents_.size(), 0), known(parents_.size(), 0);
  known[top] = loose[top] = 1;
  std::vector<int> walk;
  for (int node = 0; node < nodes_.size(); ++node) {
    if (sides_[node] != sides_[top]) continue;
    walk.clear();
    int at = node;
    while (at >= 0 && known[at] == 0) {
      walk.push_back(at);
      at = parents_[at];
    }
    const char is = at >= 0 ? loose[at] : 0;
    for (const int other : walk) {
      known[other] = 1;
      loose[other] = is;
    }
  }
  const Side before = sides_[top] == kStart ? kStart : kGoal, after = before == kStart ? kGoal : kStart;
  const bool given = bridge_ >= chain_.size();
  if (!given) {
    // Turn the part of the chain between the cut and the bridge round.
    if (inStart) {
      for (std::size_t k = edge + 1; k <= bridge_; ++k) {
        parents_[chain_[k]] = chain_[k + 1];
        // The edge that was proven for the node nearer to the bridge belongs to this one now.
        proven_[chain_[k]] = k < bridge_ ? proven_[chain_[k + 1]] : 1;
      }
    } else {
      for (std::size_t k = edge; k > bridge_; --k) {
        parents_[chain_[k]] = chain_[k - 1];
        proven_[chain_[k]] = k - 1 > bridge_ ? proven_[chain_[k - 1]] : 1;
      }
    }
  }
  for (int node = 0; node < nodes_.size(); ++node) {
    if (loose[node] == 0) continue;
    near_[before].erase(node);
    // An edge that was proven from the root outwards is gone in the other direction now.
    if (std::find(chain_.begin(), chain_.end(), node) == chain_.end()) proven_[node] = 0;
    if (given) {
      sides_[node] = 2;
    } else {
      sides_[node] = after;
      near_[after].insert(node);
    }
  }
}

bool Rrt::roadmap(Roadmap& roadmap) const {
  roadmap = {};
  std::vector<int> index(parents_.size(), -1);
  for (int node = 0; node < nodes_.size(); ++node) {
    if (sides_[node] > kGoal) continue;
    index[node] = static_cast<int>(roadmap.configurations.size());
    roadmap.configurations.push_back(nodes_.at(node));
  }
  for (int node = 0; node < nodes_.size(); ++node) {
    if (index[node] < 0) continue;
    const int parent = parents_[node];
    if (parent < 0) {
      (sides_[node] == kStart ? roadmap.starts : roadmap.goals).push_back(index[node]);
      continue;
    }
    const int a = sides_[node] == kStart ? parent : node, b = sides_[node] == kStart ? node : parent;
    roadmap.edges.push_back({index[a], index[b], edgeCost(nodes_.at(a), nodes_.at(b)), proven_[node] != 0});
  }
  if (solved() && !proving_ && bridge_ < chain_.size())
    roadmap.edges.push_back({index[chain_[bridge_]], index[chain_[bridge_ + 1]],
                             edgeCost(nodes_.at(chain_[bridge_]), nodes_.at(chain_[bridge_ + 1])), true});
  return true;
}

void Rrt::count(Value& statistics) const {
  statistics.set("nodes", nodes_.size());
  statistics.set("startTree", near_[kStart].size());
  statistics.set("goalTree", near_[kGoal].size());
  statistics.set("step", step_);
}

}  // namespace mortise::planners
