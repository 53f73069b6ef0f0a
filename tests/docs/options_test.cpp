#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "mortise/base/files.h"

namespace mortise::docs {
namespace {

/// The options of each command by its words, as the manual page lists them.
std::map<std::string, std::set<std::string>> optionsOfCommands() {
  std::string text;
  if (FILE* pipe = ::popen(MORTISE_BINARY_DIR "/bin/mortise help --man 2>/dev/null", "r")) {
    std::array<char, 4096> part;
    for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), n);
    ::pclose(pipe);
  }
  text = std::regex_replace(text, std::regex("\\\\-"), "-");
  std::map<std::string, std::set<std::string>> options;
  std::istringstream lines(text);
  const std::regex heading("^\\.SS \\\\fB(mortise[^\\\\]*)\\\\fR.*"), option("\\\\fB--([a-z][a-z0-9-]*)\\\\fR");
  std::string command = "mortise";
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, found, heading)) command = found[1];
    for (std::sregex_iterator match(line.begin(), line.end(), option), last; match != last; ++match)
      options[command].insert((*match)[1]);
  }
  return options;
}

/// Those of other programs that pages name, of Klamp't's that are told apart from ours, and second names.
const std::set<std::string> kElsewhere = {"build",   "checks", "combine", "compression", "convert", "count",
                                          "extract", "grasp",  "info",    "limit",       "moving",  "runs",
                                          "seconds", "steps",  "sway",    "unaware",     "method"};

/// What stands between backquotes in a line, and the commands of sessions.
std::vector<std::string> code(const std::string& line) {
  if (line.starts_with("$ ")) return {line};
  std::vector<std::string> pieces;
  const std::regex quoted("`([^`]+)`");
  for (std::sregex_iterator match(line.begin(), line.end(), quoted), last; match != last; ++match)
    pieces.push_back((*match)[1]);
  return pieces;
}

TEST(Pages, NameOptionsThatExist) {
  namespace fs = std::filesystem;
  const auto options = optionsOfCommands();
  ASSERT_GT(options.size(), 40u);
  std::set<std::string> all = kElsewhere;
  for (const auto& [command, own] : options) all.insert(own.begin(), own.end());
  const std::regex option("(^|[^a-z0-9-])--([a-z][a-z0-9-]*)");
  std::vector<fs::path> pages = {MORTISE_SOURCE_DIR "/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(MORTISE_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  int checked = 0;
  for (const fs::path& page : pages) {
    std::istringstream lines(readFile(page));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      for (const std::string& piece : code(line)) {
        // The developers' script and the benchmarks are no commands of `mortise`.
        if (piece.find("./dev ") != std::string::npos || piece.starts_with("bench_")) continue;
        // Nor are those of Python.
        if (piece.starts_with("pip ") || piece.starts_with("python ") || piece == "--no-build-isolation") continue;
        // One command alone: its own options; else those of any.
        const std::set<std::string>* allowed = &all;
        std::size_t longest = 0;
        for (const auto& [command, own] : options) {
          const std::size_t at = piece.find(command + " ");
          const bool alone = at != std::string::npos && piece.find("mortise ", at + 1) == std::string::npos &&
                             piece.find_first_of("|;&") == std::string::npos;
          if (!alone || command.size() <= longest || command == "mortise") continue;
          longest = command.size();
          allowed = &own;
        }
        for (std::sregex_iterator match(piece.begin(), piece.end(), option), last; match != last; ++match) {
          ++checked;
          EXPECT_TRUE(allowed->contains((*match)[2]) || options.at("mortise").contains((*match)[2]))
              << page.filename() << ":" << number << ": there is no option --" << (*match)[2] << ": " << piece;
        }
      }
    }
  }
  EXPECT_GT(checked, 500);
}

/// The table of settings says of which there is no option.
TEST(Pages, SettingsOfPlansAreOptions) {
  const auto options = optionsOfCommands();
  const std::set<std::string>& plan = options.at("mortise plan");
  const std::string text = readFile(MORTISE_SOURCE_DIR "/docs/planning.md");
  const std::size_t begin = text.find("## What is planned: settings");
  ASSERT_NE(begin, std::string::npos);
  std::istringstream lines(text.substr(begin, text.find("\n### ", begin) - begin));
  const std::set<std::string> without = {"robots"};
  const std::regex quoted("`([a-z_]+)`");
  int keys = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string first = line.substr(0, line.find(" | "));
    for (std::sregex_iterator match(first.begin(), first.end(), quoted), last; match != last; ++match) {
      ++keys;
      std::string key = (*match)[1];
      const bool exempt = without.contains(key);
      std::replace(key.begin(), key.end(), '_', '-');
      EXPECT_NE(plan.contains(key), exempt) << key;
    }
  }
  EXPECT_GT(keys, 20);
}

}  // namespace
}  // namespace mortise::docs
