// The program asks for what a component does, by its role or an attribute of its declaration, and not for its name:
// only so can those of others do it.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "mortise/plugin/registry.h"
#include "tests/support/plugins.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

/// Names that stand in the sources all the same, by file, and why.
const std::map<std::string, std::string>& namesAllowed() {
  static const std::map<std::string, std::string> allowed = {
      {"python/src/robotsim/simulation/controller.cpp: IntegratedStateEstimator",
       "the estimator that a component asks for in its declaration, as files name one"},
      {"apps/mortise/klampt/dragged_goals.cpp: RealTimePlanningController",
       "the controller of Klamp't's programs RealTimePlanning and UserTrials, whose settings it is given"},
  };
  return allowed;
}

/// The text of a file without its comments.
std::string codeOf(const fs::path& file) {
  std::ifstream stream(file);
  std::string code;
  for (std::string line; std::getline(stream, line);) code += line.substr(0, line.find("//")) + "\n";
  return code;
}

/// Names and aliases of components that the program could treat apart. Words of common speech ("csv", "any", "path")
/// are left out: those mean other things in the sources as well.
std::set<std::string> namesOfComponents() {
  test::MemoryLog log;
  std::set<std::string> names;
  const auto registry = test::makeRegistry(log);
  for (const ComponentInfo& info : registry->components()) {
    if (info.kind == Kind::format || info.kind == Kind::stage) continue;
    names.insert(info.name);
    for (const std::string& alias : info.aliases)
      if (std::any_of(alias.begin(), alias.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) names.insert(alias);
  }
  return names;
}

TEST(ComponentNames, StandInNoSourceOfTheProgram) {
  const std::set<std::string> names = namesOfComponents();
  ASSERT_TRUE(names.contains("JointPositionSensor"));
  std::set<std::string> found;
  for (const char* folder : {"kernel", "serialization", "runtime", "workbench", "apps", "python/src"})
    for (const auto& entry : fs::recursive_directory_iterator(std::string(MORTISE_SOURCE_DIR) + "/" + folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      const std::string text = codeOf(entry.path());
      const std::string file = fs::relative(entry.path(), MORTISE_SOURCE_DIR).string();
      for (const std::string& name : names) {
        if (text.find("\"" + name + "\"") == std::string::npos) continue;
        found.insert(file + ": " + name);
        EXPECT_TRUE(namesAllowed().contains(file + ": " + name))
            << file << " names the component '" << name
            << "'; let its declaration say what it is for (docs/plugins.md)";
      }
    }
  for (const auto& [name, reason] : namesAllowed())
    EXPECT_TRUE(found.contains(name)) << name << " is named no more: take it from the list (" << reason << ")";
}

}  // namespace
}  // namespace mortise
