#include <algorithm>
#include <bit>
#include <cmath>

#include "mortise/base/expect.h"
#include "mortise/collision/world_collider.h"

namespace mortise {
namespace {

struct RayBox {
  float low[3], high[3];
};

/// Slab test of a ray against a box, with t in [0, tMax]; gives the t at which it enters.
bool entersBox(const Ray& ray, double tMax, const RayBox& box, double& t) {
  double enter = 0, leave = tMax;
  for (int k = 0; k < 3; ++k) {
    const double o = ray.origin[k], d = ray.direction[k];
    if (d == 0) {
      if (o < box.low[k] || o > box.high[k]) return false;
      continue;
    }
    double t0 = (box.low[k] - o) / d, t1 = (box.high[k] - o) / d;
    if (t0 > t1) std::swap(t0, t1);
    // A box may be flat: widened by a few roundings, so that a ray within its plane is not lost.
    enter = std::max(enter, t0 - 4e-16 * std::abs(t0));
    leave = std::min(leave, t1 + 4e-16 * std::abs(t1));
  }
  t = enter;
  return enter <= leave;
}

}  // namespace

WorldRayHit WorldCollisionState::rayCast(const Ray& ray, const IdFilter& filter) {
  WorldRayHit hit;
  rayCasts({&ray, 1}, {&hit, 1}, filter);
  return hit;
}

void WorldCollisionState::rayCasts(std::span<const Ray> rays, std::span<WorldRayHit> hits, const IdFilter& filter) {
  MORTISE_REQUIRE(hits.size() >= rays.size(), "there must be room for one hit for each ray");
  select(filter, maskA_);
  for (std::size_t r = 0; r < rays.size(); ++r) {
    WorldRayHit& best = hits[r];
    best = {};
    entered_.clear();
    for (std::size_t word = 0; word < maskA_.size(); ++word) {
      for (std::uint64_t bits = maskA_[word]; bits; bits &= bits - 1) {
        const int id = static_cast<int>(word * 64) + std::countr_zero(bits);
        const RayBox box = {{low_[0][id], low_[1][id], low_[2][id]}, {high_[0][id], high_[1][id], high_[2][id]}};
        double t;
        if (entersBox(rays[r], rays[r].tMax, box, t)) entered_.push_back({t, id});
      }
    }
    std::sort(entered_.begin(), entered_.end());
    Ray shortened = rays[r];
    for (const auto& [t, id] : entered_) {
      if (t > shortened.tMax) break;
      RayHit hit;
      if (!mortise::rayCast(*collider_->shape(id), poses_[id], shortened, hit)) continue;
      if (best.id >= 0 && hit.t >= best.hit.t) continue;
      best = {id, hit};
      shortened.tMax = hit.t;
    }
  }
}

}  // namespace mortise
