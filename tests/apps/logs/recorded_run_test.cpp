// A recorded run resumed at any of its steps ends with the bits of the run itself.

#include "mortise/viewer/recorded_run.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/logs/log_info.h"
#include "mortise/mcap/reader.h"
#include "tests/support/folder_test.h"
#include "tests/support/plugins.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

using viewer::LiveRunOptions;
using viewer::reasonNotToResume;
using viewer::RecordedRun;

const std::string kRecordedWorld = MORTISE_SOURCE_DIR "/data/worlds/pushed_blocks.xml";
const std::string kRecordedPath = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";

class RecordedRunTest : public FolderTest {
 protected:
  /// 1.6 s with a state at the start and one every 5 s; the run's hash at its end.
  std::string record(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"sim", kRecordedWorld, "--path",         kRecordedPath, "--duration",
                                      "1.6", "--mcap",       path("run.mcap"), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    mcap::Reader reader(path("run.mcap"));
    return logs::endingEntry(reader, "state_hash");
  }
  std::string endFrom(std::int64_t tick) {
    FormatLoader loader(*registry, log);
    LiveRunOptions options;
    options.speed = 0;
    RecordedRun run(path("run.mcap"), tick, *registry, loader, log, options);
    run.advanceTo(1.6);
    EXPECT_EQ(run.simulation().tick(), 1600);
    return formatHash(run.simulation().stateHash());
  }

  mutable MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
};

TEST_F(RecordedRunTest, EndsAsTheRunThatWasNotInterrupted) {
  const std::string end = record();
  ASSERT_EQ(end.size(), 16u);
  EXPECT_TRUE(reasonNotToResume(path("run.mcap")).empty());
  for (const std::int64_t tick : {0, 1, 777, 1590}) EXPECT_EQ(endFrom(tick), end) << tick;
}

TEST_F(RecordedRunTest, AnotherEngineAndSettingsAreMadeAgain) {
  if (registry->find(Kind::physics, "ode") == nullptr) GTEST_SKIP() << "ODE was left out of the build";
  const std::string end = record({"--backend", "ode", "--seed", "7", "--set", "iterations=40"});
  EXPECT_EQ(endFrom(800), end);
}

TEST_F(RecordedRunTest, LogsWithoutStatesCannotGoOn) {
  record();
  const std::string cut = path("cut.mcap");
  writeFile(cut, readFile(path("run.mcap")).substr(0, 200));
  EXPECT_FALSE(reasonNotToResume(cut).empty());
  FormatLoader loader(*registry, log);
  EXPECT_THROW(RecordedRun(cut, 0, *registry, loader, log, {}), Error);
}

}  // namespace
}  // namespace mortise::test
