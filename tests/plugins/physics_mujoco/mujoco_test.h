#pragma once

/// Scenes for MuJoCo in either profile, and what the spy on its step saw.

#include "tests/plugins/physics/hand_contacts.h"

namespace mortise::test {

/// Calls of MuJoCo's integrator, counted where they leave the plugin.
struct StepSpy {
  int calls = 0;
  int changedOutside = 0;  ///< Velocities that were not those the last step ended with.
  double largestChange = 0;
};
StepSpy& stepSpy();

class Mujoco : public PhysicsTest {
 protected:
  ComponentPtr<Physics> engine(const std::string& profile = "recommended") {
    Value settings = Value::map();
    settings.set("profile", profile);
    return make(settings);
  }
  static Value settingsOf(std::initializer_list<std::pair<const char*, Value>> entries) {
    Value settings = Value::map();
    for (const auto& [name, value] : entries) settings.set(name, value);
    return settings;
  }
  static std::vector<std::byte> snapshot(const Scene& scene) {
    ByteWriter out;
    scene.save(out);
    return out.bytes();
  }
  static double hertz(double dt) { return std::round(1 / dt); }
};

#define MORTISE_FOR_MUJOCO(Suite)                                           \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values(std::string("mujoco")), \
                           [](const testing::TestParamInfo<std::string>& backend) { return backend.param; })

}  // namespace mortise::test
