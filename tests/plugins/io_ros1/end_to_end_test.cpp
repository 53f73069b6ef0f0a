#include <memory>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/processes/background_program.h"

namespace mortise::test {

namespace {

/// No wait is longer, s.
constexpr double kPatience = 60;

class Ros1EndToEnd : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    for (const char* program : {"/usr/bin/rosmaster", "/usr/bin/python3"})
      if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " is not installed";
    if (runProgram({"/usr/bin/python3", "-c", "import rospy, trajectory_msgs.msg, tf2_msgs.msg"}).exitCode != 0)
      GTEST_SKIP() << "rospy is not installed";
    port_ = freePort();
    environment_ = {"ROS_MASTER_URI=http://127.0.0.1:" + std::to_string(port_), "ROS_IP=127.0.0.1",
                    "ROS_LOG_DIR=" + path("ros"), "XDG_DATA_HOME=/nonexistent"};
    write("arm.xml",
          "<world><robot name=\"reacher\" file=\"" MORTISE_SOURCE_DIR "/data/robots/reacher.rob\"/></world>");
  }

  std::unique_ptr<BackgroundProgram> start(std::vector<std::string> words, const std::string& output) {
    return std::make_unique<BackgroundProgram>(std::move(words), environment_, path(output));
  }
  std::unique_ptr<BackgroundProgram> startMaster() {
    auto master = start({"/usr/bin/rosmaster", "--core", "-p", std::to_string(port_)}, "master.txt");
    EXPECT_TRUE(BackgroundProgram::waitFor(kPatience, [&] { return listensOn(port_); })) << master->output();
    return master;
  }
  std::unique_ptr<BackgroundProgram> startDaemon(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {MORTISE_BINARY_DIR "/bin/mortise", "ros", path("arm.xml"), "--ros", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return start(std::move(words), "daemon.txt");
  }
  /// Sends the robot to 0.4, -0.3, and returns what the peer saw.
  Value peer() {
    const Ran ran =
        runProgram({"/usr/bin/python3", MORTISE_SOURCE_DIR "/tests/plugins/io_ros1/peer.py", "reacher", "0.4", "-0.3"},
                   environment_);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return ran.exitCode == 0 ? parseYaml(ran.out.substr(ran.out.find('{')), "peer") : Value::map();
  }

  /// Repeats what came.log holds, to the same bits. `said`: by the daemon.
  void expectSameRunWithoutRos(const std::string& said) {
    const auto after = [&](const std::string& text, const char* end) {
      const std::size_t at = said.find(text) + text.size();
      return said.substr(at, said.find_first_of(end, at) - at);
    };
    const std::string replay = "{type: ros_replay, name: ros1_relay, replay: '" + path("came.log") + "'}";
    const Ran again = runMortise(
        {"sim", path("arm.xml"), "--duration", after("interrupted at t = ", " "), "--controller", replay, "--json"});
    ASSERT_EQ(again.exitCode, 0) << again.err;
    EXPECT_EQ(parseYaml(again.out, "sim").string("state_hash", ""), after("state hash   ", "\n")) << said;
  }

  int port_ = 0;
  std::vector<std::string> environment_;
};

TEST_F(Ros1EndToEnd, AProgramOfRosMovesTheArmAndReadsItsStateFramesAndClock) {
  const auto master = startMaster();
  const auto daemon = startDaemon({"--messages", path("came.log")});
  const Value seen = peer();
  EXPECT_TRUE(seen.boolean("ready", false)) << daemon->output();
  EXPECT_TRUE(seen.boolean("reached", false)) << daemon->output();
  EXPECT_GT(seen.real("took", 0), 0.5) << "in the simulation's time";
  EXPECT_EQ(seen.integer("backwards", -1), 0);
  EXPECT_GT(seen.integer("clocks", 0), 10);
  EXPECT_EQ(seen.integer("velocities", 0), 6);
  if (const Value* frames = seen.find("frames")) {
    bool root = false, link = false;
    for (const Value& frame : frames->items()) {
      const std::string parent = frame.items()[0].asString(), child = frame.items()[1].asString();
      root = root || (parent == "world" && child == "klampt/reacher/shoulder_yaw");
      link = link || (parent == "klampt/reacher/shoulder_pitch" && child == "klampt/reacher/elbow");
    }
    EXPECT_TRUE(root && link) << "a link's parent is the link that carries it";
  }
  EXPECT_TRUE(daemon->end(SIGINT, kPatience));
  EXPECT_EQ(daemon->exitCode(), 130) << daemon->output();
  EXPECT_NE(daemon->output().find("no joint 'nobody'"), std::string::npos) << daemon->output();
  EXPECT_TRUE(master->end(SIGTERM, kPatience));

  expectSameRunWithoutRos(daemon->output());
}

TEST_F(Ros1EndToEnd, AClientOfActionlibMovesTheArm) {
  if (runProgram({"/usr/bin/python3", "-c", "import actionlib, genpy.dynamic"}).exitCode != 0)
    GTEST_SKIP() << "actionlib is not installed (python3-actionlib)";
  const auto master = startMaster();
  const auto daemon = startDaemon({"--messages", path("came.log")});
  const Ran ran = runProgram({"/usr/bin/python3", MORTISE_SOURCE_DIR "/tests/plugins/io_ros1/action_peer.py",
                              "/reacher/follow_joint_trajectory", "shoulder_yaw", "elbow"},
                             environment_);
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value seen = parseYaml(ran.out.substr(ran.out.find('{')), "peer");
  ASSERT_TRUE(seen.boolean("server", false)) << daemon->output();
  const auto ended = [&](const char* goal) { return seen.at(goal)[0].text() + " " + seen.at(goal)[1].text(); };
  EXPECT_EQ(ended("reached"), "SUCCEEDED 0") << daemon->output();
  EXPECT_GT(seen.integer("feedback", 0), 2);
  EXPECT_TRUE(seen.boolean("active", false));
  EXPECT_EQ(ended("replaced"), "PREEMPTED 0");
  EXPECT_EQ(ended("canceled"), "PREEMPTED 0");
  EXPECT_EQ(ended("aborted"), "ABORTED -4");
  EXPECT_EQ(ended("rejected"), "REJECTED -2");
  EXPECT_TRUE(daemon->end(SIGINT, kPatience));
  EXPECT_NE(daemon->output().find("no joint 'wing'"), std::string::npos) << daemon->output();
  EXPECT_TRUE(master->end(SIGTERM, kPatience));
  expectSameRunWithoutRos(daemon->output());
}

TEST_F(Ros1EndToEnd, ARecorderThatIsNotRequiredOrOptionalLetsTheRunGoOn) {
  for (const auto& [entry, said] : {std::pair("{recorder: ros1, required: false}", "nothing is broadcast"),
                                    std::pair("{recorder: ros1, optional: true}", "it is optional and left out"),
                                    std::pair("{recorder: ros1}", "")}) {
    write("run.yaml", "mortise: 1\nworld: arm.xml\nstages:\n  - simulate: {duration: 50 ms}\ncomponents:\n  - " +
                          std::string(entry) + "\n");
    const Ran ran =
        runProgram({MORTISE_BINARY_DIR "/bin/mortise", "run", path("run.yaml"), "-o", path("out")}, environment_);
    EXPECT_EQ(ran.exitCode == 0, *said != 0) << ran.err;
    EXPECT_NE((ran.out + ran.err).find("no ROS master answers"), std::string::npos) << ran.err;
    EXPECT_NE((ran.out + ran.err).find(said), std::string::npos) << ran.out << ran.err;
    std::filesystem::remove_all(path("out"));
  }
}

TEST_F(Ros1EndToEnd, WithoutAMasterItSaysSoAtOnce) {
  const auto daemon = startDaemon();
  EXPECT_TRUE(BackgroundProgram::waitFor(kPatience, [&] { return daemon->ended(); }));
  EXPECT_EQ(daemon->exitCode(), 1);
  EXPECT_NE(daemon->output().find("no ROS master answers at http://127.0.0.1:" + std::to_string(port_)),
            std::string::npos)
      << daemon->output();
  EXPECT_NE(daemon->output().find("roscore"), std::string::npos);
}

TEST_F(Ros1EndToEnd, APeerThatMeansAnotherTypeIsSaidAndThatItIsOver) {
  const auto master = startMaster();
  const auto daemon = startDaemon();
  const auto publisher = [&](const std::string& type, const std::string& more) {
    return start(
        {"/usr/bin/python3", "-c",
         "import rospy; from " + type.substr(0, type.find('/')) + ".msg import " + type.substr(type.find('/') + 1) +
             " as Type\nrospy.init_node('peer', anonymous=True)\n" +
             "keep = [rospy.Publisher('/reacher/joint_trajectory', Type, queue_size=1)" + more + "]\nrospy.spin()"},
        "peer.txt");
  };
  const auto says = [&](const char* text) {
    EXPECT_TRUE(BackgroundProgram::waitFor(kPatience, [&] { return daemon->output().find(text) != std::string::npos; }))
        << text << " in " << daemon->output();
  };
  auto wrong = publisher("std_msgs/String", ", rospy.Subscriber('/reacher/joint_states', Type, print)");
  says("what is published on /reacher/joint_trajectory is of the type std_msgs/String");
  says("wants topic /reacher/joint_states to have datatype");
  EXPECT_TRUE(wrong->end(SIGTERM, kPatience));  // It takes its topics off the master.
  says("nobody publishes messages of the type std_msgs/String on /reacher/joint_trajectory any more");
  wrong = publisher("std_msgs/Bool", "");
  says("what is published on /reacher/joint_trajectory is of the type std_msgs/Bool");
  const auto right = publisher("trajectory_msgs/JointTrajectory", "");
  says("messages of the type trajectory_msgs/JointTrajectory on /reacher/joint_trajectory come here now");
  EXPECT_TRUE(wrong->end(SIGTERM, kPatience));
  EXPECT_TRUE(right->end(SIGTERM, kPatience));
  EXPECT_TRUE(daemon->end(SIGINT, kPatience));
  EXPECT_TRUE(master->end(SIGTERM, kPatience));
}

TEST_F(Ros1EndToEnd, AMasterThatComesBackKnowsTheTopicsAgain) {
  auto master = startMaster();
  const auto daemon = startDaemon();
  const auto says = [&](const char* text) {
    return BackgroundProgram::waitFor(kPatience, [&] { return daemon->output().find(text) != std::string::npos; });
  };
  // The relay runs once it can be looked up at the master.
  EXPECT_TRUE(BackgroundProgram::waitFor(kPatience, [&] {
    return runProgram({"/usr/bin/python3", "-c",
                       "import xmlrpc.client as x, os; s = x.ServerProxy(os.environ['ROS_MASTER_URI']); "
                       "raise SystemExit('/clock' not in str(s.getSystemState('/t')))"},
                      environment_)
               .exitCode == 0;
  }));
  EXPECT_TRUE(master->end(SIGTERM, kPatience));
  EXPECT_TRUE(says("does not answer any more")) << daemon->output();
  master = startMaster();
  EXPECT_TRUE(says("are registered with it")) << daemon->output();
  const Value seen = peer();
  EXPECT_TRUE(seen.boolean("reached", false)) << "through the new master";
  EXPECT_TRUE(daemon->end(SIGINT, kPatience));
  EXPECT_TRUE(master->end(SIGTERM, kPatience));
}

TEST_F(Ros1EndToEnd, TheMasterAndTheAddressOfSettingsAreUsed) {
  const auto master = startMaster();
  const std::string address = "http://127.0.0.1:" + std::to_string(port_);
  environment_ = {"ROS_MASTER_URI=http://127.0.0.1:1", "ROS_LOG_DIR=" + path("ros"), "XDG_DATA_HOME=/nonexistent"};
  const std::string relay = "{type: ros1_relay, master: '" + address + "', ip: 127.0.0.2}";
  const auto run =
      start({MORTISE_BINARY_DIR "/bin/mortise", "sim", path("arm.xml"), "--duration", "1000", "--controller", relay},
            "sim.txt");
  EXPECT_TRUE(BackgroundProgram::waitFor(kPatience, [&] {
    return runProgram({"/usr/bin/python3", "-c",
                       "import xmlrpc.client as x; s = x.ServerProxy('" + address +
                           "'); nodes = [n for topic, names in s.getSystemState('/t')[2][0] if topic == '/clock' "
                           "for n in names]; raise SystemExit(not (nodes and 'http://127.0.0.2:' in "
                           "s.lookupNode('/t', nodes[0])[2]))"},
                      environment_)
               .exitCode == 0;
  })) << run->output();
  EXPECT_TRUE(run->end(SIGINT, kPatience));
  EXPECT_TRUE(master->end(SIGTERM, kPatience));
  const Ran wrong =
      runMortise({"sim", path("arm.xml"), "--controller", "{type: ros1_relay, master: 'localhost:11311'}"});
  EXPECT_NE(wrong.exitCode, 0);
  EXPECT_NE(wrong.err.find("write http://HOST:11311"), std::string::npos) << wrong.err;
}

}  // namespace

}  // namespace mortise::test
