#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/working_folder_test.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

/// An arm that follows sines in simulation, recorded at every step, and the same arm with other gains.
class KlamptCalibration : public WorkingFolderTest {
 protected:
  void SetUp() override {
    WorkingFolderTest::SetUp();
    fs::copy(MORTISE_SOURCE_DIR "/data/robots/reacher", "reacher", fs::copy_options::recursive);
    std::string robot = readText(MORTISE_SOURCE_DIR "/data/robots/reacher.rob");
    const std::size_t gains = robot.find("servoP");
    robot = robot.substr(0, gains) +
            "servoP 500 500 500 100 100 50\nservoI 0 0 0 0 0 0\nservoD 20 20 20 5 5 1\n"
            "dryFriction 0 0 0 0 0 0\nviscousFriction 0 0 0 0 0 0\n";
    write("wrong.rob", robot);
    std::string path;
    for (int i = 0; i <= 300; ++i) {
      const double t = 0.01 * i;
      path += std::to_string(t) + "\t6\t";
      for (int j = 0; j < 6; ++j)
        path += std::to_string((j == 1   ? -0.6
                                : j == 2 ? 1.2
                                         : 0.0) +
                               0.6 * std::sin((1.3 + 0.3 * j) * t) + 0.15 * std::sin((7 + j) * t)) +
                " ";
      path += "\n";
    }
    write("excite.path", path);
    const Ran ran = runMortise({"sim", MORTISE_SOURCE_DIR "/data/robots/reacher.rob", "--path", "excite.path",
                                "--config", "0,-0.6,1.2,0,0,0", "--duration", "3", "--log", "run.csv"});
    ASSERT_EQ(ran.exitCode, 0) << ran.err;
  }
  static std::string readText(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
};

TEST_F(KlamptCalibration, FindsTheGainsOfASimulation) {
  const Value found =
      json({"robot", "calibrate", "wrong.rob", "--log", "run.csv", "--gravity-compensation", "--driver", "shoulder_yaw",
            "--driver", "1", "--restarts", "2", "-o", "right.rob", "--simulated", "m_"});
  ASSERT_EQ(found.at("motors").size(), 2u);
  const double truth[2][5] = {{2000, 200, 80, 1, 2}, {2000, 200, 80, 1, 2}};
  const char* names[] = {"servo_p", "servo_i", "servo_d", "dry_friction", "viscous_friction"};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 5; ++k) {
      if (i == 1 && k == 1) continue;  // Three seconds say little of an integral beside gravity.
      EXPECT_NEAR(found.at("motors")[i].at("after").at(names[k]).asReal(), truth[i][k], 0.05 * truth[i][k])
          << i << " " << names[k];
    }
  const Value info = json({"robot", "info", "right.rob"});
  EXPECT_EQ(found.at("files").size(), 3u);
  EXPECT_TRUE(fs::exists("m_after_0.path"));
  EXPECT_NE(readText("right.rob").find("servoP"), std::string::npos);
}

TEST_F(KlamptCalibration, MotorCalibrateTakesItsSettings) {
  Ran ran = runMortise({"MotorCalibrate"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(text("motorcalibrate_default.settings").find("velocityErrorWeight"), std::string::npos);
  ran = runMortise({"sim", MORTISE_SOURCE_DIR "/data/robots/reacher.rob", "--path", "excite.path", "--config",
                    "0,-0.6,1.2,0,0,0", "--duration", "3", "--log", "sensed.path", "--log-rate", "100"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  write("arm.settings",
        "{robot:\"wrong.rob\"; drivers:[0]; commandedPaths:[\"excite.path\"]; sensedPaths:[\"sensed.path\"]; "
        "numIters:200}");
  ran = runMortise(
      {"MotorCalibrate", "motorcalibrate_default.settings", "arm.settings", "velocityErrorWeight=1e-4", "drivers=0"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(ran.out.find("Driver 1"), std::string::npos);
  for (const char* words :
       {"Driver 0, link 0 (shoulder_yaw)", "Initial kP: 500", "Standard error kP: ", "Optimized RMSD",
        "Copy the following lines into your robot file:\nservoP ", " 500 500 100 100 50\n"})
    EXPECT_NE(ran.out.find(words), std::string::npos) << words << "\n" << ran.out;
  EXPECT_TRUE(fs::exists("motorcalibrate_before_0.path"));
  EXPECT_TRUE(fs::exists("motorcalibrate_after_0.path"));
}

TEST_F(KlamptCalibration, SaysWhatIsWrong) {
  const auto fails = [](std::vector<std::string> words, int exitCode, const std::string& expected) {
    const Ran ran = runMortise(std::move(words));
    EXPECT_EQ(ran.exitCode, exitCode) << ran.out;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << ran.err;
  };
  fails({"robot", "calibrate", "wrong.rob"}, 2, "missing a recorded motion");
  fails({"robot", "calibrate", "wrong.rob", "--commanded", "excite.path"}, 2, "there are 1 and 0");
  fails({"robot", "calibrate", "wrong.rob", "--log", "run.csv", "--driver", "shoulder_yow"}, 1, "shoulder_yaw");
  fails({"robot", "calibrate", MORTISE_SOURCE_DIR "/data/robots/pincer.rob", "--log", "run.csv"}, 1, "no column");
  write("bad.csv", "time,reacher_q[shoulder_yaw]\n0,x\n");
  fails({"robot", "calibrate", "wrong.rob", "--log", "bad.csv"}, 1, "reacher_q[shoulder_pitch]");
  fails({"robot", "calibrate", "wrong.rob", "--log", "run.csv", "--prior", "-1"}, 2, "'prior': must be at least 0");
  fails({"MotorCalibrate", "robot=wrong.rob"}, 1, "0 commandedPaths");
  fails({"MotorCalibrate", "robot=wrong.rob", "commandedPaths=[\"excite.path\"]", "sensedPaths=[\"excite.path\"]",
         "drivers=shoulder_yow"},
        1, "shoulder_yaw");
  fails({"MotorCalibrate", "robot=wrong.rob", "prior=-1"}, 1, "'prior' of MotorCalibrate: must be at least 0");
  fails({"MotorCalibrate", "robot=wrong.rob", "restarts=2", "numIters=200"}, 1, "exclude each other");
  fails({"MotorCalibrate", "robbot=wrong.rob"}, 1, "robot");
}

}  // namespace
}  // namespace mortise::test
