#include "tree_roadmap.h"

#include <algorithm>
#include <cmath>

namespace mortise::planners {

namespace {
constexpr double kRadiusFraction = 0.1;  ///< Fraction of the extent.
constexpr double kClosestTree = 0.2;  ///< Frequency with which the closest tree is reached for, not any, as in Klamp't.
constexpr int kBestOf = 8;            ///< Random nodes of the other tree, the nearest of which is reached for.
constexpr std::int64_t kSeedPeriod = 4;  ///< Times `randomizeFrequency`.
}  // namespace

void TreeRoadmap::begin() {
  const int n = space().dimension();
  nodes_.clear(n);
  parents_.clear();
  trees_.clear();
  places_.clear();
  free_.clear();
  forest_.clear();
  links_.clear();
  grown_ = 0;
  checking_ = checkingPath_ = grownIntoGoal_ = false;
  radius_ = options_.radius > 0 ? options_.radius : kRadiusFraction * scaleOfSpace();
  VectorXd low, high;
  space().bounds(low, high);
  cells_.resize(n);
  for (int i = 0; i < n; ++i) {
    const double range = high[i] - low[i];
    cells_[i] =
        options_.gridResolution > 0 ? options_.gridResolution : 0.1 * (std::isfinite(range) && range > 0 ? range : 10);
  }
  for (const VectorXd& q : starts()) addTree(q, true, false);
}

void TreeRoadmap::addGoal(int goal) {
  if (goal == 0 && options_.radius == 0) radius_ = kRadiusFraction * scaleOfSpace();
  const int tree = addTree(goals()[static_cast<std::size_t>(goal)], false, true);
  // One straight edge solves many problems.
  if (!checking_ && !checkingPath_) startChain(forest_[0].root, forest_[tree].root);
}

int TreeRoadmap::addTree(const VectorXd& q, bool start, bool goal) {
  const int tree = static_cast<int>(forest_.size());
  forest_.emplace_back();
  forest_[tree].start = start;
  forest_[tree].goal = goal;
  forest_[tree].group = tree;
  forest_[tree].grid.reset(cells_);
  forest_[tree].grid.chooseCoordinates(random());
  forest_[tree].root = add(q, tree, -1);
  return tree;
}

int TreeRoadmap::add(const VectorXd& q, int tree, int parent) {
  const int node = nodes_.add(q);
  parents_.push_back(parent);
  trees_.push_back(tree);
  places_.push_back(static_cast<int>(forest_[tree].nodes.size()));
  free_.push_back(kNone);
  forest_[tree].nodes.push_back(node);
  forest_[tree].grid.insert(nodes_, node);
  return node;
}

void TreeRoadmap::moveNode(int node, int tree) {
  Tree& from = forest_[trees_[node]];
  from.grid.erase(nodes_, node);
  from.nodes[places_[node]] = from.nodes.back();
  places_[from.nodes.back()] = places_[node];
  from.nodes.pop_back();
  trees_[node] = tree;
  places_[node] = static_cast<int>(forest_[tree].nodes.size());
  forest_[tree].nodes.push_back(node);
  forest_[tree].grid.insert(nodes_, node);
}

int TreeRoadmap::pick(int tree) {
  const Tree& from = forest_[tree];
  return options_.useGrid ? from.grid.pick(random()) : from.nodes[random().below(from.nodes.size())];
}

/// A node to be connected with q.
int TreeRoadmap::pickFor(int tree, const VectorXd& q) {
  if (options_.useGrid) {
    const int near = forest_[tree].grid.pickAt(q.data(), random());
    if (near >= 0) return near;
  }
  int best = -1;
  double minimum = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kBestOf; ++k) {
    const int node = pick(tree);
    nodes_.get(node, b_);
    const double length = distance(q, b_);
    if (!(length < minimum)) continue;
    minimum = length;
    best = node;
  }
  return best;
}

bool TreeRoadmap::treeIsLonely(int tree) const {
  for (const Tree& other : forest_)
    if (other.group != forest_[tree].group) return true;
  return false;
}

RoundPlanner::Round TreeRoadmap::round() {
  if (solved()) return Round::finished;
  if (checking_) {
    checkChain();
  } else if (checkingPath_) {
    checkPath();
  } else {
    extend();
  }
  return solved() ? Round::finished : Round::more;
}

void TreeRoadmap::extend() {
  ++grown_;
  if (grown_ % options_.randomizeFrequency == 0) {
    for (Tree& tree : forest_) {
      tree.grid.chooseCoordinates(random());
      for (const int node : tree.nodes) tree.grid.insert(nodes_, node);
    }
  }
  if (options_.seeds && grown_ % (kSeedPeriod * options_.randomizeFrequency) == 0) {
    sample(x_);
    if (isFeasible(x_)) addTree(x_, false, false);
    return;
  }
  const int tree = static_cast<int>(random().below(forest_.size()));
  if (forest_.size() > 1 && !goalsUnknown() && !treeIsLonely(tree)) return;
  const int from = pick(tree);
  nodes_.get(from, a_);
  bool found = false;
  for (int i = 1; i <= options_.tries && !found; ++i) {
    space().sampleNear(random(), a_, radius_ / i, x_);
    found = isFeasible(x_);
  }
  if (!found) return;
  if (!options_.lazy) {
    const bool up = forest_[tree].goal;
    if (!passesCoarseCheck(a_, x_) || !(up ? isFree(x_, a_) : isFree(a_, x_))) return;
    const int node = add(x_, tree, from);
    free_[node] = static_cast<char>(kExamined | (up ? kUp : kDown));
  } else {
    add(x_, tree, from);
  }
  const int node = nodes_.size() - 1;
  if (goalsUnknown() && !grownIntoGoal_ && inGoal(x_)) {
    // A tree of its own, which the chain ends at.
    grownIntoGoal_ = true;
    const int goal = addTree(x_, false, true);
    startChain(node, forest_[goal].root);
    return;
  }
  const int other = treeOfAnotherGroup(tree);
  if (other >= 0) {
    const bool first = forest_[tree].start || (!forest_[other].start && tree < other);
    const int far = pickFor(other, x_);
    startChain(first ? node : far, first ? far : node);
  }
}

int TreeRoadmap::treeOfAnotherGroup(int tree) {
  int other = -1;
  if (random().uniform() < kClosestTree) {
    double minimum = std::numeric_limits<double>::infinity();
    for (int t = 0; t < static_cast<int>(forest_.size()); ++t) {
      if (forest_[t].group == forest_[tree].group) continue;
      nodes_.get(forest_[t].root, b_);
      const double length = distance(x_, b_);
      if (!(length < minimum)) continue;
      minimum = length;
      other = t;
    }
  } else {
    int count = 0;
    for (const Tree& t : forest_) count += t.group != forest_[tree].group;
    if (count > 0) {
      int left = static_cast<int>(random().below(static_cast<std::uint64_t>(count)));
      for (int t = 0; t < static_cast<int>(forest_.size()) && other < 0; ++t)
        if (forest_[t].group != forest_[tree].group && left-- == 0) other = t;
    }
  }
  return other;
}

/// From the root of a's tree over a and b to the root of b's tree.
void TreeRoadmap::startChain(int a, int b) {
  nodes_.get(a, a_);
  nodes_.get(b, b_);
  const double length = distance(a_, b_);
  if (length > options_.connectionThreshold || !passesCoarseCheck(a_, b_, length)) return;
  chain_.clear();
  for (int node = a; node >= 0; node = parents_[node]) chain_.push_back(node);
  std::reverse(chain_.begin(), chain_.end());
  bridge_ = chain_.size() - 1;
  for (int node = b; node >= 0; node = parents_[node]) chain_.push_back(node);
  bridgeFree_ = false;
  checking_ = true;
}

/// One edge, the longest first.
void TreeRoadmap::checkChain() {
  std::size_t edge = chain_.size();
  double longest = -1;
  for (std::size_t k = 0; k + 1 < chain_.size(); ++k) {
    const int child = k < bridge_ ? chain_[k + 1] : chain_[k];
    if (k == bridge_ ? bridgeFree_ : (free_[child] & (k < bridge_ ? kDown : kUp)) != 0) continue;
    nodes_.get(chain_[k], a_);
    nodes_.get(chain_[k + 1], b_);
    const double length = distance(a_, b_);
    if (length > longest) {
      longest = length;
      edge = k;
    }
  }
  if (edge == chain_.size()) {
    checking_ = false;
    linkTrees();
    return;
  }
  nodes_.get(chain_[edge], a_);
  nodes_.get(chain_[edge + 1], b_);
  if (edge == bridge_) {
    bridgeFree_ = isFree(a_, b_);
    checking_ = bridgeFree_;
    return;
  }
  const int child = edge < bridge_ ? chain_[edge + 1] : chain_[edge];
  const bool examined = (free_[child] & kExamined) != 0;
  if ((examined || passesCoarseCheck(a_, b_, longest)) && isFree(a_, b_)) {
    free_[child] = static_cast<char>(free_[child] | kExamined | (edge < bridge_ ? kDown : kUp));
    return;
  }
  cut(edge);
  checking_ = false;
}

/// An edge is infeasible: what hung on it hangs on the other tree now, by the bridge.
void TreeRoadmap::cut(std::size_t edge) {
  const bool inFirst = edge < bridge_;
  const int top = inFirst ? chain_[edge + 1] : chain_[edge];
  const int before = trees_[top], after = trees_[inFirst ? chain_.back() : chain_.front()];
  std::vector<int> loose;
  for (const int node : forest_[before].nodes) {
    int at = node;
    while (at >= 0 && at != top) at = parents_[at];
    if (at == top) loose.push_back(node);
  }
  // The part of the chain between the cut and the bridge is turned round; an edge that is feasible downwards is then
  // feasible upwards.
  const auto turned = [](char is) {
    return static_cast<char>((is & kExamined) | ((is & kDown) != 0 ? kUp : 0) | ((is & kUp) != 0 ? kDown : 0));
  };
  if (inFirst) {
    for (std::size_t k = edge + 1; k <= bridge_; ++k) {
      parents_[chain_[k]] = chain_[k + 1];
      free_[chain_[k]] =
          k < bridge_ ? turned(free_[chain_[k + 1]]) : static_cast<char>(kExamined | (bridgeFree_ ? kUp : 0));
    }
  } else {
    for (std::size_t k = edge; k > bridge_; --k) {
      parents_[chain_[k]] = chain_[k - 1];
      free_[chain_[k]] =
          k - 1 > bridge_ ? turned(free_[chain_[k - 1]]) : static_cast<char>(kExamined | (bridgeFree_ ? kDown : 0));
    }
  }
  for (const int node : loose) moveNode(node, after);
}

/// The chain is free.
void TreeRoadmap::linkTrees() {
  Link link{trees_[chain_.front()], trees_[chain_.back()], {}, false};
  for (const int node : chain_) link.path.push_back(nodes_.at(node));
  const int old = forest_[link.b].group, group = forest_[link.a].group;
  for (Tree& tree : forest_)
    if (tree.group == old) tree.group = group;
  links_.push_back(std::move(link));
  findPath();
}

/// A chain of links from a start to a goal, as few as there are.
void TreeRoadmap::findPath() {
  std::vector<int> from(forest_.size(), -2), queue;
  for (int t = 0; t < static_cast<int>(forest_.size()); ++t)
    if (forest_[t].start) {
      from[t] = -1;
      queue.push_back(t);
    }
  int end = -1;
  for (std::size_t k = 0; k < queue.size() && end < 0; ++k) {
    for (int l = 0; l < static_cast<int>(links_.size()) && end < 0; ++l) {
      if (links_[l].a != queue[k] && links_[l].b != queue[k]) continue;
      const int next = links_[l].a == queue[k] ? links_[l].b : links_[l].a;
      if (from[next] != -2) continue;
      from[next] = l;
      queue.push_back(next);
      if (forest_[next].goal) end = next;
    }
  }
  if (end < 0) return;
  pathLinks_.clear();
  pathReversed_.clear();
  for (int tree = end; from[tree] >= 0;) {
    const Link& link = links_[from[tree]];
    pathLinks_.push_back(from[tree]);
    pathReversed_.push_back(link.b != tree);
    tree = link.b == tree ? link.a : link.b;
  }
  std::reverse(pathLinks_.begin(), pathLinks_.end());
  std::reverse(pathReversed_.begin(), pathReversed_.end());
  pathAt_ = edgeAt_ = 0;
  checkingPath_ = true;
}

/// Links that are gone the other way round have to be free that way, too.
void TreeRoadmap::checkPath() {
  while (pathAt_ < pathLinks_.size() && (!pathReversed_[pathAt_] || links_[pathLinks_[pathAt_]].freeBack)) ++pathAt_;
  if (pathAt_ < pathLinks_.size()) {
    Link& link = links_[pathLinks_[pathAt_]];
    const std::size_t last = link.path.size() - 1;
    if (edgeAt_ == last) {
      link.freeBack = true;
      edgeAt_ = 0;
    } else if (isFree(link.path[last - edgeAt_], link.path[last - edgeAt_ - 1])) {
      ++edgeAt_;
    } else {
      links_.erase(links_.begin() + pathLinks_[pathAt_]);
      // Groups anew, from what is left.
      for (std::size_t t = 0; t < forest_.size(); ++t) forest_[t].group = static_cast<int>(t);
      for (const Link& other : links_) {
        const int old = forest_[other.b].group, group = forest_[other.a].group;
        for (Tree& tree : forest_)
          if (tree.group == old) tree.group = group;
      }
      checkingPath_ = false;
    }
    return;
  }
  checkingPath_ = false;
  std::vector<VectorXd> path;
  for (std::size_t k = 0; k < pathLinks_.size(); ++k) {
    std::vector<VectorXd> part = links_[pathLinks_[k]].path;
    if (pathReversed_[k]) std::reverse(part.begin(), part.end());
    path.insert(path.end(), part.begin() + (k == 0 ? 0 : 1), part.end());
  }
  // Grown into the goal: the end stands there twice.
  if (path.size() > 1 && path[path.size() - 1] == path[path.size() - 2]) path.pop_back();
  offer(path);
}

bool TreeRoadmap::roadmap(Roadmap& roadmap) const {
  roadmap = {};
  for (int node = 0; node < nodes_.size(); ++node) {
    roadmap.configurations.push_back(nodes_.at(node));
    if (parents_[node] >= 0)
      roadmap.edges.push_back({parents_[node], node, edgeCost(nodes_.at(parents_[node]), nodes_.at(node)),
                               (free_[node] & (kUp | kDown)) != 0});
  }
  for (const Tree& tree : forest_) {
    if (tree.start) roadmap.starts.push_back(tree.root);
    if (tree.goal) roadmap.goals.push_back(tree.root);
  }
  return true;
}

void TreeRoadmap::count(Value& statistics) const {
  statistics.set("nodes", nodes_.size());
  statistics.set("trees", static_cast<std::int64_t>(forest_.size()));
  statistics.set("radius", radius_);
}

}  // namespace mortise::planners
