#include <algorithm>
#include <cmath>

#include "io_test.h"
#include "mortise/base/files.h"
#include "tests/support/equality/robot_equality.h"

namespace mortise::test {
namespace {

/// Meshes that are written anew may be kept in single precision by whoever reads them.
constexpr double kWrittenTolerance = 1e-7;

class RobWriter : public IoTest {
 protected:
  RobotDescription good(const std::string& name, const std::string& content) {
    RobotDescription description = robot(write(name, content));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return description;
  }
  /// Writes, reads and compares.
  RobotDescription roundTrip(const RobotDescription& robot, const std::string& name = "out.rob") {
    diagnostics = Diagnostics();
    loader.write(robot, path(name), diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << problems();
    RobotDescription back = IoTest::robot(path(name));
    EXPECT_TRUE(diagnostics.all().empty()) << problems();
    EXPECT_EQ(differences(robot, back, kWrittenTolerance), "");
    return back;
  }
  std::string text(const std::string& name) const { return readFile(path(name)); }
};

const std::string kTwoLinks =
    "TParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0.1 0.2 0.30000000000000004\nparents -1 0\n";

TEST_F(RobWriter, SaysWhichVisualShapesAreLost) {
  RobotDescription r = good("a.rob", kTwoLinks);
  r.properties.emplace_back("visual:nobody", "[nonsense");
  loader.write(r, path("out.rob"), diagnostics);
  EXPECT_NE(problems().find("a .rob file cannot hold '"), std::string::npos) << problems();
  EXPECT_NE(problems().find("visual:nobody"), std::string::npos) << problems();
}

TEST_F(RobWriter, NumbersReadBackToTheSameBits) {
  RobotDescription r = good("a.rob", kTwoLinks +
                                         "qMin -1e-300 -inf\nqMax 0.1 inf\nmass 0.1 3e200\n"
                                         "inertia 1 2 3 4 5 6 7 8 9  1 0 0 0 1 0 0 0 1\njointtype r p\n");
  r.links[0].X_PL0.p.x() = -0.0;
  r.links[1].axis = Vector3d(1.0 / 3, -2.0 / 7, 1e-17);
  const RobotDescription back = roundTrip(r);
  EXPECT_TRUE(std::signbit(back.links[0].X_PL0.p.x()));
  EXPECT_EQ(back.links[0].inertia.inertia(0, 1), 4) << "columns first";
}

TEST_F(RobWriter, RobotsKeepTheirNames) {
  RobotDescription r = good("a.rob", kTwoLinks);
  EXPECT_EQ(r.name, "a");
  EXPECT_EQ(roundTrip(r).name, "a");
  EXPECT_EQ(roundTrip(r, "a.rob").name, "a");
  EXPECT_EQ(text("a.rob").find("property"), std::string::npos) << "the file's own name needs no line";
  r.name = "left \"arm\"";
  EXPECT_EQ(roundTrip(r).name, r.name);
  EXPECT_TRUE(roundTrip(r).properties.empty());
  r.name = "arm #2";
  r.properties = {{"name", "other"}};
  loader.write(r, path("b.rob"), diagnostics);
  EXPECT_NE(problems().find("cannot hold the robot's name 'arm #2'"), std::string::npos) << problems();
  EXPECT_NE(problems().find("cannot hold a property 'name'"), std::string::npos) << problems();
  EXPECT_EQ(robot(path("b.rob")).name, "b");
}

TEST_F(RobWriter, NamesPropertiesSensorsController) {
  RobotDescription r =
      good("a.rob", kTwoLinks +
                        "links \"left arm\" \"say \\\"hi\\\"\"\nproperty note two words\n"
                        "property empty\nproperty controller \"<controller type='C' gain='0.5'/>\"\n"
                        "property sensors \"<sensors><Odd name='a &amp; b' range='1 2 3'/></sensors>\"\n");
  EXPECT_EQ(r.links[1].name, "say \"hi\"");
  roundTrip(r);
  r.sensors.items()[0].set("color", Value::fromText("#ff0000"));
  roundTrip(r);
  EXPECT_NE(text("out_sensors.xml").find("#ff0000"), std::string::npos);
  r.links[0].name = "number #1";
  EXPECT_NE(errorText([&] { loader.write(r, path("no.rob"), diagnostics); }).find("begins a comment"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("no.rob")));
}

TEST_F(RobWriter, ShapesStayWhereTheyAre) {
  write("meshes/cube.off", kCubeOff);
  const RobotDescription r =
      good("a.rob", kTwoLinks +
                        "geometry meshes/cube.off meshes/cube.off\ngeomscale 0.1 1\ngeommargin 0 0.01\n"
                        "geomtransform 0 1 0 0 5  0 2 0 6  0 0 3 7  0 0 0 1\n");
  roundTrip(r);
  EXPECT_NE(text("out.rob").find("geometry meshes/cube.off meshes/cube.off"), std::string::npos) << text("out.rob");
  std::filesystem::create_directories(path("below"));
  const RobotDescription moved = roundTrip(r, "below/out.rob");
  EXPECT_EQ(moved.links[0].geometryFile, "../meshes/cube.off");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("")))
    files += entry.path().extension() == ".off";
  EXPECT_EQ(files, 1) << "no copies";
}

TEST_F(RobWriter, OtherShapesAreWrittenBeside) {
  write("cube.off", kCubeOff);
  write("ball.geom", "Sphere 0 0 0 0.1\n");
  const RobotDescription r =
      good("a.rob", kTwoLinks +
                        "geometry cube.off ball.geom\nmount 0 cube.off 1 0 0 0 1 0 0 0 1 2 0.1 0\n"
                        "mount 1 cube.off\n");
  EXPECT_EQ(r.links[0].geometry->numTriangles(), 24);
  roundTrip(r);
  EXPECT_TRUE(std::filesystem::exists(path("out_Link_0.off")));
  EXPECT_NE(text("out.rob").find("mount 1 cube.off"), std::string::npos) << "parts of a group that are whole files";
}

TEST_F(RobWriter, EveryPrimitiveOfUrdf) {
  std::string shapes;
  for (const char* shape : {"box size='1 2 3'", "sphere radius='0.3'", "cylinder radius='0.1' length='0.7'",
                            "capsule radius='0.2' length='0.5'", "mesh filename='cube.off' scale='1 -2 3'"})
    shapes += "<collision><origin xyz='0.1 0.2 0.3' rpy='0.4 0.5 0.6'/><geometry><" + std::string(shape) +
              "/></geometry></collision>";
  write("cube.off", kCubeOff);
  roundTrip(good("a.urdf", "<robot name='a'><link name='l'>" + shapes + "</link></robot>"));
}

TEST_F(RobWriter, JointsOfUrdf) {
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& more = {}) {
    return "<link name='l" + name + "'/><joint name='" + name + "' type='" + type + "'><parent link='" + parent +
           "'/><child link='l" + name + "'/>" + more + "</joint>";
  };
  const std::string limit = "<limit lower='-0.3' upper='0.7' effort='2' velocity='3'/>";
  const RobotDescription r =
      good("a.urdf", "<robot name='a'><link name='world'/>" + joint("a", "floating", "world") +
                         joint("b", "revolute", "la", limit) +
                         joint("c", "prismatic", "lb", "<mimic joint='b' multiplier='-0.7' offset='0.1'/>" + limit) +
                         joint("d", "planar", "lc", "<axis xyz='1 2 3'/>") + joint("e", "continuous", "ld") +
                         "<klampt><link name='lc' accMax='3.3'/></klampt></robot>");
  ASSERT_EQ(r.drivers.size(), 2u);
  EXPECT_EQ(r.drivers[0].type, DriverType::affine);
  roundTrip(r);
}

TEST_F(RobWriter, PointClouds) {
  RobotDescription r = good("a.rob", kTwoLinks);
  PointCloud cloud;
  cloud.points = {Vector3d(0.1, 0.2, 0.3), Vector3d(1, 2, 1.0 / 3)};
  r.links[1].geometry = std::make_shared<Geometry>(std::move(cloud));
  roundTrip(r);
}

TEST_F(RobWriter, SelfCollisionRules) {
  write("ball.geom", "Sphere 0 0 0 0.1\n");
  std::string four = "parents -1 0 1 2\ngeometry ball.geom ball.geom ball.geom ball.geom\nTParent";
  for (int i = 0; i < 4; ++i) four += " 1 0 0 0 1 0 0 0 1 0 0 0";
  four += "\n";
  using Pairs = std::vector<std::pair<int, int>>;
  RobotDescription r = good("a.rob", four);
  ASSERT_EQ(r.selfCollisionPairs.size(), 3u);
  for (const Pairs& pairs : {r.selfCollisionPairs, Pairs{}, Pairs{{0, 2}, {1, 3}}, Pairs{{0, 1}}, Pairs{{0, 3}}}) {
    r.selfCollisionPairs = pairs;
    roundTrip(r);
  }
}

TEST_F(RobWriter, JointsAndDrivers) {
  std::string seven = "parents -1 0 1 2 3 4 5\njointtype p p p r r r r\naccMax 1 2 3 4 5 6 7\nTParent";
  for (int i = 0; i < 7; ++i) seven += " 1 0 0 0 1 0 0 0 1 0 0 0";
  seven += "\naxis 1 0 0 0 1 0 0 0 1 0 0 1 0 1 0 1 0 0 0 0 1\njoint floating 5 -1\njoint spin 6\n";
  roundTrip(good("a.rob", seven + "driver rotation 3 5\ndriver affine 2 0 6 1 -2 0 0.5 -1 1 -2 2 -3 3\n"
                                  "drivers thrust both\nservoP 1 2\nservoI 3 4\nservoD 5 6\ndryFriction 7 8\n"
                                  "viscousFriction 9 10\n"));
  RobotDescription r = good("a.rob", seven);
  ASSERT_EQ(r.drivers.size(), 1u);
  r.drivers[0].torqueMax = 5;
  loader.write(r, path("out.rob"), diagnostics);
  EXPECT_NE(problems().find("cannot hold limits of driver"), std::string::npos) << problems();
  EXPECT_EQ(robot(path("out.rob")).drivers[0].torqueMax, 5);
}

std::vector<std::string> robotFiles() {
  std::vector<std::string> names;
  if (referenceDir().empty()) return names;
  const std::filesystem::path folder = referenceDir() + "/klampt-data/robots";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension == ".rob" || extension == ".urdf") names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class RobWriterData : public RobWriter, public testing::WithParamInterface<std::string> {};

TEST_P(RobWriterData, ReadsBackEqual) {
  const RobotDescription r = robot(referenceDir() + "/klampt-data/robots/" + GetParam());
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  // A warning about the file read says nothing about the file written.
  roundTrip(r);
}

INSTANTIATE_TEST_SUITE_P(Robots, RobWriterData, testing::ValuesIn(robotFiles()), [](const auto& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RobWriterData);

}  // namespace
}  // namespace mortise::test
