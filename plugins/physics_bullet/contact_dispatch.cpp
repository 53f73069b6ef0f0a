#include "contact_dispatch.h"

#include <algorithm>
#include <cmath>

namespace mortise::bullet {

PairTable::PairTable(const SceneDescription& description) : filter_(description.filter), description_(description) {}

bool PairTable::bodiesMayTouch(int a, int b) const {
  const SceneBody &A = description_.bodies[static_cast<std::size_t>(a)],
                  &B = description_.bodies[static_cast<std::size_t>(b)];
  if (a == b || (A.motion == BodyMotion::fixed && B.motion == BodyMotion::fixed)) return false;
  return std::any_of(A.shapes.begin(), A.shapes.end(), [&](const SceneShape& s) {
    return std::any_of(B.shapes.begin(), B.shapes.end(),
                       [&](const SceneShape& t) { return description_.filter.test(s.id, t.id); });
  });
}

void PairTable::allow(int idA, int idB, bool on) {
  filter_.allow(idA, idB, on);
  const std::uint64_t pair =
      static_cast<std::uint64_t>(std::min(idA, idB)) * description_.surfaces.size() + std::max(idA, idB);
  const auto at = std::lower_bound(off_.begin(), off_.end(), pair);
  const bool isOff = at != off_.end() && *at == pair;
  if (on && isOff) off_.erase(at);
  if (!on && !isOff) off_.insert(at, pair);
}

void PairTable::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(off_.size()));
  for (const std::uint64_t pair : off_) out.put(pair);
}

void PairTable::restore(ByteReader& in) {
  const std::uint64_t n = description_.surfaces.size();
  while (!off_.empty()) allow(static_cast<int>(off_.back() / n), static_cast<int>(off_.back() % n), true);
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const auto pair = in.get<std::uint64_t>();
    if (n == 0 || pair / n >= n || !description_.filter.test(static_cast<int>(pair / n), static_cast<int>(pair % n)))
      throw Error("the snapshot switches off a pair of ids that never touches");
    allow(static_cast<int>(pair / n), static_cast<int>(pair % n), false);
  }
}

void setMaterial(btManifoldPoint& point, const ContactMaterial& material, double rolling) {
  point.m_combinedFriction = std::min(material.friction, kMaximumFriction);
  point.m_combinedRestitution = material.restitution;
  point.m_combinedRollingFriction = rolling;
  point.m_combinedSpinningFriction = 0;
  if (!std::isfinite(material.stiffness)) return;
  if (std::isfinite(material.damping)) {
    point.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
    point.m_combinedContactStiffness1 = material.stiffness;
    point.m_combinedContactDamping1 = material.damping;
  } else {
    point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
    point.m_contactCFM = 0;
    point.m_contactERP = 0;
  }
}

void changeMaterial(btManifoldPoint& point, const ContactMaterial& material, double rolling) {
  point.m_contactPointFlags &=
      ~(BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING | BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP);
  setMaterial(point, material, rolling);
}

bool PairFilter::needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const {
  return pairs_.bodiesMayTouch(static_cast<btCollisionObject*>(a->m_clientObject)->getUserIndex(),
                               static_cast<btCollisionObject*>(b->m_clientObject)->getUserIndex());
}

namespace {

/// The id of the innermost shape that has one: triangles of a mesh have none of their own.
int idOf(const btCollisionObjectWrapper* wrapper) {
  for (; wrapper != nullptr; wrapper = wrapper->m_parent)
    if (wrapper->getCollisionShape()->getUserIndex() >= 0) return wrapper->getCollisionShape()->getUserIndex();
  return -1;
}

class ContactResult final : public btManifoldResult {
 public:
  ContactResult(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, const PairTable& pairs)
      : btManifoldResult(a, b), pairs_(pairs) {}

  /// `normal` points from body 1 to body 0, `point` lies on body 1, `distance` is negative when penetrating.
  void addContactPoint(const btVector3& normal, const btVector3& point, btScalar distance) override {
    if (distance > m_manifoldPtr->getContactBreakingThreshold()) return;
    int id0 = idOf(m_body0Wrap), id1 = idOf(m_body1Wrap);
    if (!pairs_.idsMayTouch(id0, id1)) return;
    const btCollisionObject *first = m_body0Wrap->getCollisionObject(), *second = m_body1Wrap->getCollisionObject();
    const btVector3 pointOn0 = point + normal * distance;
    const bool swapped = m_manifoldPtr->getBody0() != first;
    if (swapped) std::swap(id0, id1);
    const btTransform &X_W0 = first->getWorldTransform(), &X_W1 = second->getWorldTransform();
    btManifoldPoint contact(swapped ? X_W1.invXform(pointOn0) : X_W0.invXform(pointOn0),
                            swapped ? X_W0.invXform(point) : X_W1.invXform(point), normal, distance);
    contact.m_positionWorldOnA = pointOn0;
    contact.m_positionWorldOnB = point;
    contact.m_partId0 = id0;
    contact.m_partId1 = id1;

    setMaterial(contact, pairs_.material(id0, id1), pairs_.rolling(id0, id1));
    btPlaneSpace1(normal, contact.m_lateralFrictionDir1, contact.m_lateralFrictionDir2);

    const int known = m_manifoldPtr->getCacheEntry(contact);
    if (known >= 0)
      m_manifoldPtr->replaceContactPoint(contact, known);
    else
      m_manifoldPtr->addManifoldPoint(contact);
  }

 private:
  const PairTable& pairs_;
};

/// Bullet's near callback with our result class.
void collidePair(btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
  auto* a = static_cast<btCollisionObject*>(pair.m_pProxy0->m_clientObject);
  auto* b = static_cast<btCollisionObject*>(pair.m_pProxy1->m_clientObject);
  btCollisionObjectWrapper wrapA(nullptr, a->getCollisionShape(), a, a->getWorldTransform(), -1, -1);
  btCollisionObjectWrapper wrapB(nullptr, b->getCollisionShape(), b, b->getWorldTransform(), -1, -1);
  if (pair.m_algorithm == nullptr)
    pair.m_algorithm = dispatcher.findAlgorithm(&wrapA, &wrapB, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  if (pair.m_algorithm == nullptr) return;
  ContactResult result(&wrapA, &wrapB, static_cast<ContactDispatcher&>(dispatcher).pairs());
  pair.m_algorithm->processCollision(&wrapA, &wrapB, info, &result);
}

}  // namespace

ContactDispatcher::ContactDispatcher(btCollisionConfiguration* configuration, const PairTable& pairs)
    : btCollisionDispatcher(configuration), pairs_(pairs) {
  setNearCallback(collidePair);
}

}  // namespace mortise::bullet
