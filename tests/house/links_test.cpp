#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "mortise/inspect/elf_symbols.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

const std::string kLib = MORTISE_BINARY_DIR "/lib";

std::string outputOf(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t count = fread(buffer, 1, sizeof(buffer), pipe)) text.append(buffer, count);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

/// The libraries that a file says it needs, by readelf: not our own reader, which these tests check as well.
std::vector<std::string> neededBy(const std::string& file) {
  std::istringstream lines(outputOf("readelf -d '" + file + "'"));
  std::vector<std::string> needed;
  for (std::string line; std::getline(lines, line);) {
    const auto open = line.find('['), close = line.find(']');
    if (line.find("(NEEDED)") != std::string::npos && open != std::string::npos)
      needed.push_back(line.substr(open + 1, close - open - 1));
  }
  return needed;
}

std::vector<std::string> plugins() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(kLib + "/mortise/plugins"))
    if (entry.path().extension() == ".so") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool contains(const std::vector<std::string>& names, const std::string& part) {
  for (const auto& name : names)
    if (name.find(part) != std::string::npos) return true;
  return false;
}

TEST(Links, FloorsKnowNothingThatAPluginIsAbout) {
  for (const char* floor : {"kernel", "serialization", "toolbox", "runtime", "workbench"}) {
    const auto needed = neededBy(kLib + "/libmortise_" + floor + ".so");
    EXPECT_FALSE(needed.empty());
    for (const char* foreign :
         {"libode", "Bullet", "LinearMath", "ompl", "assimp", "tinyxml", "fcl", "mortise_physics"})
      EXPECT_FALSE(contains(needed, foreign)) << floor << " needs " << foreign;
  }
}

TEST(Links, FloorsStandOnThoseBelow) {
  EXPECT_FALSE(contains(neededBy(kLib + "/libmortise_kernel.so"), "libmortise"));
  const std::vector<std::string> floors = {"kernel", "serialization", "toolbox", "runtime", "workbench"};
  for (std::size_t i = 0; i < floors.size(); ++i) {
    const auto needed = neededBy(kLib + "/libmortise_" + floors[i] + ".so");
    for (std::size_t above = i + 1; above < floors.size(); ++above)
      EXPECT_FALSE(contains(needed, "libmortise_" + floors[above])) << floors[i];
  }
}

TEST(Links, ProgramIsLinkedWithNoPlugin) {
  const auto needed = neededBy(MORTISE_BINARY_DIR "/bin/mortise");
  for (const auto& plugin : plugins()) EXPECT_FALSE(contains(needed, fs::path(plugin).stem())) << plugin;
  for (const char* foreign : {"libode", "Bullet", "tinyxml"}) EXPECT_FALSE(contains(needed, foreign)) << foreign;
}

TEST(Links, PluginsKnowNoOther) {
  for (const auto& plugin : plugins()) {
    const auto needed = neededBy(plugin);
    for (const auto& other : plugins())
      EXPECT_FALSE(contains(needed, fs::path(other).stem())) << plugin << " needs " << other;
  }
}

TEST(Links, PluginsExportOneSymbol) {
  ASSERT_FALSE(plugins().empty());
  for (const auto& plugin : plugins()) {
    std::istringstream lines(outputOf("nm -D --defined-only '" + plugin + "'"));
    std::set<std::string> exported;
    std::string address, type, name;
    while (lines >> address >> type >> name) exported.insert(name);
    EXPECT_EQ(exported, std::set<std::string>{"mortise_plugin"}) << plugin;
    EXPECT_EQ(readElfSymbols(plugin).exported, std::vector<std::string>{"mortise_plugin"}) << plugin;
  }
}

/// The velocities of an engine's backend are the engine's own: none but `mortise` calls the solver of the toolbox.
TEST(Links, EnginesUseTheirOwnSolvers) {
  int engines = 0, ours = 0;
  for (const auto& plugin : plugins()) {
    const std::string name = fs::path(plugin).stem();
    if (!name.starts_with("mortise_physics_")) continue;
    const bool calls =
        outputOf("nm -DC --undefined-only '" + plugin + "'").find("mortise::rigid::") != std::string::npos;
    EXPECT_EQ(calls, name == "mortise_physics_mortise") << name;
    ++engines;
    ours += calls;
  }
  EXPECT_GT(engines, 0);
  EXPECT_LE(ours, 1);
}

TEST(Links, PluginsStayLoaded) {
  for (const auto& plugin : plugins())
    EXPECT_NE(outputOf("readelf -d '" + plugin + "'").find("NODELETE"), std::string::npos) << plugin;
}

TEST(Links, PluginsHaveASideCar) {
  for (const auto& plugin : plugins())
    EXPECT_TRUE(fs::exists(fs::path(plugin).replace_extension(".mortise.yaml"))) << plugin;
}

}  // namespace
}  // namespace mortise
