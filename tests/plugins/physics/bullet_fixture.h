#pragma once

/// The Bullet backend with settings of a test's choice.

#include <string>
#include <utility>
#include <vector>

#include "tests/plugins/physics/hand_contacts.h"
#include "tests/plugins/physics/scenes.h"

namespace mortise::test {

class BulletTest : public PhysicsTest {
 protected:
  using Settings = std::vector<std::pair<std::string, Value>>;

  std::unique_ptr<Scene> buildWith(const SceneDescription& scene, const Settings& settings) {
    Value value = Value::map();
    for (const auto& [name, setting] : settings) value.set(name, setting);
    physics_ = make(value);
    return physics_->build(scene);
  }
  /// No damping, no slop, with the error reduction that Bullet's authors recommend instead of the world's.
  static Settings exact() { return {{"profile", "normalized"}, {"erp", 0.2}, {"erp2", 0.2}, {"global_cfm", 0.0}}; }
  static std::vector<std::byte> snapshot(const Scene& scene) {
    ByteWriter out;
    scene.save(out);
    return out.bytes();
  }
};

inline const Vector3d kBulletBox(0.2, 0.2, 0.1);

}  // namespace mortise::test
