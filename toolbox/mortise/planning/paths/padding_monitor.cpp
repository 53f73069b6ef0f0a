#include "mortise/planning/paths/padding_monitor.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

PaddingMonitor::PaddingMonitor(std::shared_ptr<const WorldCollider> collider, std::vector<double> padding,
                               std::vector<int> moving)
    : padding_(std::move(padding)), moving_(IdFilter::of(std::move(moving))), state_(std::move(collider)) {
  const int ids = state_.collider().numIds();
  if (static_cast<int>(padding_.size()) != ids)
    throw Error("there are paddings for " + std::to_string(padding_.size()) + " ids, but the world has " +
                std::to_string(ids));
  for (int a = 0; a < ids; ++a)
    for (int b = a + 1; b < ids; ++b)
      if (state_.collider().pairs()(a, b)) maximum_ = std::max(maximum_, paddingOf({a, b}));
}

void PaddingMonitor::begin() {
  touches_.clear();
  clearance_ = std::numeric_limits<double>::infinity();
  nearest_ = {};
}

double PaddingMonitor::paddingOf(const IdPair& pair) const {
  return padding_[static_cast<std::size_t>(pair.a)] + padding_[static_cast<std::size_t>(pair.b)];
}

void PaddingMonitor::note(const IdPair& pair, double distance, const PaddedTouch& where) {
  const double padding = paddingOf(pair);
  if (!(distance > 0) || !(distance < padding)) return;
  const auto at = std::lower_bound(touches_.begin(), touches_.end(), pair,
                                   [](const PaddedTouch& touch, const IdPair& ids) { return touch.ids < ids; });
  const bool known = at != touches_.end() && at->ids == pair;
  if (known && at->distance <= distance) return;
  PaddedTouch touch = where;
  touch.ids = pair;
  touch.distance = distance;
  touch.padding = padding;
  if (known)
    *at = touch;
  else
    touches_.insert(at, touch);
}

void PaddingMonitor::check(const PaddedTouch& where, bool clearance) {
  if (moving_.ids.empty()) return;
  double reach = maximum_;
  if (clearance) {
    DistanceOptions options;
    options.upperBound = clearance_ + maximum_;
    const WorldDistance nearest = state_.nearest(moving_, IdFilter::everything(), options);
    if (!nearest.result.found) return;
    const double less = nearest.result.distance - paddingOf(nearest.ids);
    if (less < clearance_) {
      clearance_ = less;
      nearest_ = nearest.ids;
    }
    // A pair that is farther apart may have more padding.
    reach = std::max(maximum_, clearance_ + maximum_);
  }
  if (!(reach > 0)) return;
  state_.setTolerance(reach);
  state_.collisions(moving_, IdFilter::everything(), near_);
  for (const IdPair& pair : near_) {
    DistanceOptions options;
    options.upperBound = reach;
    const DistanceResult result = state_.distance(pair.a, pair.b, options);
    if (!result.found) continue;
    note(pair, result.distance, where);
    if (!clearance || !(result.distance - paddingOf(pair) < clearance_)) continue;
    clearance_ = result.distance - paddingOf(pair);
    nearest_ = pair;
  }
}

}  // namespace mortise
