// Names are the field's own: words that a newcomer would not look for stand in no identifier of the sources, no
// setting, no key of an output and no file name. Comments, messages and the names of tests are prose, and free.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "mortise/pipeline/stages/stages.h"
#include "tests/support/plugins.h"
#include "tests/support/source_literals.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRepository = MORTISE_SOURCE_DIR;

/// Words and what to write instead.
const std::map<std::string, std::string>& forbiddenWords() {
  static const std::map<std::string, std::string> words = {
      {"least", "min, minimum"},
      {"linger", "wait, serve"},
      {"look", "check, find, visit"},
      {"looked", "checked"},
      {"looking", "checking"},
      {"looks", "checks"},
      {"mail", "message"},
      {"most", "max, maximum"},
      {"obey", "apply"},
      {"puller", "what is done"},
      {"refrain", "prefix"},
      {"share", "fraction, utilization"},
      {"shares", "fractions, utilization"},
      {"stray", "outdated"},
      {"strays", "outdated"},
      {"tell", "report"},
      {"telling", "reporting"},
      {"tells", "reports"},
      {"told", "reported, given"},
      {"vain", "misses, timeouts"},
      {"way", "path, edge, direction"},
      {"ways", "paths, edges"},
      {"whole", "full, complete"},
      {"wholes", "full"},
  };
  return words;
}

/// Names that stay, and why.
const std::map<std::string, std::string>& exceptions() {
  static const std::map<std::string, std::string> names = {
      {"BoundedLeastSquares", "least squares is the field's word"},
      {"LookAtGoal", "look-at is the field's word for a direction of sight"},
      {"Tell", "a function of Assimp's interface of files"},
      {"acceleration_share", "an alias of a setting, which pipelines have"},
      {"bounded_least_squares", "least squares is the field's word"},
      {"dryFrictionShare", "an alias of a setting, which worlds have"},
      {"least", "an alias of a key of benchmark files"},
      {"leastSquaresResidualThreshold", "an alias of a setting, Bullet's name"},
      {"least_squares_residual_threshold", "Bullet's name of a setting"},
      {"lookAt", "look-at is the field's word for a direction of sight"},
      {"lookAtGoal", "look-at is the field's word for a direction of sight"},
      {"lookAtGoals", "look-at is the field's word for a direction of sight"},
      {"look_at", "look-at is the field's word for a direction of sight"},
      {"look_at_the_vase", "an example of look-at goals"},
      {"velocity_share", "an alias of a setting, which pipelines have"},
      {"m_leastSquaresResidual", "a member of Bullet's"},
      {"m_leastSquaresResidualThreshold", "a member of Bullet's"},
      {"looks", "a module of Klamp't's API: the looks of things"},
      {"most", "an alias of a key of benchmark files"},
  };
  return names;
}

/// The lower-case words of a name: "kMostCells" has "k", "most" and "cells".
std::vector<std::string> wordsOf(const std::string& name) {
  std::vector<std::string> words;
  const auto isUpper = [&](std::size_t i) {
    return i < name.size() && std::isupper(static_cast<unsigned char>(name[i]));
  };
  const auto isLower = [&](std::size_t i) {
    return i < name.size() && std::islower(static_cast<unsigned char>(name[i]));
  };
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (isUpper(i) && (isLower(i + 1) || !isUpper(i - 1))) end();
    if (isUpper(i) || isLower(i))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    else
      end();
  }
  end();
  return words;
}

/// The forbidden word of a name; empty when it has none.
std::string forbiddenIn(const std::string& name) {
  for (const std::string& word : wordsOf(name))
    if (forbiddenWords().contains(word)) return word;
  return {};
}

/// Fails for a name with a forbidden word that is no exception.
void expectGoodName(const std::string& name, const std::string& where) {
  const std::string word = forbiddenIn(name);
  if (word.empty()) return;
  if (exceptions().contains(name)) return;
  ADD_FAILURE() << where << ": '" << name << "' has the word '" << word << "'; the field says "
                << forbiddenWords().at(word);
}

/// Calls `visit` for each source of the floors, plugins, commands, the extension of Python and the SDK.
void forEachSource(const std::function<void(const fs::path& file, const std::string& text)>& visit) {
  int files = 0;
  for (const char* folder :
       {"kernel", "serialization", "toolbox", "runtime", "workbench", "plugins", "apps", "python/src", "sdk"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRepository / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".inc") continue;
      ++files;
      visit(fs::relative(entry.path(), kRepository), fullFile(entry.path()));
    }
  }
  EXPECT_GT(files, 1000);
}

/// Skips what begins at `at` where that is a comment, a text or a character; returns where code goes on, or `at`.
std::size_t afterProse(const std::string& text, std::size_t at) {
  const auto endOf = [&](const std::string& mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? text.size() : found + mark.size();
  };
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) return endOf("*/", at + 2);
  if (text.compare(at, 2, "R\"") == 0) {
    const std::size_t open = std::min(text.find('(', at), text.size());
    return endOf(")" + text.substr(at + 2, open - at - 2) + "\"", open);
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// The identifiers of C++ text, without comments and literals.
std::set<std::string> identifiersOf(const std::string& text) {
  std::set<std::string> identifiers;
  const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = afterProse(text, at); next != at) {
      at = next;
    } else if (isPart(text[at])) {
      std::size_t end = at;
      const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      while (end < text.size() && (isPart(text[end]) || (number && (text[end] == '\'' || text[end] == '.')))) ++end;
      if (!number) identifiers.insert(text.substr(at, end - at));
      at = end;
    } else {
      ++at;
    }
  }
  return identifiers;
}

TEST(Words, OfIdentifiers) {
  forEachSource([](const fs::path& file, const std::string& text) {
    for (const std::string& identifier : identifiersOf(text)) expectGoodName(identifier, file.string());
  });
}

TEST(Words, OfKeysOfOutputs) {
  const std::regex set("\\bset\\(\"([A-Za-z_0-9]+)\"");
  int keys = 0;
  forEachSource([&](const fs::path& file, const std::string& text) {
    for (std::sregex_iterator match(text.begin(), text.end(), set), last; match != last; ++match, ++keys)
      expectGoodName((*match)[1], file.string());
  });
  EXPECT_GT(keys, 500);
}

TEST(Words, OfSettings) {
  MemoryLog log;
  const auto registry = makeRegistry(log);
  addPipelineStages(*registry);
  registry->discover();
  int settings = 0, stages = 0;
  for (const ComponentInfo& info : registry->components()) {
    for (const Parameter& parameter : info.schema.parameters()) {
      ++settings;
      stages += info.kind == Kind::stage;
      expectGoodName(parameter.name, info.name);
      for (const std::string& alias : parameter.options.aliases) expectGoodName(alias, info.name);
    }
  }
  EXPECT_GT(settings, 500);
  EXPECT_GT(stages, 100);
}

TEST(Words, OfFiles) {
  for (const char* folder : {"kernel", "serialization", "toolbox", "runtime", "workbench", "plugins", "apps", "python",
                             "sdk", "data", "docs", "viewer/src", "tests", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(kRepository / folder)) {
      if (entry.path().string().find("node_modules") != std::string::npos) continue;
      expectGoodName(entry.path().stem().string(), fs::relative(entry.path(), kRepository).string());
    }
}

TEST(Words, ExceptionsAreFew) {
  EXPECT_LE(exceptions().size(), 40u);
  for (const auto& [name, reason] : exceptions()) {
    EXPECT_FALSE(forbiddenIn(name).empty()) << name << " needs no exception";
    EXPECT_GT(reason.size(), 10u) << name;
  }
}

TEST(Words, AreFound) {
  EXPECT_EQ(wordsOf("kMostCells"), (std::vector<std::string>{"k", "most", "cells"}));
  EXPECT_EQ(forbiddenIn("whole_"), "whole");
  EXPECT_EQ(forbiddenIn("sum_of_shares"), "shares");
  EXPECT_EQ(forbiddenIn("toldHTTPServer"), "told");
  EXPECT_EQ(forbiddenIn("shared_ptr"), "");
  EXPECT_EQ(forbiddenIn("pathway"), "");
  EXPECT_EQ(identifiersOf("int a = 1'000; // way\n f(\"most \\\" share\", 'w', R\"(told)\") /* look */ + b_c;"),
            (std::set<std::string>{"a", "b_c", "f", "int"}));
}

}  // namespace
}  // namespace mortise::test
