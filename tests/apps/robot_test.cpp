#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/apps/folder_test.h"
#include "tests/apps/run_program.h"

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

TEST_F(RobotCommand, EvalSaysWhereASampleIsWrong) {
  const std::string arm = write("r.rob", kCheckedArm);
  const std::string samples =
      write("s.json",
            "{\"samples\": [\n {\"q\": [0.5], \"dq\": [1, 2], \"ddq\": [0, 1], \"tau_in\": [3, 4]},\n"
            " {\"q\": [0, 0], \"dq\": [1, 2], \"tau_in\": [3, \"x\"]}]}");
  const Ran ran = runMortise({"robot", "eval", arm, "--samples", samples});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_NE(ran.err.find("s.json:2:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("'q' has 1 numbers, but the robot has 2 links"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("no 'ddq'"), std::string::npos) << ran.err;
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
  EXPECT_NE(ran.out.find("link 1 'arm' has its centre of mass 2.9"), std::string::npos) << ran.out;
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
