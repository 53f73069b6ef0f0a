#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "mortise/base/random.h"
#include "mortise/simulation/simulation.h"
#include "tests/plugins/controllers/controller_fixture.h"
#include "tests/support/allocation_counter.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

class LoggingControllerTest : public ControllerFixture {
 protected:
  LoggingControllerTest() {
    folder = fs::temp_directory_path() / ("mortise_logging_" + std::to_string(::getpid()) + "_" +
                                          testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
    host = hostIn(folder.string());
  }
  ~LoggingControllerTest() override { fs::remove_all(folder); }

  std::string path(const char* name) const { return (folder / name).string(); }

  /// Moves, and returns the commands of each update.
  std::vector<std::vector<ActuatorCommand>> record(Controller& controller) {
    std::vector<std::vector<ActuatorCommand>> all;
    for (std::int64_t tick = 0; tick < 6000; tick += 10) {
      if (tick == 500) give(controller, "set_q", "[1.2, -1, 0.3]");
      if (tick == 1000) give(controller, "append_q", "[0, 0, 0]");
      state.q[0] = 0.001 * static_cast<double>(tick % 70);
      updateAt(controller, tick);
      all.push_back(commands);
    }
    return all;
  }

  fs::path folder;
};

TEST_F(LoggingControllerTest, ReplaysTheSameCommandsBitForBit) {
  std::vector<std::vector<ActuatorCommand>> made;
  {
    auto controller = started("LoggingController");
    made = record(*controller);
    EXPECT_EQ(controller->settings().at("file").asString(), path("commands.log"));
  }
  auto replayed =
      started("LoggingController", "{replay: '" + path("commands.log") + "', inner: JointTrackingController}");
  for (std::size_t k = 0; k < made.size(); ++k) {
    updateAt(*replayed, static_cast<std::int64_t>(k) * 10);
    for (std::size_t i = 0; i < commands.size(); ++i) ASSERT_TRUE(same(commands[i], made[k][i])) << k;
  }
  // By command, later: its first record is due at the next update.
  auto later = started("LoggingController", "{save: false}");
  updateAt(*later, 0);
  give(*later, "replay", path("commands.log"));
  for (std::size_t k = 0; k < made.size(); ++k) {
    updateAt(*later, 7000 + static_cast<std::int64_t>(k) * 10);
    for (std::size_t i = 0; i < commands.size(); ++i) ASSERT_TRUE(same(commands[i], made[k][i])) << k;
  }
}

TEST_F(LoggingControllerTest, OnlyJointCommandsLeavesGainsAlone) {
  { auto ignored = record(*started("LoggingController")); }
  auto replayed =
      started("LoggingController", "{replay: '" + path("commands.log") + "', onlyJointCommands: true, save: false}");
  for (ActuatorCommand& command : commands) command = {ActuatorCommand::Mode::pid, 7, 8, 9, 0, 0, 0};
  updateAt(*replayed, 0);
  updateAt(*replayed, 1000);
  EXPECT_EQ(commands[0].kP, 7);
  EXPECT_GT(commands[0].position, 0.1);
}

TEST_F(LoggingControllerTest, DelaysCanBeCutOut) {
  { auto ignored = record(*started("LoggingController", "{inner: PolynomialPathController}")); }
  auto replayed = started("LoggingController", "{save: false}");
  give(*replayed, "replay", "{file: '" + path("commands.log") + "', removeDelays: 200 ms}");
  updateAt(*replayed, 0);
  EXPECT_EQ(commands[0].position, 0);
  updateAt(*replayed, 200);
  EXPECT_GT(commands[0].position, 0) << "the half second before the first motion is 0.2 s now";
  EXPECT_NE(refusal(*replayed, "replay", parseYaml("{file: x, removeDelays: -1}", "test")), "");
  EXPECT_NE(refusal(*replayed, "replay", parseYaml("{file: x, removeDelays: 2 kg}", "test")).find("is not a time"),
            std::string::npos);
}

TEST_F(LoggingControllerTest, WhatACrashLeavesIsReadToTheLastWholeRecord) {
  const auto made = record(*started("LoggingController"));
  const std::uintmax_t size = fs::file_size(path("commands.log"));
  const std::size_t recordSize = 8 + 3 * 56 + 8;
  EXPECT_EQ((size - 24) % recordSize, 0u);
  // Cut anywhere, and with rubbish behind: what is whole is replayed.
  RandomStream random(3, "crash");
  for (int trial = 0; trial < 40; ++trial) {
    fs::copy_file(path("commands.log"), path("crashed.log"), fs::copy_options::overwrite_existing);
    const auto left =
        static_cast<std::uintmax_t>(random.uniform(24 + static_cast<double>(recordSize), static_cast<double>(size)));
    fs::resize_file(path("crashed.log"), left);
    if (trial % 2) std::ofstream(path("crashed.log"), std::ios::app) << std::string(300, '\xff');
    auto replayed = started("LoggingController", "{save: false}");
    ASSERT_EQ(refusal(*replayed, "replay", Value(path("crashed.log"))), "");
    updateAt(*replayed, 0);
    for (std::size_t i = 0; i < commands.size(); ++i) EXPECT_TRUE(same(commands[i], made[0][i]));
  }
  EXPECT_TRUE(log.mentions("bytes that are no whole record"));
  std::ofstream(path("other.log")) << "time,q\n0,1\n";
  auto controller = started("LoggingController", "{save: false}");
  EXPECT_NE(refusal(*controller, "replay", Value(path("other.log"))).find("no log of motor commands"),
            std::string::npos);
  std::ofstream(path("old.log")) << "MORTCMD1" << std::string(300, '\0');
  EXPECT_NE(refusal(*controller, "replay", Value(path("old.log"))).find("another version"), std::string::npos);
  EXPECT_NE(refusal(*controller, "replay", Value(path("gone.log"))), "");
  robot = limitedArm(2);
  q = VectorXd::Zero(2);
  auto smaller = started("LoggingController", "{save: false}");
  EXPECT_NE(refusal(*smaller, "replay", Value(path("commands.log"))).find("a robot with 3 drivers, and this one has 2"),
            std::string::npos);
}

TEST_F(LoggingControllerTest, LogsWithoutAWholeFirstRecordAreErrors) {
  { auto ignored = record(*started("LoggingController")); }
  const std::uintmax_t size = fs::file_size(path("commands.log"));
  fs::copy_file(path("commands.log"), path("header.log"));
  fs::resize_file(path("header.log"), 24);
  fs::copy_file(path("commands.log"), path("short.log"));
  fs::resize_file(path("short.log"), 100);
  fs::copy_file(path("commands.log"), path("damaged.log"));
  std::fstream(path("damaged.log"), std::ios::in | std::ios::out | std::ios::binary).seekp(40).put('x');
  ASSERT_EQ(fs::file_size(path("damaged.log")), size);
  auto controller = started("LoggingController", "{save: false}");
  EXPECT_NE(refusal(*controller, "replay", Value(path("header.log"))).find("holds no record"), std::string::npos);
  for (const char* name : {"short.log", "damaged.log"}) {
    const std::string message = refusal(*controller, "replay", Value(path(name)));
    EXPECT_NE(message.find("first record of the log is damaged or cut off"), std::string::npos) << message;
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_THROW(started("LoggingController", "{replay: '" + path(name) + "'}"), Error);
  }
  // The controller goes on as it was.
  updateAt(*controller, 0);
  EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::pid);
}

TEST_F(LoggingControllerTest, LogsOfAnotherRateAreErrors) {
  { auto ignored = record(*started("LoggingController")); }
  auto slower = create("LoggingController", "{save: false}");
  slower->start({*robot, 0.02, q});
  const std::string message = refusal(*slower, "replay", Value(path("commands.log")));
  EXPECT_NE(message.find("made at 100 Hz, and this controller runs at 50 Hz"), std::string::npos) << message;
  EXPECT_NE(message.find("rate: 100 Hz"), std::string::npos) << message;
  auto uneven = create("LoggingController", "{save: false}");
  uneven->start({*robot, 0.004, q});
  EXPECT_NE(refusal(*uneven, "replay", Value(path("commands.log"))), "");
  auto faster = create("LoggingController", "{save: false}");
  faster->start({*robot, 0.005, q});
  EXPECT_EQ(refusal(*faster, "replay", Value(path("commands.log"))), "") << "every record has its update";
}

TEST_F(LoggingControllerTest, NoLogOverwritesAnother) {
  std::ofstream(path("commands.log")) << "dear";
  auto first = started("LoggingController"), second = started("LoggingController");
  EXPECT_EQ(first->settings().at("file").asString(), path("commands-2.log"));
  EXPECT_EQ(second->settings().at("file").asString(), path("commands-3.log"));
  EXPECT_TRUE(log.mentions("commands.log' is there already; commands are logged to"));
  EXPECT_EQ(fs::file_size(path("commands.log")), 4u);
  // Started again before the first record, as controllers that hold others do: the same file. Later: one of its own.
  first->start({*robot, 0.01, q});
  EXPECT_EQ(first->settings().at("file").asString(), path("commands-2.log"));
  updateAt(*first, 0);
  first->start({*robot, 0.01, q});
  EXPECT_EQ(first->settings().at("file").asString(), path("commands-4.log"));
  EXPECT_EQ(fs::file_size(path("commands-2.log")), 24u + 8 + 3 * 56 + 8);
  updateAt(*first, 0);
  give(*first, "log", "commands-3.log");
  EXPECT_EQ(first->settings().at("file").asString(), path("commands-3-2.log"));
  EXPECT_EQ(fs::file_size(path("commands-3.log")), 24u);
}

TEST_F(LoggingControllerTest, WrittenRecordsAreInTheFileBeforeTheRunEnds) {
  auto controller = started("LoggingController");
  record(*controller);
  const std::uintmax_t now = fs::file_size(path("commands.log"));
  controller.reset();
  EXPECT_GT(now, fs::file_size(path("commands.log")) * 3 / 5) << "at most a second of six is in memory";
}

TEST_F(LoggingControllerTest, TheLogCommandTakesWhatWasWrittenAlong) {
  std::vector<std::vector<ActuatorCommand>> made;
  {
    auto controller = started("LoggingController");
    made = record(*controller);
    give(*controller, "log", "[elsewhere.log]");
    EXPECT_EQ(controller->settings().at("file").asString(), path("elsewhere.log"));
    EXPECT_NE(refusal(*controller, "log", Value(3)), "");
    EXPECT_NE(refusal(*controller, "log", Value(path("no/such/folder.log"))).find("cannot write"), std::string::npos);
    updateAt(*controller, 6000);
  }
  auto replayed = started("LoggingController", "{replay: '" + path("elsewhere.log") + "'}");
  updateAt(*replayed, 0);
  updateAt(*replayed, 1500);
  for (std::size_t i = 0; i < commands.size(); ++i) EXPECT_TRUE(same(commands[i], made[150][i]));
}

TEST_F(LoggingControllerTest, HandsSettingsAndCommandsOn) {
  auto controller = started("LoggingController", "{inner: {type: PolynomialPathController, velocityScale: 0.5}}");
  EXPECT_EQ(controller->settings().at("velocity_scale").asReal(), 0.5);
  EXPECT_TRUE(controller->changeSetting("velocityScale", Value(0.25)));
  EXPECT_TRUE(controller->changeSetting("save", Value("0")));
  EXPECT_FALSE(controller->settings().at("save").asBool());
  EXPECT_NE(refusal(*controller, "replay", Value()), "");
  EXPECT_THROW(controller->changeSetting("replay", Value(true)), Error);
  EXPECT_EQ(refusal(*controller, "fly", Value()), "unknown");
  EXPECT_THROW(create("LoggingController", "{inner: NoSuchController}"), Error);
  bool brake = false;
  for (const auto& [name, help] : controller->commands()) brake |= name == "brake";
  EXPECT_TRUE(brake);
}

TEST_F(LoggingControllerTest, ContinuesLogAndReplayFromAnySavedState) {
  std::vector<std::vector<ActuatorCommand>> made;
  std::string full;
  {
    auto controller = started("LoggingController");
    for (std::int64_t tick = 0; tick <= 2000; tick += 10) {
      if (tick == 500) give(*controller, "set_q", "[1.2, -1, 0.3]");
      if (tick == 1000) {
        ByteWriter out;
        controller->save(out);
        // What comes until here is made again, and must not stand in the log twice.
        for (std::int64_t wrong = tick; wrong < 1700; wrong += 10) updateAt(*controller, wrong);
        ByteReader in(out.bytes());
        controller->restore(in);
        EXPECT_TRUE(in.atEnd());
      }
      updateAt(*controller, tick);
      made.push_back(commands);
    }
  }
  auto replayed = started("LoggingController", "{save: false, replay: '" + path("commands.log") + "'}");
  std::vector<std::byte> saved;
  for (std::size_t k = 0; k < made.size(); ++k) {
    updateAt(*replayed, static_cast<std::int64_t>(k) * 10);
    for (std::size_t i = 0; i < commands.size(); ++i) ASSERT_TRUE(same(commands[i], made[k][i])) << k;
    if (k != 77) continue;
    ByteWriter out;
    replayed->save(out);
    saved = out.bytes();
  }
  auto other = started("LoggingController", "{save: false}");
  ByteReader in(saved);
  other->restore(in);
  for (std::size_t k = 78; k < made.size(); ++k) {
    updateAt(*other, static_cast<std::int64_t>(k) * 10);
    for (std::size_t i = 0; i < commands.size(); ++i) ASSERT_TRUE(same(commands[i], made[k][i])) << k;
  }
  RandomStream random(8, "bytes");
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::byte> bytes = saved;
    bytes.resize(static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size()))));
    if (trial % 2) bytes = saved;
    for (int k = 0; k < 4 && !bytes.empty(); ++k)
      bytes[static_cast<std::size_t>(
          random.uniform(0, static_cast<double>(std::min<std::size_t>(bytes.size(), 900))))] =
          static_cast<std::byte>(random.uniform(0, 256));
    auto victim = started("LoggingController", "{save: false}");
    try {
      ByteReader damaged(bytes);
      victim->restore(damaged);
    } catch (const Error&) {
      continue;
    }
    updateAt(*victim, 500);
  }
}

TEST_F(LoggingControllerTest, AnotherRunWithAnotherFileContinuesToTheSameBits) {
  const World world = smallWorld();
  SimulationOptions options;
  options.runDirectory = folder.string();
  ComponentOptions component;
  component.type = "LoggingController";
  options.components.push_back(component);
  const auto move = [](Simulation& simulation) {
    simulation.controller(0)->command("set_q", parseYaml("[0.6, 0.2]", "test"));
  };
  Simulation first(world, *registry, nullptr, log, options);
  first.advance(0.2);
  move(first);
  first.advance(0.237);
  const std::vector<std::byte> moving = first.save();
  first.advance(3);
  const std::vector<std::byte> resting = first.save();
  first.advance(0.5);
  const std::uint64_t end = first.stateHash();
  for (const std::vector<std::byte>* snapshot : {&moving, &resting}) {
    Simulation second(world, *registry, nullptr, log, options);
    second.restore(*snapshot);
    second.advance(snapshot == &moving ? 3.5 : 0.5);
    EXPECT_EQ(second.stateHash(), end) << "its log is shorter, its motion the same";
    second.restore(*snapshot);
    second.advance(snapshot == &moving ? 3.5 : 0.5);
    EXPECT_EQ(second.stateHash(), end) << "and again, now that it has logged";
  }
}

TEST_F(LoggingControllerTest, UpdatesAllocateNothing) {
  auto controller = started("LoggingController");
  updateAt(*controller, 0);
  give(*controller, "set_q", "[1.2, -1, 0.3]");
  updateAt(*controller, 10);
  const std::size_t before = allocationCount;
  for (std::int64_t tick = 20; tick < 4000; tick += 10) updateAt(*controller, tick);
  EXPECT_EQ(allocationCount, before);
  give(*controller, "replay", path("commands.log"));
  updateAt(*controller, 4000);
  const std::size_t replaying = allocationCount;
  for (std::int64_t tick = 4010; tick < 9000; tick += 10) updateAt(*controller, tick);
  EXPECT_EQ(allocationCount, replaying);
}

TEST_F(LoggingControllerTest, AReplayedSimulationEndsWhereTheFirstOneDid) {
  const World world = smallWorld();
  std::uint64_t hashes[2];
  for (const bool replay : {false, true}) {
    SimulationOptions options;
    options.runDirectory = folder.string();
    ComponentOptions component;
    component.type = "LoggingController";
    component.settings = parseYaml(replay ? "{save: false}" : "{inner: FeedforwardPolynomialPathController}", "test");
    options.components.push_back(component);
    Simulation simulation(world, *registry, nullptr, log, options);
    if (replay)
      simulation.controller(0)->command("replay", Value(path("commands.log")));
    else
      simulation.controller(0)->command("set_path",
                                        parseYaml("{times: [0.5, 1], configurations: [[0.6, 0.2], [0, 0]]}", "test"));
    simulation.advance(1.5);
    const VectorXd q = simulation.configuration(0);
    hashes[replay] = hashBytes(q.data(), static_cast<std::size_t>(q.size()) * sizeof(double));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace mortise::test
