#pragma once

/// Scenes built by hand (`mortise/closed_forms/scene_builder.h`) for tests of physics backends, and a fixture that runs
/// each test on every backend present.

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/scene_builder.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/component/physics.h"
#include "mortise/math/rotation.h"
#include "mortise/plugin/registry.h"
#include "tests/support/quiet_host.h"

namespace mortise::test {

constexpr double kStep = 0.001;
constexpr double kGravity = truth::kGravity;

/// The parameter is the backend's name.
class PhysicsTest : public testing::TestWithParam<std::string> {
 protected:
  static Registry& registry() {
    static NullLog log;
    static Registry* const instance = [] {
      auto* registry = new Registry(log);
      registry->addFolder(MORTISE_BINARY_DIR "/lib/mortise/plugins", "install");
      registry->discover();
      return registry;
    }();
    return *instance;
  }

  void SetUp() override {
    if (registry().find(Kind::physics, GetParam()) == nullptr)
      GTEST_SKIP() << "no plugin offers the physics backend '" << GetParam() << "'";
    physics_ = make(Value::map());
  }

  ComponentPtr<Physics> make(const Value& settings) {
    const ComponentInfo& info = registry().require(Kind::physics, GetParam());
    Diagnostics diagnostics;
    const Value complete = registry().completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    return registry().create<Physics>(info, complete, host_);
  }

  /// Without the damping, slop and softness that an engine's authors recommend, where it has a profile for that.
  void useNormalized() {
    if (GetParam() == "bullet" || GetParam() == "mujoco") {
      Value settings = Value::map();
      settings.set("profile", "normalized");
      physics_ = make(settings);
    }
  }

  /// Where the backend detects no collisions, contacts are those that the test hands over, if any.
  std::unique_ptr<Scene> build(SceneDescription description) {
    if (!physics_->capabilities().ownContacts) description.contactSource = ContactSource::external;
    return physics_->build(description);
  }
  Physics& physics() { return *physics_; }

  QuietHost host_{"physics"};
  ComponentPtr<Physics> physics_;
};

#define MORTISE_FOR_EACH_BACKEND(Suite)                                      \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values(std::string("mortise")), \
                           [](const testing::TestParamInfo<std::string>& backend) { return backend.param; })

/// The engines of others, too.
#define MORTISE_FOR_EVERY_ENGINE(Suite)                                                            \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values("mortise", "ode", "bullet", "mujoco", "dart"), \
                           [](const testing::TestParamInfo<std::string>& backend) { return backend.param; })

inline GeometryPtr geometry(Geometry::Data data) { return truth::geometryOf(std::move(data)); }
using truth::bodiesOf;
using truth::bodyOf;
using truth::boxGeometry;
using truth::boxMesh;
using truth::contactForceOn;
using truth::jointOf;
using truth::planeGeometry;
using truth::rotationAbout;
using truth::SceneBuilder;

/// A square ground of n x n cells with a rim that rises, so that it is no flat patch; flat at z = 0 inside the rim.
inline GeometryPtr bowlGeometry(double half = 2, int n = 9) {
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const bool rim = i == 0 || j == 0 || i == n || j == n;
      mesh.vertices.emplace_back(half * (2.0 * i / n - 1), half * (2.0 * j / n - 1), rim ? 0.5 : 0.0);
    }
  const auto at = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return geometry(mesh);
}

inline Matrix3d boxInertia(double mass, const Vector3d& size) { return truth::boxMoments(mass, size); }

inline void advance(Scene& scene, int steps, double dt = kStep) {
  for (int i = 0; i < steps; ++i) scene.step(dt);
}

/// Sum of the contact forces on a body, averaged over the next steps.
inline Vector3d meanContactForceOn(Scene& scene, int body, int steps) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < steps; ++i) {
    scene.step(kStep);
    sum += contactForceOn(scene, body);
  }
  return sum / steps;
}

}  // namespace mortise::test
