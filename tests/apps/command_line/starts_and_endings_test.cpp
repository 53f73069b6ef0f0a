// What commands say of how simulations start and end, and of the padding between planning and simulation.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kBlockWorld = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

class StartsAndEndings : public FolderTest {
 protected:
  static void says(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  static Value json(std::vector<std::string> arguments, int exitCode = 0) {
    arguments.push_back("--json");
    const Ran ran = runMortise(std::move(arguments));
    EXPECT_EQ(ran.exitCode, exitCode) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "stdout");
  }
  /// Balls of radius 0.1 m whose centers are so far apart.
  std::string balls(double apart, const std::string& more = {}) const {
    write("ball.geom", "Sphere 0 0 0 0.1");
    const auto ball = [](const std::string& name, double x) {
      return "<rigidObject name='" + name + "' position='" + formatReal(x) +
             " 0 0'><geometry file='ball.geom'/><physics mass='1' automass='1'/></rigidObject>\n";
    };
    return write("balls.xml", "<world>\n" + ball("left", 0) + ball("right", apart) + more + "</world>\n");
  }
  /// A ball of radius 0.1 m on a rail along x, and a free ball of the same size, beside the middle of the rail, so that
  /// they pass with this gap; no gravity.
  std::string passing(double gap) const {
    write("ball.geom", "Sphere 0 0 0 0.1");
    write(
        "slider.rob",
        "links \"rail\" \"slider\"\nparents -1 0\njointtype p p\naxis 1 0 0  1 0 0\n"
        "TParent 1 0 0  0 1 0  0 0 1  0 0 0  1 0 0  0 1 0  0 0 1  0 0 0\nqMin 0 -1\nqMax 0 1\nvelMax 0 1\naccMax 0 4\n"
        "torqueMax 0 400\ngeometry \"\" \"ball.geom\"\nmass 1 1\nautomass\njoint weld 0\njoint normal 1\n"
        "servoP 8000\nservoI 0\nservoD 400\ndriver normal 1\n");
    return write("passing.xml",
                 "<world>\n<robot name='cart' file='slider.rob' config='2 0 -0.5'/>\n"
                 "<rigidObject name='ball' position='0 " +
                     formatReal(0.2 + gap) +
                     " 0'><geometry file='ball.geom'/><physics mass='1' automass='1'/></rigidObject>\n"
                     "<simulation><globals gravity='0 0 0'/></simulation>\n</world>\n");
  }
};

TEST_F(StartsAndEndings, BodiesThatOverlapAtTheStartAreNamedWithTheirDepth) {
  const Ran ran = runMortise({"sim", balls(0.15), "--duration", "1ms"});
  EXPECT_EQ(ran.exitCode, 0);
  says(ran.err, {"warning: 1 pair of bodies overlaps at the start", "0.05 m  0 left, 1 right"});
  const Value overlaps = json({"sim", balls(0.15), "--duration", "1ms"}).at("overlaps");
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_NEAR(overlaps[0].at("depth").asReal(), 0.05, 1e-9);
  EXPECT_EQ(overlaps[0].at("names").asStrings(), (std::vector<std::string>{"left", "right"}));
  for (const double apart : {0.2, 0.204}) {
    const Ran touching = runMortise({"sim", balls(apart), "--duration", "1ms"});
    EXPECT_EQ(touching.err.find("overlap"), std::string::npos) << "padding alone is no overlap: " << touching.err;
  }
}

TEST_F(StartsAndEndings, EveryCommandFindsTheSameDepth) {
  // Boxes as meshes: their surfaces cross, and the distance between them is 0.
  write("box.off",
        "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n"
        "3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n");
  for (const char* surface : {"",
                              "<simulation><terrain index='0'><geometry padding='0.01' preshrink='1'/></terrain>"
                              "</simulation>"}) {
    const std::string file = write(
        "boxes.xml", std::string("<world><terrain name='under' file='box.off'/><rigidObject name='over' position='0.1 "
                                 "0.1 0.93'><geometry file='box.off'/><physics mass='1' automass='1'/></rigidObject>") +
                         surface + "</world>");
    const Value pair = json({"world", "collisions", file}).at("collisions")[0];
    EXPECT_NEAR(pair.at("distance").asReal(), -0.07, 1e-6);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"world", "check", file}, {"sim", file, "--duration", "1ms"}})
      EXPECT_NEAR(json(words).at("overlaps")[0].at("depth").asReal(), -pair.at("distance").asReal(), 1e-12) << words[0];
    says(runMortise({"world", "collisions", file}).out, {"1 pair collides", "over: -0.07000"});
  }
}

TEST_F(StartsAndEndings, BodiesThatStartNearerThanTheirPaddingAreNamed) {
  const std::string near = balls(0.203);
  const Ran checked = runMortise({"world", "check", near});
  EXPECT_EQ(checked.exitCode, 0);
  says(checked.out, {"note: 1 pair of bodies starts nearer than its padding", "0.003 m of 0.005 m  0 left, 1 right",
                     "0 errors, 0 warnings"});
  const Value report = json({"world", "check", near}).at("padding_overlaps");
  ASSERT_EQ(report.size(), 1u);
  EXPECT_NEAR(report[0].at("distance").asReal(), 0.003, 1e-9);
  EXPECT_NEAR(report[0].at("padding").asReal(), 0.005, 1e-12);
  says(runMortise({"sim", near, "--duration", "1ms", "-v"}).err, {"0.003 m of 0.005 m  0 left, 1 right"});
  EXPECT_EQ(json({"sim", near, "--duration", "1ms"}).at("padding_overlaps").size(), 1u);
  // Where they rest, they sink in a little.
  const std::string resting = balls(0.2047);
  EXPECT_EQ(runMortise({"world", "check", resting}).out.find("padding"), std::string::npos);
  EXPECT_FALSE(json({"sim", resting, "--duration", "1ms"}).contains("padding_overlaps"));
}

TEST_F(StartsAndEndings, StartsOutsideOfJointLimitsAreWarnings) {
  const char* said = "robot 'reacher' starts outside of its joint limits: 'shoulder_yaw' at 9, not in -2.96";
  const std::vector<std::string> run = {"sim", kBlockWorld, "--config", "{shoulder_yaw: 9}", "--duration", "1ms"};
  const Ran ran = runMortise(run);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  says(ran.err, {"warning: ", said});
  std::vector<std::string> strict = run;
  strict.push_back("--strict");
  EXPECT_EQ(runMortise(strict).exitCode, 1);
  EXPECT_EQ(runMortise({"sim", kBlockWorld, "--config", "{shoulder_yaw: 2.9}", "--duration", "1ms"}).err.find("limits"),
            std::string::npos);
  const Ran checked = runMortise({"world", "check", kBlockWorld, "--config", "{shoulder_yaw: 9}"});
  says(checked.out, {said, "0 errors, 1 warning"});

  const std::string file =
      write("p.yaml", "mortise: 1\nworld: \"" + kBlockWorld +
                          "\"\nstages:\n  - simulate: {duration: 1 ms, start: {shoulder_yaw: 9}}\n");
  const Ran stage = runMortise({"run", file, "-o", path("out")});
  EXPECT_EQ(stage.exitCode, 0) << stage.err;
  says(stage.err, {"p.yaml:4:", said});
  EXPECT_EQ(stage.err.find(said, stage.err.find(said) + 1), std::string::npos) << "once: " << stage.err;
  EXPECT_EQ(runMortise({"run", file, "-o", path("strict"), "--strict"}).exitCode, 1);
}

/// The world's own configuration, of two robots, of which one is given another start.
TEST_F(StartsAndEndings, WorldsThatStartOutsideOfJointLimitsAreWarningsOnceARobot) {
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const int links = static_cast<int>(json({"robot", "info", robot}).at("num_links").asInteger());
  const auto start = [&](double first) {
    std::string text = std::to_string(links) + " " + std::to_string(first);
    for (int i = 1; i < links; ++i) text += " 0";
    return text;
  };
  const std::string world = write("w.xml", "<world>\n<robot name='left' file='" + robot + "' config='" + start(9) +
                                               "'/>\n<robot name='right' " + "file='" + robot +
                                               "' position='3 0 0' config='" + start(-8) + "'/>\n</world>\n");
  const char* left = "robot 'left' starts outside of its joint limits: 'shoulder_yaw' at 9, not in -2.96";
  const char* right = "robot 'right' starts outside of its joint limits: 'shoulder_yaw' at -8, not in -2.96";
  const auto once = [](const std::string& text, const std::string& said) {
    const std::size_t at = text.find(said);
    EXPECT_NE(at, std::string::npos) << said << " in\n" << text;
    EXPECT_TRUE(at == std::string::npos || text.find(said, at + 1) == std::string::npos) << text;
  };
  const Ran sim = runMortise({"sim", world, "--duration", "1ms", "--verbose"});
  EXPECT_EQ(sim.exitCode, 0) << sim.err;
  once(sim.err, left);
  once(sim.err, right);
  says(sim.err, {"w.xml:2:", "w.xml:3:", "change its 'config'"});
  EXPECT_EQ(runMortise({"sim", world, "--duration", "1ms", "--strict"}).exitCode, 1);
  const Ran moved = runMortise({"sim", world, "--duration", "1ms", "--config", "{left: {shoulder_yaw: 0}}"});
  EXPECT_EQ(moved.err.find(left), std::string::npos) << moved.err;
  once(moved.err, right);
  const std::string pipeline = write("p.yaml",
                                     "mortise: 1\nworld: w.xml\nstages:\n  - simulate: {duration: 1 ms, save: a}\n  - "
                                     "simulate: {duration: 1 ms, save: b}\n");
  for (const char* command : {"run", "config"}) {
    std::vector<std::string> words = {command};
    if (command == std::string("config")) words.emplace_back("check");
    words.insert(words.end(), {pipeline, "--verbose"});
    if (command == std::string("run")) words.insert(words.end(), {"-o", path("out")});
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    once(ran.out + ran.err, left);
    once(ran.out + ran.err, right);
  }
  once(runMortise({"compare", world, "--duration", "1ms", "--backends", "mortise"}).err, left);
}

TEST_F(StartsAndEndings, OneRobotMayBeNamedInEveryConfiguration) {
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const std::vector<std::vector<std::string>> commands = {{"sim", kBlockWorld, "--duration", "1ms", "--config"},
                                                          {"world", "check", kBlockWorld, "--config"},
                                                          {"world", "collisions", kBlockWorld, "--config"},
                                                          {"robot", "eval", robot, "--q"},
                                                          {"robot", "eval", robot, "--config"},
                                                          {"robot", "self-collisions", robot, "--config"},
                                                          {"plan", kBlockWorld, "--iterations", "50000", "--goal"}};
  for (std::vector<std::string> words : commands) {
    words.push_back({});
    const std::string command = words[0] + " " + words[1];
    const auto with = [&](const std::string& configuration) {
      words.back() = configuration;
      const Ran ran = runMortise(words);
      return Ran{ran.exitCode, ran.signal, {}, ran.out + ran.err};
    };
    const Ran named = with("{reacher: {shoulder_yaw: 20 deg, elbow: 70 deg}}");
    EXPECT_EQ(named.exitCode, 0) << command << named.err;
    const Ran wrong = with("{arm: {elbow: 70 deg}}");
    EXPECT_EQ(wrong.exitCode, 1) << command;
    says(wrong.err, {"there is no robot 'arm'", "available: reacher"});
    const Ran nothing = with("{reacher: }");
    EXPECT_EQ(nothing.exitCode, 1) << command;
    says(nothing.err, {"robot 'reacher' is named, but given no configuration"});
    const Ran link = with("{elbwo: 1}");
    EXPECT_EQ(link.exitCode, 1) << command;
    says(link.err, {"did you mean 'elbow'?"});
  }
}

TEST_F(StartsAndEndings, OverlapsChangeNothingOfTheRun) {
  const std::string file = balls(0.15);
  EXPECT_EQ(json({"sim", file, "--duration", "50ms"}).at("state_hash"),
            json({"sim", file, "--duration", "50ms", "-q"}).at("state_hash"));
}

TEST_F(StartsAndEndings, StagesTellOverlapsToo) {
  balls(0.15);
  const std::string file =
      write("p.yaml", "mortise: 1\nworld: balls.xml\nstages:\n  - simulate: {duration: 2 ms, save: a}\n");
  const Ran ran = runMortise({"run", file, "-o", path("out")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  says(ran.err, {"1 pair of bodies overlaps at the start"});
  const Value result = parseYaml(readFile(path("out/result.json")), "result.json");
  EXPECT_NEAR(result.at("results").at("a").at("overlaps")[0].at("depth").asReal(), 0.05, 1e-9);
}

TEST_F(StartsAndEndings, AWorldIsCheckedBeforeItIsSimulated) {
  MORTISE_NEEDS_ENGINES("bullet");
  const Ran good = runMortise({"world", "check", kBlockWorld});
  EXPECT_EQ(good.exitCode, 0) << good.out << good.err;
  says(good.out, {"blocks.xml: 0 errors, 0 warnings"});

  write("arm.rob",
        "links \"base\" \"arm\"\nparents -1 0\nTParent 1 0 0 0 1 0 0 0 1 5 0 0  1 0 0 0 1 0 0 0 1 1 0 0\nmass 1 0\n"
        "qMin 0 0\nqMax 0 1\njoint weld 0\njoint normal 1\n");
  const std::string file =
      balls(0.15,
            "<robot name='twin' file='arm.rob'/><robot name='twin' file='arm.rob' config='2 0 3' translation='0 5 0'/>"
            "<simulation backend='bulet'/>");
  const Ran bad = runMortise({"world", "check", file});
  EXPECT_EQ(bad.exitCode, 1);
  says(bad.out, {"1 pair of bodies overlaps at the start", "0.05 m  0 left, 1 right", "has the name of robot",
                 "1 link moves but has no mass", "'arm' at 3, not in 0 to 1", "no plugin has a physics backend 'bulet'",
                 "did you mean 'bullet'?", "1 error, "});
  const Value report = json({"world", "check", file}, 1);
  EXPECT_FALSE(report.at("valid").asBool());
  EXPECT_EQ(report.at("errors").asInteger(), 1);
  EXPECT_NEAR(report.at("overlaps")[0].at("depth").asReal(), 0.05, 1e-9);

  const std::string lost = write("lost.xml",
                                 "<world><rigidObject name='o'><geometry file='nowhere.off'/></rigidObject>"
                                 "<terrain file='neither.off'/></world>");
  const Ran missing = runMortise({"world", "check", lost});
  EXPECT_EQ(missing.exitCode, 1);
  says(missing.out, {"nowhere.off", "neither.off"});
  EXPECT_EQ(runMortise({"world", "check", balls(0.15)}).exitCode, 0) << "overlaps are warnings";
  EXPECT_EQ(runMortise({"world", "check", balls(0.15), "--strict"}).exitCode, 1);
}

TEST_F(StartsAndEndings, WorldInfoPrintsThePadding) {
  const Ran ran = runMortise({"world", "info", kBlockWorld});
  says(ran.out, {"GeometricPrimitive, padding 0 m", "padding 0.0025 m"});
}

TEST_F(StartsAndEndings, ASummarySaysHowRobotsEnded) {
  const std::vector<std::string> run = {
      "sim",   kBlockWorld,     "--duration", "300ms", "--command", "0.1 set_q 0 0 0 0 0 0",
      "--log", path("run.csv"), "--log-rate", "100"};
  const Value summary = json(run);
  const Value& robot = summary.at("robots")[0];
  EXPECT_EQ(robot.at("drivers").size(), 6u);
  EXPECT_EQ(robot.at("values").size(), 6u);
  EXPECT_EQ(robot.at("values").asReals(), robot.at("q").asReals()) << "one driver a link";
  EXPECT_GT(robot.at("tracking_error").at("error").asReal(), 0);
  EXPECT_GT(robot.at("peak_torque").at("torque").asReal(), 0);
  EXPECT_LE(robot.at("peak_torque").at("torque").asReal(), robot.at("peak_torque").at("limit").asReal() * (1 + 1e-9));
  ASSERT_EQ(summary.at("log_files").size(), 1u);
  EXPECT_EQ(summary.at("log_files")[0].at("rows").asInteger(), 31);
  const Ran ran = runMortise(run);
  says(ran.out, {"shoulder_yaw ", "largest tracking error ", "peak torque ", "run.csv, 31 rows", "1 carried out",
                 "t = 0.1 s: set_q 0 0 0 0 0 0"});
}

TEST_F(StartsAndEndings, FloatingBasesEndSomewhere) {
  const std::string file = write("cart.xml", std::string("<world><robot name='cart' file='") + MORTISE_SOURCE_DIR +
                                                 "/data/robots/cart.urdf'/></world>");
  const Value robot = json({"sim", file, "--duration", "100ms"}).at("robots")[0];
  EXPECT_NEAR(robot.at("base").at("position").asReals()[2], -0.5 * 9.8 * 0.01, 2e-3) << "it falls freely";
  says(runMortise({"sim", file, "--duration", "100ms"}).out, {"base at (0.000, 0.000, -0.0"});
}

TEST_F(StartsAndEndings, APathThatPaddingTouchesIsSaidToPush) {
  const std::vector<std::string> options = {"--start", "[0, -0.5]", "--goal", "[0, 0.5]", "--check", "--retime"};
  const auto plan = [&](double gap, std::vector<std::string> more) {
    std::vector<std::string> words = {"plan", passing(gap)};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Ran near = runMortise(plan(0.003, {"-o", path("near.path")}));
  EXPECT_EQ(near.exitCode, 0) << near.err;
  says(near.err, {"warning: 1 pair of bodies comes closer than their padding", "0.003 m of 0.005 m", "cart[slider]",
                  "ball", "--padding simulation"});
  const Value touches = json(plan(0.003, {})).at("check").at("padding_touches");
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_NEAR(touches[0].at("distance").asReal(), 0.003, 1e-6);
  EXPECT_NEAR(touches[0].at("padding").asReal(), 0.005, 1e-12);
  // What is said is what happens.
  const auto pushed = [&](double gap, const std::string& motion) {
    const Value summary = json({"sim", passing(gap), "--path", motion, "--duration", "3"});
    return std::abs(summary.at("objects")[0].at("T").asReals()[10] - 0.2 - gap);
  };
  EXPECT_GT(pushed(0.003, path("near.path")), 1e-3);

  const Ran far = runMortise(plan(0.006, {"-o", path("far.path")}));
  EXPECT_EQ(far.exitCode, 0) << far.err;
  EXPECT_EQ(far.err.find("padding"), std::string::npos) << far.err;
  EXPECT_LT(pushed(0.006, path("far.path")), 1e-12);

  // Without --check, in the summary.
  const auto unchecked = [&](double gap) {
    std::vector<std::string> words = plan(gap, {});
    words.erase(std::find(words.begin(), words.end(), "--check"));
    return words;
  };
  says(runMortise(unchecked(0.003)).out,
       {"padding      1 pair of bodies comes closer", " m of 0.005 m, ball and cart[slider]", "--check"});
  EXPECT_EQ(json(unchecked(0.003)).at("padding_touches").size(), 1u);
  EXPECT_EQ(runMortise(unchecked(0.006)).out.find("padding"), std::string::npos);
  EXPECT_EQ(json(unchecked(0.003)).at("path_hash"), json(plan(0.003, {})).at("path_hash"));

  EXPECT_EQ(runMortise(plan(0.003, {"--padding", "simulation", "--time-limit", "1"})).exitCode, 1)
      << "there is no other way";
  EXPECT_EQ(runMortise(plan(0.006, {"--padding", "simulation"})).exitCode, 0);
  const Value same = json(plan(0.006, {})), none = json(plan(0.006, {"--padding", "none"}));
  EXPECT_EQ(same.at("path_hash"), none.at("path_hash"));
}

TEST_F(StartsAndEndings, ACheckTellsClearanceWithPadding) {
  passing(0.003);
  const std::string file = write("p.yaml",
                                 "mortise: 1\nworld: passing.xml\nstages:\n"
                                 "  - plan: {start: [0, -0.5], goal: [0, 0.5], save: path}\n"
                                 "  - check: {path: path, clearance: true, save: looked}\n");
  const Ran ran = runMortise({"run", file, "-o", path("out")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  says(ran.err, {"1 pair of bodies comes closer than their padding"});
  const Value examined = parseYaml(readFile(path("out/result.json")), "result.json").at("results").at("looked");
  EXPECT_NEAR(examined.at("clearance").asReal(), 0.003, 1e-6);
  EXPECT_NEAR(examined.at("clearance_with_padding").asReal(), -0.002, 1e-6);
}

TEST_F(StartsAndEndings, RobotsWithFloatingBasesGetTimes) {
  write("cart.xml",
        std::string("<world><robot name='cart' file='") + MORTISE_SOURCE_DIR + "/data/robots/cart.urdf'/></world>");
  // The base goes 1 m while the mast turns by 0.5 rad (and the flag against it), then on alone.
  const Value info = json({"robot", "info", MORTISE_SOURCE_DIR "/data/robots/cart.urdf"});
  const std::size_t links = info.at("links").size();
  const auto row = [&](double t, double x, double mast) {
    std::string text = formatReal(t) + " " + std::to_string(links);
    for (std::size_t i = 0; i < links; ++i) text += " " + formatReal(i == 0 ? x : i == 6 ? mast : i == 7 ? -mast : 0);
    return text + "\n";
  };
  write("roll.path", row(0, 0, 0) + row(1, 1, 0.5) + row(2, 1.5, 0.5));
  for (const char* method : {"parabolic", "blend", "linear"}) {
    const std::string file = write(
        "p.yaml", std::string("mortise: 1\nworld: cart.xml\nstages:\n  - retime: {path: roll.path, method: ") + method +
                      ", save: motion}\n  - check: {path: motion, bounds: " + (method[0] == 'l' ? "false" : "true") +
                      "}\n");
    const Ran ran = runMortise({"run", file, "-o", path(method)});
    ASSERT_EQ(ran.exitCode, 0) << method << ran.err;
    const Value motion =
        parseYaml(readFile(path(std::string(method) + "/result.json")), "result.json").at("results").at("motion");
    EXPECT_EQ(motion.at("unlimited").size(), 6u) << method;
    EXPECT_GT(motion.at("velocity_usage").asReal(), 0) << method;
    EXPECT_LE(motion.at("velocity_usage").asReal(), 1 + 1e-9) << method;
    EXPECT_GT(motion.at("duration").asReal(), 0.1) << method;
  }
}

TEST_F(StartsAndEndings, WhatNothingLimitsGetsNoTimes) {
  balls(0.5);
  write("o.path", "0 6 0 0 0 0 0 0\n1 6 0 0 1 0 0 0\n");
  const std::string file = write(
      "p.yaml", "mortise: 1\nworld: balls.xml\nstages:\n  - retime: {path: o.path, object: left, save: motion}\n");
  const Ran ran = runMortise({"run", file, "-o", path("out")});
  EXPECT_EQ(ran.exitCode, 1);
  says(ran.err, {"no coordinate has a limit of velocity or acceleration", "retime: {velocity: 1, acceleration: 4}"});
}

TEST_F(StartsAndEndings, KlamptsPathsOfFloatingRobotsGetTimes) {
  const char* reference = std::getenv("MORTISE_REFERENCE_DIR");
  if (reference == nullptr) GTEST_SKIP() << "MORTISE_REFERENCE_DIR is not set";
  const std::string data = std::string(reference) + "/klampt-data";
  for (const auto& [world, motion] :
       {std::pair{"hubo_plane", "hubo_table_path"}, std::pair{"athlete_plane", "athlete_flex"}}) {
    const std::string file =
        write("p.yaml", "mortise: 1\nworld: \"" + data + "/" + world + ".xml\"\nstages:\n  - retime: {path: \"" + data +
                            "/motions/" + motion + ".xml\", iterations: 20, save: motion}\n");
    const Ran ran = runMortise({"run", file, "-o", path(std::string("out_") + motion)});
    EXPECT_EQ(ran.exitCode, 0) << motion << ran.err;
  }
}

TEST_F(StartsAndEndings, WhatTheRobotHoldsIsNamedAsIgnoreTakesIt) {
  const char* reference = std::getenv("MORTISE_REFERENCE_DIR");
  if (reference == nullptr) GTEST_SKIP() << "MORTISE_REFERENCE_DIR is not set";
  const std::string data = std::string(reference) + "/klampt-data";
  const auto pipeline = [&](const std::string& name, const std::string& more) {
    return write(name, "mortise: 1\nworld: \"" + data + "/hubo_table.xml\"\nstages:\n  - retime: {path: \"" + data +
                           "/motions/hubo_table_path.xml\", iterations: 20, save: motion" + more + "}\n");
  };
  const Ran refused = runMortise({"run", pipeline("a.yaml", ""), "-o", path("a")});
  EXPECT_EQ(refused.exitCode, 1);
  const std::size_t begin = refused.err.find("ignore: [["), end = refused.err.find("]]", begin);
  ASSERT_NE(end, std::string::npos) << refused.err;
  const std::string advice = refused.err.substr(begin, end + 2 - begin);
  const Ran taken = runMortise({"run", pipeline("b.yaml", ", " + advice), "-o", path("b")});
  EXPECT_EQ(taken.exitCode, 0) << advice << taken.err;
}

/// A file of data/pipelines.
class ShippedPipeline : public FolderTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("mortise_shipped_" + GetParam() + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
};

std::vector<std::string> shippedPipelines() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(MORTISE_SOURCE_DIR "/data/pipelines"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(ShippedPipeline, RunsWithoutAWarning) {
  if (std::string(GetParam()) == "two_engines") MORTISE_NEEDS_ENGINES("ode", "bullet");
  const std::string file = MORTISE_SOURCE_DIR "/data/pipelines/" + GetParam() + ".yaml";
  const Ran ran = runMortise({"run", file, "-o", (folder_ / "out").string()});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(ran.err.find("warning"), std::string::npos) << ran.err;
  const Value result = parseYaml(readFile((folder_ / "out/result.json").string()), "result.json");
  const std::string report = std::filesystem::exists(folder_ / "out/report.txt")
                                 ? readFile((folder_ / "out/report.txt").string())
                                 : std::string();
  if (GetParam() == "settle_and_sweep") {
    EXPECT_NE(report.find("rest: 0."), std::string::npos) << report;
    EXPECT_EQ(report.find("rest: 0 s"), std::string::npos) << report;
  }
  if (GetParam() == "state_machine") {
    const Value& transitions = result.at("results").at("pressing").at("transitions");
    ASSERT_EQ(transitions.size(), 2u);
    EXPECT_EQ(transitions[0].at("from").asString(), "approach");
    EXPECT_EQ(transitions[0].at("to").asString(), "press");
    EXPECT_EQ(transitions[1].at("to").asString(), "leave");
    EXPECT_NEAR(transitions[1].at("time").asReal() - transitions[0].at("time").asReal(), 1, 0.01);
    EXPECT_NE(report.find("approach to press"), std::string::npos) << report;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedPipeline, testing::ValuesIn(shippedPipelines()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace mortise::test
