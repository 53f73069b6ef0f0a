// Every setting of every physics backend does something, or stands in the list below with the reason why it does not
// here.

#include <map>

#include "tests/runtime/settings/backend_remarks.h"
#include "tests/runtime/settings/support.h"

namespace mortise::test {
namespace {

Value settingsWith(const std::vector<std::pair<std::string, Value>>& entries) {
  Value settings = Value::map();
  for (const auto& [key, value] : entries) settings.set(key, value);
  return settings;
}

class BackendSettings : public testing::TestWithParam<std::string> {};

/// Where a setting may show.
struct Stage {
  const char* name;
  const World& world;
  ContactSource contacts;
};

std::vector<Stage> stages() {
  static const World busy = busyWorld(), convex = convexWorld(), hulls = hullWorld();
  return {{"external", busy, ContactSource::external},
          {"engine", busy, ContactSource::engine},
          {"convex", convex, ContactSource::engine},
          {"hulls", hulls, ContactSource::engine}};
}

std::string outcome(const std::string& backend, const Value& settings, const Stage& stage, double duration) {
  NullLog log;
  SimulationOptions options;
  options.backend = backend;
  options.backendSettings = settings;
  options.contacts = stage.contacts;
  return outcomeOf(stage.world, options, duration, log);
}

TEST_P(BackendSettings, DoWhatTheySay) {
  const ComponentInfo* info = settingsRegistry().find(Kind::physics, GetParam());
  if (info == nullptr) GTEST_SKIP() << "this build has no such backend: its library was not found";
  std::map<std::string, std::string> usual;  // By what they are of, stage and duration.
  for (const Parameter& parameter : info->schema.parameters()) {
    const auto found = backendRemarks().find(GetParam() + "." + parameter.name);
    const BackendRemark remark = found == backendRemarks().end() ? BackendRemark() : found->second;
    if (remark.nothing != nullptr) continue;
    const Value with = settingsWith(remark.with);
    const std::vector<Value> values = remark.values.empty() ? otherValues(parameter) : remark.values;
    bool does = false;
    for (const Stage& stage : stages()) {
      if (does) break;
      const std::string key = (remark.with.empty() ? std::string() : parameter.name) + " " + stage.name + " " +
                              std::to_string(remark.duration);
      std::string& before = usual[key];
      if (before.empty()) before = outcome(GetParam(), with, stage, remark.duration);
      for (const Value& value : values) {
        Value settings = with;
        settings.set(parameter.name, value);
        const std::string after = outcome(GetParam(), settings, stage, remark.duration);
        does = after != before && !after.starts_with("refused");
        if (does) break;
      }
    }
    EXPECT_TRUE(does) << GetParam() << "." << parameter.name
                      << " changes nothing: make it work, or add a remark to backend_remarks.h";
  }
}

INSTANTIATE_TEST_SUITE_P(Physics, BackendSettings,
                         testing::Values("mortise", "ode", "bullet", "dart", "mujoco", "kinematic"),
                         [](const auto& backend) { return backend.param; });

/// A remark about what does not exist says nothing.
TEST(BackendRemarks, AreOfSettings) {
  for (const auto& [name, remark] : backendRemarks()) {
    const std::size_t dot = name.find('.');
    const ComponentInfo* info = settingsRegistry().find(Kind::physics, name.substr(0, dot));
    if (info == nullptr) continue;
    EXPECT_NE(info->schema.find(name.substr(dot + 1)), nullptr) << name;
    if (remark.nothing != nullptr) {
      EXPECT_TRUE(std::string(remark.nothing).ends_with('.')) << name;
    }
  }
}

}  // namespace
}  // namespace mortise::test
