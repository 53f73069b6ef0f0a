#include "mortise/base/interruption.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <thread>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"

namespace mortise {
namespace {

TEST(Interruption, NothingHappensWithoutAScope) {
  EXPECT_NO_THROW(interruptionPoint());
  InterruptionPoints points;
  for (int i = 0; i < 200; ++i) EXPECT_NO_THROW(points.pass());
}

TEST(Interruption, PointsThrowOnceItIsWanted) {
  bool wanted = false;
  const InterruptionScope scope([&] { return wanted; });
  EXPECT_NO_THROW(interruptionPoint());
  wanted = true;
  EXPECT_THROW(interruptionPoint(), Interrupted);
  const auto loop = [] {
    InterruptionPoints points;
    for (int i = 0; i < 64; ++i) points.pass();
  };
  EXPECT_THROW(loop(), Interrupted);
  std::thread other([] { EXPECT_NO_THROW(interruptionPoint()); });
  other.join();
}

TEST(Interruption, TheInnermostScopeIsAsked) {
  const InterruptionScope outer([] { return true; });
  {
    const InterruptionScope full({});
    EXPECT_NO_THROW(interruptionPoint());
  }
  EXPECT_THROW(interruptionPoint(), Interrupted);
}

TEST(Interruption, FilesAskWhileTheyAreReadAndWritten) {
  const std::string path = testing::TempDir() + "mortise_interruption.txt";
  const std::string large(std::size_t{5} << 20, 'a');
  std::string list = "[0";
  for (int i = 0; i < 1000; ++i) list += ", 1";
  list += "]";
  writeFile(path, large);
  bool wanted = true;
  {
    const InterruptionScope scope([&] { return wanted; });
    EXPECT_THROW((void)readFile(path), Interrupted);
    EXPECT_THROW(writeFile(path, "b" + large), Interrupted);
    EXPECT_THROW((void)parseYaml(list, "list.yaml"), Interrupted);
    writeFile(path + "2", "what is small is written whole");
    wanted = false;
    EXPECT_EQ(readFile(path + "2"), "what is small is written whole");
    EXPECT_EQ(readFile(path), large) << "an interrupted write leaves what was there";
  }
  EXPECT_EQ(parseYaml(list, "list.yaml").size(), 1001u);
  std::remove(path.c_str());
  std::remove((path + "2").c_str());
}

}  // namespace
}  // namespace mortise
