#include "mortise/simulation/scene/contact_history.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace mortise {

void ContactHistory::begin() {
  pairs_.clear();
  duration_ = stepDuration_ = 0;
  parts_ = steps_ = 0;
}

ContactHistory::Pair& ContactHistory::pairOf(int a, int b) {
  const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair(a, b),
                                   [](const Pair& x, const auto& y) { return std::pair(x.a, x.b) < y; });
  if (at != pairs_.end() && at->a == a && at->b == b) return *at;
  Pair fresh;
  fresh.a = a;
  fresh.b = b;
  return *pairs_.insert(at, fresh);
}

void ContactHistory::add(std::span<const ContactForce> contacts, std::span<const std::pair<int, int>> crossing,
                         double dt) {
  if (stepDuration_ == 0) ++steps_;
  stepDuration_ += dt;
  duration_ += dt;
  for (std::size_t i = 0; i < contacts.size();) {
    Pair& pair = pairOf(contacts[i].idA, contacts[i].idB);
    if (pair.step != steps_) pair.now = {};
    pair.step = steps_;
    pair.count = 0;
    Load load;
    for (; i < contacts.size() && contacts[i].idA == pair.a && contacts[i].idB == pair.b; ++i) {
      load.add({contacts[i].force, contacts[i].point.cross(contacts[i].force)}, dt);
      ++pair.count;
    }
    pair.now.add(load, 1);
    pair.sum.add(load, 1);
    if (pair.lastPart != parts_) ++pair.parts;
    pair.lastPart = parts_;
  }
  for (const auto& [a, b] : crossing) pairOf(a, b).penetrated = true;
  ++parts_;
}

ContactSummary ContactHistory::summary(IdRange a, IdRange b) const {
  ContactSummary out;
  bool any = false;
  Load now, sum;
  for (const Pair& pair : pairs_) {
    const bool forward = a.contains(pair.a) && (b.count == 0 ? !a.contains(pair.b) : b.contains(pair.b));
    const bool backward = a.contains(pair.b) && (b.count == 0 ? !a.contains(pair.a) : b.contains(pair.a));
    if (!forward && !backward) continue;
    const bool touchesNow = pair.parts > 0 && pair.lastPart == parts_ - 1;
    out.inContact |= touchesNow;
    out.hadContact |= pair.parts > 0;
    out.hadPenetration |= pair.penetrated;
    if (pair.parts > 0) {
      out.hadSeparation |= pair.parts < parts_;
      any = true;
    }
    if (touchesNow) out.count += pair.count;
    if (pair.step == steps_ && stepDuration_ > 0) now.add(pair.now, (forward ? 1 : -1) / stepDuration_);
    if (duration_ > 0) sum.add(pair.sum, (forward ? 1 : -1) / duration_);
  }
  if (!any) out.hadSeparation = parts_ > 0;
  out.force = now.force;
  out.torque = now.torque;
  out.meanForce = sum.force;
  out.meanTorque = sum.torque;
  return out;
}

}  // namespace mortise
