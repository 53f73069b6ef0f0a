/// The broad phase of contacts: which pairs of bodies could touch in this step, by a sweep along x over boxes that stay
/// nearly sorted from step to step.

#include <algorithm>
#include <limits>

#include "mortise/contacts/contact_generator.h"

namespace mortise {

void ContactGenerator::placeBoxes() {
  for (const int id : byX_) {
    const ContactShape& shape = scene_->body(id).shape;
    const AxisAlignedBounds& local = shape.bounds();
    const RigidTransform& X = poses_[id];
    const Vector3d center = X * Vector3d(0.5 * (local.min + local.max));
    const Vector3d half = X.R.cwiseAbs() * (0.5 * (local.max - local.min));
    const double grow = scene_->body(id).padding + 0.5 * scene_->rules().margin +
                        1e-12 * (1 + center.cwiseAbs().maxCoeff() + half.maxCoeff());
    low_[id] = center - half - Vector3d::Constant(grow);
    high_[id] = center + half + Vector3d::Constant(grow);
    if (shape.bottomless()) {  // What lies below a heightmap is in it, however deep.
      high_[id].setConstant(std::numeric_limits<double>::infinity());
      low_[id] = -high_[id];
    }
  }
}

/// Calls `found(a, b)` for each pair whose boxes overlap, a < b.
template <typename Found>
void ContactGenerator::sweep(Found&& found) {
  placeBoxes();
  const auto lower = [&](int a, int b) { return low_[a].x() < low_[b].x(); };
  if (!sorted_) std::stable_sort(byX_.begin(), byX_.end(), lower);
  sorted_ = true;
  // Nearly sorted since the step before: insertion is linear then.
  for (std::size_t i = 1; i < byX_.size(); ++i) {
    const int id = byX_[i];
    std::size_t k = i;
    for (; k > 0 && lower(id, byX_[k - 1]); --k) byX_[k] = byX_[k - 1];
    byX_[k] = id;
  }
  active_.clear();
  activeQuiet_.clear();
  const auto meet = [&](int id, std::vector<int>& active) {
    std::size_t kept = 0;
    for (const int other : active) {
      if (high_[other].x() < low_[id].x()) continue;
      active[kept++] = other;
      if (low_[other].y() > high_[id].y() || low_[id].y() > high_[other].y() || low_[other].z() > high_[id].z() ||
          low_[id].z() > high_[other].z() || !scene_->pairs()(id, other))
        continue;
      found(std::min(id, other), std::max(id, other));
    }
    active.resize(kept);
  };
  for (const int id : byX_) {
    const bool quiet = scene_->quiet(id);
    meet(id, active_);
    if (!quiet) meet(id, activeQuiet_);
    (quiet ? activeQuiet_ : active_).push_back(id);
  }
}

void ContactGenerator::broadPhase() {
  near_.clear();
  sweep([&](int a, int b) { near_.emplace_back(a, b); });
  std::sort(near_.begin(), near_.end());
}

std::size_t ContactGenerator::nearPairs(std::size_t max, std::vector<IdPair>& first) {
  std::size_t count = 0;
  first.clear();
  sweep([&](int a, int b) {
    if (count++ < max) first.push_back({a, b});
  });
  std::sort(first.begin(), first.end());
  return count;
}

}  // namespace mortise
