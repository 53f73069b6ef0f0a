#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class WorldCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_world_") + info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("arm.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nmass 1 3\nqMin -inf 0\n");
    write("ball.geom", "Sphere 0 0 0 0.5");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }
  static Ran run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), MORTISE_BINARY_DIR "/bin/mortise");
    return runProgram(arguments, {"NO_COLOR=1"});
  }

  std::filesystem::path folder_;
};

TEST_F(WorldCommand, PrintsWhatAWorldHolds) {
  const std::string file =
      write("w.xml",
            "<world><robot name='r' file='arm.rob' config='2 0 0.5'/><terrain file='ball.geom' scale='3'/>"
            "<rigidObject name='o' position='1 2 3'><geometry file='ball.geom'/><physics mass='2' "
            "automass='1'/></rigidObject>"
            "</world>");
  const Ran ran = run({"world", "info", file, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value info = parseYaml(ran.out, "output");
  EXPECT_EQ(info.at("num_ids").asInteger(), 5);
  EXPECT_EQ(info.at("num_robots").asInteger(), 1);
  EXPECT_EQ(info.at("background").size(), 4u);
  const Value& robot = info.at("robots")[0];
  EXPECT_EQ(robot.at("id").asInteger(), 2);
  EXPECT_EQ(robot.at("link_ids_first").asInteger(), 3);
  EXPECT_EQ(robot.at("q").asReals(), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(robot.at("link_T")[1].asReals()[9], 1);
  EXPECT_EQ(robot.at("com").asReals(), (std::vector<double>{0.75, 0, 1}));
  const Value& object = info.at("rigid_objects")[0];
  EXPECT_EQ(object.at("T").asReals()[11], 3);
  EXPECT_EQ(object.at("mass").asReal(), 2);
  EXPECT_TRUE(object.at("kStiffness").isNull());
  EXPECT_EQ(object.at("geometry").at("type").asString(), "Primitive");
  const Value& terrain = info.at("terrains")[0];
  EXPECT_EQ(terrain.at("name").asString(), "Terrain0");
  EXPECT_EQ(terrain.at("num_kFriction").asInteger(), 1);
  EXPECT_EQ(terrain.at("geometry").at("bmax").asReals(), (std::vector<double>{1.5, 1.5, 1.5}));

  const Ran summary = run({"world", "info", file});
  EXPECT_EQ(summary.exitCode, 0);
  EXPECT_NE(summary.out.find("1 robot, 1 rigid object, 1 terrain, ids 0 to 4"), std::string::npos) << summary.out;
}

TEST_F(WorldCommand, SaysWhatTheMassOfAnOpenMeshStandsFor) {
  write("open.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n");
  const std::string file = write("w.xml",
                                 "<world>\n<rigidObject><geometry file='open.off'/>\n<physics mass='1' automass='1' "
                                 "automassSurfaceFraction='0'/></rigidObject></world>");
  const Ran ran = run({"world", "info", file});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("mortise: warning: " + file + ":3:1: the mesh '"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("open.off' has 3 boundary edges; for its mass properties, openings count as closed"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(run({"world", "info", file, "--strict"}).exitCode, 1);
}

TEST_F(WorldCommand, MaterialsThatMakeNoSenseAreRefusedOrNamedWithTheirLine) {
  const auto world = [&](const std::string& attributes) {
    return write("w.xml",
                 "<world>\n<terrain file='ball.geom'/>\n<rigidObject name='o' position='0 0 9'><geometry "
                 "file='ball.geom'/>\n<physics mass='1' automass='1' " +
                     attributes + "/></rigidObject>\n</world>\n");
  };
  const std::string soft = world("kStiffness='0'");
  EXPECT_NE(run({"world", "check", soft}).out.find("w.xml:3:1: warning: 'o' has a stiffness of 0"), std::string::npos)
      << run({"world", "check", soft}).out;
  EXPECT_NE(run({"sim", soft, "--duration", "1ms"}).err.find("'o' has a stiffness of 0"), std::string::npos);
  for (const char* bad :
       {"kStiffness='-1'", "kStiffness='nan'", "kDamping='-0.5'", "kFriction='nan'", "kRestitution='-1'"}) {
    const Ran ran = run({"world", "info", world(bad)});
    EXPECT_EQ(ran.exitCode, 1) << bad;
    EXPECT_NE(ran.err.find("w.xml:4:"), std::string::npos) << bad << "\n" << ran.err;
  }
}

TEST_F(WorldCommand, WarningsAreErrorsInStrictMode) {
  const std::string file = write("w.xml", "<world><terrain file='ball.geom' scal='3'/></world>");
  const Ran ran = run({"world", "info", file, "--json"});
  EXPECT_EQ(ran.exitCode, 0);
  EXPECT_NE(ran.err.find("mortise: warning: " + file + ":1:34: <terrain> has no attribute 'scal'"), std::string::npos)
      << ran.err;
  const Ran strict = run({"world", "info", file, "--strict"});
  EXPECT_EQ(strict.exitCode, 1);
  EXPECT_TRUE(strict.out.empty());
  EXPECT_NE(strict.err.find("did you mean 'scale'?"), std::string::npos) << strict.err;
}

TEST_F(WorldCommand, NamesThatCannotBeMeantAreWarnings) {
  MORTISE_NEEDS_ENGINES("bullet");
  const std::string robot = std::string("<robot name='twin' file='") + MORTISE_SOURCE_DIR "/data/robots/reacher.rob'/>";
  const Ran ran =
      run({"world", "info", write("w.xml", "<world>" + robot + robot + "<simulation backend='bulet'/></world>")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("robot 7 has the name of robot 0, 'twin'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("a physics backend 'bulet'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("did you mean 'bullet'?"), std::string::npos) << ran.err;
}

TEST_F(WorldCommand, EveryProblemIsPrinted) {
  const std::string file = write("w.xml", "<world>\n<terrain file='bal.geom'/>\n<robot file='none.rob'/></world>");
  const Ran ran = run({"world", "info", file, "--json"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_EQ(parseYaml(ran.out, "stdout").findPath("error.problems")->size(), 2u) << ran.out;
  EXPECT_NE(ran.err.find("w.xml:2:10: error: cannot find 'bal.geom'; tried "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("w.xml:3:8: error: cannot find 'none.rob'"), std::string::npos) << ran.err;
}

TEST_F(WorldCommand, SavesAWorld) {
  const std::string file = write(
      "w.xml", "<world><!-- mine --><robot name='r' file='arm.rob'/><terrain file='ball.geom' scale='3'/></world>");
  std::filesystem::create_directories(folder_ / "there");
  const std::string out = (folder_ / "there/w.xml").string();
  const Ran ran = run({"world", "save", file, out});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const std::string text = readFile(out);
  EXPECT_NE(text.find("<!-- mine -->"), std::string::npos) << text;
  EXPECT_NE(text.find("file=\"../arm.rob\""), std::string::npos) << text;
  EXPECT_EQ(run({"world", "info", out, "--strict"}).exitCode, 0);

  ASSERT_EQ(run({"world", "save", file, out, "--absolute"}).exitCode, 0);
  EXPECT_NE(readFile(out).find("file=\"" + (folder_ / "arm.rob").string() + "\""), std::string::npos);
  EXPECT_EQ(run({"world", "save", file, out, "--absolute", "--copy"}).exitCode, 2);
}

TEST_F(WorldCommand, CopiesWhatAWorldNeeds) {
  write("part.geom", "Sphere 0 0 0 1");
  write("arm2.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1\ngeometry part.geom\n");
  const std::string file = write("w.xml",
                                 "<world><robot name='r' file='arm2.rob'/><terrain file='ball.geom'>"
                                 "<display texture='wood.ppm'/></terrain></world>");
  write("wood.ppm", "P3 1 1 1 1 1 1");
  std::filesystem::create_directories(folder_ / "there");
  const std::string out = (folder_ / "there/gift.xml").string();
  const Ran ran = run({"world", "save", file, out, "--copy", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = parseYaml(ran.out, "output");
  EXPECT_EQ(result.at("copied").size(), 4u) << ran.out;
  EXPECT_EQ(result.at("outside").size(), 0u) << ran.out;
  for (const char* name : {"arm2.rob", "part.geom", "ball.geom", "w.xml"}) std::filesystem::remove(folder_ / name);
  const Ran info = run({"world", "info", out});
  EXPECT_EQ(info.exitCode, 0) << info.err;
  EXPECT_NE(readFile(out).find("file=\"gift/arm2.rob\""), std::string::npos) << readFile(out);
  EXPECT_NE(readFile(out).find("texture=\"gift/wood.ppm\""), std::string::npos) << readFile(out);
  // Nothing of somebody else's is written over.
  std::ofstream(folder_ / "there/gift/ball.geom") << "Sphere 0 0 0 7";
  write("ball.geom", "Sphere 0 0 0 0.5");
  const std::string again = write("w.xml", "<world><terrain file='ball.geom'/></world>");
  const Ran refused = run({"world", "save", again, out, "--copy"});
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_NE(refused.err.find("holds something else"), std::string::npos) << refused.err;
}

TEST_F(WorldCommand, ChecksFindWhatComponentsAndCommandsOfAWorldAreRefusedFor) {
  write("arm.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1\nlinks arm\nqMin -1\nqMax 1\nmass 1\n");
  const auto world = [&](const std::string& simulation) {
    return write("w.xml",
                 "<world>\n<robot name='r' file='arm.rob'/>\n"
                 "<rigidObject name='o' position='5 0 0'><geometry file='ball.geom'/>"
                 "<physics mass='1' automass='1'/></rigidObject>\n<simulation>\n" +
                     simulation + "\n</simulation>\n</world>\n");
  };
  const std::string sensor = "<robot index='0'>\n<sensor type='JointPositionSensor' name='a'/>\n";
  for (const auto& [simulation, expected] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"<command at='1' body='oo' impulse='1 0 0'/>", {"w.xml:5", "did you mean 'o'?"}},
           {"<command at='1' comand='set_q' arguments='0'/>", {"w.xml:5", "did you mean 'command'?"}},
           {"\n<command at='1' command='set_k' arguments='0'/>", {"w.xml:6", "has no command 'set_k'"}},
           {"\n<command at='1' command='set_q' arguments='0 1 2'/>", {"w.xml:6", "set_q"}},
           {"<command at='1' sensor='nose' enabled='false'/>", {"w.xml:5", "has no sensor 'nose'"}},
           {"<command at='1' body='r[nolink]' joint_velocity='1'/>", {"w.xml:5", "nolink"}},
           {"<command at='0' body='o' velocity='1 0 0' for='2'/>\n<command at='1' body='o' velocity='2 0 0'/>",
            {"w.xml:6", "another velocity"}},
           {sensor + "<sensor type='ForceTorqueSensor' name='f' link='nolink'/></robot>", {"w.xml:7", "nolink"}},
           {sensor + "<sensor type='JointVelocitySensor' name='a'/></robot>", {"w.xml:7", "two sensors called 'a'"}},
           {sensor + "<sensor type='JointPositionSensr' name='b'/></robot>", {"w.xml:7", "JointPositionSensor"}}}) {
    const std::string file = world(simulation);
    const Ran ran = run({"world", "check", file});
    for (const std::string& text : expected)
      EXPECT_NE(ran.out.find(text), std::string::npos) << simulation << "\n" << text << "\n" << ran.out << ran.err;
    const bool warning =
        simulation.find("'b'") != std::string::npos || simulation.find("Velocity") != std::string::npos;
    EXPECT_EQ(ran.exitCode, warning ? 0 : 1) << simulation;
    EXPECT_EQ(run({"sim", file, "--duration", "1ms"}).exitCode, warning ? 0 : 1) << simulation << ": as the run does";
  }
  const Ran good = run({"world", "check",
                        world("<command at='1' body='o' impulse='1 0 0'/>\n"
                              "<command at='1' command='set_q' arguments='0.5'/>")});
  EXPECT_EQ(good.exitCode, 0) << good.out;
  EXPECT_EQ(good.out.find("w.xml:5"), std::string::npos) << good.out;
}

TEST_F(WorldCommand, PipelinesHeedStrictToo) {
  write("w.xml", "<world><terrain file='ball.geom' scal='3'/></world>");
  const std::string file = write("p.yaml", "mortise: 1\nworld: w.xml\nstages:\n  - simulate: {duration: 2 ms}\n");
  const Ran check = run({"config", "check", file});
  EXPECT_EQ(check.exitCode, 0) << check.err;
  EXPECT_NE(check.err.find("has no attribute 'scal'"), std::string::npos) << check.err;
  const Ran strict = run({"config", "check", file, "--strict"});
  EXPECT_EQ(strict.exitCode, 1);
  EXPECT_NE(strict.err.find("w.xml:1:34: error: <terrain> has no attribute 'scal'"), std::string::npos) << strict.err;
  EXPECT_EQ(run({"run", file, "--strict", "-o", (folder_ / "runs").string()}).exitCode, 1);
}

TEST_F(WorldCommand, PipelinesAreToldWhatIsDoubtfulAboutTheirWorlds) {
  write("arm.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1\nlinks arm\nqMin -1\nqMax 1\nmass 1\n");
  write(
      "w.xml",
      "<world>\n<robot name='a' file='arm.rob' config='1  34'/>\n<robot name='a' file='arm.rob' translation='9 0 0'/>\n"
      "<rigidObject name='light'><geometry file='ball.geom'/><physics mass='0'/></rigidObject>\n"
      "<rigidObject name='odd' position='0 3 0'><geometry file='ball.geom'/><physics inertia='1 1 5'/></rigidObject>\n"
      "<rigidObject name='loud' position='0 6 0'><geometry file='ball.geom'/>"
      "<physics automass='1' kRestitution='2' kStiffness='0'/></rigidObject>\n"
      "<rigidObject name='bare' position='0 9 0'><geometry file='ball.geom'/><physics mass='1'/></rigidObject>\n"
      "</world>\n");
  const std::string file = write("p.yaml", "mortise: 1\nworld: w.xml\nstages:\n  - simulate: {duration: 2 ms}\n");
  const Ran check = run({"config", "check", file});
  EXPECT_EQ(check.exitCode, 0) << check.err;
  for (const char* expected :
       {"w.xml:2:1: robot 'a' starts outside of its joint limits: 'arm' at 34", "has the name of robot",
        "w.xml:4:1: object 'light' has no mass", "w.xml:5:1: object 'odd' has an inertia that no body can have",
        "w.xml:6:1: 'loud' has a restitution of 2", "w.xml:6:1: 'loud' has a stiffness of 0",
        "w.xml:7:1: object 'bare' has no inertia"})
    EXPECT_NE(check.err.find(expected), std::string::npos) << expected << "\n" << check.err;
  EXPECT_EQ(run({"config", "check", file, "--strict"}).exitCode, 1);
}

TEST_F(WorldCommand, StrictSavingRefusesWhatIsIgnored) {
  const std::string file = write("w.xml", "<world><terrain file='ball.geom' scal='3'/></world>");
  const std::string out = (folder_ / "out.xml").string();
  const Ran ran = run({"world", "save", file, out, "--strict"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(run({"world", "save", file, out}).exitCode, 0);
  EXPECT_NE(readFile(out).find("scal=\"3\""), std::string::npos);
}

TEST_F(WorldCommand, WrongUsage) {
  EXPECT_EQ(run({"world", "save", "x"}).exitCode, 2);
  EXPECT_EQ(run({"world"}).exitCode, 2);
  EXPECT_EQ(run({"world", "inf", "x"}).exitCode, 2);
  EXPECT_EQ(run({"world", "info"}).exitCode, 2);
}

}  // namespace
}  // namespace mortise::test
