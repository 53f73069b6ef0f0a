#pragma once

#include <vector>

#include "mortise/contacts/contact_generator.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/rotation.h"
#include "tests/support/convex_meshes.h"

namespace mortise::test {

template <typename Shape>
CollisionShapePtr shapeOf(Shape shape, double margin = 0) {
  return makeCollisionShape(std::make_shared<const Geometry>(std::move(shape), margin));
}

inline BoxShape boxShape(const Vector3d& size) { return {RigidTransform::translation(-0.5 * size), size}; }

inline ConvexHullShape hullOf(const TriangleMesh& mesh) { return {mesh.vertices}; }

/// A ball of triangles, `n` around.
inline TriangleMesh ballMesh(double radius, int n) {
  TriangleMesh mesh;
  const double pi = 3.14159265358979323846;
  for (int i = 0; i <= n / 2; ++i)
    for (int j = 0; j < n; ++j) {
      const double v = pi * i / (n / 2), u = 2 * pi * j / n;
      mesh.vertices.push_back(radius * Vector3d(std::sin(v) * std::cos(u), std::sin(v) * std::sin(u), std::cos(v)));
    }
  for (int i = 0; i < n / 2; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * n + j, b = i * n + (j + 1) % n;
      if (i > 0) mesh.triangles.push_back({a, a + n, b});
      if (i + 1 < n / 2) mesh.triangles.push_back({b, a + n, b + n});
    }
  return mesh;
}

inline ContactGenerator generatorOf(const std::vector<ContactBody>& bodies, const ContactRules& rules = {}) {
  PairTable pairs(static_cast<int>(bodies.size()));
  for (int a = 0; a < pairs.size(); ++a)
    for (int b = 0; b < a; ++b) pairs.set(a, b, true);
  return ContactGenerator(std::make_shared<const ContactScene>(bodies, pairs, rules));
}

/// Contacts of shape 0 at X_W0 on shape 1 at the origin.
inline std::vector<GeneratedContact> contactsOf(const CollisionShapePtr& a, const RigidTransform& X_WA,
                                                const CollisionShapePtr& b, double padding,
                                                const ContactRules& rules = {}) {
  ContactGenerator generator = generatorOf({{a, padding}, {b, 0}}, rules);
  generator.setPose(0, X_WA);
  generator.update();
  return {generator.contacts().begin(), generator.contacts().end()};
}

}  // namespace mortise::test
