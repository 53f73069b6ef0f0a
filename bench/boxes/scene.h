#pragma once

/// The scene that every contestant simulates: boxes in columns, each turned a little, above a square floor.

#include <memory>
#include <string>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise::bench {

struct BoxesScene {
  explicit BoxesScene(int count);

  double step = 0.005;  ///< s
  int iterations = 50;
  double friction = 0.5;
  double restitution = 0;
  int maxContacts = 8;  ///< For each pair of boxes. (Bullet keeps 4.)
  double gravity = 9.8;
  Vector3d size = Vector3d(0.2, 0.2, 0.2);
  double mass = 1;
  double floorHalfWidth = 10;
  std::vector<RigidTransform> poses;

  Vector3d moments() const;  ///< Returns the moments of inertia of one box.
};

/// One way to simulate the scene.
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual void step() = 0;
  virtual double meanHeight() const = 0;  ///< m; tells whether the contestants simulate the same thing.
  virtual int contacts() const = 0;       ///< Points in the last step.
};

/// Mortise's loop on the named backend.
std::unique_ptr<Contestant> makeMortise(const BoxesScene& scene, const std::string& backend);
/// The same written by hand against each engine.
std::unique_ptr<Contestant> makeRawOde(const BoxesScene& scene);
std::unique_ptr<Contestant> makeRawBullet(const BoxesScene& scene);

}  // namespace mortise::bench
