// Simulations that pages look at: the same motion, nothing waits, and the past can be gone on from.

#include "mortise/viewer/live_run.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/logs/series.h"
#include "tests/support/page_messages.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::viewer {
namespace {

class LiveRunTest : public testing::Test {
 protected:
  LiveRunTest() {
    world.terrains.push_back(test::groundTerrain());
    for (int i = 0; i < 3; ++i) world.objects.push_back(test::boxObject("box", Vector3d(0.03 * i, 0, 0.15 + 0.25 * i)));
    options.speed = 0;
  }
  std::unique_ptr<Simulation> simulate() const {
    return std::make_unique<Simulation>(world, *registry, nullptr, log, SimulationOptions{});
  }
  static PageMessage message(const std::string& yaml) { return test::pageMessage(yaml); }

  World world;
  LiveRunOptions options;
  mutable test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

/// The ticks of all samples of a channel that a page gets.
std::vector<std::uint64_t> ticksFor(LiveRun& run, int page, std::uint32_t wanted, std::vector<std::string>* texts) {
  std::vector<std::uint64_t> ticks;
  while (const std::optional<ViewPacket> packet = run.next(page)) {
    if (packet->text) {
      if (texts != nullptr) texts->push_back(packet->bytes);
      continue;
    }
    for (std::size_t at = 0; at < packet->bytes.size();) {
      std::uint32_t channel = 0, length = 0;
      std::memcpy(&channel, packet->bytes.data() + at, 4);
      std::memcpy(&length, packet->bytes.data() + at + 4, 4);
      const logs::SeriesBlock block = logs::SeriesBlock::decode(packet->bytes.substr(at + 16, length));
      if (channel == wanted) ticks.insert(ticks.end(), block.ticks().begin(), block.ticks().end());
      at += 16 + (length + 7) / 8 * 8;
    }
  }
  return ticks;
}

TEST_F(LiveRunTest, MovesAsWithoutPages) {
  const auto alone = simulate(), seen = simulate();
  alone->advance(1);
  LiveRun run(world, log, options);
  run.begin(*seen);
  run.join(1);
  EXPECT_EQ(run.advance(*seen, 1, {}), alone->worstStatus());
  EXPECT_EQ(seen->stateHash(), alone->stateHash());
  const std::vector<std::uint64_t> ticks = ticksFor(run, 1, 0, nullptr);
  ASSERT_EQ(ticks.size(), 101u);
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_EQ(ticks[i], 10 * i);
}

TEST_F(LiveRunTest, GoesOnFromAnyTimeToTheSameEnd) {
  const auto alone = simulate(), simulation = simulate();
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  alone->advance(1);
  run.advance(*simulation, 1, {});
  for (const double time : {0.9, 0.613, 0.25, 0.0}) {
    EXPECT_TRUE(run.answer(1, message("{type: go, time: " + std::to_string(time) + "}")).empty());
    alone->step();
    double minimum = 2;
    run.advance(*simulation, simulation->timeStep(), [&] {
      minimum = std::min(minimum, simulation->time());
      return true;
    });
    EXPECT_LE(minimum, time) << "it has gone back";
    EXPECT_EQ(simulation->tick(), alone->tick());
    EXPECT_EQ(simulation->stateHash(), alone->stateHash()) << time;
  }
  std::vector<std::string> texts;
  const std::vector<std::uint64_t> ticks = ticksFor(run, 1, 0, &texts);
  EXPECT_EQ(ticks.back(), 1004u);
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text == R"({"type": "cut", "tick": 0})" || text == R"({"type":"cut","tick":0})";
  }));
}

TEST_F(LiveRunTest, PullsABodyToWhereThePageHoldsItAndAgainWhenThatIsRepeated) {
  const auto simulation = simulate();
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  const int id = world.objectId(0);
  EXPECT_TRUE(
      run.answer(1, message("{type: pull, id: " + std::to_string(id) + ", point: [0, 0, 0], target: [-1, 0.5, 0.8]}"))
          .empty());
  run.advance(*simulation, 3, {});
  // A spring of m * (10 rad/s)^2 gives way to the weight by g / 100.
  const Vector3d held = simulation->objectState(0).X_WB.p;
  EXPECT_NEAR((held - Vector3d(-1, 0.5, 0.8 - 0.098)).norm(), 0, 1e-3);
  const std::uint64_t end = simulation->stateHash();
  run.answer(1, message("{type: go, time: 2.5}"));
  // From the chosen time on nobody pulls.
  run.advance(*simulation, 1, {});
  EXPECT_LT(simulation->objectState(0).X_WB.p.z(), 0.2);
  EXPECT_NE(simulation->stateHash(), end);
}

TEST_F(LiveRunTest, PausesStepsAndLetsGoOfWhatALeavingPageHeld) {
  const auto simulation = simulate();
  options.paused = true;
  int asked = 0;
  options.stopRequested = [&asked] { return ++asked > 3; };
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  run.answer(1, message("{type: step, count: 7}"));
  run.advance(*simulation, 1, [&] { return asked <= 3; });
  EXPECT_EQ(simulation->tick(), 7);
  asked = 0;
  run.answer(
      1, message("{type: pull, id: " + std::to_string(world.objectId(2)) + ", point: [0, 0, 0], target: [0, 0, 9]}"));
  run.leave(1);
  run.answer(2, message("{type: play}"));
  run.advance(*simulation, 1, {});
  EXPECT_LT(simulation->objectState(2).X_WB.p.z(), 1);
}

TEST_F(LiveRunTest, RefusesNonsense) {
  LiveRun run(world, log, options);
  for (const char* text :
       {"{}", "{type: fly}", "{type: pull}", "{type: pull, id: 0, point: [0, 0, 0], target: [0, 0, 0]}",
        "{type: pull, id: 99, point: [0, 0, 0], target: [0, 0, 0]}",
        "{type: pull, id: 1, point: [0, 0], target: [0, 0, 0]}",
        "{type: pull, id: 1, point: [0, 0, .nan], target: [0, 0, 0]}", "{type: go}", "{type: go, time: .inf}",
        "{type: speed, speed: x}", "{type: speed, speed: -1}", "{type: step, count: 0}", "{type: undo}"})
    EXPECT_THROW(run.answer(1, message(text)), Error) << text;
  options.canGoBack = false;
  LiveRun recorded(world, log, options);
  EXPECT_THROW(recorded.answer(1, message("{type: go, time: 0}")), Error);
}

TEST_F(LiveRunTest, PagesThatComeLateGetThePastThatIsPackedByThen) {
  const auto simulation = simulate();
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  std::vector<std::uint64_t> early, contacts;
  for (int part = 0; part < 7; ++part) {
    run.advance(*simulation, 0.43, {});
    // One channel at a time can be read of a page's packets.
    const std::vector<std::uint64_t> more = ticksFor(run, 1, 0, nullptr);
    early.insert(early.end(), more.begin(), more.end());
  }
  run.join(2);
  run.join(3);
  EXPECT_EQ(early.size(), 302u) << "100 a second, the start and the end";
  EXPECT_EQ(ticksFor(run, 2, 0, nullptr), early);
  contacts = ticksFor(run, 3, 2, nullptr);
  EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end()));
  EXPECT_GT(contacts.size(), early.size());
  // Back into what is packed: what was before stays, what was after is told anew.
  run.answer(1, message("{type: go, time: 1.234}"));
  run.advance(*simulation, simulation->timeStep(), {});
  run.advance(*simulation, 1, {});
  run.join(4);
  const std::vector<std::uint64_t> late = ticksFor(run, 4, 0, nullptr);
  ASSERT_GT(late.size(), 125u);
  for (std::size_t i = 0; i < 124; ++i) ASSERT_EQ(late[i], early[i]);
  EXPECT_TRUE(std::is_sorted(late.begin(), late.end()));
  EXPECT_EQ(late[124], 1240u);
}

TEST_F(LiveRunTest, KeepsTheNewestWithinItsMemory) {
  const auto simulation = simulate();
  options.maxBytes = 20000;
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  run.advance(*simulation, 3, {});
  const std::vector<std::uint64_t> ticks = ticksFor(run, 1, 0, nullptr);
  EXPECT_LT(ticks.size(), 100u);
  EXPECT_EQ(ticks.back(), 3000u);
  // States to go back to are farther apart, but there is one before everything that is shown.
  run.answer(1, message("{type: go, time: 2.99}"));
  run.advance(*simulation, simulation->timeStep(), {});
  EXPECT_FALSE(log.mentions("no saved state"));
}

/// Commands and edits of pages.
class LiveCommands : public LiveRunTest {
 protected:
  LiveCommands() {
    world = test::smallWorld();
    options.registry = registry.get();
  }
  static PageMessage command(const std::string& entry) { return message("{type: command, entry: '" + entry + "'}"); }
  /// The last message of controllers that a page gets, and all problems.
  static Value controllersFor(LiveRun& run, int page, std::vector<std::string>* problems = nullptr) {
    std::vector<std::string> texts;
    ticksFor(run, page, 0, &texts);
    Value last;
    for (const std::string& text : texts) {
      const Value value = parseYaml(text, "packet");
      if (value.at("type").asString() == "controllers") last = value;
      if (value.at("type").asString() == "problem" && problems) problems->push_back(value.at("text").asString());
    }
    return last;
  }
};

TEST_F(LiveCommands, ArriveAndAreTold) {
  const auto simulation = simulate();
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  const Value first = controllersFor(run, 1);
  const Value& arm = first.at("robots")[0];
  EXPECT_EQ(arm.at("name").asString(), "arm");
  EXPECT_EQ(arm.at("drivers")[1].at("servo_p").asReal(), 400);
  EXPECT_EQ(arm.at("send").asString(), "set_q");
  EXPECT_EQ(first.at("bodies").size(), static_cast<std::size_t>(world.numIds()));
  EXPECT_EQ(first.at("bodies")[1].at("mass").asReal(), 1);
  run.advance(*simulation, 0.1, {});
  EXPECT_TRUE(controllersFor(run, 1).isNull()) << "nothing has changed";
  const auto alone = simulate();
  alone->advance(0.1);
  EXPECT_EQ(simulation->stateHash(), alone->stateHash());

  run.answer(1, command(R"({"robot": "arm", "command": "set_q", "arguments": [0.8, 0.1]})"));
  run.answer(1, command(R"({"robot": "arm", "sensor": "q", "rate": 50})"));
  run.answer(1, command(R"({"robot": "arm", "sensor": "dq", "enabled": false})"));
  run.answer(1, command(R"({"edit": {"body": "low", "mass": 5}})"));
  run.advance(*simulation, 3, {});
  EXPECT_NEAR(simulation->configuration(0)[0], 0.8, 0.05);
  const Value now = controllersFor(run, 1);
  EXPECT_EQ(now.at("bodies")[1].at("mass").asReal(), 5);
  EXPECT_EQ(now.at("robots")[0].at("sensors")[0].at("rate").asReal(), 50);
  EXPECT_FALSE(now.at("robots")[0].at("sensors")[1].at("enabled").asBool());
}

TEST_F(LiveCommands, AreRepeatedWhereTheRunGoesBackAndForgottenBehindThat) {
  const auto simulation = simulate();
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  CommandSchedule commands({}, 0);
  const auto going = [&] { return commands.run(*simulation); };
  run.advance(*simulation, commands, 0.3, going);
  run.answer(1, command(R"({"edit": {"body": "high", "position": [2, 0, 1], "mass": 2}})"));
  run.advance(*simulation, commands, 0.4, going);
  run.answer(1, command(R"({"edit": {"add": "ball", "sphere": 0.1, "mass": 1, "position": [2, 0, 2]}})"));
  run.advance(*simulation, commands, 0.3, going);
  const std::uint64_t hash = simulation->stateHash();
  const Value added = commands.added(*simulation);
  ASSERT_EQ(added.size(), 2u);

  // From its record, without pages.
  Diagnostics diagnostics;
  CommandSchedule again(timedCommandsFrom(added, world, diagnostics));
  const auto repeated = simulate();
  repeated->advance(1, [&] { return again.run(*repeated); });
  EXPECT_EQ(repeated->stateHash(), hash);

  // Back to before all of it, and to the present: the first edit is repeated, the second was later than that.
  run.answer(1, message("{type: go, tick: 500}"));
  run.advance(*simulation, commands, simulation->timeStep(), going);
  EXPECT_EQ(simulation->tick(), 1001);
  EXPECT_EQ(simulation->world().objects.size(), 2u);
  EXPECT_EQ(simulation->world().objects[1].inertia.mass, 2);
  EXPECT_EQ(commands.added(*simulation).size(), 1u);
}

TEST_F(LiveCommands, OfAWorldWithOtherBodiesPagesAreToldAnew) {
  const auto simulation = simulate();
  int changes = 0;
  LiveRun* live = nullptr;
  options.worldChanged = [&](Simulation& running) {
    ++changes;
    live->renew(running);
  };
  LiveRun run(world, log, options);
  live = &run;
  run.begin(*simulation);
  run.join(1);
  run.advance(*simulation, 0.1, {});
  run.answer(1, command(R"({"edit": {"body": "low", "friction": 0.1}})"));
  run.advance(*simulation, 0.1, {});
  EXPECT_EQ(changes, 0);
  run.answer(1, command(R"({"edit": {"remove": "low"}})"));
  run.advance(*simulation, 0.1, {});
  EXPECT_EQ(changes, 1);
  run.join(2);
  const Value now = controllersFor(run, 2);
  EXPECT_EQ(now.at("bodies").size(), static_cast<std::size_t>(world.numIds() - 1));
  run.answer(2, message("{type: pull, id: 1, point: [0, 0, 0], target: [2, 0, 3]}"));
  run.advance(*simulation, 1, {});
  EXPECT_GT(simulation->objectState(0).X_WB.p.z(), 2) << "the page means the box that is left";
}

TEST_F(LiveCommands, ThatCannotBeAreToldAndChangeNothing) {
  const auto simulation = simulate(), alone = simulate();
  LiveRun run(world, log, options);
  run.begin(*simulation);
  run.join(1);
  for (const char* entry : {"[1]", "{}", R"({"edit": {"body": "low"}})", R"({"command": "set_q", "robot": "leg"})",
                            R"({"body": "low", "impulse": [1, 0, 0]})", "{"})
    EXPECT_THROW(run.answer(1, command(entry)), Error) << entry;
  run.answer(1, command(R"({"robot": "arm", "command": "dance", "arguments": []})"));
  run.answer(1, command(R"({"edit": {"remove": "arm[rod0]"}})"));
  run.advance(*simulation, 0.2, {});
  alone->advance(0.2);
  EXPECT_EQ(simulation->stateHash(), alone->stateHash());
  std::vector<std::string> problems;
  controllersFor(run, 1, &problems);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].find("dance"), std::string::npos) << problems[0];
  EXPECT_NE(problems[1].find("remove links of a robot before the run"), std::string::npos) << problems[1];
}

}  // namespace
}  // namespace mortise::viewer
