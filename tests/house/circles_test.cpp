#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace mortise {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = MORTISE_SOURCE_DIR;

bool isSource(const fs::path& file) {
  return file.extension() == ".h" || file.extension() == ".cpp" || file.extension() == ".inc";
}

/// Folders, and for each the folders that its files include, with one of the lines that do.
using FolderGraph = std::map<std::string, std::map<std::string, std::string>>;

enum class Nodes { folders, files };

/// Reads the includes of all files below `root`, as a graph of folders or of files. They are looked for beside the file
/// and in `bases`, relative to the repository.
FolderGraph folderGraph(const std::string& root, const std::vector<std::string>& bases, Nodes nodes) {
  const std::regex pattern("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  FolderGraph graph;
  for (const auto& entry : fs::recursive_directory_iterator(kSources / root)) {
    if (!isSource(entry.path())) continue;
    const fs::path folder = entry.path().parent_path();
    std::vector<fs::path> places = {folder};
    for (const std::string& base : bases) places.push_back(kSources / base);
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, pattern)) continue;
      for (const fs::path& place : places) {
        const fs::path target = (place / match[1].str()).lexically_normal();
        if (!fs::exists(target)) continue;
        const bool files = nodes == Nodes::files;
        const std::string from = fs::relative(files ? entry.path() : folder, kSources),
                          to = fs::relative(files ? target : target.parent_path(), kSources);
        if (from != to && to.starts_with(root))
          graph[from][to] = entry.path().filename().string() + " includes " + target.filename().string();
        break;
      }
    }
  }
  return graph;
}

/// Finds folders that include each other, directly or by others: one text a circle.
std::vector<std::string> circlesIn(const FolderGraph& graph) {
  std::vector<std::string> circles, path;
  std::set<std::string> done;
  const std::function<void(const std::string&)> visit = [&](const std::string& folder) {
    if (const auto begin = std::find(path.begin(), path.end(), folder); begin != path.end()) {
      std::string text;
      for (auto at = begin; at != path.end(); ++at) {
        const std::string& next = std::next(at) == path.end() ? folder : *std::next(at);
        text += "\n  " + *at + " -> " + next + ": " + graph.at(*at).at(next);
      }
      circles.push_back(text);
      return;
    }
    if (done.count(folder) != 0 || graph.count(folder) == 0) return;
    path.push_back(folder);
    for (const auto& [next, line] : graph.at(folder)) visit(next);
    path.pop_back();
    done.insert(folder);
  };
  for (const auto& [folder, targets] : graph) visit(folder);
  return circles;
}

void expectNoCircles(const std::string& root, const std::vector<std::string>& bases) {
  for (const std::string& circle : circlesIn(folderGraph(root, bases, Nodes::folders)))
    ADD_FAILURE() << "folders that include each other:" << circle;
  for (const std::string& circle : circlesIn(folderGraph(root, bases, Nodes::files)))
    ADD_FAILURE() << "files that include each other:" << circle;
}

TEST(Circles, FloorsHaveNone) {
  for (const std::string floor : {"kernel", "serialization", "toolbox", "runtime", "workbench"})
    expectNoCircles(floor, {floor});
}

TEST(Circles, PluginsHaveNone) {
  for (const auto& entry : fs::directory_iterator(kSources / "plugins")) {
    if (!entry.is_directory()) continue;
    const std::string plugin = fs::relative(entry.path(), kSources);
    expectNoCircles(plugin, {plugin});
  }
}

TEST(Circles, TheProgramHasNone) { expectNoCircles("apps/mortise", {"apps/mortise"}); }

TEST(Circles, TheExtensionOfPythonHasNone) { expectNoCircles("python/src", {"python/src"}); }

TEST(Circles, AreFound) {
  const FolderGraph graph = {
      {"a", {{"b", "x.h includes y.h"}}}, {"b", {{"c", "y.h includes z.h"}}}, {"c", {{"a", "z.h includes x.h"}}}};
  const auto circles = circlesIn(graph);
  ASSERT_EQ(circles.size(), 1u);
  EXPECT_NE(circles[0].find("b -> c: y.h includes z.h"), std::string::npos);
  EXPECT_TRUE(circlesIn({{"a", {{"b", ""}}}, {"b", {{"c", ""}}}}).empty());
}

}  // namespace
}  // namespace mortise
