#include "structures/projection_grid.h"

#include <algorithm>
#include <cmath>

namespace mortise::planners {

void ProjectionGrid::reset(const VectorXd& sizes) {
  sizes_ = sizes;
  coordinates_.clear();
  for (int i = 0; i < std::min<int>(3, static_cast<int>(sizes.size())); ++i) coordinates_.push_back(i);
  cells_.clear();
  index_.clear();
}

void ProjectionGrid::chooseCoordinates(RandomStream& random) {
  std::vector<int> all(static_cast<std::size_t>(sizes_.size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    std::swap(all[i], all[i + random.below(all.size() - i)]);
    coordinates_[i] = all[i];
  }
  cells_.clear();
  index_.clear();
}

ProjectionGrid::Key ProjectionGrid::keyOf(const double* q) const {
  Key key{};
  constexpr double kMaximum = 1e15;
  for (std::size_t i = 0; i < coordinates_.size(); ++i)
    key[i] =
        static_cast<long>(std::clamp(std::floor(q[coordinates_[i]] / sizes_[coordinates_[i]]), -kMaximum, kMaximum));
  return key;
}

void ProjectionGrid::insert(const Configurations& nodes, int node) {
  const Key key = keyOf(nodes.row(node));
  const auto [at, isNew] = index_.try_emplace(key, static_cast<int>(cells_.size()));
  if (isNew) cells_.push_back({key, {}});
  cells_[static_cast<std::size_t>(at->second)].nodes.push_back(node);
}

void ProjectionGrid::erase(const Configurations& nodes, int node) {
  const auto at = index_.find(keyOf(nodes.row(node)));
  if (at == index_.end()) return;
  const int cell = at->second;
  std::vector<int>& list = cells_[static_cast<std::size_t>(cell)].nodes;
  std::erase(list, node);
  if (!list.empty()) return;
  index_.erase(at);
  if (cell + 1 < static_cast<int>(cells_.size())) {
    cells_[static_cast<std::size_t>(cell)] = std::move(cells_.back());
    index_[cells_[static_cast<std::size_t>(cell)].key] = cell;
  }
  cells_.pop_back();
}

int ProjectionGrid::pick(RandomStream& random) const {
  const std::vector<int>& list = cells_[random.below(cells_.size())].nodes;
  return list[random.below(list.size())];
}

int ProjectionGrid::pickAt(const double* q, RandomStream& random) const {
  const auto at = index_.find(keyOf(q));
  if (at == index_.end()) return -1;
  const std::vector<int>& list = cells_[static_cast<std::size_t>(at->second)].nodes;
  return list[random.below(list.size())];
}

}  // namespace mortise::planners
