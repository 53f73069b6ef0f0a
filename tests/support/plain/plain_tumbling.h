#pragma once

/// A body of moments 1 : 2 : 3 that tumbles freely, by a program on an engine's library alone and by Mortise's backend.

#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {

constexpr double kTumblingSpeed = 50;  // rad/s, about the middle axis but for a hundredth.

/// Nothing touches; the second body rests far away.
inline World tumblingWorld() {
  Collision c;
  c.bodies = Bodies::boxes;
  World world = worldOf(c);
  world.objects.resize(2);
  for (RigidObject& object : world.objects) object.v_WO = object.w_WO = Vector3d::Zero();
  world.objects[0].inertia.inertia = Vector3d(0.01, 0.02, 0.03).asDiagonal();
  world.objects[0].w_WO = kTumblingSpeed * Vector3d(0.01, 1, 0.01);
  world.objects[1].X_WO.p = Vector3d(50, 0, 0);
  return world;
}

/// Angular speeds in the last second of ten, in steps of 1 ms, of the speed at the start. A body that keeps its
/// momentum and its energy is between 0.67 and 1, and in each second near both.
struct Tumbling {
  double slowest = 1e300, fastest = 0;

  static Tumbling of(const plain::History& history) {
    Tumbling result;
    for (std::size_t i = history.size() - 1000; i < history.size(); ++i) {
      const double speed = fromPlain(history[i][0].spin).norm() / kTumblingSpeed;
      result.slowest = std::min(result.slowest, speed);
      result.fastest = std::max(result.fastest, speed);
    }
    return result;
  }
};

/// Both runs; expects that they are the same for the first second.
template <typename Run>
std::pair<Tumbling, Tumbling> tumbling(const std::string& backend, const Run& run) {
  Collision c;
  c.contacts = ContactSource::engine;
  const World world = tumblingWorld();
  EXPECT_LE(sideBySide(world, c, backend, run, Value::map(), 1000).apart, 1e-6);
  const SideBySide both = sideBySide(world, c, backend, run, Value::map(), 10000);
  return {Tumbling::of(both.library), Tumbling::of(both.ours)};
}

}  // namespace mortise::test
