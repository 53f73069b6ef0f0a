#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class PathCommand : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    write("walk.xml",
          "<multipath program='x'><section><ikgoal>1 -1 N N</ikgoal>"
          "<milestone time='0' config='2 0 0' velocity='2 0 0'/><milestone time='2' config='2 2 4' velocity='2 0 0'/>"
          "</section></multipath>");
    write("walk.path", "0 2 0 0\n2 2 2 4\n");
    write("two.rob",
          "links \"a\" \"b\"\nparents -1 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 1 0 0\nqMin -1 -1\nqMax "
          "5 3\n");
  }
};

TEST_F(PathCommand, Info) {
  const Ran ran = runMortise({"path", "info", path("walk.xml"), "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value info = parseYaml(ran.out, "out");
  EXPECT_EQ(info.at("type").asString(), "multipath");
  EXPECT_EQ(info.at("sections").asInteger(), 1);
  EXPECT_EQ(info.at("duration").asReal(), 2);
  EXPECT_EQ(info.at("settings").at("program").text(), "x");
  EXPECT_EQ(info.at("section_info")[0].at("ikGoals").asInteger(), 1);
  const Ran spoken = runMortise({"path", "info", path("walk.path"), "--robot", path("two.rob")});
  EXPECT_EQ(spoken.exitCode, 0) << spoken.err;
  EXPECT_NE(spoken.out.find("trajectory, 2 milestones of 2 numbers, from 0 to 2 s"), std::string::npos) << spoken.out;
  EXPECT_NE(spoken.out.find("4  outside the joint's range"), std::string::npos) << spoken.out;
}

TEST_F(PathCommand, Eval) {
  const auto sample = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words = {"path", "eval", path("walk.xml"), "--json", "--at", "500ms"};
    words.insert(words.end(), options.begin(), options.end());
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out, "out");
  };
  const Value linear = sample({"--interpolation", "linear"});
  EXPECT_EQ(linear.at("samples")[0].at("section").asInteger(), 0);
  EXPECT_EQ(linear.at("samples")[0].at("q").asReals(), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(linear.at("samples")[0].at("dq").asReals(), (std::vector<double>{1, 2}));
  // From rest to rest: 3 u^2 - 2 u^3.
  const Value cubic = sample({"--interpolation", "cubic", "--robot", path("two.rob"), "--every", "1"});
  EXPECT_NEAR(cubic.at("samples")[0].at("q").asReals()[1], 4 * 0.15625, 1e-12);
  EXPECT_EQ(cubic.at("samples").size(), 4u);
  const Value given = sample({});
  EXPECT_EQ(given.at("samples")[0].at("q").asReals(), cubic.at("samples")[0].at("q").asReals()) << "it has velocities";
  EXPECT_EQ(given.at("policy").asString(), "cubic");
  const Ran unknown = runMortise({"path", "eval", path("walk.xml"), "--at", "0", "--interpolation", "round"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_NE(unknown.err.find("given, linear, cubic"), std::string::npos) << unknown.err;
  EXPECT_EQ(cubic.at("link_names").asStrings(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(PathCommand, WhatIsNoMotionOrNoTimeIsRefused) {
  const Ran none = runMortise({"path", "eval", path("walk.path")});
  EXPECT_EQ(none.exitCode, 2);
  const Ran time = runMortise({"path", "eval", path("walk.path"), "--at", "5 kg"});
  EXPECT_EQ(time.exitCode, 2) << time.err;
  const Ran rob = runMortise({"path", "info", path("two.rob")});
  EXPECT_EQ(rob.exitCode, 1);
  EXPECT_NE(rob.err.find("holds a robot, not a motion"), std::string::npos) << rob.err;
  const Ran wrong = runMortise({"path", "info", write("a.path", "0 1 0\n1 1 1\n"), "--robot", path("two.rob")});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find("have 1 numbers, but robot 'two' has 2 links"), std::string::npos) << wrong.err;
  EXPECT_EQ(runMortise({"path", "walk"}).exitCode, 2);
}

TEST_F(PathCommand, ConvertSaysWhatIsLost) {
  const Ran ran = runMortise({"convert", path("walk.xml"), path("out.path")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("goals and holds of the path are lost"), std::string::npos) << ran.err;
  EXPECT_EQ(text("out.path"), "0\t2\t0 0\n2\t2\t2 4\n");
  const Ran strict = runMortise({"convert", path("walk.xml"), path("strict.path"), "--strict"});
  EXPECT_EQ(strict.exitCode, 1);
  EXPECT_FALSE(std::filesystem::exists(path("strict.path")));
  EXPECT_EQ(runMortise({"convert", path("walk.xml"), path("all.json"), "--strict"}).exitCode, 0);
  EXPECT_EQ(runMortise({"convert", path("all.json"), path("back.xml"), "--strict"}).exitCode, 0);
  EXPECT_EQ(runMortise({"convert", path("walk.path"), path("new.xml"), "--strict"}).exitCode, 0);
  EXPECT_EQ(runMortise({"convert", path("new.xml"), path("walk2.path")}).exitCode, 0);
  EXPECT_EQ(text("walk2.path"), "0\t2\t0 0\n2\t2\t2 4\n");
  const Ran impossible = runMortise({"convert", path("walk.path"), path("a.hold")});
  EXPECT_EQ(impossible.exitCode, 1);
  EXPECT_NE(impossible.err.find("cannot be converted"), std::string::npos) << impossible.err;
}

TEST_F(PathCommand, FoldersAreLibraries) {
  std::filesystem::create_directories(folder_ / "lib");
  write("lib/home.config", "2 1 2\n");
  write("lib/walk.path", "0 1 0\n1 1 1\n");
  EXPECT_EQ(runMortise({"convert", path("lib"), path("lib.xml")}).exitCode, 0);
  EXPECT_EQ(runMortise({"convert", path("lib.xml"), path("lib.json")}).exitCode, 0);
  EXPECT_EQ(runMortise({"convert", path("lib.json"), path("again/")}).exitCode, 0);
  EXPECT_EQ(text("again/home.config"), "2\t1 2\n");
  EXPECT_EQ(text("again/walk.path"), "0\t1\t0\n1\t1\t1\n");
}

TEST_F(PathCommand, RetimeIsBangBangOnALine) {
  write("fast.rob",
        "links \"a\" \"b\"\nparents -1 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 1 0 0\naxis 0 0 1 0 0 1\n"
        "qMin -9 -9\nqMax 9 9\nvelMax 9 9\naccMax 4 8\ntorqueMax 500 500\nmass 1 1\n");
  write("line.configs", "2 0 0\n2 1 1\n");
  const Ran ran = runMortise(
      {"path", "retime", path("line.configs"), "--robot", path("fast.rob"), "--json", "-o", path("line.xml")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value report = parseYaml(ran.out, "out");
  EXPECT_NEAR(report.at("duration").asReal(), 1, 1e-6);
  EXPECT_NEAR(report.at("peak").at("acceleration").asReal(), 1, 1e-6);
  EXPECT_LE(report.at("peak").at("acceleration").asReal(), 1 + 1e-9);
  EXPECT_NEAR(report.at("peak").at("velocity").asReal(), 2.0 / 9, 1e-6);
  const Ran again = runMortise({"path", "retime", path("line.xml"), "--robot", path("fast.rob"), "--json", "--torque",
                                "--acceleration-scaling", "0.25"});
  ASSERT_EQ(again.exitCode, 0) << again.err;
  EXPECT_NEAR(parseYaml(again.out, "out").at("duration_before").asReal(), 1, 1e-6);
  EXPECT_NEAR(parseYaml(again.out, "out").at("duration").asReal(), 2, 1e-6);
  EXPECT_EQ(runMortise({"path", "retime", path("line.xml")}).exitCode, 2);
}

}  // namespace
}  // namespace mortise::test
