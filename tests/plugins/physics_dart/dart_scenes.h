#pragma once

/// What tests of the DART backend share. Each bound beside a closed form is what DART 6.12 reaches, with a little room:
/// the tests fail when it gets worse, and nothing in the adapter may make it better than DART is.

#include <utility>

#include "tests/plugins/physics/hand_contacts.h"

namespace mortise::test {

class DartTest : public PhysicsTest {
 protected:
  std::unique_ptr<Scene> buildWith(const SceneDescription& description,
                                   std::initializer_list<std::pair<const char*, Value>> settings) {
    Value value = Value::map();
    for (const auto& [key, setting] : settings) value.set(key, setting);
    used_.push_back(make(value));
    return used_.back()->build(description);
  }
  static std::int64_t count(const Scene& scene, const char* key) {
    return scene.effectiveSettings().at(key).asInteger();
  }
  static std::vector<std::byte> bytesOf(const Scene& scene) {
    ByteWriter out;
    scene.save(out);
    return out.bytes();
  }

 private:
  std::vector<ComponentPtr<Physics>> used_;
};

#define MORTISE_FOR_DART(Suite)                                           \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values(std::string("dart")), \
                           [](const testing::TestParamInfo<std::string>& backend) { return backend.param; })

}  // namespace mortise::test
