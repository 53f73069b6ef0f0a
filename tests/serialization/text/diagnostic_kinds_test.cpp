#include "mortise/text/diagnostic_kinds.h"

#include <gtest/gtest.h>

#include "mortise/base/position.h"

namespace mortise {
namespace {

SourcePosition lineOf(int line) {
  SourcePosition where = inFile("a.xml");
  where.line = line;
  return where;
}

TEST(DiagnosticKinds, TheFirstOfAKindStandsForAll) {
  Diagnostics said;
  said.warning("there is no link 'a'; it is ignored", lineOf(3), "look at it");
  said.warning("the mass is -1; it is taken as 0", lineOf(4));
  said.warning("there is no link 'b'; it is ignored", lineOf(5), "look at that");
  said.note("there is no link 'c'; it is ignored", lineOf(6));
  said.warning("there is no link 'd'; it is ignored", lineOf(7));
  const std::vector<DiagnosticKind> kinds = diagnosticKinds(said.all());
  ASSERT_EQ(kinds.size(), 3u);
  EXPECT_EQ(kinds[0].first.message, "there is no link 'a'; it is ignored (and 2 more like it; --verbose lists them)");
  EXPECT_EQ(kinds[0].first.where.line, 3);
  EXPECT_EQ(kinds[0].first.hint, "look at it");
  ASSERT_EQ(kinds[0].more.size(), 2u);
  EXPECT_EQ(kinds[0].more[0].where.line, 5);
  EXPECT_EQ(kinds[0].more[1].message, "there is no link 'd'; it is ignored");
  EXPECT_EQ(kinds[1].first.message, "the mass is -1; it is taken as 0");
  EXPECT_EQ(kinds[2].first.severity, Severity::note);
}

TEST(DiagnosticKinds, FormerNamesHideNoOthers) {
  Diagnostics said;
  for (const char* now : {"goal_tolerance", "min_force", "min_force"})
    said.note("'old' is called '" + std::string(now) + "' now", lineOf(3), "write '" + std::string(now) + "'");
  const std::vector<DiagnosticKind> kinds = diagnosticKinds(said.all());
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].first.message, "'old' is called 'goal_tolerance' now");
  EXPECT_EQ(kinds[1].more.size(), 1u) << "the same one twice is said once";
}

/// Each error has to be mended, so each is told.
TEST(DiagnosticKinds, ErrorsStandAlone) {
  Diagnostics strict;
  strict.setStrict(true);
  for (int i = 1; i <= 3; ++i) strict.warning("there is no link 'l" + std::to_string(i) + "'", lineOf(i));
  const std::vector<DiagnosticKind> kinds = diagnosticKinds(strict.all());
  ASSERT_EQ(kinds.size(), 3u);
  EXPECT_EQ(kinds[1].first.message, "there is no link 'l2'");
  EXPECT_TRUE(diagnosticKinds({}).empty());
}

}  // namespace
}  // namespace mortise
