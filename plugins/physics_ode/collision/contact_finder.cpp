#include "collision/contact_finder.h"

#include <algorithm>
#include <cmath>

#include "collision/ode_convert.h"

namespace mortise::ode {

ContactFinder::ContactFinder(const SceneDescription& scene, ColliderSet& colliders)
    : scene_(scene), colliders_(colliders), buffer_(std::clamp(scene.maxContacts, 1, 0xffff)) {}

void ContactFinder::onPair(void* finder, dGeomID a, dGeomID b) {
  auto& self = *static_cast<ContactFinder*>(finder);
  const std::vector<Collider>& all = self.colliders_.all();
  const auto i = reinterpret_cast<std::size_t>(dGeomGetData(a)), j = reinterpret_cast<std::size_t>(dGeomGetData(b));
  if (all[i].body == all[j].body || !(all[i].dynamic || all[j].dynamic)) return;
  if (!self.scene_.filter.test(all[i].id, all[j].id)) return;
  self.pairs_.push_back(std::minmax(static_cast<int>(i), static_cast<int>(j)));
}

const std::vector<TouchPoint>& ContactFinder::find() {
  pairs_.clear();
  points_.clear();
  ranFull_ = false;
  if (colliders_.all().empty()) return points_;
  colliders_.forgetMotion();
  dSpaceCollide(colliders_.space(), this, &ContactFinder::onPair);
  std::sort(pairs_.begin(), pairs_.end());  // The space goes by its history.
  for (const auto& [a, b] : pairs_) {
    const int count = dCollide(colliders_.all()[a].geom, colliders_.all()[b].geom, static_cast<int>(buffer_.size()),
                               buffer_.data(), sizeof(dContactGeom));
    ranFull_ = ranFull_ || count == static_cast<int>(buffer_.size());
    for (int i = 0; i < count; ++i) {
      const dContactGeom& found = buffer_[i];
      TouchPoint point = {a, b, vectorFrom(found.pos), vectorFrom(found.normal), found.depth};
      // ODE 0.16 returns such points where triangles meet shapes in degenerate ways.
      const double square = point.normal.squaredNorm();
      if (!point.point.allFinite() || !(square > 0.81 && square < 1.21) || !(point.depth >= 0) ||
          !std::isfinite(point.depth)) {
        ++rejected_;
        continue;
      }
      point.normal /= std::sqrt(square);
      points_.push_back(point);
    }
  }
  return points_;
}

}  // namespace mortise::ode
