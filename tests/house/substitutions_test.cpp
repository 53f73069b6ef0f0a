// Whatever a component or the runtime computes with in place of what was asked for is said, and a test expects it: a
// look at the sources that no message is without one.

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/source_literals.h"

namespace mortise::test {
namespace {

/// Messages that no test brings about, and why.
const std::vector<std::string>& untriedSubstitutions() {
  static const std::vector<std::string> list = {
      // Needs a sensor whose name is a word of the protocol.
  };
  return list;
}

/// Calls that say something, and where they stand.
struct Saying {
  const char* folder;
  const char* call;
};

constexpr Saying kSayings[] = {
    {"plugins/planners", "log(LogLevel::warning"},
    {"plugins/controllers", "log(LogLevel::warning"},
    {"plugins/controllers", "warnOnce("},
    {"plugins/controllers_serial", "log(LogLevel::warning"},
    {"plugins/estimators", "log(LogLevel::warning"},
    {"plugins/sensors", "log(LogLevel::warning"},
    {"plugins/sensors_embree", "log(LogLevel::warning"},
    {"plugins/recorders", "log(LogLevel::warning"},
    {"toolbox/mortise/contacts", "log(LogLevel::warning"},
    {"runtime/mortise", "substitute("},
    {"runtime/mortise", "substitutions_.push_back("},
    {"runtime/mortise", "substitutions.push_back("},
    {"apps/mortise", "substitute("},
};

/// Letters in a row that tests and a message have in common, where a test expects a part of it.
constexpr std::size_t kPiece = 16;

bool hasPieceOf(const std::string& literal, const std::string& tests) {
  for (std::size_t at = 0; at + kPiece <= literal.size(); ++at)
    if (tests.find(literal.substr(at, kPiece)) != std::string::npos) return true;
  return false;
}

TEST(SubstitutionList, HasEveryMessage) {
  const std::string tests = literalsOfTests();
  int calls = 0;
  for (const Saying& saying : kSayings)
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(MORTISE_SOURCE_DIR) + "/" + saying.folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string text = fullFile(entry.path()), call = saying.call;
      for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
        const std::vector<std::string> literals = literalsOfCall(text, at + call.size());
        const auto isLong = [](const std::string& literal) { return literal.size() >= kPiece; };
        if (std::none_of(literals.begin(), literals.end(), isLong)) continue;  // It passes on a message.
        ++calls;
        const bool listed = std::any_of(literals.begin(), literals.end(),
                                        [&](const std::string& literal) { return hasPieceOf(literal, tests); });
        EXPECT_TRUE(listed) << entry.path().filename().string() << ": no test expects '" << literals.front()
                            << "...': provoke it in a test of its room, and demand the message";
      }
    }
  EXPECT_GT(calls, 25);
}

/// Every text in the list of untried ones is still in the sources.
TEST(SubstitutionList, OfUntriedOnesIsTrue) {
  std::string sources;
  for (const Saying& saying : kSayings)
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(MORTISE_SOURCE_DIR) + "/" + saying.folder))
      if (entry.path().extension() == ".cpp")
        for (const std::string& literal : literalsOfCall(fullFile(entry.path()) + ")", 0)) sources += literal + "\n";
  for (const std::string& text : untriedSubstitutions()) EXPECT_NE(sources.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace mortise::test
