#include "structures/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mortise::planners {

namespace {
constexpr int kRecent = 64, kLeaf = 12;
}

/// The k best so far: a heap with the worst on top. Distances are squared where the metric is flat.
struct NearestNeighbors::Search {
  int k;
  std::vector<Neighbor>& best;
  double bound = std::numeric_limits<double>::infinity();

  void offer(int id, double distance) {
    const Neighbor neighbor{id, distance};
    if (static_cast<int>(best.size()) < k) {
      best.push_back(neighbor);
      std::push_heap(best.begin(), best.end());
    } else {
      if (!(neighbor < best.front())) return;
      std::pop_heap(best.begin(), best.end());
      best.back() = neighbor;
      std::push_heap(best.begin(), best.end());
    }
    if (static_cast<int>(best.size()) == k) bound = best.front().distance;
  }
};

void NearestNeighbors::reset(const PlanningSpace& space, const FlatMetric& metric, const Configurations& points,
                             const PointLocation& location) {
  space_ = &space;
  points_ = &points;
  metric_ = metric;
  location_ = location;
  alive_ = dead_ = 0;
  member_.clear();
  recent_.clear();
  recentScaled_.clear();
  trees_.clear();
  order_.clear();
  place_.clear();
  scaledQuery_.assign(static_cast<std::size_t>(points.dimension()), 0);
  sides_.assign(static_cast<std::size_t>(points.dimension()), 0);
}

void NearestNeighbors::scale(const double* q, double* scaled) const {
  for (int i = 0; i < points_->dimension(); ++i) scaled[i] = metric_.weights[i] * q[i];
}

double NearestNeighbors::distanceTo(const VectorXd& q, int id) {
  points_->get(id, other_);
  return space_->distance(q, other_);
}

void NearestNeighbors::insert(int id) {
  if (contains(id)) return;
  if (id >= static_cast<int>(member_.size())) {
    member_.resize(static_cast<std::size_t>(id) + 1, 0);
    place_.resize(static_cast<std::size_t>(id) + 1, -1);
  }
  member_[id] = 1;
  place_[id] = static_cast<int>(order_.size());
  order_.push_back(id);
  ++alive_;
  recent_.push_back(id);
  if (metric_.flat) {
    const std::size_t d = static_cast<std::size_t>(points_->dimension());
    recentScaled_.resize(recentScaled_.size() + d);
    scale(points_->row(id), recentScaled_.data() + recentScaled_.size() - d);
  }
  if (static_cast<int>(recent_.size()) < kRecent || location_.kind != PointLocation::Kind::exact) return;
  Tree tree;
  tree.ids = recent_;
  recent_.clear();
  recentScaled_.clear();
  while (!trees_.empty() && trees_.back().ids.size() <= tree.ids.size()) {
    tree.ids.insert(tree.ids.end(), trees_.back().ids.begin(), trees_.back().ids.end());
    trees_.pop_back();
  }
  build(tree);
  trees_.push_back(std::move(tree));
}

void NearestNeighbors::erase(int id) {
  if (!contains(id)) return;
  member_[id] = 0;
  --alive_;
  order_[place_[id]] = order_.back();
  place_[order_.back()] = place_[id];
  order_.pop_back();
  const auto at = std::find(recent_.begin(), recent_.end(), id);
  if (at != recent_.end()) {
    const std::size_t k = static_cast<std::size_t>(at - recent_.begin()),
                      d = static_cast<std::size_t>(points_->dimension());
    recent_.erase(at);
    if (metric_.flat)
      recentScaled_.erase(recentScaled_.begin() + static_cast<std::ptrdiff_t>(k * d),
                          recentScaled_.begin() + static_cast<std::ptrdiff_t>((k + 1) * d));
  } else if (++dead_ > alive_) {
    rebuildAll();
  } else {
    // Ids of leaves are looked up in `member_`; an id that comes back must not stand in two places.
    for (Tree& tree : trees_)
      for (int& other : tree.ids)
        if (other == id) other = -1;
  }
}

void NearestNeighbors::rebuildAll() {
  Tree tree;
  for (Tree& old : trees_)
    for (const int id : old.ids)
      if (id >= 0 && contains(id)) tree.ids.push_back(id);
  trees_.clear();
  dead_ = 0;
  if (tree.ids.empty()) return;
  build(tree);
  trees_.push_back(std::move(tree));
}

void NearestNeighbors::build(Tree& tree) {
  std::erase_if(tree.ids, [](int id) { return id < 0; });
  tree.nodes.clear();
  if (metric_.flat) {
    buildFlat(tree, 0, static_cast<int>(tree.ids.size()));
    const std::size_t d = static_cast<std::size_t>(points_->dimension());
    tree.scaled.resize(tree.ids.size() * d);
    for (std::size_t k = 0; k < tree.ids.size(); ++k) scale(points_->row(tree.ids[k]), tree.scaled.data() + k * d);
  } else {
    buildRound(tree, 0, static_cast<int>(tree.ids.size()));
  }
}

int NearestNeighbors::buildFlat(Tree& tree, int first, int count) {
  const int index = static_cast<int>(tree.nodes.size());
  tree.nodes.emplace_back();
  if (count <= kLeaf) {
    tree.nodes[index].first = first;
    tree.nodes[index].count = count;
    return index;
  }
  // Along the axis in which they lie farthest apart.
  int axis = 0;
  double widest = -1;
  for (int i = 0; i < points_->dimension(); ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int k = first; k < first + count; ++k) {
      low = std::min(low, points_->row(tree.ids[k])[i]);
      high = std::max(high, points_->row(tree.ids[k])[i]);
    }
    if (metric_.weights[i] * (high - low) > widest) {
      widest = metric_.weights[i] * (high - low);
      axis = i;
    }
  }
  const int half = count / 2;
  const auto begin = tree.ids.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
    const double x = points_->row(a)[axis], y = points_->row(b)[axis];
    return x != y ? x < y : a < b;
  });
  const double split = metric_.weights[axis] * points_->row(tree.ids[first + half])[axis];
  const int left = buildFlat(tree, first, half), right = buildFlat(tree, first + half, count - half);
  Node& node = tree.nodes[index];
  node.axis = axis;
  node.split = split;
  node.left = left;
  node.right = right;
  return index;
}

int NearestNeighbors::buildRound(Tree& tree, int first, int count) {
  const int index = static_cast<int>(tree.nodes.size());
  tree.nodes.emplace_back();
  if (count <= kLeaf) {
    tree.nodes[index].first = first;
    tree.nodes[index].count = count;
    return index;
  }
  // The first one is the vantage point: which one it is does not matter much.
  const VectorXd vantage = points_->at(tree.ids[first]);
  sorting_.clear();
  for (int k = first + 1; k < first + count; ++k) sorting_.emplace_back(distanceTo(vantage, tree.ids[k]), tree.ids[k]);
  const int half = static_cast<int>(sorting_.size()) / 2;
  std::nth_element(sorting_.begin(), sorting_.begin() + half, sorting_.end());
  const double split = sorting_[half].first;
  for (int k = 0; k < count - 1; ++k) tree.ids[first + 1 + k] = sorting_[k].second;
  const int left = buildRound(tree, first + 1, half), right = buildRound(tree, first + 1 + half, count - 1 - half);
  Node& node = tree.nodes[index];
  node.axis = 0;
  node.split = split;
  node.first = first;
  node.left = left;
  node.right = right;
  return index;
}

void NearestNeighbors::searchFlat(const Tree& tree, int at, const double* q, Search& search, double offset,
                                  double* side) {
  const Node& node = tree.nodes[at];
  const int d = points_->dimension();
  if (node.axis < 0) {
    for (int k = node.first; k < node.first + node.count; ++k) {
      const double* p = tree.scaled.data() + static_cast<std::size_t>(k) * static_cast<std::size_t>(d);
      double sum = 0;
      for (int i = 0; i < d; ++i) sum += (p[i] - q[i]) * (p[i] - q[i]);
      if (sum <= search.bound && tree.ids[k] >= 0) search.offer(tree.ids[k], sum);
    }
    return;
  }
  const double difference = q[node.axis] - node.split;
  searchFlat(tree, difference < 0 ? node.left : node.right, q, search, offset, side);
  // The other part: how far its box is, axis by axis.
  const double before = side[node.axis], other = offset - before * before + difference * difference;
  if (other > search.bound * (1 + 1e-12)) return;
  side[node.axis] = difference;
  searchFlat(tree, difference < 0 ? node.right : node.left, q, search, other, side);
  side[node.axis] = before;
}

void NearestNeighbors::searchRound(const Tree& tree, int at, const VectorXd& q, Search& search) {
  const Node& node = tree.nodes[at];
  if (node.axis < 0) {
    for (int k = node.first; k < node.first + node.count; ++k)
      if (tree.ids[k] >= 0) search.offer(tree.ids[k], distanceTo(q, tree.ids[k]));
    return;
  }
  const int vantage = tree.ids[node.first];
  if (vantage < 0) {  // Taken out: nothing is known of how far the two parts are.
    searchRound(tree, node.left, q, search);
    searchRound(tree, node.right, q, search);
    return;
  }
  const double distance = distanceTo(q, vantage);
  search.offer(vantage, distance);
  constexpr double kRounding = 1e-9;
  const bool inside = distance < node.split;
  searchRound(tree, inside ? node.left : node.right, q, search);
  if (inside ? distance + search.bound + kRounding >= node.split : distance - search.bound <= node.split + kRounding)
    searchRound(tree, inside ? node.right : node.left, q, search);
}

void NearestNeighbors::search(const VectorXd& q, Search& search) {
  const int d = points_->dimension();
  if (metric_.flat) {
    scale(q.data(), scaledQuery_.data());
    for (std::size_t k = 0; k < recent_.size(); ++k) {
      const double* p = recentScaled_.data() + k * static_cast<std::size_t>(d);
      double sum = 0;
      for (int i = 0; i < d; ++i) sum += (p[i] - scaledQuery_[i]) * (p[i] - scaledQuery_[i]);
      if (sum <= search.bound) search.offer(recent_[k], sum);
    }
    for (const Tree& tree : trees_) {
      std::fill(sides_.begin(), sides_.end(), 0.0);
      if (!tree.nodes.empty()) searchFlat(tree, 0, scaledQuery_.data(), search, 0, sides_.data());
    }
    return;
  }
  for (const int id : recent_) search.offer(id, distanceTo(q, id));
  for (const Tree& tree : trees_)
    if (!tree.nodes.empty()) searchRound(tree, 0, q, search);
}

int NearestNeighbors::nearest(const VectorXd& q, double* distance, RandomStream& random) {
  nearestK(q, 1, heap_, random);
  if (heap_.empty()) return -1;
  if (distance != nullptr) *distance = heap_.front().distance;
  return heap_.front().id;
}

void NearestNeighbors::nearestK(const VectorXd& q, int k, std::vector<Neighbor>& found, RandomStream& random) {
  found.clear();
  if (alive_ == 0 || k <= 0) return;
  Search best{k, found};
  if (location_.kind == PointLocation::Kind::random || location_.kind == PointLocation::Kind::randomBest) {
    const std::int64_t tries =
        location_.kind == PointLocation::Kind::random ? k : static_cast<std::int64_t>(location_.tries) * k;
    for (std::int64_t i = 0; i < tries; ++i) {
      const int id = order_[random.below(order_.size())];
      bool known = false;
      for (const Neighbor& other : found) known = known || other.id == id;
      if (!known) best.offer(id, distanceTo(q, id));
    }
    std::sort_heap(found.begin(), found.end());
    return;
  }
  search(q, best);
  std::sort_heap(found.begin(), found.end());
  if (metric_.flat)
    for (Neighbor& neighbor : found) neighbor.distance = std::sqrt(neighbor.distance);
}

}  // namespace mortise::planners
