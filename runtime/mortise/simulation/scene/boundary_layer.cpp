#include "mortise/simulation/scene/boundary_layer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/geometry/preshrink.h"

namespace mortise {

namespace {

// A pair that crossed less than this many ticks ago does not cross anew.
constexpr std::int64_t kCrossingMemory = 50;

int numIdsOf(const SceneDescription& scene) { return static_cast<int>(scene.surfaces.size()); }

/// Large heightmaps take hundreds of megabytes each: while somebody holds one, others share it.
CollisionShapePtr sharedShape(const GeometryPtr& geometry) {
  static std::mutex mutex;
  static std::map<const Geometry*, std::weak_ptr<const CollisionShape>> shapes;  // Looked up, never walked for results.
  const std::lock_guard lock(mutex);
  std::erase_if(shapes, [](const auto& entry) { return entry.second.expired(); });
  // A shape holds its geometry, so no other one has its address.
  if (const auto found = shapes.find(geometry.get()); found != shapes.end())
    if (CollisionShapePtr shape = found->second.lock()) return shape;
  CollisionShapePtr shape = makeCollisionShape(geometry);
  if (shape->largeGrid() != nullptr) shapes[geometry.get()] = shape;
  return shape;
}

/// Reads which contacts are off: pairs of ids. Snapshots made before these were pairs have a byte for each two ids,
/// which are more than there can be pairs.
PairTable switchesFrom(ByteReader& in, int numIds) {
  PairTable off(numIds);
  const auto count = in.get<std::uint64_t>();
  if (const auto n = static_cast<std::uint64_t>(numIds); count > 0 && count == n * n) {
    for (int a = 0; a < numIds; ++a)
      for (int b = 0; b < numIds; ++b)
        if (in.get<std::uint8_t>() != 0 && a < b) off.set(a, b, true);
    return off;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const int a = in.get<int>(), b = in.get<int>();
    if (a < 0 || a >= b || b >= numIds) throw Error("the snapshot switches off contacts of ids that are not there");
    off.set(a, b, true);
  }
  return off;
}

}  // namespace

CollisionShapePtr contactShape(const GeometryPtr& geometry, const Surface& surface) {
  const GeometryPtr bare = preshrunk(geometry, surface.shrinkage());
  return bare != nullptr && bare->as<HeightmapShape>() != nullptr ? sharedShape(bare) : makeCollisionShape(bare);
}

std::shared_ptr<const ContactScene> contactSceneOf(const SceneDescription& scene) {
  const int numIds = numIdsOf(scene);
  std::vector<ContactBody> bodies(numIds);
  std::vector<int> bodyOf(numIds, -1);
  // Ids with the same geometry share what is prepared for it. Only looked up, never walked.
  std::map<std::tuple<const void*, double, double>, ContactShape> prepared;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    for (const SceneShape& shape : scene.bodies[b].shapes) {
      const Surface& surface = scene.surfaces.at(shape.id);
      ContactShape& known = prepared[{&shape.geometry->data(), shape.geometry->margin(), surface.shrinkage()}];
      if (!known) known = ContactShape::madeWhenNear(contactShape(shape.geometry, surface));
      bodies[shape.id] = {known, surface.thickness(), scene.bodies[b].robot};
      bodyOf[shape.id] = b;
    }
  }
  PairTable pairs(numIds);
  const auto moves = [&](int id) { return scene.bodies[bodyOf[id]].motion != BodyMotion::fixed; };
  scene.filter.pairs().forEachPair([&](int a, int b) {  // What is fixed never meets what is fixed.
    if (b >= numIds || bodyOf[a] < 0 || bodyOf[b] < 0 || bodyOf[a] == bodyOf[b]) return;
    if (moves(a) || moves(b)) pairs.set(a, b, true);
  });
  ContactRules rules;
  rules.maxContacts = scene.maxContacts;
  rules.maxGroupContacts = scene.maxContacts;
  return std::make_shared<const ContactScene>(std::move(bodies), pairs, rules);
}

BoundaryLayer::BoundaryLayer(const SceneDescription& scene, std::shared_ptr<const ContactScene> shapes)
    : scene_(scene),
      bodyOf_(numIdsOf(scene), -1),
      off_(numIdsOf(scene)),
      shapes_(shapes ? std::move(shapes) : contactSceneOf(scene)),
      generator_(shapes_),
      pushOut_(scene) {
  for (const Surface& surface : scene.surfaces) padding_.push_back(surface.thickness());
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    for (const SceneShape& shape : scene.bodies[b].shapes) {
      if (bodyOf_[shape.id] >= 0)
        throw Error("world id " + std::to_string(shape.id) + " has two shapes; contacts need one an id", {},
                    "put them into one group geometry");
      bodyOf_[shape.id] = b;
      places_.push_back({shape.id, b, shape.X_BG, scene.bodies[b].motion != BodyMotion::fixed});
    }
  }
}

void BoundaryLayer::update(std::span<const BodyState> bodies, std::int64_t tick, Poses poses) {
  for (const Place& place : places_)
    if (place.moving || !placed_) generator_.setPose(place.id, bodies[place.body].X_WB * place.X_BG);
  placed_ = true;
  generator_.update();
  pushOut_.update(generator_.pairs(), poses == Poses::placed);
  convert();
  watchCrossings(tick);
}

void BoundaryLayer::convert() {
  now_.contacts.clear();
  const std::span<const GeneratedContact> found = generator_.contacts();
  for (const ContactPairReport& pair : generator_.pairs()) {
    if (off_(pair.a, pair.b)) continue;
    const ContactMaterial material = scene_.material(pair.a, pair.b);
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
      const GeneratedContact& from = found[i];
      now_.contacts.push_back({.key = from.key,
                               .bodyA = bodyOf_[pair.a],
                               .bodyB = bodyOf_[pair.b],
                               .idA = pair.a,
                               .idB = pair.b,
                               .point = from.point,
                               .normal = from.normal,
                               .gap = from.gap,
                               .material = material});
    }
  }
  pushOut_.soften(now_.contacts);
}

void BoundaryLayer::watchCrossings(std::int64_t tick) {
  crossesAnew_ = false;
  next_.clear();
  std::size_t old = 0;
  for (const ContactPairReport& pair : generator_.pairs()) {
    const auto keep = [&](bool all) {
      while (old < now_.crossings.size() &&
             (all || std::pair(now_.crossings[old].a, now_.crossings[old].b) < std::pair(pair.a, pair.b))) {
        if (tick - now_.crossings[old].tick < kCrossingMemory) next_.push_back(now_.crossings[old]);
        ++old;
      }
    };
    keep(false);
    const bool known =
        old < now_.crossings.size() && now_.crossings[old].a == pair.a && now_.crossings[old].b == pair.b;
    const bool crosses = pair.crossing && !pair.reliable && padding_[pair.a] + padding_[pair.b] > 0;
    if (crosses && !known && !pushOut_.applies(pair.a, pair.b)) crossesAnew_ = true;
    if (crosses)
      next_.push_back({pair.a, pair.b, tick});
    else if (known && tick - now_.crossings[old].tick < kCrossingMemory)
      next_.push_back(now_.crossings[old]);
    if (known) ++old;
  }
  for (; old < now_.crossings.size(); ++old)
    if (tick - now_.crossings[old].tick < kCrossingMemory) next_.push_back(now_.crossings[old]);
  std::swap(next_, now_.crossings);
}

void BoundaryLayer::setCollision(int a, int b, bool on) {
  const int n = static_cast<int>(bodyOf_.size());
  if (a < 0 || a >= n || b < -1 || b >= n || a == b)
    throw Error("contacts between ids " + std::to_string(a) + " and " + std::to_string(b) +
                " cannot be switched; ids go from 0 to " + std::to_string(n - 1));
  for (int other = b >= 0 ? b : 0; other < (b >= 0 ? b + 1 : n); ++other)
    if (other != a) off_.set(a, other, !on);
  std::erase_if(now_.contacts, [&](const SceneContact& contact) { return off_(contact.idA, contact.idB); });
  if (!pushesOut()) return;
  for (SceneContact& contact : now_.contacts) contact.material = scene_.material(contact.idA, contact.idB);
  pushOut_.soften(now_.contacts);
}

void BoundaryLayer::remember() {
  remembered_.contacts = now_.contacts;
  remembered_.crossings = now_.crossings;
  remembered_.deep = pushOut_.deep();
  rememberedGenerator_.bytes().clear();
  generator_.save(rememberedGenerator_);
}

void BoundaryLayer::rewind() {
  now_.contacts = remembered_.contacts;
  now_.crossings = remembered_.crossings;
  pushOut_.set(remembered_.deep);
  ByteReader in(rememberedGenerator_.bytes());
  generator_.restore(in);
}

void BoundaryLayer::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(bodyOf_.size()));
  generator_.save(out);
  out.put(static_cast<std::uint64_t>(now_.contacts.size()));
  for (const SceneContact& contact : now_.contacts) {
    out.put(contact.key);
    for (const int i : {contact.idA, contact.idB}) out.put(i);
    out.append(contact.point.data(), 3 * sizeof(double));
    out.append(contact.normal.data(), 3 * sizeof(double));
    out.put(contact.gap);
  }
  out.put(static_cast<std::uint64_t>(now_.crossings.size()));
  for (const Crossing& crossing : now_.crossings) {
    for (const int i : {crossing.a, crossing.b}) out.put(i);
    out.put(crossing.tick);
  }
  out.put(static_cast<std::uint64_t>(pushOut_.deep().size()));
  for (const auto& [a, b] : pushOut_.deep()) {
    out.put(a);
    out.put(b);
  }
  std::uint64_t switches = 0;
  off_.forEachPair([&](int, int) { ++switches; });
  out.put(switches);
  off_.forEachPair([&](int a, int b) {
    out.put(a);
    out.put(b);
  });
}

void BoundaryLayer::restore(ByteReader& in) {
  const std::uint64_t n = bodyOf_.size();
  if (in.get<std::uint64_t>() != n) throw Error("the snapshot's contacts are those of another world");
  generator_.restore(in);
  const auto id = [&] {
    const int value = in.get<int>();
    if (value < 0 || value >= static_cast<int>(n) || bodyOf_[value] < 0)
      throw Error("the snapshot names id " + std::to_string(value) + ", which has no shape");
    return value;
  };
  now_.contacts.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    SceneContact contact;
    in.get(contact.key);
    contact.idA = id();
    contact.idB = id();
    contact.bodyA = bodyOf_[contact.idA];
    contact.bodyB = bodyOf_[contact.idB];
    for (int i = 0; i < 3; ++i) in.get(contact.point[i]);
    for (int i = 0; i < 3; ++i) in.get(contact.normal[i]);
    in.get(contact.gap);
    contact.material = scene_.material(contact.idA, contact.idB);
    now_.contacts.push_back(contact);
  }
  now_.crossings.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Crossing crossing;
    crossing.a = id();
    crossing.b = id();
    in.get(crossing.tick);
    now_.crossings.push_back(crossing);
  }
  std::vector<std::pair<int, int>> deep;
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int a = id(), b = id();
    deep.emplace_back(a, b);
  }
  if (!std::is_sorted(deep.begin(), deep.end())) throw Error("the snapshot's overlaps are out of order");
  pushOut_.set(std::move(deep));
  pushOut_.soften(now_.contacts);
  off_ = switchesFrom(in, static_cast<int>(n));
  placed_ = false;
}

}  // namespace mortise
