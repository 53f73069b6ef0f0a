// Interfaces grow by virtual functions at their end, and not by second interfaces that a dynamic_cast finds: a cast
// across the boundary of a plugin depends on who shares type information with whom.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace mortise {
namespace {

namespace fs = std::filesystem;

const fs::path kCheckedSources = MORTISE_SOURCE_DIR;

/// Files that may ask for the type of an object behind an interface, and why.
const std::map<std::string, std::string>& filesWithCasts() {
  static const std::map<std::string, std::string> files = {
      {"toolbox/mortise/planning/goals/ik_goal_region.cpp", "of all spaces, stances alone have a margin of balance"},
      {"apps/mortise/command_line/failure.cpp", "kinds of exceptions that were caught as std::exception"},
      {"kernel/mortise/base/diagnostics.cpp", "an error that stands for many; both classes live in the kernel"},
      {"plugins/io_ros1/node/raw_message.h", "roscpp asks for the type of its messages"},
      {"plugins/planners_ompl/planner_parameters.cpp", "OMPL's own parameters, which say their type in no other way"},
      {"python/src/common/errors.cpp", "an error that stands for many"},
  };
  return files;
}

/// Numbers of the lines that cast, without comments.
std::vector<int> castsIn(const fs::path& file) {
  std::vector<int> lines;
  std::ifstream stream(file);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::string code = line.substr(0, line.find("//"));
    for (const char* cast : {"dynamic_cast<", "dynamic_pointer_cast<", "typeid("})
      if (code.find(cast) != std::string::npos) lines.push_back(number);
  }
  return lines;
}

TEST(Casts, AreFewAndHaveTheirReasons) {
  std::map<std::string, int> found;
  int files = 0;
  for (const char* folder :
       {"kernel", "serialization", "toolbox", "runtime", "workbench", "plugins", "apps", "python/src", "sdk"})
    for (const auto& entry : fs::recursive_directory_iterator(kCheckedSources / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      ++files;
      const std::string name = fs::relative(entry.path(), kCheckedSources).string();
      for (const int line : castsIn(entry.path())) {
        ++found[name];
        EXPECT_TRUE(filesWithCasts().contains(name))
            << name << ":" << line << " asks for the type of an object; add a virtual function to the interface";
      }
    }
  EXPECT_GT(files, 1000);
  for (const auto& [name, reason] : filesWithCasts())
    EXPECT_TRUE(found.contains(name)) << name << " casts no more: take it from the list (" << reason << ")";
}

}  // namespace
}  // namespace mortise
