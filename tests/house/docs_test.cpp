#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
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
  std::vector<std::string> files = {MORTISE_SOURCE_DIR "/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kDocs))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  return files;
}

TEST(Docs, FirstPluginCompiles) {
  const std::string text = readFile(kDocs + "/plugins.md");
  const auto start = text.find("```cpp\n"), end = text.find("\n```", start);
  ASSERT_NE(start, std::string::npos);
  const fs::path source = fs::temp_directory_path() / ("mortise_docs_" + std::to_string(getpid()) + ".cpp");
  writeFile(source, text.substr(start + 7, end - start - 7) + "\n");
  const std::string command =
      "c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Werror -DEIGEN_MAX_ALIGN_BYTES=16 "
      "-isystem /usr/include/eigen3 -I" MORTISE_SOURCE_DIR "/kernel -I" MORTISE_SOURCE_DIR "/toolbox " +
      source.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  fs::remove(source);
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

TEST(Docs, TheFirstPageLinksToAllOthers) {
  const std::string readme = readFile(MORTISE_SOURCE_DIR "/README.md");
  for (const auto& page : pages()) {
    const std::string name = fs::relative(page, MORTISE_SOURCE_DIR).string();
    if (name == "README.md") continue;
    EXPECT_NE(readme.find("(" + name + ")"), std::string::npos) << name;
  }
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

TEST(Docs, LinksWithinAPageMeetAHeading) {
  const std::regex link("\\]\\(#([^)]+)\\)");
  for (const auto& page : pages()) {
    const std::string text = withoutCode(page);
    std::string headings = "\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("#")) continue;
      std::string anchor;
      for (const char c : line.substr(line.find_first_not_of("# "))) {
        if (c == ' ') anchor += '-';
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
          anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
      headings += anchor + "\n";
    }
    for (std::sregex_iterator match(text.begin(), text.end(), link), last; match != last; ++match)
      EXPECT_NE(headings.find("\n" + (*match)[1].str() + "\n"), std::string::npos)
          << page << " links to #" << (*match)[1].str();
  }
}

}  // namespace
}  // namespace mortise
