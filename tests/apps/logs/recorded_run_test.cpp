// A recorded run resumed at any of its steps ends with the bits of the run itself.

#include "mortise/viewer/recorded_run.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/progress.h"
#include "mortise/base/value_text.h"
#include "mortise/component/recorder.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_info.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/mcap/reader.h"
#include "mortise/pipeline/simulate/run_origin.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/context/component_host.h"
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

TEST_F(RecordedRunTest, EditsAreRepeated) {
  const std::string end = record({"--command",
                                  "{at: 0.3, edit: {add: crate, box: [0.1, 0.1, 0.1], mass: 1, position: "
                                  "[0.4, 0.2, 0.6]}}",
                                  "--command", "{at: 0.5, edit: {body: crate, mass: 3, friction: 0.1}}", "--command",
                                  "{at: 1.1, edit: {remove: crate}}"});
  for (const std::int64_t tick : {0, 299, 777, 1500}) EXPECT_EQ(endFrom(tick), end) << tick;
}

class NoProgress final : public Progress {
 public:
  void begin(std::string_view, double) override {}
  void advanceTo(double) override {}
  void end() override {}
};

/// Commands and edits of people while a run is recorded are in its log, from which they are repeated.
TEST_F(RecordedRunTest, WhatPeopleDidIsRepeated) {
  FormatLoader loader(*registry, log);
  Diagnostics diagnostics;
  const World world = assembleWorld(loader, {kRecordedWorld}, diagnostics);
  Simulation simulation(world, *registry, &loader, log, {});
  simulation.setStateWriter([](const Simulation& now) { return stateText(now, StateFormat::raw); });
  const ComponentInfo& info = registry->require(Kind::recorder, "mcap");
  Value settings = Value::map();
  settings.set("file", Value(path("run.mcap")).setPosition(onCommandLine("test")));
  settings.set("run", logs::runDescription(simulation, runOriginValue({{kRecordedWorld}, {}, {}, 0}, world)));
  ChannelTable channels;
  ComponentHost host("recorder", 0, log, &loader, channels, {}, {});
  ComponentPtr<Recorder> recorder =
      registry->create<Recorder>(info, registry->completeSettings(info, settings, diagnostics), host);
  diagnostics.throwIfErrors();
  recorder->open({world, "", "", {}});
  simulation.addRecorder(std::move(recorder), 10);

  const auto give = [&](CommandSchedule& commands, const std::string& yaml) {
    Diagnostics found;
    for (TimedCommand& command : timedCommandsFrom(parseYaml(yaml, "page"), world, found))
      commands.add(std::move(command), simulation);
    found.throwIfErrors();
  };
  SimulationJob job;
  job.duration = 1.6;
  job.advance = [&](Simulation& running, CommandSchedule& commands, double seconds,
                    const std::function<bool()>& going) {
    running.advance(0.4, going);
    give(commands, "- {at: 0, command: set_q, arguments: [0, 0, 0.2, 0, 0, 0]}");
    running.advance(0.3, going);
    give(commands, "- {at: 0, edit: {add: crate, sphere: 0.1, mass: 1, position: [0.4, 0.2, 0.6]}}");
    return running.advance(seconds - 0.7, going);
  };
  NoProgress progress;
  const Value summary = runJob(simulation, job, loader, log, progress, "", {});
  EXPECT_EQ(summary.at("commands").size(), 2u);
  const std::string end = formatHash(simulation.stateHash());
  for (const std::int64_t tick : {0, 500, 1300}) EXPECT_EQ(endFrom(tick), end) << tick;
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
