#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "mortise/base/files.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

const std::string kDocs = MORTISE_SOURCE_DIR "/docs";

std::vector<std::string> pages() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(MORTISE_SOURCE_DIR))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  for (const auto& entry : fs::recursive_directory_iterator(kDocs))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  return files;
}

/// Compiles the first block of C++ of a page, as a reader would who copies it into a plugin.
void expectFirstBlockCompiles(const std::string& page) {
  const std::string text = readFile(page);
  const auto start = text.find("```cpp\n"), end = text.find("\n```", start);
  ASSERT_NE(start, std::string::npos) << page;
  ASSERT_NE(text.substr(start, end - start).find("MORTISE_PLUGIN("), std::string::npos) << page;
  const fs::path source = fs::temp_directory_path() / ("mortise_docs_" + std::to_string(getpid()) + ".cpp");
  writeFile(source, text.substr(start + 7, end - start - 7) + "\n");
  const std::string command =
      "c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Werror -DEIGEN_MAX_ALIGN_BYTES=16 "
      "-isystem /usr/include/eigen3 -I" MORTISE_SOURCE_DIR "/kernel -I" MORTISE_SOURCE_DIR
      "/serialization "
      "-I" MORTISE_SOURCE_DIR "/toolbox " +
      source.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << page << ": " << command;
  fs::remove(source);
}

TEST(Docs, FirstPluginCompiles) { expectFirstBlockCompiles(kDocs + "/plugins.md"); }

TEST(Docs, PluginOfTheReadmeCompiles) { expectFirstBlockCompiles(MORTISE_SOURCE_DIR "/README.md"); }

TEST(Docs, ReadmeIsReadInTwoMinutes) {
  const std::string readme = readFile(MORTISE_SOURCE_DIR "/README.md");
  EXPECT_LE(std::count(readme.begin(), readme.end(), '\n'), 120);
}

/// The page without what stands between lines of ```: brackets mean other things in code.
std::string withoutCode(const std::string& page) {
  std::istringstream lines(readFile(page));
  std::string text;
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    const bool fence =
        line.find_first_not_of(' ') != std::string::npos && line.compare(line.find_first_not_of(' '), 3, "```") == 0;
    if (fence) code = !code;
    if (!fence && !code) text += line + "\n";
  }
  EXPECT_FALSE(code) << page << " does not end its last block of code";
  return text;
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link("\\]\\(([^)#:]+)(#[^)]*)?\\)");
  for (const auto& page : pages()) {
    const std::string text = withoutCode(page);
    for (std::sregex_iterator match(text.begin(), text.end(), link), last; match != last; ++match) {
      const fs::path target = fs::path(page).parent_path() / (*match)[1].str();
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << (*match)[1].str();
    }
  }
}

/// The pages that a page links to, as paths relative to the sources.
std::set<std::string> linkedPages(const std::string& page) {
  const std::regex link("\\]\\(([^)#:]+\\.md)(#[^)]*)?\\)");
  const std::string text = withoutCode(MORTISE_SOURCE_DIR "/" + page);
  std::set<std::string> linked;
  for (std::sregex_iterator match(text.begin(), text.end(), link), last; match != last; ++match)
    linked.insert((fs::path(page).parent_path() / (*match)[1].str()).lexically_normal().string());
  return linked;
}

/// docs/index.md is the table of contents: it names every page, and docs/results/index.md those beside it.
TEST(Docs, IndexReachesEveryPage) {
  EXPECT_TRUE(linkedPages("README.md").contains("docs/index.md"));
  std::set<std::string> reached = linkedPages("docs/index.md");
  EXPECT_TRUE(reached.contains("docs/results/index.md"));
  reached.merge(linkedPages("docs/results/index.md"));
  int found = 0;
  for (const auto& page : pages()) {
    const std::string name = fs::relative(page, MORTISE_SOURCE_DIR).string();
    if (!name.starts_with("docs/") || name == "docs/index.md") continue;
    ++found;
    EXPECT_TRUE(reached.contains(name)) << "docs/index.md does not lead to " << name;
  }
  EXPECT_GT(found, 50);
}

TEST(Docs, ResultsNameTheCommandThatMeasures) {
  const std::regex command("`(bench_|bench/|mortise |test_|\\./dev |viewer/test/)|\n\\$ ");
  int found = 0;
  for (const auto& entry : fs::directory_iterator(kDocs + "/results")) {
    ++found;
    EXPECT_TRUE(std::regex_search(readFile(entry.path()), command)) << entry.path();
  }
  EXPECT_GT(found, 10);
}

/// What `pattern`'s first group matches in a file of the sources.
std::string statedIn(const std::string& file, const std::string& pattern) {
  const std::string text = readFile(std::string(MORTISE_SOURCE_DIR "/") + file);
  std::smatch found;
  EXPECT_TRUE(std::regex_search(text, found, std::regex(pattern))) << file;
  return found.empty() ? std::string() : found[1].str();
}

TEST(Docs, StateOneVersion) {
  const std::string version = statedIn("CMakeLists.txt", "project\\(Mortise VERSION ([0-9.]+)");
  EXPECT_EQ(statedIn("pyproject.toml", "\n(regex) = .project.*Mortise VERSION"), "regex");  // Taken from there.
  EXPECT_EQ(statedIn("CITATION.cff", "\nversion: ([^\n]+)"), version);
  EXPECT_NE(readFile(MORTISE_SOURCE_DIR "/CHANGELOG.md").find(version), std::string::npos);
}

TEST(Docs, PagesKnowTheDefaultEngine) {
  const std::string header = readFile(MORTISE_SOURCE_DIR "/runtime/mortise/simulation/context/default_backend.h");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(header, found, std::regex("kDefaultBackend = \"([a-z_]+)\"")));
  const std::string name = found[1];
  // "else `NAME`" in rows about backends, and the default argument of Python's Simulation.
  const std::regex row("\\| `backend` \\|[^\n]*else `([a-z_]+)` \\|"), argument("# backend=\"([a-z_]+)\"");
  int said = 0;
  for (const auto& page : pages()) {
    const std::string text = readFile(page);
    for (const std::regex& pattern : {row, argument})
      for (std::sregex_iterator match(text.begin(), text.end(), pattern), last; match != last; ++match, ++said)
        EXPECT_EQ((*match)[1].str(), name) << page << ": " << match->str();
  }
  EXPECT_GE(said, 3);
}

/// The anchors of a page's headings, as GitHub makes them.
std::set<std::string> anchorsOf(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream lines(withoutCode(page));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(Docs, LinksMeetHeadings) {
  const std::regex link("\\]\\(([^)#:]*)#([^)]+)\\)");
  std::map<std::string, std::set<std::string>> anchors;
  int checked = 0;
  for (const auto& page : pages()) {
    const std::string text = withoutCode(page);
    for (std::sregex_iterator match(text.begin(), text.end(), link), last; match != last; ++match) {
      const std::string name = (*match)[1].str();
      const std::string target = name.empty() ? page : (fs::path(page).parent_path() / name).string();
      if (!target.ends_with(".md") || !fs::exists(target)) continue;
      if (!anchors.contains(target)) anchors[target] = anchorsOf(target);
      EXPECT_TRUE(anchors[target].contains((*match)[2].str())) << page << " links to " << match->str();
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

}  // namespace
}  // namespace mortise
