#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace mortise {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MORTISE_SOURCE_DIR;

struct Include {
  fs::path file;  ///< Relative to the root.
  int line;
  std::string target;  ///< As written between the quotes.
};

std::vector<Include> includesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const std::regex pattern("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]");
  std::vector<Include> includes;
  for (const auto& file : files) {
    std::ifstream stream(file);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      std::smatch match;
      if (std::regex_search(line, match, pattern)) includes.push_back({fs::relative(file, kRoot), number, match[1]});
    }
  }
  return includes;
}

/// The floors, ground floor first.
const std::vector<std::string> kFloors = {"kernel", "serialization", "toolbox", "runtime", "workbench"};

/// The floors up to `top`, which is one of them.
std::set<std::string> floorsUpTo(const std::string& top) {
  return {kFloors.begin(), std::next(std::find(kFloors.begin(), kFloors.end(), top))};
}

/// The floor that holds the header `target` ("mortise/base/error.h"); empty for anything else.
std::string floorOf(const std::string& target) {
  if (!target.starts_with("mortise/")) return {};
  for (const auto& floor : kFloors)
    if (fs::exists(kRoot / floor / target)) return floor;
  return "unknown";
}

/// The room of a header ("base"): the folder below "mortise/".
std::string roomOf(const std::string& target) { return target.substr(8, target.find('/', 8) - 8); }

void expectOnly(const std::string& folder, const std::set<std::string>& floors) {
  const auto includes = includesBelow(folder);
  EXPECT_FALSE(includes.empty()) << folder;
  for (const auto& include : includes) {
    const std::string floor = floorOf(include.target);
    if (floor.empty()) continue;
    EXPECT_TRUE(floors.count(floor) != 0)
        << include.file.string() << ":" << include.line << " includes " << include.target << " of the " << floor;
  }
}

TEST(Includes, HeadersHaveOneFloor) {
  // Rooms of two floors may share a name, such as planning; their headers are installed into one folder.
  std::map<std::string, std::string> seen;
  for (const auto& floor : kFloors) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / floor / "mortise")) {
      if (entry.path().extension() != ".h") continue;
      const std::string header = fs::relative(entry.path(), kRoot / floor).string();
      EXPECT_TRUE(seen.emplace(header, floor).second) << header << " is in both " << seen[header] << " and " << floor;
    }
  }
}

TEST(Includes, PointDown) {
  for (const auto& floor : kFloors) expectOnly(floor, floorsUpTo(floor));
  expectOnly("plugins", floorsUpTo("runtime"));
  expectOnly("plugins/shared/text", floorsUpTo("kernel"));
  expectOnly("plugins/shared/remote", floorsUpTo("serialization"));
  expectOnly("python", floorsUpTo("workbench"));
  expectOnly("apps", floorsUpTo("workbench"));
}

TEST(Includes, RoomsPointDown) {
  // Ground floor first; a room sees those before it.
  const std::map<std::string, std::vector<std::string>> order = {
      {"kernel", {"text", "hash", "base", "math", "geometry", "model", "contact", "motion", "component", "plugin"}},
      {"serialization", {"text", "images", "json", "mcap", "protobuf", "logs", "settings"}},
      {"toolbox",
       {"sensing", "geometry", "modeling", "configuration", "appearance", "path_tracing", "collision", "contacts",
        "dynamics", "rigid_body", "optimization", "control", "calibration", "ik", "goals", "mechanics", "timing",
        "planning"}},
      {"runtime", {"loading", "simulation", "hardware", "planning", "mechanics", "logs", "pipeline"}},
      {"workbench", {"closed_forms", "benchmark", "inspect", "render", "viewer"}}};
  for (const auto& [floor, rooms] : order) {
    const auto rank = [&rooms = rooms](const std::string& room) {
      return std::find(rooms.begin(), rooms.end(), room) - rooms.begin();
    };
    for (const auto& include : includesBelow(floor)) {
      auto part = include.file.begin();
      std::advance(part, 2);
      const std::string own = *part;
      EXPECT_LT(rank(own), static_cast<std::ptrdiff_t>(rooms.size())) << "unknown room " << own << " of the " << floor;
      if (floorOf(include.target) != floor) continue;
      EXPECT_LE(rank(roomOf(include.target)), rank(own))
          << include.file.string() << ":" << include.line << " includes " << include.target;
    }
  }
}

TEST(Includes, NoPluginKnowsAnother) {
  for (const auto& include : includesBelow("plugins")) {
    if (include.target.starts_with("mortise/")) continue;
    const fs::path from = (kRoot / include.file).parent_path();
    auto part = include.file.begin();
    std::advance(part, 1);
    const fs::path own = kRoot / "plugins" / *part;
    // What is found relative to the file must stay in the plugin's folder.
    const fs::path relative = (from / include.target).lexically_normal();
    if (fs::exists(relative)) {
      EXPECT_TRUE(relative.string().starts_with(own.string() + "/"))
          << include.file.string() << ":" << include.line << " includes " << include.target;
    }
    EXPECT_FALSE(include.target.starts_with("plugins/"))
        << include.file.string() << ":" << include.line << " includes " << include.target;
  }
}

TEST(Includes, OnlyThePythonPackagesKnowPython) {
  for (const char* folder : {"kernel", "serialization", "toolbox", "runtime", "workbench", "apps"}) {
    for (const auto& include : includesBelow(folder))
      EXPECT_FALSE(include.target.starts_with("pybind11/") || include.target == "Python.h")
          << include.file.string() << ":" << include.line << " includes " << include.target;
  }
}

TEST(Includes, KernelKnowsNoEngineAndNoParser) {
  const std::vector<std::string> foreign = {"ode/",   "btBullet", "bullet/", "LinearMath/", "ompl/",
                                            "assimp", "tinyxml",  "fcl/",    "urdf",        "console_bridge"};
  for (const char* floor : {"kernel", "serialization", "toolbox", "runtime", "workbench", "apps"}) {
    for (const auto& include : includesBelow(floor)) {
      for (const auto& name : foreign) {
        EXPECT_FALSE(include.target.starts_with(name))
            << include.file.string() << ":" << include.line << " includes " << include.target;
      }
    }
  }
}

TEST(Includes, PublicHeadersShowNoThirdPartyButEigen) {
  // What a plugin author includes must not need our private dependencies to be installed.
  for (const auto& include : includesBelow("kernel")) {
    if (include.file.extension() != ".h") continue;
    for (const char* name : {"boost/", "yaml-cpp/", "dlfcn.h", "elf.h"}) {
      EXPECT_FALSE(include.target.starts_with(name))
          << include.file.string() << ":" << include.line << " includes " << include.target;
    }
  }
}

}  // namespace
}  // namespace mortise
