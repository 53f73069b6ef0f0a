#include "mortise/closed_forms/hand_contacts.h"

#include <algorithm>

namespace mortise::truth {

void HandContacts::addBox(int box, const Vector3d& size, int support, const Vector3d& normal, const Vector3d& at) {
  add({box, support, size, 0, normal, at});
}

void HandContacts::addBall(int ball, double radius, int support) {
  add({ball, support, Vector3d::Zero(), radius, Vector3d::UnitZ(), Vector3d::Zero()});
}

void HandContacts::addBalls(int a, double radiusA, int b, double radiusB) {
  add({a, b, Vector3d::Zero(), radiusA, Vector3d::UnitZ(), Vector3d::Zero(), radiusB});
}

void HandContacts::add(const Pair& pair) {
  pairs_.push_back(pair);
  std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
    return std::minmax(a.body, a.support) < std::minmax(b.body, b.support);
  });
}

std::span<const SceneContact> HandContacts::find(const Scene& scene) {
  bodies_.resize(scene_.bodies.size());
  scene.readBodies(bodies_);
  contacts_.clear();
  for (const Pair& pair : pairs_) {
    const RigidTransform& X_WS = bodies_[pair.support].X_WB;
    const RigidTransform& X_WB = bodies_[pair.body].X_WB;
    if (pair.supportRadius > 0) {
      const Vector3d between = X_WB.p - X_WS.p;
      const double distance = between.norm();
      if (!(distance > 0)) continue;
      const Vector3d normal = between / distance;
      const double gap = distance - pair.radius - pair.supportRadius;
      addContact(pair, 0, X_WB.p - (pair.radius + 0.5 * gap) * normal, normal, gap);
      continue;
    }
    const Vector3d normal = X_WS.R * pair.normal;
    const double offset = normal.dot(X_WS * pair.at);
    for (int corner = 0; corner < (pair.radius > 0 ? 1 : 8); ++corner) {
      const Vector3d half = 0.5 * pair.size;
      const Vector3d p = X_WB * Vector3d(corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                                         corner & 4 ? half.z() : -half.z());
      const double gap = normal.dot(p) - offset - pair.radius;
      addContact(pair, corner, p - (pair.radius + 0.5 * gap) * normal, normal, gap);
    }
  }
  return contacts_;
}

void HandContacts::addContact(const Pair& pair, int corner, const Vector3d& point, const Vector3d& normal, double gap) {
  if (gap > kMargin) return;
  SceneContact contact;
  contact.gap = gap;
  contact.bodyA = contact.idA = std::min(pair.support, pair.body);
  contact.bodyB = contact.idB = std::max(pair.support, pair.body);
  contact.normal = pair.support < pair.body ? Vector3d(-normal) : normal;
  contact.point = point;
  contact.key = static_cast<std::uint64_t>(1 + corner + 8 * (contact.idB + 1000 * contact.idA));
  contact.material = scene_.material(contact.idA, contact.idB);
  contacts_.push_back(contact);
}

void HandContacts::step(Scene& scene, double dt) {
  scene.setContacts(find(scene));
  scene.step(dt);
}

void HandContacts::advance(Scene& scene, int steps, double dt) {
  for (int i = 0; i < steps; ++i) step(scene, dt);
}

}  // namespace mortise::truth
