#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kReacher = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";

/// Two links; the second one has a mesh.
const std::string kCheckedArm =
    "links \"base\" \"arm\"\nparents -1 0\naxis 0 0 1  0 1 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 "
    "1\n"
    "qMin -1 -2\nqMax 1 2\nvelMax 1 1\naccMax 5 5\ntorqueMax 10 10\nmass 1 1\ninertiaDiag 1 1 1  1 1 1\n"
    "servoP 100 100\n";

class RobotCommand : public FolderTest {
 protected:
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
  /// What `robot check` says of a file, as text; errors, warnings, notes as the exit code and counts have them.
  Ran check(const std::string& content) const { return runMortise({"robot", "check", write("r.rob", content)}); }
};

TEST_F(RobotCommand, CheckWarnsOfDriversThatAutotorqueLeavesWithoutTorque) {
  const std::string arm = replaced(kCheckedArm, "torqueMax 10 10\n", "");
  const Ran ran = check(arm + "com 0 0 0  0 0 0\nautotorque\n");
  EXPECT_NE(ran.out.find("driver 1 'arm' has no torque: it cannot move anything"), std::string::npos) << ran.out;
  const Ran fine = check(arm + "com 0 0 0  0.1 0 0\nautotorque\n");
  EXPECT_EQ(fine.out.find("has no torque:"), std::string::npos) << fine.out;
}

TEST_F(RobotCommand, InfoAsText) {
  const Ran ran = runMortise({"robot", "info", kReacher});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.out.find("reacher: 6 links, 6 drivers, 10.7 kg, 6 pairs"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("wrist_pitch"), std::string::npos);
}

TEST_F(RobotCommand, InfoAsJsonHasTheFixedKeys) {
  const Ran ran = runMortise({"robot", "info", kReacher, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value info = parseYaml(ran.out, "stdout");
  for (const char* key : {"num_links", "num_drivers", "link_names", "parents", "joint_types", "qmin", "qmax", "velmax",
                          "accmax", "torquemax", "joints", "drivers", "links", "self_collision_pairs", "total_mass"})
    EXPECT_TRUE(info.contains(key)) << key;
  EXPECT_EQ(info.at("num_links").asInteger(), 6);
  EXPECT_EQ(info.at("parents")[0].asInteger(), -1);
  EXPECT_EQ(info.at("joint_types")[2].asString(), "r");
  EXPECT_EQ(info.at("drivers")[0].at("servoP").asReal(), 2000);
  EXPECT_EQ(info.at("joints")[5].at("link").asInteger(), 5);
}

TEST_F(RobotCommand, InfinityIsNull) {
  const Ran ran =
      runMortise({"robot", "info", write("r.rob", replaced(kCheckedArm, "qMin -1 -2\nqMax 1 2\n", "")), "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.out.find("\"qmin\""), std::string::npos);
  EXPECT_TRUE(parseYaml(ran.out, "stdout").at("qmin")[0].isNull());
  EXPECT_EQ(ran.out.find("inf"), std::string::npos);
}

TEST_F(RobotCommand, EvalPrintsKinematicsAndDynamics) {
  const std::string arm = write("r.rob", kCheckedArm);
  const std::string samples = write("s.json",
                                    "{\"other\": 1, \"samples\": [{\"q\": [0.5, 0.1], \"dq\": [1, 2], \"ddq\": [0, 1], "
                                    "\"tau_in\": [3, 4], \"note\": \"ignored\"}]}");
  const Ran ran = runMortise({"robot", "eval", arm, "--samples", samples, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = parseYaml(ran.out, "stdout");
  EXPECT_EQ(result.at("num_links").asInteger(), 2);
  ASSERT_EQ(result.at("samples").size(), 1u);
  const Value& sample = result.at("samples")[0];
  for (const char* key : {"link_T", "com", "jacobian_last", "B", "C", "G", "kinetic_energy", "tau_inverse_dynamics",
                          "ddq_forward_dynamics"})
    EXPECT_TRUE(sample.contains(key)) << key;
  EXPECT_EQ(sample.at("link_T")[1].size(), 12u);
  EXPECT_EQ(sample.at("link_T")[1][11].asReal(), 1);
  EXPECT_EQ(sample.at("jacobian_last").size(), 6u);
  EXPECT_NEAR(sample.at("jacobian_last")[2][0].asReal(), 1, 1e-15);
  EXPECT_NEAR(sample.at("B")[0][0].asReal(), 2, 1e-12);
  EXPECT_NEAR(sample.at("kinetic_energy").asReal(), 3, 1e-12);
  EXPECT_NEAR(sample.at("ddq_forward_dynamics")[1].asReal(), 4, 1e-12);
}

/// A root that floats, two joints with names of their own, and a link without inertia.
const std::string kUrdf = R"(<robot name="r"><link name="base_link"><inertial><mass value="2"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="hand"/><link name="tool"/>
  <joint name="lift_joint" type="revolute"><parent link="base_link"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="7" velocity="1.5"/></joint>
  <joint name="wrist_joint" type="revolute"><parent link="arm"/><child link="hand"/><origin xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="7" velocity="2.5"/></joint>
  <joint name="tool_joint" type="fixed"><parent link="hand"/><child link="tool"/></joint></robot>)";

TEST_F(RobotCommand, InfoShowsLimitsAndNamesOfJoints) {
  const std::string file = write("r.urdf", kUrdf);
  const Ran text = runMortise({"robot", "info", file});
  EXPECT_EQ(text.exitCode, 0) << text.err;
  for (const char* part : {"velocity", "acceleration", "torque", "lift_joint", "1.5", "kP"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
  const Value info = parseYaml(runMortise({"robot", "info", file, "--json"}).out, "stdout");
  EXPECT_EQ(info.at("joint_names")[6].asString(), "lift_joint");
  EXPECT_TRUE(info.at("joint_names")[0].isNull());
  EXPECT_EQ(info.at("velmin")[6].asReal(), -1.5);
}

TEST_F(RobotCommand, EvalTakesOneStateAndLinks) {
  const std::string file = write("r.urdf", kUrdf);
  const Ran ran =
      runMortise({"robot", "eval", file, "--q", "{lift_joint: 90 deg}", "--link", "wrist_joint", "--link", "arm"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value sample = parseYaml(ran.out, "stdout").at("samples")[0];
  EXPECT_NEAR(sample.at("q")[6].asReal(), 1.5707963267948966, 1e-15);
  EXPECT_EQ(sample.at("dq")[6].asReal(), 0);
  // The hand is 1 m from the arm's axis, now along y, and goes along -x where the arm turns.
  EXPECT_NEAR(sample.at("link_T")[7][10].asReal(), 1, 1e-12);
  const Value& jacobians = sample.at("jacobians");
  ASSERT_EQ(jacobians.size(), 2u);
  EXPECT_EQ(jacobians[0].at("name").asString(), "hand");
  EXPECT_EQ(jacobians[0].at("link").asInteger(), 7);
  EXPECT_NEAR(jacobians[0].at("jacobian")[3][6].asReal(), -1, 1e-12);
  EXPECT_NEAR(jacobians[1].at("jacobian")[3][6].asReal(), 0, 1e-12);
  const Value moving = parseYaml(
      runMortise({"robot", "eval", file, "--q", "0,0,0,0,0,0,0,0,0", "--dq", "{lift_joint: 180 deg/s}"}).out, "stdout");
  EXPECT_NEAR(moving.at("samples")[0].at("dq")[6].asReal(), 3.141592653589793, 1e-15);
}

TEST_F(RobotCommand, EvalTakesSamplesOfPositionsAlone) {
  const std::string samples = write("s.json", "{\"samples\": [{\"q\": [0.5, 0.1]}]}");
  const Ran ran = runMortise({"robot", "eval", write("r.rob", kCheckedArm), "--samples", samples});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(parseYaml(ran.out, "stdout").at("samples")[0].at("tau_in")[1].asReal(), 0);
}

TEST_F(RobotCommand, EvalSaysWhatIsWrongWithAState) {
  const std::string file = write("r.rob", kCheckedArm);
  const auto fails = [&](std::vector<std::string> more, int code, const std::string& expected) {
    more.insert(more.begin(), {"robot", "eval", file});
    const Ran ran = runMortise(more);
    EXPECT_EQ(ran.exitCode, code);
    EXPECT_NE(ran.err.find(expected), std::string::npos) << expected << "\n" << ran.err;
  };
  fails({}, 2, "missing --config");
  fails({"--q", "0,0,0"}, 1, "give 2, one a link of robot 'r' (base, arm)");
  fails({"--q", "{amr: 1}"}, 1, "did you mean 'arm'?");
  fails({"--q", "[0, 1"}, 2, "--config");
  fails({"--q", "0,0", "--link", "hand"}, 1, "has no link 'hand'");
  fails({"--q", "0,0", "--samples", file}, 2, "exclude each other");
  fails({"--samples", file, "--dq", "0,0"}, 2, "goes with --config");
}

TEST_F(RobotCommand, CheckNamesRootsThatFloatAndLinksWithoutInertia) {
  const Ran ran = runMortise({"robot", "check", write("r.urdf", kUrdf)});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* part : {"link 5 'base_link' is a root that floats", "a link 'world'",
                           "link 7 'hand' has no inertia in the file: it weighs 0.1 g", "link 8 'tool' has no inertia"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  EXPECT_EQ(ran.out.find("'arm' has no inertia"), std::string::npos) << ran.out;
}

TEST_F(RobotCommand, SimSaysOnceWhatFloatsAndWhatWeighsNothing) {
  const std::string file = write("r.urdf", kUrdf);
  const Ran ran = runMortise({"sim", file, "--duration", "2ms"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = ran.err.find(text); at != std::string::npos; at = ran.err.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("so they move freely: 'base_link' of robot 'r'"), 1) << ran.err;
  EXPECT_EQ(count("no inertia is given for 'hand'; it weighs 0.1 g"), 1) << ran.err;
  EXPECT_EQ(count("'tool'"), 0) << "it is fixed to the hand\n" << ran.err;
  EXPECT_EQ(runMortise({"sim", file, "--duration", "2ms", "-q"}).err, "");
}

TEST_F(RobotCommand, EvalSaysWhereASampleIsWrong) {
  const std::string arm = write("r.rob", kCheckedArm);
  const std::string samples =
      write("s.json",
            "{\"samples\": [\n {\"q\": [0.5], \"dq\": [1, 2], \"ddq\": [0, 1], \"tau_in\": [3, 4]},\n"
            " {\"dq\": [1, 2], \"tau_in\": [3, \"x\"]}]}");
  const Ran ran = runMortise({"robot", "eval", arm, "--samples", samples});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_NE(ran.err.find("s.json:2:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("'q' has 1 numbers, but the robot has 2 links"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("no 'q'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("s.json:3:"), std::string::npos) << ran.err;
  EXPECT_EQ(runMortise({"robot", "eval", arm}).exitCode, 2);
  EXPECT_EQ(runMortise({"robot", "eval", arm, "--samples", path("none.json")}).exitCode, 1);
  EXPECT_EQ(runMortise({"robot", "eval", arm, "--samples", write("t.json", "{\"samples\": 3}")}).exitCode, 1);
  EXPECT_EQ(runMortise({"robot", "eval", arm, "--samples", write("u.json", "{}")}).exitCode, 1);
}

TEST_F(RobotCommand, CheckFindsNothingWrongWithOurOwn) {
  int robots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MORTISE_SOURCE_DIR "/data/robots")) {
    if (!entry.is_regular_file()) continue;
    const Ran ran = runMortise({"robot", "check", entry.path().string(), "--strict"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.out.find("0 errors, 0 warnings"), std::string::npos) << ran.out;
    ++robots;
  }
  EXPECT_GE(robots, 4);
}

TEST_F(RobotCommand, RobotsArePutTogetherByMounts) {
  const Ran ran = runMortise({"robot", "info", MORTISE_SOURCE_DIR "/data/robots/reacher_on_rail.rob", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value info = parseYaml(ran.out, "stdout");
  EXPECT_EQ(info.at("num_links").asInteger(), 11);
  EXPECT_EQ(info.at("link_names")[10].asString(), "hand:right");
  EXPECT_EQ(info.at("parents")[8].asInteger(), 7);
  EXPECT_EQ(info.at("drivers")[7].at("type").asString(), "affine");
}

TEST_F(RobotCommand, CheckListsMissingMeshesAndGoesOn) {
  const Ran ran = check(kCheckedArm + "geometry \"a.off\" \"b.off\"\nq 5 0\n");
  EXPECT_EQ(ran.exitCode, 1);
  for (const char* text : {"a.off", "b.off", "starts at 5, outside its limits -1 to 1", "2 errors"})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  EXPECT_NE(ran.out.find("r.rob:13:"), std::string::npos) << ran.out;
}

TEST_F(RobotCommand, CheckKnowsInertiasThatNoBodyHas) {
  Ran ran = check(replaced(kCheckedArm, "inertiaDiag 1 1 1  1 1 1", "inertiaDiag 1 1 3  1 -1 1"));
  EXPECT_NE(ran.out.find("link 0 'base' has an inertia that no body can have: its largest moment 3"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("link 1 'arm' has an inertia that no body can have: it has the negative moment -1"),
            std::string::npos)
      << ran.out;
  ran = check(replaced(kCheckedArm, "inertiaDiag 1 1 1  1 1 1", "inertia 1 0 0 0.5 1 0 0 0 1  1 0 0 0 1 0 0 0 1"));
  EXPECT_NE(ran.out.find("is not symmetric"), std::string::npos) << ran.out;
  ran = check(replaced(kCheckedArm, "mass 1 1", "mass 1 0"));
  EXPECT_NE(ran.out.find("link 1 'arm' has an inertia, but no mass"), std::string::npos) << ran.out;
  write("box.off", "OFF\n4 4 0\n0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  ran = check(kCheckedArm + "com 0 0 0  0 0 3\ngeometry \"box.off\" \"box.off\"\n");
  EXPECT_NE(ran.out.find("link 0 'base' has an inertia too large for its shape"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("link 1 'arm' has its center of mass 2.9"), std::string::npos) << ran.out;
}

TEST_F(RobotCommand, CheckKnowsJointsThatCannotMove) {
  Ran ran = check(replaced(kCheckedArm, "qMin -1 -2\nqMax 1 2", "qMin 1 2\nqMax -1 2"));
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.out.find("lower limit 1 above its upper one -1"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("link 1 'arm' has no range: both limits are 2"), std::string::npos) << ran.out;
  ran = check(replaced(kCheckedArm, "velMax 1 1", "velMax 1 0"));
  EXPECT_NE(ran.out.find("link 1 'arm' may not move: its velocity limits are 0"), std::string::npos) << ran.out;
  // Welded links have no range by design.
  ran = check(replaced(kCheckedArm, "qMin -1 -2\nqMax 1 2", "qMin 0 -2\nqMax 0 2") + "joint weld 0\njoint normal 1\n");
  EXPECT_EQ(ran.out.find("no range"), std::string::npos) << ran.out;
}

TEST_F(RobotCommand, CheckKnowsDriversThatDoNotFit) {
  Ran ran = check(replaced(replaced(kCheckedArm, "velMax 1 1\n", ""), "torqueMax 10 10\n", ""));
  EXPECT_EQ(ran.exitCode, 0) << ran.out;
  EXPECT_NE(ran.out.find("has no torque limit"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("has no velocity limit"), std::string::npos) << ran.out;
  const std::string bare = replaced(kCheckedArm, "servoP 100 100\n", "");
  ran = check(bare + "driver normal 1\n");
  EXPECT_NE(ran.out.find("link 0 'base' has no driver"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("has no position gain"), std::string::npos) << ran.out;
  ran = check(bare + "driver normal 1\ndriver affine 2 0 1 1 1 0 9 -1 1 -1 1 -1 1\n");
  EXPECT_NE(ran.out.find("link 1 'arm' is moved by 2 drivers"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("can nowhere keep all of its links within their limits"), std::string::npos) << ran.out;
  ran = check(bare + "joint normal 0\njoint weld 1\ndriver normal 1\ndriver normal 0\n");
  EXPECT_NE(ran.out.find("moves link 'arm', which is welded"), std::string::npos) << ran.out;
}

TEST_F(RobotCommand, CheckAsJson) {
  const Ran ran =
      runMortise({"robot", "check", write("r.rob", replaced(kCheckedArm, "qMax 1 2", "qMax 1 -3")), "--json"});
  EXPECT_EQ(ran.exitCode, 1);
  const Value list = parseYaml(ran.out, "stdout");
  ASSERT_TRUE(list.isList());
  bool found = false;
  for (const Value& entry : list.items()) {
    for (const char* key : {"severity", "message", "where", "hint"}) EXPECT_TRUE(entry.contains(key)) << key;
    found = found || (entry.at("severity").asString() == "error" &&
                      entry.at("message").asString().find("lower limit -2 above") != std::string::npos);
  }
  EXPECT_TRUE(found) << ran.out;
}

TEST_F(RobotCommand, StrictTurnsWarningsIntoErrors) {
  const std::string doubtful = replaced(kCheckedArm, "inertiaDiag 1 1 1", "inertiaDiag 1 1 3");
  EXPECT_EQ(check(doubtful).exitCode, 0);
  EXPECT_EQ(runMortise({"robot", "check", path("r.rob"), "--strict"}).exitCode, 1);
}

TEST_F(RobotCommand, ConvertsToUrdfAndBack) {
  const Ran there = runMortise({"robot", "convert", kReacher, path("r.urdf")});
  EXPECT_EQ(there.exitCode, 0) << there.err;
  // Start positions have no place in URDF, and there is no more that has none.
  EXPECT_NE(there.err.find("cannot hold start positions of links 'shoulder_pitch', 'elbow' and 1 more"),
            std::string::npos)
      << there.err;
  const Ran back = runMortise({"convert", path("r.urdf"), path("back.rob")});
  EXPECT_EQ(back.exitCode, 0) << back.err;
  const Ran before = runMortise({"robot", "info", kReacher, "--json"});
  const Ran after = runMortise({"robot", "info", path("back.rob"), "--json"});
  const Value a = parseYaml(before.out, "before"), b = parseYaml(after.out, "after");
  for (const char* key : {"num_links", "num_drivers", "link_names", "parents", "qmin", "qmax", "velmax", "accmax",
                          "torquemax", "joints", "drivers", "self_collision_pairs", "total_mass"})
    EXPECT_EQ(a.at(key), b.at(key)) << key;
}

TEST_F(RobotCommand, Usage) {
  EXPECT_EQ(runMortise({"robot"}).exitCode, 2);
  EXPECT_EQ(runMortise({"robot", "--help"}).exitCode, 0);
  const Ran ran = runMortise({"robot", "chek", kReacher});
  EXPECT_EQ(ran.exitCode, 2);
  EXPECT_NE(ran.err.find("did you mean 'check'"), std::string::npos) << ran.err;
  EXPECT_EQ(runMortise({"robot", "info"}).exitCode, 2);
  EXPECT_EQ(runMortise({"robot", "info", path("none.rob")}).exitCode, 1);
  for (const char* command : {"info", "eval", "check", "convert"})
    EXPECT_EQ(runMortise({"robot", command, "--help"}).exitCode, 0) << command;
}

}  // namespace
}  // namespace mortise::test
