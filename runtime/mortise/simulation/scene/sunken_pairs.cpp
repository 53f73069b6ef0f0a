#include "mortise/simulation/scene/sunken_pairs.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

double depthOf(const SceneContact& contact) { return -contact.gap; }
double depthOf(const ContactForce& contact) { return contact.depth; }

std::pair<int, int> idsOf(const SunkenPair& pair) { return {pair.idA, pair.idB}; }

}  // namespace

std::string sunkenText(const SunkenPair& pair, const std::string& nameA, const std::string& nameB, double time) {
  return "'" + nameA + "' and '" + nameB + "' are " + formatReal(1e3 * pair.depth, 3) +
         " mm inside each other in the step to t = " + formatReal(time, 9) +
         " s, more than half the thickness of the thinner one: they may pass through each other; "
         "use a shorter step or harder contacts";
}

SunkenPairs::SunkenPairs(const SceneDescription& scene)
    : halfThickness_(scene.surfaces.size(), std::numeric_limits<double>::infinity()) {
  for (const SceneBody& body : scene.bodies)
    for (const SceneShape& shape : body.shapes) {
      const AxisAlignedBounds bounds = shape.geometry->bounds();
      const double thinnest = (bounds.max - bounds.min).minCoeff();
      if (!(thinnest > 0)) continue;
      const Surface& surface = scene.surfaces[static_cast<std::size_t>(shape.id)];
      const double padding = surface.standout();
      halfThickness_[static_cast<std::size_t>(shape.id)] = 0.5 * thinnest + shape.geometry->margin() + padding;
    }
}

template <typename Contact>
void SunkenPairs::collect(std::span<const Contact> contacts, std::vector<SunkenPair>& out) const {
  out.clear();
  for (const Contact& contact : contacts) {
    const double depth = depthOf(contact);
    const auto [a, b] = std::minmax(contact.idA, contact.idB);
    if (a < 0 ||
        !(depth > std::min(halfThickness_[static_cast<std::size_t>(a)], halfThickness_[static_cast<std::size_t>(b)])))
      continue;
    out.push_back({a, b, depth});
  }
  std::sort(out.begin(), out.end(), [](const SunkenPair& x, const SunkenPair& y) {
    return idsOf(x) != idsOf(y) ? idsOf(x) < idsOf(y) : x.depth > y.depth;
  });
  out.erase(std::unique(out.begin(), out.end(), [](const auto& x, const auto& y) { return idsOf(x) == idsOf(y); }),
            out.end());
}

std::span<const SunkenPair> SunkenPairs::findNew() {
  new_.clear();
  for (const SunkenPair& pair : after_)
    if (std::none_of(before_.begin(), before_.end(), [&](const SunkenPair& old) { return idsOf(old) == idsOf(pair); }))
      new_.push_back(pair);
  return new_;
}

std::span<const SunkenPair> SunkenPairs::end(std::span<const SceneContact> contacts) {
  collect(contacts, after_);
  return findNew();
}

std::span<const SunkenPair> SunkenPairs::end(std::span<const ContactForce> contacts) {
  collect(contacts, after_);
  return findNew();
}

}  // namespace mortise
