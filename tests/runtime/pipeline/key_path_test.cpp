#include "mortise/pipeline/file/key_path.h"

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"

namespace mortise {
namespace {

const Value& example() {
  static const Value root = parseYaml(
      "simulation: {backend: ode}\n"
      "components:\n"
      "  - {controller: acme.Gravity, name: g, robot: arm}\n"
      "  - {sensor: Joint, name: q}\n"
      "  - {sensor: Joint, name: dq}\n"
      "stages:\n"
      "  - simulate: {duration: 1}\n"
      "  - simulate: {duration: 2, save: long}\n"
      "  - report:\n",
      "p.yaml");
  return root;
}

TEST(KeyPath, NamesBecomeIndices) {
  for (const auto& [given, expected] :
       std::vector<std::pair<std::string, std::string>>{{"simulation.backend", "simulation.backend"},
                                                        {"simulation.new.key", "simulation.new.key"},
                                                        {"components.q.rate", "components.1.rate"},
                                                        {"components.2.rate", "components.2.rate"},
                                                        {"components.acme.Gravity.gain", "components.0.gain"},
                                                        {"components.g", "components.0"},
                                                        {"stages.0.duration", "stages.0.simulate.duration"},
                                                        {"stages.0.simulate.duration", "stages.0.simulate.duration"},
                                                        {"stages.long.duration", "stages.1.simulate.duration"},
                                                        {"stages.report.to", "stages.2.report.to"},
                                                        {"stages.report", "stages.2.report"},
                                                        {"unknown", "unknown"}})
    EXPECT_EQ(resolveKeyPath(example(), given), expected) << given;
}

TEST(KeyPath, UnknownAndAmbiguousNamesAreRefused) {
  const auto message = [](const std::string& key) {
    try {
      return resolveKeyPath(example(), key);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(message("components.Joint.rate").find("could be any of components.1, components.2"), std::string::npos);
  EXPECT_NE(message("stages.simulate.duration").find("could be any of stages.0, stages.1"), std::string::npos);
  EXPECT_NE(message("components.dqq.rate").find("did you mean 'dq'?"), std::string::npos);
  EXPECT_NE(message("components.7.rate").find("no entry '7'"), std::string::npos);
}

}  // namespace
}  // namespace mortise
