// Commands that ask what collides: world collisions, geometry distance | collide | raycast, robot self-collisions.

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kData = std::string(MORTISE_SOURCE_DIR) + "/data/";

Value collisionJson(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  words.push_back("--json");
  const Ran ran = runMortise(words);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  return parseYaml(ran.out, "output");
}

class CollisionCommands : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_collision_") + info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    unit_ = write("unit.geom", "Box\n-0.5 -0.5 -0.5\n1 0 0 0 1 0 0 0 1\n1 1 1\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
  std::string unit_;
};

TEST_F(CollisionCommands, DistanceOfTwoBoxes) {
  const Value result = collisionJson({"geometry", "distance", unit_, unit_, "--pose", "3 0 0"});
  EXPECT_NEAR(result.at("distance").asReal(), 2, 1e-12);
  EXPECT_NEAR(result.at("point_a").asReals()[0], 0.5, 1e-12);
  EXPECT_NEAR(result.at("point_b").asReals()[0], 2.5, 1e-12);
  EXPECT_NEAR(result.at("normal").asReals()[0], 1, 1e-12);
  // Turned by 45 degrees about z, a corner edge points at the other box.
  const Value turned = collisionJson({"geometry", "distance", unit_, unit_, "--pose", "3 0 0 0 0 0.7853981633974483"});
  EXPECT_NEAR(turned.at("distance").asReal(), 2.5 - std::sqrt(0.5), 1e-9);
  const Value margin = collisionJson({"geometry", "distance", unit_, unit_, "--pose", "3,0,0", "--margin", "1cm"});
  EXPECT_NEAR(margin.at("distance").asReal(), 1.98, 1e-12);
}

TEST_F(CollisionCommands, CollideListsElements) {
  const std::string cube = kData + "objects/cube.off";
  const Value apart = collisionJson({"geometry", "collide", cube, cube, "--pose", "5 0 0"});
  EXPECT_FALSE(apart.at("colliding").asBool());
  const Value all = collisionJson({"geometry", "collide", cube, cube, "--all"});
  EXPECT_TRUE(all.at("colliding").asBool());
  EXPECT_GE(all.at("element_pairs").size(), 12u);
  const Value near =
      collisionJson({"geometry", "collide", unit_, unit_, "--pose", "1.05 0 0", "--tolerance", "0.1", "--all"});
  EXPECT_TRUE(near.at("colliding").asBool());
  EXPECT_EQ(near.at("element_pairs").size(), 1u);
}

TEST_F(CollisionCommands, RaycastHitsTheFront) {
  const Value hit = collisionJson({"geometry", "raycast", unit_, "--origin", "0 0 5", "--direction", "0 0 -3"});
  EXPECT_TRUE(hit.at("hit").asBool());
  EXPECT_NEAR(hit.at("distance").asReal(), 4.5, 1e-12);
  EXPECT_NEAR(hit.at("normal").asReals()[2], 1, 1e-12);
  EXPECT_FALSE(
      collisionJson({"geometry", "raycast", unit_, "--origin", "0 0 5", "--direction", "0 0 1"}).at("hit").asBool());
}

TEST_F(CollisionCommands, WrongUsageIsSaid) {
  EXPECT_EQ(runMortise({"geometry", "distance", unit_, unit_, "--pose", "1 2"}).exitCode, 2);
  EXPECT_EQ(runMortise({"geometry", "distance", unit_, unit_, "--pose", "1 2 x"}).exitCode, 2);
  EXPECT_EQ(runMortise({"geometry", "distance", unit_, unit_, "--pose", "2 0 0 0 1 0 0 0 1 0 0 0"}).exitCode, 2);
  EXPECT_EQ(runMortise({"geometry", "raycast", unit_, "--origin", "0 0 1", "--direction", "0 0 0"}).exitCode, 2);
  EXPECT_EQ(runMortise({"geometry", "raycast", unit_, "--origin", "0 0 1"}).exitCode, 2);
  EXPECT_EQ(runMortise({"geometry", "distance", unit_, unit_ + "x"}).exitCode, 1);
  EXPECT_EQ(runMortise({"robot", "self-collisions", kData + "robots/reacher.rob", "--lines", "rob"}).exitCode, 2);
  EXPECT_EQ(runMortise({"robot", "self-collisions", kData + "robots/reacher.rob", "--search", "--lines", "x"}).exitCode,
            2);
}

TEST_F(CollisionCommands, WorldCollisionsNamesPairs) {
  const std::string world = write("world.xml",
                                  "<world><rigidObject name=\"a\" position=\"0 0 0\"><geometry mesh=\"unit.geom\"/>"
                                  "<physics mass=\"1\"/></rigidObject><rigidObject name=\"b\" position=\"0.75 0 0\">"
                                  "<geometry mesh=\"unit.geom\"/><physics mass=\"1\"/></rigidObject>"
                                  "<rigidObject name=\"c\" position=\"1.8 0 0\"><geometry mesh=\"unit.geom\"/>"
                                  "<physics mass=\"1\"/></rigidObject></world>");
  const Value found = collisionJson({"world", "collisions", world}).at("collisions");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at("names")[0].asString(), "a");
  EXPECT_EQ(found[0].at("names")[1].asString(), "b");
  EXPECT_NEAR(found[0].at("distance").asReal(), -0.25, 1e-9);
  EXPECT_EQ(collisionJson({"world", "collisions", world, "--tolerance", "10cm"}).at("collisions").size(), 2u);
  const Ran text = runMortise({"world", "collisions", world});
  EXPECT_NE(text.out.find("0 a, 1 b: -0.25 m"), std::string::npos) << text.out;
  EXPECT_EQ(collisionJson({"world", "info", world}).at("collisions_at_load").size(), 1u);
}

/// A box on a rail of 2 m, and another one 1.5 m along it.
TEST_F(CollisionCommands, RobotsMayBeElsewhere) {
  write("slider.rob",
        "links \"cart\"\nparents -1\njointtype p\naxis 1 0 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 0\nqMin 0\nqMax 2\n"
        "mass 1\ninertiaDiag 1 1 1\ngeometry \"unit.geom\"\n");
  const std::string box =
      "<rigidObject name=\"box\" position=\"1.5 0 0\"><geometry mesh=\"unit.geom\"/>"
      "<physics mass=\"1\"/></rigidObject>";
  const std::string one = write("one.xml", "<world><robot name=\"left\" file=\"slider.rob\"/>" + box + "</world>");
  const auto count = [&](const std::string& world, const std::vector<std::string>& configs) {
    std::vector<std::string> words = {"world", "collisions", world};
    for (const std::string& config : configs) words.insert(words.end(), {"--config", config});
    return collisionJson(words).at("collisions").size();
  };
  EXPECT_EQ(count(one, {}), 0u);
  EXPECT_EQ(count(one, {"1"}), 1u);
  EXPECT_EQ(count(one, {"600 mm"}), 1u);
  EXPECT_EQ(count(one, {"{cart: 40 cm}"}), 0u);
  EXPECT_EQ(count(one, {"{left: [1 m]}"}), 1u);
  const std::string two =
      write("two.xml",
            "<world><robot name=\"left\" file=\"slider.rob\"/><robot name=\"right\" file=\"slider.rob\" "
            "position=\"0 5 0\"/>" +
                box + "</world>");
  EXPECT_EQ(count(two, {"0", "1"}), 0u);
  EXPECT_EQ(count(two, {"{left: {cart: 1}, right: [0]}"}), 1u);
  const Ran wrong = runMortise({"world", "collisions", one, "--config", "1,2"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find("give 1, one a link of robot"), std::string::npos) << wrong.err;
}

TEST_F(CollisionCommands, SelfCollisionsTakeAnyConfiguration) {
  const std::string reacher = kData + "robots/reacher.rob";
  const Value a =
      collisionJson({"robot", "self-collisions", reacher, "--config", "{elbow: 150 deg, wrist_pitch: 100 deg}"});
  const Ran b = runMortise({"robot", "self-collisions", reacher, "--config", "[0, 0]"});
  EXPECT_TRUE(a.contains("self_collisions"));
  EXPECT_EQ(b.exitCode, 1);
  EXPECT_NE(b.err.find("give 6, one a link of robot 'reacher'"), std::string::npos) << b.err;
}

TEST_F(CollisionCommands, SelfCollisionSearchIsRepeatable) {
  const std::string robot = kData + "robots/reacher.rob";
  const std::vector<std::string> search = {"robot", "self-collisions", robot, "--search", "--samples",
                                           "300",   "--seed",          "7"};
  const Value first = collisionJson(search), second = collisionJson(search);
  EXPECT_EQ(first, second);
  EXPECT_GT(first.at("pairs").size(), 0u);
  for (const Value& pair : first.at("pairs").items()) {
    EXPECT_LE(pair.at("collisions").asInteger(), 300);
    if (pair.at("class").asString() == "never") {
      EXPECT_EQ(pair.at("collisions").asInteger(), 0);
    }
  }
  EXPECT_TRUE(collisionJson({"robot", "self-collisions", robot}).at("self_collisions").isList());
}

TEST_F(CollisionCommands, SearchedLinesReadBack) {
  std::ifstream in(kData + "robots/humanoid.urdf");
  ASSERT_TRUE(in.good());
  const Ran lines = runMortise(
      {"robot", "self-collisions", kData + "robots/humanoid.urdf", "--search", "--samples", "500", "--lines", "urdf"});
  ASSERT_EQ(lines.exitCode, 0) << lines.err;
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::size_t end = text.rfind("</robot>");
  const std::string file =
      write("humanoid.urdf", text.substr(0, end) + "<klampt>" + lines.out + "</klampt>" + text.substr(end));
  const Value before =
      collisionJson({"robot", "self-collisions", kData + "robots/humanoid.urdf", "--search", "--samples", "500"});
  const Value after = collisionJson({"robot", "self-collisions", file, "--search", "--samples", "500"});
  ASSERT_EQ(before.at("pairs").size(), after.at("pairs").size());
  int checkedBefore = 0, checkedAfter = 0, worth = 0;
  for (std::size_t i = 0; i < after.at("pairs").size(); ++i) {
    checkedBefore += before.at("pairs")[i].at("checked").asBool();
    checkedAfter += after.at("pairs")[i].at("checked").asBool();
    worth += after.at("pairs")[i].at("class").asString() == "sometimes";
  }
  EXPECT_LT(checkedAfter, checkedBefore);
  EXPECT_EQ(checkedAfter, worth);
}

}  // namespace
}  // namespace mortise::test
