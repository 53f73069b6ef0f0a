/// What scripts stand on: keys, numbers and exit codes of `robot fk`, `ik`, `balance` and `path retime`, on Klamp't's
/// own robots and motions.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/reference.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class FixedOutputs : public FolderTest {
 protected:
  static std::string data(const std::string& name) { return referenceDir() + "/klampt-data/" + name; }
  static Ran run(std::vector<std::string> words) {
    words.insert(words.end(), {"--json", "--quiet"});
    return runMortise(words);
  }
  static Value json(const std::vector<std::string>& words, int exitCode = 0) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exitCode, exitCode) << ran.out << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "stdout");
  }
  /// The first of them; others may follow.
  static std::vector<std::string> keys(const Value& map, std::size_t count = 100) {
    std::vector<std::string> names;
    for (const Value::Entry& entry : map.entries())
      if (names.size() < count) names.push_back(entry.key);
    return names;
  }
  static std::string list(const std::vector<double>& numbers) {
    std::string text;
    for (const double x : numbers) text += (text.empty() ? "" : ",") + formatReal(x);
    return text;
  }
};

TEST_F(FixedOutputs, ForwardKinematics) {
  MORTISE_NEEDS_REFERENCE();
  const std::string robot = data("robots/tx90l.rob");
  const Value all = json({"robot", "fk", robot, "--q", "0,0.1,-0.2,0.3,0.4,0.5,0.6"});
  EXPECT_EQ(keys(all), std::vector<std::string>{"links"});
  ASSERT_EQ(all.at("links").size(), 7u);
  for (const Value& link : all.at("links").items()) {
    EXPECT_EQ(keys(link), (std::vector<std::string>{"name", "T"}));
    const std::vector<double> T = link.at("T").asReals();
    ASSERT_EQ(T.size(), 12u);
    // Row by row: rows and columns are of length 1, and the whole is no reflection.
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(std::hypot(T[3 * i], T[3 * i + 1], T[3 * i + 2]), 1, 1e-14);
  }
  // The first joint turns about z by 0.1 from where the file has it: the row-major first row says which way.
  const std::vector<double> zero =
      json({"robot", "fk", robot, "--q", "0,0,0,0,0,0,0"}).at("links")[1].at("T").asReals();
  const std::vector<double> turned = all.at("links")[1].at("T").asReals();
  EXPECT_NEAR(turned[0], std::cos(0.1) * zero[0] - std::sin(0.1) * zero[3], 1e-14);
  EXPECT_NEAR(turned[3], std::sin(0.1) * zero[0] + std::cos(0.1) * zero[3], 1e-14);
  // A configuration is a file, a list or a map, by link or by driver.
  const std::string same = run({"robot", "fk", robot, "--q", "0,0.1,-0.2,0.3,0.4,0.5,0.6", "--link", "6"}).out;
  for (const std::string& q :
       {write("q.config", "7\t0 0.1 -0.2 0.3 0.4 0.5 0.6\n"), std::string("[0, 0.1, -0.2, 0.3, 0.4, 0.5, 0.6]"),
        std::string("0.1,-0.2,0.3,0.4,0.5,0.6"),
        std::string("{Link_1: 0.1, Link_2: -0.2, Link_3: 0.3, Link_4: 0.4, Link_5: 0.5, Link_6: 0.6}")})
    EXPECT_EQ(run({"robot", "fk", robot, "--q", q, "--link", "Link_6"}).out, same) << q;
  EXPECT_EQ(run({"robot", "fk", robot, "--q", "1,2"}).exitCode, 1);
  EXPECT_EQ(run({"robot", "fk", robot, "--link", "hand"}).exitCode, 1);
  EXPECT_EQ(run({"robot", "fk"}).exitCode, 2);
}

TEST_F(FixedOutputs, InverseKinematics) {
  MORTISE_NEEDS_REFERENCE();
  struct Arm {
    const char *file, *link;
  };
  for (const Arm& arm :
       {Arm{"robots/tx90l.rob", "Link_6"}, Arm{"robots/ur5.rob", "ee_link"},
        Arm{"robots/baxter_col.rob", "left_gripper"}, Arm{"robots/kinova_gen3_7dof.urdf", "EndEffector_Link"}}) {
    const std::string robot = data(arm.file);
    const Value start = json({"robot", "ik", robot, "--link", arm.link, "--pose", "0.3,0.3,0.5"});
    ASSERT_EQ(keys(start, 5), (std::vector<std::string>{"solved", "q", "residual", "time_s", "restarts"})) << arm.file;
    const std::string q = list(start.at("q").asReals());
    const std::vector<double> T =
        json({"robot", "fk", robot, "--q", q, "--link", arm.link}).at("links")[0].at("T").asReals();
    const Value found =
        json({"robot", "ik", robot, "--link", arm.link, "--pose", list(T), "--seed", "3", "--start", q});
    EXPECT_TRUE(found.at("solved").asBool()) << arm.file;
    EXPECT_LE(found.at("residual").asReal(), 1e-9);
    const std::vector<double> again =
        json({"robot", "fk", robot, "--q", list(found.at("q").asReals()), "--link", arm.link})
            .at("links")[0]
            .at("T")
            .asReals();
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(again[i], T[i], 2e-9) << arm.file;
  }
  const Value far =
      json({"robot", "ik", data("robots/tx90l.rob"), "--link", "6", "--pose", "1,0,0,0,1,0,0,0,1,5,0,0"}, 1);
  EXPECT_FALSE(far.at("solved").asBool());
  EXPECT_GT(far.at("residual").asReal(), 3);
  EXPECT_EQ(far.at("q").size(), 7u);
}

TEST_F(FixedOutputs, Balance) {
  MORTISE_NEEDS_REFERENCE();
  const std::string robot = data("robots/huboplus/huboplus_col.rob"), folder = data("resources/hubo_stair_climb/");
  const Value stance =
      json({"robot", "balance", robot, "--q", folder + "start.config", "--stance", folder + "start.stance"});
  EXPECT_EQ(keys(stance, 3), (std::vector<std::string>{"balanced", "margin", "polygon"}));
  EXPECT_EQ(stance.at("balanced").asBool(), stance.at("margin").asReal() >= 0);
  EXPECT_GE(stance.at("polygon").size(), 3u);
  EXPECT_EQ(json({"robot", "balance", robot, "--q", folder + "start.config", "--contacts", folder + "start.stance"}),
            stance);
  EXPECT_EQ(run({"robot", "balance", robot, "--q", folder + "start.config"}).exitCode, 2);
  EXPECT_EQ(
      run({"robot", "balance", robot, "--q", folder + "none.config", "--stance", folder + "start.stance"}).exitCode, 1);
}

TEST_F(FixedOutputs, Retiming) {
  MORTISE_NEEDS_REFERENCE();
  const std::string robot = data("robots/huboplus/huboplus_col.rob");
  const Value done = json({"path", "retime", data("motions/hubo_sway_path.xml"), "--robot", robot, "--torque", "--grid",
                           "50", "-o", path("sway.xml")});
  EXPECT_EQ(keys(done, 3), (std::vector<std::string>{"duration", "duration_before", "peak"}));
  EXPECT_EQ(keys(done.at("peak"), 3), (std::vector<std::string>{"velocity", "acceleration", "torque"}));
  EXPECT_LT(done.at("duration").asReal(), 5.77) << "as long as Klamp't's hubo_sway_path_opt.xml";
  EXPECT_NEAR(done.at("duration_before").asReal(), 2, 1e-6);
  for (const char* what : {"velocity", "acceleration", "torque"})
    EXPECT_LE(done.at("peak").at(what).asReal(), 1 + 1e-6) << what;
  EXPECT_EQ(run({"path", "check", path("sway.xml"), "--robot", robot, "--torque"}).exitCode, 0);
  EXPECT_EQ(run({"path", "retime", data("motions/hubo_sway_path.xml")}).exitCode, 2);
  EXPECT_EQ(run({"path", "retime", path("none.xml"), "--robot", robot}).exitCode, 1);
}

/// A hand around a rail: more than a hundred contacts, many of them nearly alike.
TEST_F(FixedOutputs, TorquesWithAHandAroundARail) {
  MORTISE_NEEDS_REFERENCE();
  const std::string motion = data("resources/hubo_stair_climb/path.xml");
  const std::string robot = data("robots/huboplus/huboplus_col.rob");
  const Value sample = json({"path", "evaluate", motion, "--robot", robot, "--at", "3.27"});
  const Value torques = json({"robot", "torques", robot, "--q", list(sample.at("samples")[0].at("q").asReals()),
                              "--world", data("hubo_stair_rail.xml"), "--touch", "10mm"});
  EXPECT_TRUE(torques.at("balanced").asBool());
  EXPECT_TRUE(torques.at("within_limits").asBool());
  EXPECT_LT(torques.at("largest_utilization").asReal(), 0.3);
}

}  // namespace
}  // namespace mortise::test
