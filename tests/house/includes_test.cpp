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

/// Rooms ("simulation") of a floor, by the folders there.
std::set<std::string> roomsOf(const std::string& floor) {
  std::set<std::string> rooms;
  for (const auto& entry : fs::directory_iterator(kRoot / floor / "mortise"))
    if (entry.is_directory()) rooms.insert(entry.path().filename());
  return rooms;
}

/// The floor whose room `target` ("mortise/base/error.h") names; empty for anything else.
std::string floorOf(const std::string& target) {
  static const std::map<std::string, std::set<std::string>> rooms = {
      {"kernel", roomsOf("kernel")}, {"toolbox", roomsOf("toolbox")}, {"runtime", roomsOf("runtime")}};
  if (!target.starts_with("mortise/")) return {};
  const std::string room = target.substr(8, target.find('/', 8) - 8);
  for (const auto& [floor, names] : rooms)
    if (names.count(room) != 0) return floor;
  return "unknown";
}

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

TEST(Includes, RoomsHaveOneFloor) {
  std::map<std::string, std::string> seen;
  for (const char* floor : {"kernel", "toolbox", "runtime"}) {
    for (const auto& room : roomsOf(floor)) {
      EXPECT_TRUE(seen.emplace(room, floor).second)
          << "mortise/" << room << " is a room of both " << seen[room] << " and " << floor;
    }
  }
}

TEST(Includes, PointDown) {
  expectOnly("kernel", {"kernel"});
  expectOnly("toolbox", {"kernel", "toolbox"});
  expectOnly("runtime", {"kernel", "toolbox", "runtime"});
  expectOnly("plugins", {"kernel", "toolbox", "runtime"});
  expectOnly("apps", {"kernel", "toolbox", "runtime"});
}

TEST(Includes, RoomsOfTheKernelPointDown) {
  // Ground floor first; a room sees those before it.
  const std::vector<std::string> rooms = {"base",    "math",   "geometry",  "model",
                                          "contact", "motion", "component", "plugin"};
  const auto rank = [&](const std::string& room) {
    return std::find(rooms.begin(), rooms.end(), room) - rooms.begin();
  };
  for (const auto& include : includesBelow("kernel")) {
    if (!include.target.starts_with("mortise/")) continue;
    auto part = include.file.begin();
    std::advance(part, 2);
    const std::string own = *part;
    const std::string other = include.target.substr(8, include.target.find('/', 8) - 8);
    EXPECT_LE(rank(other), rank(own)) << include.file.string() << ":" << include.line << " includes " << include.target;
    EXPECT_LT(rank(own), static_cast<std::ptrdiff_t>(rooms.size())) << "unknown room " << own;
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

TEST(Includes, KernelKnowsNoEngineAndNoParser) {
  const std::vector<std::string> foreign = {"ode/",   "btBullet", "bullet/", "LinearMath/", "ompl/",
                                            "assimp", "tinyxml",  "fcl/",    "urdf",        "console_bridge"};
  for (const char* floor : {"kernel", "toolbox", "runtime", "apps"}) {
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
