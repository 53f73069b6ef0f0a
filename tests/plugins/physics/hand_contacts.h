#pragma once

/// Contacts made by hand for scenes of boxes and balls, with signed gaps from a millimeter on, as a generator would
/// hand them over: ground is body 0 with its surface the plane z = 0 of its frame.

#include "scenes.h"

namespace mortise::test {

class HandContacts {
 public:
  static constexpr double kMargin = 1e-3;

  explicit HandContacts(SceneDescription& scene) : scene_(scene) { scene.contactSource = ContactSource::external; }

  /// The corners of a box against a plane that belongs to another body (`normal` and a point of it in that body's
  /// frame).
  void addBox(int box, const Vector3d& size, int support = 0, const Vector3d& normal = Vector3d::UnitZ(),
              const Vector3d& at = Vector3d::Zero()) {
    pairs_.push_back({box, support, size, 0, normal, at});
    order();
  }
  void addBall(int ball, double radius, int support = 0) {
    pairs_.push_back({ball, support, Vector3d::Zero(), radius, Vector3d::UnitZ(), Vector3d::Zero()});
    order();
  }

  std::span<const SceneContact> find(const Scene& scene) {
    bodies_.resize(scene_.bodies.size());
    scene.readBodies(bodies_);
    contacts_.clear();
    for (const Pair& pair : pairs_) {
      const RigidTransform& X_WS = bodies_[pair.support].X_WB;
      const RigidTransform& X_WB = bodies_[pair.body].X_WB;
      const Vector3d normal = X_WS.R * pair.normal;
      const double offset = normal.dot(X_WS * pair.at);
      for (int corner = 0; corner < (pair.radius > 0 ? 1 : 8); ++corner) {
        const Vector3d half = 0.5 * pair.size;
        const Vector3d p = X_WB * Vector3d(corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                                           corner & 4 ? half.z() : -half.z());
        SceneContact contact;
        contact.gap = normal.dot(p) - offset - pair.radius;
        if (contact.gap > kMargin) continue;
        const bool supportFirst = pair.support < pair.body;
        contact.bodyA = contact.idA = std::min(pair.support, pair.body);
        contact.bodyB = contact.idB = std::max(pair.support, pair.body);
        contact.normal = supportFirst ? Vector3d(-normal) : normal;
        contact.point = p - (pair.radius + 0.5 * contact.gap) * normal;
        contact.key = static_cast<std::uint64_t>(1 + corner + 8 * (contact.idB + 1000 * contact.idA));
        contact.material = scene_.material(contact.idA, contact.idB);
        contacts_.push_back(contact);
      }
    }
    return contacts_;
  }
  void step(Scene& scene, double dt = kStep) {
    scene.setContacts(find(scene));
    scene.step(dt);
  }
  void advance(Scene& scene, int steps) {
    for (int i = 0; i < steps; ++i) step(scene);
  }

 private:
  struct Pair {
    int body, support;
    Vector3d size;
    double radius;
    Vector3d normal, at;
  };
  void order() {
    std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
      return std::minmax(a.body, a.support) < std::minmax(b.body, b.support);
    });
  }

  SceneDescription& scene_;
  std::vector<Pair> pairs_;
  std::vector<BodyState> bodies_;
  std::vector<SceneContact> contacts_;
};

}  // namespace mortise::test
