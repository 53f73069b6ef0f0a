#include <gtest/gtest.h>

#include "tests/docs/compare.h"
#include "tests/docs/page.h"
#include "tests/docs/session.h"

namespace mortise::docs {
namespace {

using Lines = std::vector<std::string>;

TEST(Checker, ReadsSessionsFilesAndComments) {
  const Page page = readPage(
      "Text.\n\n<!-- file: a.txt -->\n```\nfirst\n```\n\n```\n$ cat a.txt \\\n    a.txt\nfirst\n...\n$ true\n```\n"
      "<!-- not run: why -->\n```\nmortise sim WORLD\n```\n");
  EXPECT_TRUE(page.faults.empty());
  ASSERT_EQ(page.blocks.size(), 3u);
  EXPECT_EQ(page.blocks[0].file, "a.txt");
  ASSERT_EQ(page.blocks[1].commands.size(), 2u);
  EXPECT_EQ(page.blocks[1].commands[0].text, "cat a.txt \\\n    a.txt");
  EXPECT_EQ(page.blocks[1].commands[0].shown, (Lines{"first", "..."}));
  EXPECT_EQ(page.blocks[1].commands[0].shownLine, 11);
  EXPECT_TRUE(page.blocks[1].commands[1].shown.empty());
  EXPECT_EQ(page.blocks[2].notRun, "why");
}

TEST(Checker, CommandsThatNobodyWouldRunAreFaults) {
  EXPECT_EQ(readPage("```\nmortise sim world.xml\n```\n").faults.size(), 1u);
  EXPECT_EQ(readPage("Text:\n\n    $ mortise sim world.xml\n").faults.size(), 1u);
  EXPECT_EQ(readPage("```\n$ true\n").faults.size(), 1u);
}

TEST(Checker, ComparesWhatDoesNotDependOnTheMachine) {
  const auto same = [](const Lines& shown, const Lines& printed, bool vary = false) {
    return compare(shown, printed, vary).same;
  };
  EXPECT_TRUE(same({"solved after 0.02 s, 82 iterations"}, {"solved after 1.7e-05 s, 82 iterations"}));
  EXPECT_FALSE(same({"solved after 0.02 s, 82 iterations"}, {"solved after 0.02 s, 83 iterations"}));
  EXPECT_TRUE(same({"wall time, s    0.417    0.343"}, {"wall time, s    12.1    0.3"}));
  EXPECT_TRUE(same({"  state hash  26d93f9ff6fe7825"}, {"  state hash      b720d8f3003190ea"}));
  EXPECT_TRUE(same({"length 19.69"}, {"length 19.7"}));
  EXPECT_FALSE(same({"length 19.69"}, {"length 21.2"}));
  EXPECT_TRUE(same({"length 19.69"}, {"length 21.2"}, true));
  EXPECT_FALSE(same({"length 19.69"}, {"cost 19.69"}, true));
}

TEST(Checker, WhatIsLeftOutMayBeAnything) {
  const Lines printed = {"one", "two", "three", "two", "end of it"};
  EXPECT_TRUE(compare({"one", "...", "two", "end of it"}, printed, false).same);
  EXPECT_TRUE(compare({"...", "end ..."}, printed, false).same);
  EXPECT_FALSE(compare({"one", "two"}, printed, false).same);
  EXPECT_FALSE(compare({"...", "three", "three", "..."}, printed, false).same);
  EXPECT_NE(compare({"one", "too"}, printed, false).difference.find("the page shows: too"), std::string::npos);
}

TEST(Checker, BringsAPageUpToDate) {
  EXPECT_EQ(updated({"old"}, {"new", "lines"}), (Lines{"new", "lines"}));
  EXPECT_EQ(updated({"length 1", "...", "steps 5"}, {"length 2", "other", "steps 7"}),
            (Lines{"length 2", "...", "steps 7"}));
}

TEST(Checker, RunsSessionsInOneFolder) {
  const Page page = readPage(
      "<!-- file: sub/a.txt -->\n```\nhello\n```\n```\n$ cd sub && cat a.txt\n$ ls ../data/worlds/blocks.xml\n```\n"
      "```\n$ cat sub/a.txt; false\n$ pwd\n```\n");
  const auto runs = runPage(page);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[1][0].printed, Lines{"hello"});
  EXPECT_EQ(runs[1][1].exitCode, 0);
  EXPECT_EQ(runs[2][0].printed, Lines{"hello"});
  EXPECT_EQ(runs[2][0].exitCode, 1);
  EXPECT_EQ(runs[2][1].printed, Lines{"."});
}

}  // namespace
}  // namespace mortise::docs
