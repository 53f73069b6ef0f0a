#pragma once

#include <span>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise::truth {

/// Contacts made by hand for scenes of boxes and balls, with signed gaps from a millimeter on, as a generator would
/// hand them over, but exact: corners of boxes, and the lowest point of balls, against planes of other bodies; balls
/// against balls. The
/// support is body 0, with its surface the plane z = 0 of its frame, unless another one is named.
class HandContacts {
 public:
  static constexpr double kMargin = 1e-3;  ///< m, the gap from which on contacts are handed over.

  /// Makes the scene one of contacts from outside. It outlives this.
  explicit HandContacts(SceneDescription& scene) : scene_(scene) { scene.contactSource = ContactSource::external; }

  /// The corners of a box against a plane that belongs to another body (`normal` and a point of it in that body's
  /// frame).
  void addBox(int box, const Vector3d& size, int support = 0, const Vector3d& normal = Vector3d::UnitZ(),
              const Vector3d& at = Vector3d::Zero());
  void addBall(int ball, double radius, int support = 0);
  /// Two balls.
  void addBalls(int a, double radiusA, int b, double radiusB);

  bool empty() const { return pairs_.empty(); }
  /// Finds the contacts where the bodies are now; valid until the next call.
  std::span<const SceneContact> find(const Scene& scene);
  void step(Scene& scene, double dt = 0.001);
  void advance(Scene& scene, int steps, double dt = 0.001);

 private:
  struct Pair {
    int body, support;
    Vector3d size;
    double radius;
    Vector3d normal, at;
    double supportRadius = 0;  ///< Radius of a ball as the support, around its frame; 0: a plane.
  };
  void addContact(const Pair& pair, int corner, const Vector3d& point, const Vector3d& normal, double gap);
  void add(const Pair& pair);

  SceneDescription& scene_;
  std::vector<Pair> pairs_;
  std::vector<BodyState> bodies_;
  std::vector<SceneContact> contacts_;
};

}  // namespace mortise::truth
