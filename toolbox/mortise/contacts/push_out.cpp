#include "mortise/contacts/push_out.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "mortise/base/error.h"

namespace mortise {

namespace {

constexpr double kAcceleration = 100;  ///< m/s^2: what all contacts of two things together give the heavier one.
// Meters. Shallower contacts are as stiff as at this depth, so that what rests on them sinks by little.
constexpr double kShallow = 1e-3;
// Meters: bare surfaces that overlap by less are apart.
constexpr double kApart = 2e-4;
// Meters or radians: poses that come back from an engine are rounded by less.
constexpr double kSamePlace = 1e-9;

bool contains(const std::vector<std::pair<int, int>>& sorted, std::pair<int, int> pair) {
  return std::binary_search(sorted.begin(), sorted.end(), pair);
}

}  // namespace

PushOut::PushOut(const SceneDescription& scene)
    : speed_(scene.maxPushOutSpeed), thingOf_(scene.surfaces.size(), -1), padding_(scene.surfaces.size(), 0) {
  std::map<int, int> thingOfRobot;
  for (const SceneBody& body : scene.bodies) {
    int thing = static_cast<int>(mass_.size());
    if (body.robot >= 0) thing = thingOfRobot.try_emplace(body.robot, thing).first->second;
    if (thing == static_cast<int>(mass_.size())) mass_.push_back(0);
    if (body.motion == BodyMotion::dynamic) mass_[static_cast<std::size_t>(thing)] += body.inertia.mass;
    for (const SceneShape& shape : body.shapes) thingOf_[static_cast<std::size_t>(shape.id)] = thing;
  }
  for (std::size_t id = 0; id < padding_.size(); ++id) padding_[id] = scene.surfaces[id].standout();
}

bool PushOut::isStuck(int thingA, int thingB) const { return contains(stuck_, ordered(thingA, thingB)); }

void PushOut::findStuck() {
  stuck_.clear();
  for (const auto& [a, b] : deep_) stuck_.push_back(ordered(thingOf_[a], thingOf_[b]));
  std::sort(stuck_.begin(), stuck_.end());
  stuck_.erase(std::unique(stuck_.begin(), stuck_.end()), stuck_.end());
}

void PushOut::update(std::span<const ContactPairReport> pairs, bool placed) {
  if (!placed && deep_.empty()) return;
  if (!std::isfinite(speed_)) return;
  next_.clear();
  for (const ContactPairReport& pair : pairs) {
    const double depth = -(pair.minGap + padding_[pair.a] + padding_[pair.b]);
    const bool known = contains(deep_, {pair.a, pair.b});
    const bool stays = known && depth > kApart;
    const bool begins = (placed && depth > kDeepOverlap) ||
                        (!known && pair.crossing && !pair.reliable && depth > kApart && applies(pair.a, pair.b));
    if (stays || begins) next_.emplace_back(pair.a, pair.b);
  }
  deep_.swap(next_);
  findStuck();
}

void PushOut::soften(std::span<SceneContact> contacts) const {
  if (deep_.empty()) return;
  std::map<std::pair<int, int>, int> counts;
  const auto things = [&](const SceneContact& contact) {
    return ordered(thingOf_[contact.idA], thingOf_[contact.idB]);
  };
  for (const SceneContact& contact : contacts)
    if (applies(contact.idA, contact.idB)) ++counts[things(contact)];
  for (SceneContact& contact : contacts) {
    if (!applies(contact.idA, contact.idB)) continue;
    const auto [first, second] = things(contact);
    const double force = kAcceleration * std::max(mass_[first], mass_[second]) / counts.at({first, second});
    const double depth = std::max(-contact.gap, kShallow);
    ContactMaterial& material = contact.material;
    const bool soft = std::isfinite(material.stiffness);
    const double stiffness = std::min(material.stiffness, force / depth);
    // At the speed that is allowed, nothing is left of the force. What is soft keeps its own pace where that is slower.
    const double damping = stiffness * depth / speed_;
    material.damping = soft ? std::max(material.damping * (stiffness / material.stiffness), damping) : damping;
    material.stiffness = stiffness;
    material.restitution = 0;
  }
}

void PushOut::set(std::vector<std::pair<int, int>> deep) {
  deep_ = std::move(deep);
  findStuck();
}

void OwnContactsPushOut::placed(const RigidTransform& before, const RigidTransform& after) {
  placed_ = placed_ || !(before.p - after.p).isZero(kSamePlace) || !(before.R - after.R).isZero(kSamePlace);
}

void OwnContactsPushOut::placed(double before, double after) {
  placed_ = placed_ || !(std::abs(before - after) <= kSamePlace);
}

void OwnContactsPushOut::soften(std::span<SceneContact> contacts) {
  if (!placed_ && !active()) return;
  pairs_.clear();
  for (const SceneContact& contact : contacts) {
    if (contact.idA == contact.idB) continue;
    ContactPairReport& pair = pairs_.emplace_back();
    std::tie(pair.a, pair.b) = std::minmax(contact.idA, contact.idB);
    // Engines tell neither bare shapes from layers, nor whether a direction is certain.
    pair.crossing = true;
    pair.reliable = false;
    pair.minGap = contact.gap;
  }
  const auto ids = [](const ContactPairReport& pair) { return std::pair(pair.a, pair.b); };
  std::sort(pairs_.begin(), pairs_.end(), [&](const ContactPairReport& x, const ContactPairReport& y) {
    return std::pair(ids(x), x.minGap) < std::pair(ids(y), y.minGap);
  });
  const auto end =
      std::unique(pairs_.begin(), pairs_.end(),
                  [&](const ContactPairReport& x, const ContactPairReport& y) { return ids(x) == ids(y); });
  pairs_.erase(end, pairs_.end());
  pushOut_.update(pairs_, placed_);
  placed_ = false;
  pushOut_.soften(contacts);
}

void OwnContactsPushOut::save(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(placed_));
  out.put(static_cast<std::uint64_t>(pushOut_.deep().size()));
  for (const auto& [a, b] : pushOut_.deep()) {
    out.put(a);
    out.put(b);
  }
}

void OwnContactsPushOut::restore(ByteReader& in) {
  placed_ = in.get<std::uint8_t>() != 0;
  std::vector<std::pair<int, int>> deep;
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int a = in.get<int>(), b = in.get<int>();
    if (a < 0 || a >= b || b >= numIds_ || (!deep.empty() && !(deep.back() < std::pair(a, b))))
      throw Error("the snapshot's overlaps are out of order, or of another scene");
    deep.emplace_back(a, b);
  }
  pushOut_.set(std::move(deep));
}

}  // namespace mortise
