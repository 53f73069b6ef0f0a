#include <algorithm>
#include <cmath>

#include "mortise/base/random.h"
#include "mortise/json/json_writer.h"
#include "tests/plugins/controllers/controller_fixture.h"
#include "tests/support/allocation_counter.h"

namespace mortise::test {
namespace {

class PathControllerTest : public ControllerFixture {
 protected:
  double setting(Controller& controller, const char* name) { return controller.settings().at(name).asReal(); }
};

constexpr const char* kType = "PolynomialPathController";

TEST_F(PathControllerTest, AStepTakesTheShortestTimeAndDoesNotOvershoot) {
  auto controller = started(kType);
  updateAt(*controller, 0);
  give(*controller, "set_q", "[1.2, 0, 0]");
  // d / v + v / a of the first link: 1.2 m in 1.175 s.
  const double T = 1.2 / 1.5 + 1.5 / 4;
  EXPECT_NEAR(setting(*controller, "remaining"), T, 1e-12);
  double last = 0, lastVelocity = 0, reached = -1;
  for (std::int64_t tick = 10; tick <= 1500; tick += 10) {
    updateAt(*controller, tick);
    EXPECT_GE(commands[0].position, last - 1e-12);
    EXPECT_LE(commands[0].position, 1.2 + 1e-12) << "overshoot";
    EXPECT_LE(commands[0].velocity, 1.5 + 1e-12);
    EXPECT_LE(std::abs(commands[0].velocity - lastVelocity), 4 * 0.01 + 1e-12);
    EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::pid);
    if (reached < 0 && commands[0].position == 1.2) reached = static_cast<double>(tick) * 0.001;
    last = commands[0].position;
    lastVelocity = commands[0].velocity;
  }
  EXPECT_NEAR(reached, T, 0.01);
  EXPECT_EQ(commands[0].velocity, 0);
}

TEST_F(PathControllerTest, EveryFormOfArgumentsMeansTheSame) {
  const std::vector<std::string> forms = {"[0.5, -0.25, 1]",
                                          "'0.5 -0.25 1'",
                                          "'3  0.5 -0.25 1'",
                                          "'0.5, -0.25, 1'",
                                          "{q: [0.5, -0.25, 1]}",
                                          "{configuration: '0.5 -0.25 1'}",
                                          "[3, 0.5, -0.25, 1]",
                                          "{q: '3  0.5 -0.25 1'}",
                                          "['0.5', '-0.25 1']",
                                          "[500 mrad, -0.25 rad, 1]",
                                          "'0.5 -250 mrad 1'",
                                          "{rod0: 0.5, rod1: -250 mrad, rod2: 1}",
                                          "{q: {rod0: 0.5, rod1: -0.25, 2: 1}}",
                                          "[{rod0: 0.5, rod1: -0.25, rod2: 1}]"};
  for (const std::string& form : forms) {
    auto controller = started(kType);
    updateAt(*controller, 0);
    give(*controller, "set_q", form);
    updateAt(*controller, 5000);
    EXPECT_EQ(positions(), (std::vector<double>{0.5, -0.25, 1})) << form;
  }
  for (const char* form :
       {"'2 3 0.5 0 0 3 0 0.1 0'", "'2 0.5 0 0 0 0.1 0'", "[2, [0.5, 0, 0], [0, 0.1, 0]]",
        "{t: 2, q: [0.5, 0, 0], v: [0, 0.1, 0]}", "{t: 2000 ms, q: {rod0: 0.5}, v: {rod1: 0.1 rad/s}}",
        "{time: 2, configuration: [0.5, 0, 0], velocity: [0, 0.1, 0]}"}) {
    auto controller = started(kType);
    updateAt(*controller, 0);
    give(*controller, "set_tqv", form);
    updateAt(*controller, 1999);
    EXPECT_NEAR(commands[0].position, 0.5, 1e-5) << form;
    EXPECT_NEAR(commands[1].velocity, 0.1, 1e-3) << form;
    EXPECT_EQ(setting(*controller, "end_time"), 2) << form;
  }
}

TEST_F(PathControllerTest, LinksThatAreNotNamedGoWhereTheyWereGoing) {
  auto controller = started(kType);
  updateAt(*controller, 0);
  give(*controller, "set_q", "[0.5, 0.25, 0]");
  give(*controller, "append_q", "{rod2: 1}");
  give(*controller, "append_q", "{rod0: 0}");
  updateAt(*controller, 9000);
  EXPECT_EQ(positions(), (std::vector<double>{0, 0.25, 1}));
  EXPECT_NE(refusal(*controller, "set_q", parseYaml("{rdo1: 1}", "here")).find("did you mean 'rod1'?"),
            std::string::npos);
}

TEST_F(PathControllerTest, WrongArgumentsSayWhatIsExpectedAndChangeNothing) {
  auto controller = started(kType);
  updateAt(*controller, 100);
  give(*controller, "set_q", "[1, 1, 1]");
  ByteWriter before;
  controller->save(before);
  const auto refused = [&](const char* name, const char* arguments, const char* expected) {
    const std::string text = refusal(*controller, name, parseYaml(arguments, "test"));
    EXPECT_NE(text.find(expected), std::string::npos) << name << " " << arguments << ": " << text;
  };
  refused("set_q", "[1, 2]", "set_q takes a position for each link: 3 numbers, not 2");
  refused("set_tq", "[1, 2, 3]", "a time in seconds and a position for each link: 4 numbers, not 3");
  refused("set_tqv", "'1 2 3'", "{t: ..., q: ..., v: ...}");
  refused("append_qv", "'3 0 0 0 2 0 0 0'", "2 numbers, but the robot has 3 links");
  refused("set_q", "'1 two 3'", "'two' is none");
  refused("set_q", "[1, .nan, 0]", "finite");
  refused("set_q", "{p: [1, 2, 3]}", "there is no robot 'p'");
  refused("set_qv", "{q: [1, 2, 3]}", "lacks its argument 'v'");
  refused("set_q", "{q: [1, 2]}", "the configuration has 2 numbers");
  refused("set_q", "true", "takes numbers");
  refused("set_tq", "[0.05, 1, 1, 1]", "comes before the present");
  refused("append_tq", "[0.2, 1, 1, 1]", "comes before the end of the path");
  refused("set_tv", "[-1, 1, 1, 1]", "at least 0");
  refused("set_qv", "[[1, 1, 1], [5, 0, 0]]", "'rod0' cannot arrive with this velocity");
  refused("set_qv", "[[2.5, 1, 1], [-1, 0, 0]]", "within its limits of position");
  refused("brake", "[1]", "takes no arguments");
  refused("set_path", "7", "set_path takes a map");
  refused("set_path", "{times: [0, 1], configurations: [[0, 0, 0]]}", "as many configurations as times");
  refused("set_path", "{times: [], configurations: []}", "no configuration");
  refused("set_path", "{times: [0, .nan], configurations: [[0, 0, 0], [0, 0, 0]]}", "time 2 of the path is nan");
  refused("set_path", "{times: [0, .inf], configurations: [[0, 0, 0], [0, 0, 0]]}", "time 2 of the path is inf");
  refused("zero_ext_forces", "5", "takes no arguments");
  refused("brake", "[now]", "brake takes no arguments");
  refused("set_path", "{times: [1, 0], configurations: [[0, 0, 0], [0, 0, 0]]}", "never decrease");
  refused("add_ext_force", "[0, 1, 2]", "add_ext_force takes a link, a force and a point");
  refused("add_ext_force", "{link: nose, force: [0, 0, 1], point: [0, 0, 0]}", "nose");
  refused("fly", "", "unknown");
  ByteWriter after;
  controller->save(after);
  EXPECT_EQ(before.bytes(), after.bytes());
}

TEST_F(PathControllerTest, QueuedMotionsFollowEachOther) {
  auto controller = started(kType);
  updateAt(*controller, 0);
  give(*controller, "set_tq", "[1, [0.5, 0, 0]]");
  give(*controller, "append_tqv", "[2, [0.5, 0.5, 0], [0, 0, 0]]");
  give(*controller, "append_q_linear", "[0, 0, 0.5]");
  give(*controller, "append_qv", "[[0, 0, 1], [0, 0, 0.2]]");
  give(*controller, "append_q", "[0, 0, 0]");
  updateAt(*controller, 500);
  EXPECT_NEAR(commands[0].position, 0.25, 1e-12);
  EXPECT_NEAR(commands[0].velocity, 0.5, 1e-12);
  updateAt(*controller, 2000);
  EXPECT_NEAR(commands[1].position, 0.5, 1e-12);
  updateAt(*controller, 2200);
  EXPECT_NEAR(commands[0].position, commands[1].position, 1e-12) << "a straight line back to 0, 0, 0.5";
  EXPECT_NEAR(commands[0].position + commands[2].position, 0.5, 1e-12);
  updateAt(*controller, 20000);
  EXPECT_EQ(positions(), (std::vector<double>{0, 0, 0}));
  give(*controller, "set_tv", "[0.5, [1, 0, -1]]");
  updateAt(*controller, 20250);
  EXPECT_NEAR(commands[0].position, 0.25, 1e-9);
  EXPECT_NEAR(commands[2].velocity, -1, 1e-9);
  updateAt(*controller, 21000);
  EXPECT_NEAR(commands[0].position, 0.5, 1e-9);
  EXPECT_EQ(commands[0].velocity, 0);
}

TEST_F(PathControllerTest, BrakesWithFullDeceleration) {
  auto controller = started(kType);
  updateAt(*controller, 0);
  give(*controller, "set_q", "[2, -1.5, 0]");
  for (std::int64_t tick = 10; tick <= 600; tick += 10) updateAt(*controller, tick);
  const double x = commands[0].position, v = commands[0].velocity;
  EXPECT_GT(v, 1);
  give(*controller, "brake", "");
  EXPECT_NEAR(setting(*controller, "remaining"), std::max(v / 4, -commands[1].velocity / 5), 1e-12);
  updateAt(*controller, 2000);
  EXPECT_NEAR(commands[0].position, x + v * v / 8, 1e-12);
  EXPECT_EQ(commands[0].velocity, 0);
}

TEST_F(PathControllerTest, LimitsHoldWhateverIsAskedFor) {
  auto controller = started(kType, "{velocityScale: 0.8, accelerationScale: 0.5}");
  RandomStream random(5, "commands");
  const auto config = [&](double low, double high) {
    std::string text = "[";
    for (int i = 0; i < 3; ++i) text += (i ? ", " : "") + std::to_string(random.uniform(low, high));
    return text + "]";
  };
  std::vector<double> x(3), v(3);
  for (std::int64_t tick = 0; tick < 60000; tick += 10) {
    updateAt(*controller, tick);
    for (std::size_t i = 0; i < 3; ++i) {
      const Link& link = robot->link(static_cast<int>(i));
      ASSERT_GE(commands[i].position, link.qMin - 1e-9);
      ASSERT_LE(commands[i].position, link.qMax + 1e-9);
      ASSERT_LE(std::abs(commands[i].velocity), 0.8 * link.velocityMax + 1e-9);
      if (tick > 0) {
        ASSERT_LE(std::abs(commands[i].velocity - v[i]), 0.5 * link.accelerationMax * 0.01 + 1e-9) << tick;
        ASSERT_LE(std::abs(commands[i].position - x[i]), 0.8 * link.velocityMax * 0.01 + 1e-9) << tick;
      }
      x[i] = commands[i].position;
      v[i] = commands[i].velocity;
    }
    if (random.uniform(0, 1) > 0.03) continue;
    const double which = random.uniform(0, 5);
    if (which < 2)
      give(*controller, "set_q", config(-5, 5));
    else if (which < 3)
      give(*controller, "append_q", config(-2, 2.5));
    else if (which < 4)
      give(*controller, "append_q_linear", config(-2, 2.5));
    else
      give(*controller, "brake", "");
  }
  EXPECT_TRUE(log.mentions("is beyond the limit of 'rod0'")) << "positions that were cut off are said";
}

TEST_F(PathControllerTest, TimedMotionsBeyondTheLimitsAreSaidOrRefused) {
  auto warns = started(kType);
  updateAt(*warns, 0);
  give(*warns, "set_tq", "[0.1, [0.3, 0, 0]]");
  EXPECT_TRUE(log.mentions("set_tq: 'rod0' has to move at 2 times its velocity limit")) << log.lines.back().second;
  EXPECT_TRUE(log.mentions("; it lags behind where its motor is not strong enough"));
  auto jumps = started(kType);
  updateAt(*jumps, 0);
  give(*jumps, "set_tq", "[0, [0, 1, 0]]");
  EXPECT_TRUE(
      log.mentions("set_tq: the target is 1 rad away from where 'rod1' is, with no time to get there; it is "
                   "approached at full speed"))
      << log.lines.back().second;
  auto refuses = started(kType, "{timedLimits: refuse}");
  updateAt(*refuses, 0);
  EXPECT_NE(refusal(*refuses, "set_tq", parseYaml("[0.1, [0.3, 0, 0]]", "test")).find("2 times its velocity limit"),
            std::string::npos);
  EXPECT_EQ(refusal(*refuses, "set_tq", parseYaml("[1, [0.3, 0, 0]]", "test")), "");
}

TEST_F(PathControllerTest, APathBeyondTheLimitsIsSaidOnceWithTheWorstOfIt) {
  const auto warnings = [&](const std::string& path) {
    auto controller = started(kType);
    updateAt(*controller, 0);
    log.lines.clear();
    give(*controller, "set_path", path);
    give(*controller, "set_path", path);
    return log.lines.size();
  };
  // The first link at 1 and 1.2 times the 1.5 rad/s that it may have, the second at 3 times its 1.6 rad/s.
  const std::string fast =
      "{times: [0, 1, 1.5, 2], configurations: [[0, 0, 0], [1.5, 0, 0], [1.5, 2.4, 0], [2.4, 2.4, 0]]}";
  ASSERT_EQ(warnings(fast), 2u) << "once a motion";
  EXPECT_NE(log.lines[0].second.find("path: 'rod1' has to move at 3 times its velocity limit at t = 1 s"),
            std::string::npos)
      << log.lines[0].second;
  EXPECT_NE(log.lines[0].second.find("mortise path retime"), std::string::npos);
  EXPECT_EQ(warnings("{times: [0, 4], configurations: [[0, 0, 0], [1, 1, 1]]}"), 0u);

  // A parabola of three times the acceleration limit, in samples; digits that a file leaves out are no acceleration.
  const double limit = 5;  // rad/s^2, of the second link.
  const auto parabola = [&](double acceleration) {
    std::string times, configurations;
    for (int k = 0; k <= 200; ++k) {
      const double t = 0.001 * k;
      char q[64];
      std::snprintf(q, sizeof q, "%s[0, %.5f, 0]", k > 0 ? ", " : "", 0.5 * acceleration * t * t);
      configurations += q;
      times += (k > 0 ? ", " : "") + std::to_string(t);
    }
    return "{times: [" + times + "], configurations: [" + configurations + "]}";
  };
  ASSERT_EQ(warnings(parabola(3 * limit)), 2u);
  EXPECT_NE(log.lines[0].second.find("'rod1' has to accelerate at "), std::string::npos) << log.lines[0].second;
  EXPECT_EQ(warnings(parabola(0.9 * limit)), 0u);
}

TEST_F(PathControllerTest, MilestonesAreMetInTheShortestTime) {
  auto controller =
      started("MilestonePathController", "{milestones: [{q: [1, 0, 0], v: [0.5, 0, 0]}, {q: [1.5, 0, 0]}]}");
  double met = 10;
  for (std::int64_t tick = 0; tick < 3000; ++tick) {
    updateAt(*controller, tick);
    if (std::abs(commands[0].position - 1) < 1e-3) met = std::min(met, std::abs(commands[0].velocity - 0.5));
  }
  EXPECT_LT(met, 0.01) << "passes the first with its velocity";
  EXPECT_EQ(commands[0].position, 1.5);
  EXPECT_THROW(create(kType, "{milestones: 3}"), Error);
  EXPECT_THROW(started(kType, "{milestones: [[1, 2]]}"), Error);
}

TEST_F(PathControllerTest, SettingsCanBeReadAndChanged) {
  auto controller = started("FeedforwardPolynomialPathController");
  EXPECT_TRUE(controller->settings().at("enable_gravity_compensation").asBool());
  EXPECT_FALSE(controller->settings().at("enable_feedforward_acceleration").asBool());
  EXPECT_EQ(controller->settings().at("gravity").asReals(), (std::vector<double>{0, 0, -9.8}));
  EXPECT_TRUE(controller->changeSetting("velocityScale", Value("0.5")));
  EXPECT_TRUE(controller->changeSetting("enableGravityCompensation", Value("0")));
  EXPECT_TRUE(controller->changeSetting("gravity", Value("0 0 -1.6")));
  EXPECT_FALSE(controller->settings().at("enable_gravity_compensation").asBool());
  EXPECT_EQ(controller->settings().at("gravity").asReals()[2], -1.6);
  EXPECT_FALSE(controller->changeSetting("color", Value(1)));
  EXPECT_FALSE(controller->changeSetting("remaining", Value(1))) << "to be read only";
  EXPECT_THROW(controller->changeSetting("velocityScale", Value(2.0)), Error);
  EXPECT_THROW(controller->changeSetting("gravity", Value("1 2")), Error);
  EXPECT_THROW(controller->changeSetting("enableGravityCompensation", Value("maybe")), Error);
  updateAt(*controller, 0);
  give(*controller, "set_q", "[1.2, 0, 0]");
  EXPECT_NEAR(setting(*controller, "remaining"), 1.2 / 0.75 + 0.75 / 4, 1e-12) << "at half the speed";
  for (const auto& [name, help] : controller->commands()) EXPECT_GT(help.size(), 10u) << name;
}

TEST_F(PathControllerTest, StartedInMidRunItCountsFromThere) {
  auto controller = started(kType);
  give(*controller, "set_q", "[1.2, 0, 0]");
  updateAt(*controller, 7000);
  EXPECT_EQ(commands[0].position, 0) << "no jump to where the motion would be by now";
  updateAt(*controller, 7000 + 1175);
  EXPECT_NEAR(commands[0].position, 1.2, 1e-9);
}

TEST_F(PathControllerTest, ContinuesBitForBitFromTheMiddleOfAMotion) {
  const std::string settings = "{enableFeedforwardAcceleration: true}";
  auto controller = started("FeedforwardPolynomialPathController", settings);
  updateAt(*controller, 0);
  give(*controller, "set_q", "[1.2, -1, 0.3]");
  give(*controller, "append_tqv", "[5, [0, 0, 0], [0.1, 0, 0]]");
  give(*controller, "append_q_linear", "[1, 1, 1]");
  give(*controller, "add_ext_force", "[1, 0, 0, 5, 0.5, 0, 0]");
  controller->changeSetting("velocityScale", Value(0.7));
  for (std::int64_t tick = 10; tick <= 430; tick += 10) updateAt(*controller, tick);
  ByteWriter out;
  controller->save(out);
  auto other = started("FeedforwardPolynomialPathController", settings);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  EXPECT_EQ(toJson(other->settings()), toJson(controller->settings()));
  for (std::int64_t tick = 440; tick <= 9000; tick += 10) {
    if (tick == 6000) {
      give(*controller, "set_q", "[0, 0, 0]");
      give(*other, "set_q", "[0, 0, 0]");
    }
    updateAt(*controller, tick);
    const std::vector<ActuatorCommand> expected = commands;
    updateAt(*other, tick);
    for (std::size_t i = 0; i < commands.size(); ++i) ASSERT_TRUE(same(commands[i], expected[i])) << tick;
  }
}

TEST_F(PathControllerTest, HostileBytesAreRefusedOrHarmless) {
  for (const char* type : {"JointTrackingController", "FeedforwardPolynomialPathController"}) {
    auto controller = started(type);
    updateAt(*controller, 0);
    give(*controller, "set_q", "[1.2, -1, 0.3]");
    give(*controller, "add_ext_force", "[1, 0, 0, 5, 0.5, 0, 0]");
    ByteWriter out;
    controller->save(out);
    RandomStream random(6, type);
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<std::byte> bytes = out.bytes();
      if (trial % 2) bytes.resize(static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size()))));
      for (int k = 0; k < 3 && !bytes.empty(); ++k)
        bytes[static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size())))] =
            static_cast<std::byte>(trial % 4 < 2 ? 255 : static_cast<int>(random.uniform(0, 256)));
      auto victim = started(type);
      try {
        ByteReader in(bytes);
        victim->restore(in);
      } catch (const Error&) {
        continue;
      }
      updateAt(*victim, 500);
    }
  }
}

TEST_F(PathControllerTest, UpdatesAllocateNothing) {
  for (const char* type : {"JointTrackingController", "FeedforwardJointTrackingController", "PolynomialPathController",
                           "FeedforwardPolynomialPathController"}) {
    auto controller = started(type, "{enableFeedforwardAcceleration: true}");
    updateAt(*controller, 0);
    give(*controller, "add_ext_force", "[1, 0, 0, 5, 0.5, 0, 0]");
    give(*controller, "set_q", "[1.2, -1, 0.3]");
    if (std::string(type).find("Polynomial") != std::string::npos)
      for (int k = 0; k < 20; ++k) give(*controller, "append_q", k % 2 ? "[1, 0, 0]" : "[-1, 0.5, 0]");
    updateAt(*controller, 10);
    const std::size_t before = allocationCount;
    for (std::int64_t tick = 20; tick < 5000; tick += 10) updateAt(*controller, tick);
    EXPECT_EQ(allocationCount, before) << type;
    controller->start({*robot, 0.01, q});
    const std::size_t restarted = allocationCount;
    controller->start({*robot, 0.01, q});
    EXPECT_EQ(allocationCount, restarted) << type << " started again";
  }
}

/// Copying the queue for each command would ask for memory with the square of their number.
TEST_F(PathControllerTest, AppendingCostsTheSameHoweverLongTheQueueIs) {
  for (const char* command : {"append_q", "append_q_linear"}) {
    const auto bytesFor = [&](int count) {
      auto controller = started(kType);
      updateAt(*controller, 0);
      const Value there = parseYaml("[1, 0, 0]", "test"), back = parseYaml("[-1, 0.5, 0]", "test");
      const std::size_t before = allocatedBytes;
      for (int k = 0; k < count; ++k) controller->command(command, k % 2 != 0 ? there : back);
      return static_cast<double>(allocatedBytes - before);
    };
    // Linear would be 8 times as much, and the square 64 times; vectors that double are up to twice off.
    EXPECT_LE(bytesFor(4000), 20 * bytesFor(500)) << command;
  }
}

TEST_F(PathControllerTest, AFailedAppendLeavesTheQueueAsItWas) {
  auto controller = started(kType);
  updateAt(*controller, 0);
  const auto bytes = [&] {
    ByteWriter out;
    controller->save(out);
    return std::vector<std::byte>(out.bytes().begin(), out.bytes().end());
  };
  const auto refuse = [&] {
    const auto before = bytes();
    const std::string settings = toJson(controller->settings());
    for (const char* arguments : {"[[0, 0, 1], [0, 0, 99]]", "[[0, 0], [0, 0]]", "[[0, 0, 2], [0, .nan, 1]]"})
      EXPECT_NE(refusal(*controller, "append_qv", parseYaml(arguments, "test")), "") << arguments;
    EXPECT_NE(refusal(*controller, "append_tq", parseYaml("[0.01, [0, 0, 1]]", "test")), "");
    EXPECT_EQ(bytes(), before);
    EXPECT_EQ(toJson(controller->settings()), settings);
  };
  give(*controller, "set_qv", "[[1, 0, 0], [0.5, 0, 0]]");
  give(*controller, "append_q", "[0, 0, 1]");
  updateAt(*controller, 100);
  refuse();
  // Also when all of it is over, and it would start anew.
  updateAt(*controller, 90000);
  refuse();
  give(*controller, "append_q", "[0, 0, 0]");
  EXPECT_GT(setting(*controller, "remaining"), 0.1);
}

TEST_F(PathControllerTest, TheDefaultHoldsTheConfigurationAsJointTrackingDoes) {
  q << 0.3, -0.4, 1.1;
  auto old = started("FeedforwardJointTrackingController");
  auto now = started("FeedforwardPolynomialPathController");
  RandomStream random(7, "sensed");
  for (std::int64_t tick = 0; tick < 3000; tick += 10) {
    for (int i = 0; i < 3; ++i) {
      state.q[i] = q[i] + random.uniform(-0.01, 0.01);
      state.dq[i] = random.uniform(-0.1, 0.1);
    }
    updateAt(*old, tick);
    const std::vector<ActuatorCommand> expected = commands;
    updateAt(*now, tick);
    for (std::size_t i = 0; i < commands.size(); ++i) ASSERT_TRUE(same(commands[i], expected[i])) << tick;
  }
  EXPECT_NE(commands[0].torque, 0);
}

/// Outside of a simulation there is no world to keep clear of.
TEST_F(PathControllerTest, PlanningInRealTimeSaysThatItKnowsNoWorld) {
  auto controller = started("RealTimePlanningController");
  EXPECT_TRUE(log.mentions("no world is given: the robot avoids collisions with itself only"));
}

}  // namespace
}  // namespace mortise::test
