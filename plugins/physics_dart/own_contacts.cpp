#include "own_contacts.h"

#include <algorithm>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/collision/fcl/FCLCollisionDetector.hpp>
#include <limits>
#include <tuple>
#include <utility>

#include "collision_shapes.h"
#include "mortise/base/error.h"

namespace mortise::dart {

namespace {

/// Normals at less than about 25 degrees to each other belong together.
constexpr double kAlike = 0.9;

/// Brings to the front, after the first contact, again and again the one that lies farthest from all that are there.
void spread(std::span<SceneContact> contacts, std::size_t maximum) {
  std::vector<double> distance(contacts.size(), std::numeric_limits<double>::infinity());
  for (std::size_t count = 1; count < std::min(maximum, contacts.size()); ++count) {
    std::size_t farthest = count;
    for (std::size_t i = count; i < contacts.size(); ++i) {
      distance[i] = std::min(distance[i], (contacts[i].point - contacts[count - 1].point).squaredNorm());
      if (distance[i] > distance[farthest]) farthest = i;
    }
    std::swap(contacts[count], contacts[farthest]);
    std::swap(distance[count], distance[farthest]);
  }
}

/// Chooses `most` of the contacts of a pair and brings them to the front. Each direction of normals gets its share of
/// them, in proportion to how many there are (by d'Hondt's rule): meshes that lie on each other have FCL find single
/// points whose normal is along the faces and whose depth is that of the body. Of each direction the deepest is taken,
/// and those that lie farthest from it and each other.
void choose(std::span<SceneContact> contacts, std::size_t maximum) {
  struct Direction {
    std::size_t first, count, chosen = 0;
  };
  std::vector<Direction> directions;
  for (std::size_t first = 0; first < contacts.size();) {
    const Vector3d normal = contacts[first].normal;
    const auto end = std::stable_partition(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
                                           [&](const SceneContact& c) { return c.normal.dot(normal) > kAlike; });
    const auto count = static_cast<std::size_t>(end - contacts.begin()) - first;
    directions.push_back({first, std::max<std::size_t>(count, 1)});
    first += directions.back().count;
  }
  for (std::size_t k = 0; k < maximum; ++k) {
    const auto weight = [](const Direction& d) { return double(d.count) / double(d.chosen + 1); };
    Direction* next = &directions.front();
    for (Direction& direction : directions)
      if (direction.chosen < direction.count && (next->chosen == next->count || weight(direction) > weight(*next)))
        next = &direction;
    ++next->chosen;
  }
  std::size_t kept = 0;
  for (const Direction& direction : directions) {
    spread(contacts.subspan(direction.first, direction.count), direction.chosen);
    for (std::size_t i = 0; i < direction.chosen; ++i) contacts[kept++] = contacts[direction.first + i];
  }
}

}  // namespace

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
    : description_(description), allowed_(description.filter), pushOut_(description), detector_(std::move(detector)) {
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
    const double padding = surface.standout();
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

bool OwnContacts::find(std::vector<SceneContact>& out) {
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
  const bool all = keepSpread(out) && result_.getNumContacts() < option_.maxNumContacts;
  pushOut_.soften(out);
  return all;
}

/// In an order that depends on nothing but the contacts. Returns whether all are kept.
bool OwnContacts::keepSpread(std::vector<SceneContact>& contacts) const {
  const auto pair = [](const SceneContact& c) { return std::tuple(c.idA, c.idB, c.bodyA, c.bodyB); };
  std::stable_sort(contacts.begin(), contacts.end(), [&](const SceneContact& x, const SceneContact& y) {
    return std::tuple(pair(x), x.gap, x.point.x(), x.point.y(), x.point.z()) <
           std::tuple(pair(y), y.gap, y.point.x(), y.point.y(), y.point.z());
  });
  const auto maximum = static_cast<std::size_t>(std::max(description_.maxContacts, 1));
  std::size_t kept = 0;
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    for (end = first + 1; end < contacts.size() && pair(contacts[end]) == pair(contacts[first]);) ++end;
    const std::span<SceneContact> ofPair(contacts.data() + first, end - first);
    if (ofPair.size() > maximum) choose(ofPair, maximum);
    for (std::size_t i = 0; i < std::min(ofPair.size(), maximum); ++i) contacts[kept++] = ofPair[i];
  }
  const bool all = kept == contacts.size();
  contacts.resize(kept);
  return all;
}

void OwnContacts::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(switchedOff_.size()));
  for (const auto& [a, b] : switchedOff_) {
    out.put(a);
    out.put(b);
  }
  pushOut_.save(out);
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
  pushOut_.restore(in);
}

}  // namespace mortise::dart
