#include "contacts.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "convert.h"
#include "mortise/base/error.h"
#include "mortise/contacts/scene_contact_check.h"

namespace mortise::bullet {

namespace {

Vector3d forceOf(const btManifoldPoint& point, double h) {
  return fromBullet(point.m_normalWorldOnB * point.m_appliedImpulse +
                    point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                    point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2) /
         h;
}

}  // namespace

void Contacts::set(std::span<const SceneContact> contacts) {
  checkSceneContacts(contacts, numBodies_, numIds_);
  next_.assign(contacts.begin(), contacts.end());
  recall();
}

/// Impulses of the last step, by key. Both lists ascend by ids, and within a pair contacts mostly stay in their order.
void Contacts::recall() {
  memory_.assign(next_.size(), {});
  std::size_t first = 0, guess = 0;
  const auto ids = [](const auto& contact) { return std::pair(contact.idA, contact.idB); };
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const auto inPair = [&](std::size_t at) { return at < lastMemory_.size() && ids(forces_[at]) == ids(next_[i]); };
    while (first < lastMemory_.size() && ids(forces_[first]) < ids(next_[i])) guess = ++first;
    std::size_t at = guess;
    if (!inPair(at) || forces_[at].key != next_[i].key)
      for (at = first; inPair(at) && forces_[at].key != next_[i].key;) ++at;
    if (!inPair(at)) continue;
    memory_[i] = lastMemory_[at];
    guess = at + 1;
  }
}

void Contacts::begin(btCollisionDispatcher& dispatcher) {
  while (dispatcher.getNumManifolds() > 0) dispatcher.releaseManifold(dispatcher.getManifoldByIndexInternal(0));
  points_.assign(next_.size(), nullptr);
  manifold_ = nullptr;
}

double Contacts::closingSpeed(const SceneContact& contact, const BodyState& a, const BodyState& b) {
  const auto velocity = [&](const BodyState& body) -> Vector3d {
    return body.v_WB + body.w_WB.cross(contact.point - body.X_WB.p);
  };
  return contact.normal.dot(velocity(b) - velocity(a));
}

void Contacts::handOne(std::size_t index, btCollisionDispatcher& dispatcher,
                       std::span<btCollisionObject* const> colliders) {
  const SceneContact& contact = next_[index];
  btCollisionObject *a = colliders[contact.bodyA], *b = colliders[contact.bodyB];
  if (a->isStaticOrKinematicObject() && b->isStaticOrKinematicObject()) return;
  const bool fits = manifold_ != nullptr && manifold_->getBody0() == a && manifold_->getBody1() == b &&
                    manifold_->getNumContacts() < MANIFOLD_CACHE_SIZE;
  if (!fits) manifold_ = dispatcher.getNewManifold(a, b);
  const int place = manifold_->getNumContacts();
  manifold_->setNumContacts(place + 1);
  btManifoldPoint& point = manifold_->getContactPoint(place);
  // One point for two bodies that move: friction at two points that are apart would be a torque on the pair from
  // nowhere. How deep the contact is, Bullet's solver takes from the distance. On what stands, a body has its own
  // surface's point, so that it rolls on its radius.
  const bool both = !a->isStaticOrKinematicObject() && !b->isStaticOrKinematicObject();
  const Vector3d apart = both ? Vector3d(Vector3d::Zero()) : Vector3d(0.5 * contact.gap * contact.normal);
  const btVector3 onA = toBullet(Vector3d(contact.point + apart)), onB = toBullet(Vector3d(contact.point - apart));
  point = btManifoldPoint(a->getWorldTransform().invXform(onA), b->getWorldTransform().invXform(onB),
                          toBullet(contact.normal), contact.gap);
  point.m_positionWorldOnA = onA;
  point.m_positionWorldOnB = onB;
  setMaterial(point, contact.material, scene_.rolling(contact.idA, contact.idB));
  point.m_appliedImpulse = memory_[index].normal;
  point.m_appliedImpulseLateral1 = memory_[index].lateral1;
  point.m_appliedImpulseLateral2 = memory_[index].lateral2;
  point.m_prevRHS = memory_[index].rhs;
  points_[index] = &point;
}

void Contacts::collectHanded(double h) {
  forces_.resize(next_.size());
  lastMemory_.assign(next_.size(), {});
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const SceneContact& from = next_[i];
    forces_[i] = {from.key,   from.idA,    from.idB,  from.bodyA,      from.bodyB,
                  from.point, from.normal, -from.gap, Vector3d::Zero()};
    if (points_[i] == nullptr) continue;
    const btManifoldPoint& point = *points_[i];
    forces_[i].force = forceOf(point, h);
    lastMemory_[i] = {point.m_appliedImpulse, point.m_appliedImpulseLateral1, point.m_appliedImpulseLateral2,
                      point.m_prevRHS};
  }
  next_.clear();
  memory_.clear();
  points_.clear();
}

void Contacts::softenFound(btCollisionDispatcher& dispatcher, const SceneDescription& scene) {
  const bool wasActive = pushOut_.active();
  found_.clear();
  const auto forAll = [&](const auto& visit) {
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
      for (int i = 0; i < manifold.getNumContacts(); ++i) visit(manifold.getContactPoint(i));
    }
  };
  forAll([&](const btManifoldPoint& point) {
    SceneContact& contact = found_.emplace_back();
    contact.idA = point.m_partId0;
    contact.idB = point.m_partId1;
    contact.gap = point.m_distance1;
    contact.material = scene.material(contact.idA, contact.idB);
  });
  pushOut_.soften(found_);
  if (!wasActive && !pushOut_.active()) return;
  std::size_t next = 0;
  forAll([&](btManifoldPoint& point) {
    const SceneContact& contact = found_[next++];
    changeMaterial(point, contact.material, scene.rolling(contact.idA, contact.idB));
  });
}

void Contacts::collectFound(btCollisionDispatcher& dispatcher, double h) {
  forces_.clear();
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    const int bodyA = manifold.getBody0()->getUserIndex(), bodyB = manifold.getBody1()->getUserIndex();
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      const btManifoldPoint& point = manifold.getContactPoint(i);
      if (point.m_appliedImpulse == 0) continue;
      const Vector3d middle = fromBullet((point.m_positionWorldOnA + point.m_positionWorldOnB) * 0.5);
      const Vector3d normal = fromBullet(point.m_normalWorldOnB), force = forceOf(point, h);
      const int idA = point.m_partId0, idB = point.m_partId1;
      if (idA <= idB)
        forces_.push_back({0, idA, idB, bodyA, bodyB, middle, normal, -point.m_distance1, force});
      else
        forces_.push_back({0, idB, idA, bodyB, bodyA, middle, -normal, -point.m_distance1, -force});
    }
  }
}

namespace {

/// Lists of plain numbers without padding, so that equal states have equal bytes.
template <typename Item>
void putList(ByteWriter& out, const std::vector<Item>& list) {
  out.put(static_cast<std::uint64_t>(list.size()));
  out.append(list.data(), list.size() * sizeof(Item));
}

template <typename Item>
void getList(ByteReader& in, std::vector<Item>& list) {
  list.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const auto bytes = in.get<std::array<std::byte, sizeof(Item)>>();
    std::memcpy(static_cast<void*>(&list.emplace_back()), bytes.data(), sizeof(Item));
  }
}

}  // namespace

void Contacts::save(ByteWriter& out) const {
  static_assert(sizeof(ContactForce) == 8 + 4 * 4 + 10 * 8, "no padding");
  static_assert(sizeof(SceneContact) == 8 + 4 * 4 + 7 * 8 + 4 * 8, "no padding");
  putList(out, forces_);
  putList(out, lastMemory_);
  putList(out, next_);
  putList(out, memory_);
  pushOut_.save(out);
}

void Contacts::restore(ByteReader& in) {
  points_.clear();
  getList(in, forces_);
  getList(in, lastMemory_);
  getList(in, next_);
  getList(in, memory_);
  pushOut_.restore(in);
  const auto check = [&](const auto& list) {
    const auto inside = [](int index, int size) { return index >= 0 && index < size; };
    for (const auto& contact : list)
      if (!inside(contact.bodyA, numBodies_) || !inside(contact.bodyB, numBodies_) || !inside(contact.idA, numIds_) ||
          !inside(contact.idB, numIds_))
        throw Error("the snapshot holds a contact of a body that is not there");
  };
  check(forces_);
  check(next_);
  if ((!lastMemory_.empty() && lastMemory_.size() != forces_.size()) || memory_.size() != next_.size())
    throw Error("the snapshot holds impulses of contacts that are not there");
}

}  // namespace mortise::bullet
