#include "own_contacts.h"

#include <algorithm>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/collision/fcl/FCLCollisionDetector.hpp>
#include <tuple>

#include "collision_shapes.h"
#include "mortise/base/error.h"

namespace mortise::dart {

class OwnContacts::Filter final : public col::CollisionFilter {
 public:
  explicit Filter(const OwnContacts& contacts) : contacts_(contacts) {}
  bool ignoresCollision(const col::CollisionObject* a, const col::CollisionObject* b) const override {
    const Owner& first = contacts_.owners_.at(a->getShapeFrame());
    const Owner& second = contacts_.owners_.at(b->getShapeFrame());
    const auto fixed = [&](const Owner& owner) {
      return contacts_.description_.bodies[owner.body].motion == BodyMotion::fixed;
    };
    return first.body == second.body || (fixed(first) && fixed(second)) ||
           !contacts_.allowed_.test(first.id, second.id);
  }

 private:
  const OwnContacts& contacts_;
};

col::CollisionDetectorPtr OwnContacts::makeDetector(const DartSettings& settings) {
  if (settings.collisionDetector == DartSettings::Detector::dart) return col::DARTCollisionDetector::create();
  auto detector = col::FCLCollisionDetector::create();
  detector->setPrimitiveShapeType(settings.fclPrimitiveShape == DartSettings::FclShapes::mesh
                                      ? col::FCLCollisionDetector::MESH
                                      : col::FCLCollisionDetector::PRIMITIVE);
  return detector;
}

OwnContacts::OwnContacts(const SceneDescription& description, const DartSettings& settings,
                         std::span<dyn::BodyNode* const> nodes, col::CollisionDetectorPtr detector)
    : description_(description), allowed_(description.filter), detector_(std::move(detector)) {
  group_ = detector_->createCollisionGroupAsSharedPtr();
  option_ =
      col::CollisionOption(true, static_cast<std::size_t>(settings.maxNumContacts), std::make_shared<Filter>(*this));
  for (std::size_t b = 0; b < nodes.size(); ++b) {
    const SceneBody& body = description.bodies[b];
    try {
      addShapes(body, static_cast<int>(b), *nodes[b], settings);
    } catch (const Error& error) {
      throw Error("body '" + body.name + "': " + error.message(), error.where(), error.hint());
    }
  }
}

void OwnContacts::addShapes(const SceneBody& body, int index, dyn::BodyNode& node, const DartSettings& settings) {
  for (const SceneShape& shape : body.shapes) {
    if (shape.geometry == nullptr) continue;
    const Surface& surface = description_.surfaces[shape.id];
    // A shape that is shrunk by its padding first ends up at its own size.
    const double padding = surface.preshrink == 0 ? surface.padding : 0;
    if (!(padding >= 0) || !std::isfinite(padding)) throw Error("padding must be finite and not negative");
    const bool boxesAndBalls = settings.collisionDetector == DartSettings::Detector::dart;
    for (const CollisionShape& part : collisionShapes(*shape.geometry, padding, boxesAndBalls)) {
      auto* frame = node.createShapeNodeWith<dyn::CollisionAspect>(
          part.shape, node.getName() + " shape " + std::to_string(owners_.size()));
      frame->setRelativeTransform(toDart(cleaned(shape.X_BG) * part.X_GS));
      owners_[frame] = {index, shape.id};
      group_->addShapeFrame(frame);
    }
  }
}

void OwnContacts::setCollision(int idA, int idB, bool on) {
  const int n = static_cast<int>(description_.surfaces.size());
  if (idA < 0 || idA >= n || idB < -1 || idB >= n)
    throw Error("contacts between ids " + std::to_string(idA) + " and " + std::to_string(idB) +
                " cannot be switched: ids go up to " + std::to_string(n - 1));
  for (int other = idB < 0 ? 0 : idB; other < (idB < 0 ? n : idB + 1); ++other) {
    if (!description_.filter.test(idA, other)) continue;  // Never on beyond the description.
    allowed_.allow(idA, other, on);
    const std::pair<int, int> pair = std::minmax(idA, other);
    const auto at = std::lower_bound(switchedOff_.begin(), switchedOff_.end(), pair);
    const bool listed = at != switchedOff_.end() && *at == pair;
    if (on && listed) switchedOff_.erase(at);
    if (!on && !listed) switchedOff_.insert(at, pair);
  }
}

void OwnContacts::find(std::vector<SceneContact>& out) {
  out.clear();
  result_.clear();
  group_->collide(option_, &result_);
  for (const col::Contact& found : result_.getContacts()) {
    // As DART's constraint solver does.
    if (col::Contact::isZeroNormal(found.normal) || found.penetrationDepth < 0) continue;
    const Owner& first = owners_.at(found.collisionObject1->getShapeFrame());
    const Owner& second = owners_.at(found.collisionObject2->getShapeFrame());
    if (!found.point.allFinite() || !found.normal.allFinite() || !std::isfinite(found.penetrationDepth)) continue;
    const bool swapped = second.id < first.id;
    const Owner &a = swapped ? second : first, &b = swapped ? first : second;
    SceneContact contact;
    contact.bodyA = a.body;
    contact.bodyB = b.body;
    contact.idA = a.id;
    contact.idB = b.id;
    contact.point = found.point;
    contact.normal = (swapped ? -1 : 1) * found.normal.normalized();
    contact.gap = -found.penetrationDepth;
    contact.material = description_.material(a.id, b.id);
    out.push_back(contact);
  }
  keepDeepest(out);
}

/// In an order that depends on nothing but the contacts.
void OwnContacts::keepDeepest(std::vector<SceneContact>& contacts) const {
  const auto pair = [](const SceneContact& c) { return std::tuple(c.idA, c.idB, c.bodyA, c.bodyB); };
  std::stable_sort(contacts.begin(), contacts.end(), [&](const SceneContact& x, const SceneContact& y) {
    return std::tuple(pair(x), x.gap, x.point.x(), x.point.y(), x.point.z()) <
           std::tuple(pair(y), y.gap, y.point.x(), y.point.y(), y.point.z());
  });
  std::size_t kept = 0;
  int ofPair = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ofPair = i > 0 && pair(contacts[i]) == pair(contacts[i - 1]) ? ofPair + 1 : 0;
    if (ofPair < description_.maxContacts) contacts[kept++] = contacts[i];
  }
  contacts.resize(kept);
}

void OwnContacts::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(switchedOff_.size()));
  for (const auto& [a, b] : switchedOff_) {
    out.put(a);
    out.put(b);
  }
}

void OwnContacts::restore(ByteReader& in) {
  for (const auto& [a, b] : switchedOff_) allowed_.allow(a, b, true);
  switchedOff_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int a = in.get<int>(), b = in.get<int>();
    if (!description_.filter.test(a, b)) throw Error("the snapshot switches contacts that this scene does not have");
    allowed_.allow(a, b, false);
    switchedOff_.emplace_back(a, b);
  }
}

}  // namespace mortise::dart
