// Files as Klamp't's manuals print them: older places and words that count like today's.

#include <Eigen/Geometry>

#include "io_test.h"
#include "mortise/model/robot_state.h"

namespace mortise::test {
namespace {

class ManualFiles : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
    write("arm.rob",
          "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nlinks base arm\ngeometry cube.off cube.off\n");
  }
  WorldDescription description(const std::string& inside) {
    return loader.load<WorldDescription>(write("w.xml", "<world>\n" + inside + "\n</world>\n"), {}, diagnostics);
  }
  World read(const std::string& inside) {
    World w = world(write("w.xml", "<world>\n" + inside + "\n</world>\n"));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return w;
  }
  void expectProblem(const std::string& text) {
    EXPECT_NE(problems().find(text), std::string::npos) << "wanted: " << text << "\n" << problems();
  }
};

TEST_F(ManualFiles, OneSensorInTheSimulation) {
  const World w = read(
      "<robot name='r' file='arm.rob'/><simulation><robot name='r'>"
      "<sensor type='TiltSensor' name='tilt' link='1'/><sensors><GyroSensor name='g'/></sensors></robot></simulation>");
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  ASSERT_EQ(w.simulation.sensors.size(), 2u);
  EXPECT_EQ(w.simulation.sensors[0].second.type, "TiltSensor");
  EXPECT_EQ(w.simulation.sensors[0].second.settings.at("name").asString(), "tilt");
  EXPECT_EQ(w.simulation.sensors[0].second.settings.at("link").asInteger(), 1);
  EXPECT_FALSE(w.simulation.sensors[0].second.settings.contains("type"));
  EXPECT_EQ(w.simulation.sensors[1].second.type, "GyroSensor");
  diagnostics = {};
  world(write("bad.xml",
              "<world><robot file='arm.rob'/><simulation><robot index='0'><sensor name='x'/></robot></simulation>"
              "</world>"));
  expectProblem("error: <sensor> has no attribute 'type'");
}

TEST_F(ManualFiles, EnvMeansTerrainInTheSimulation) {
  const World w = read(
      "<terrain file='cube.off'/><simulation><env index='0'><geometry kFriction='0.25' padding='0.001'/></env>"
      "</simulation>");
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  EXPECT_EQ(w.simulationSurface(w.terrainId(0)).friction, 0.25);
  EXPECT_EQ(w.simulationSurface(w.terrainId(0)).padding, 0.001);
}

TEST_F(ManualFiles, AStateBesideTheSimulationIsWrittenIntoIt) {
  const WorldDescription given = description("<terrain file='cube.off'/><state data='QUJD'/>");
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  EXPECT_EQ(given.simulation.stateData, "QUJD");
  loader.write(given, path("out.xml"), diagnostics);
  EXPECT_EQ(loader.load<WorldDescription>(path("out.xml"), {}, diagnostics).simulation.stateData, "QUJD");
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  const WorldDescription both = description("<state data='QUJD'/><simulation><state data='REVG'/></simulation>");
  EXPECT_EQ(both.simulation.stateData, "REVG");
  expectProblem("w.xml:2:1: warning: only one <state> counts");
}

TEST_F(ManualFiles, ClosedJointsAreKeptAsWhatTheyAre) {
  const RobotDescription r = robot(write("loop.rob",
                                         "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nlinks a b\n"
                                         "joint normal 0\njoint closed 1 0\n"));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  expectProblem("loop.rob:4:1: warning: the loop is not closed: link 'b' moves freely about its axis");
  ASSERT_EQ(r.joints.size(), 2u);
  EXPECT_EQ(r.joints[1].type, JointType::normal);
  EXPECT_EQ(r.joints[1].link, 1);
  EXPECT_EQ(Robot::compile(r)->numDrivers(), 2);
  diagnostics = {};
  // The link's own joint counts where it has one, and alone the line takes no joint away.
  EXPECT_EQ(robot(write("two.rob",
                        "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\njoint normal 0\njoint normal 1\n"
                        "joint closed 1\n"))
                .joints.size(),
            2u);
  EXPECT_EQ(robot(write("one.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\njoint closed 1\n"))
                .joints.size(),
            2u);
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  robot(write("bad.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1\njoint closed 7\n"));
  expectProblem("bad.rob:2:1: error: the joint names link 7; there are 1");
}

TEST_F(ManualFiles, TemplatesExplainInThePlaceOfValues) {
  const RobotDescription r =
      robot(write("t.rob",
                  "parents (link parents)\nTParent 1 0 0 0 1 0 0 0 1 0 0 2\nlinks 'one'\ngeometry .off mesh files)\n"
                  "madeup (says nothing)\nmass 3\n"));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  expectProblem("t.rob:1:1: warning: the file is a template");
  ASSERT_EQ(r.links.size(), 1u);
  EXPECT_EQ(r.links[0].inertia.mass, 3);
  EXPECT_EQ(r.links[0].geometry, nullptr);
  diagnostics = {};
  robot(write("empty.rob", "# nothing\n"));
  expectProblem("the file describes no links");
}

/// A plane at depth 1 as a pinhole sees it: every pixel has the depth 1.
TEST_F(ManualFiles, APlaneSeenByAPinholeIsThePlane) {
  write("one.pgm", "P2\n5 3\n10\n10 10 10 10 10\n10 10 10 10 10\n10 10 10 10 10\n");
  const GeometryPtr g = geometry(write("depth.json",
                                       "{\"type\": \"Heightmap\", \"xfov\": 1.5707963267948966, \"yfov\": "
                                       "0.9272952180016122, \"height_range\": [0, 1], \"heights\": \"one.pgm\"}"));
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->vertices.size(), 15u);
  EXPECT_EQ(mesh->triangles.size(), 16u);
  const AxisAlignedBounds bounds = g->bounds();
  EXPECT_TRUE(bounds.min.isApprox(Vector3d(-1, -0.5, 1), 1e-6)) << bounds.min.transpose();
  EXPECT_TRUE(bounds.max.isApprox(Vector3d(1, 0.5, 1), 1e-6)) << bounds.max.transpose();
  double area = 0;
  for (const auto& t : mesh->triangles) {
    const Vector3d a = mesh->vertices[static_cast<std::size_t>(t[0])],
                   b = mesh->vertices[static_cast<std::size_t>(t[1])],
                   c = mesh->vertices[static_cast<std::size_t>(t[2])];
    const Vector3d twice = (b - a).cross(c - a);
    EXPECT_LT(twice.z(), 0) << "it faces the pinhole";
    area += 0.5 * twice.norm();
  }
  EXPECT_NEAR(area, 2, 1e-6);
}

/// A tilted plane z = 2 + 0.5 x: depths differ, and all points lie on it, wherever the pinhole is.
TEST_F(ManualFiles, ATiltedPlaneSeenByAPinholeIsThePlane) {
  const int columns = 9, rows = 5, white = 65535;
  const double half = std::tan(0.5), low = 1, high = 4;
  std::string image = "P2\n9 5\n65535\n";
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double u = half * (2.0 * i / (columns - 1) - 1), depth = 2 / (1 - 0.5 * u);
      image += std::to_string(std::lround(white * (depth - low) / (high - low))) + "\n";
    }
  write("tilted.pgm", image);
  const GeometryPtr g =
      geometry(write("tilted.json",
                     "{\"type\": \"Heightmap\", \"xfov\": 1, \"yfov\": 0.5, \"height_range\": [1, 4], \"heights\": "
                     "\"tilted.pgm\", \"offset\": [1, 2, 3], \"orientation\": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}"));
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr) << problems();
  EXPECT_EQ(mesh->vertices.size(), 45u);
  RigidTransform X;
  X.p = Vector3d(1, 2, 3);
  X.R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (const Vector3d& vertex : mesh->vertices) {
    const Vector3d p = X.inverse() * vertex;
    EXPECT_NEAR(p.z(), 2 + 0.5 * p.x(), 1e-4);
  }
}

TEST_F(ManualFiles, PixelsWithoutDepthAreHoles) {
  write("hole.pgm", "P2\n3 3\n2\n2 2 2\n2 0 2\n2 2 2\n");
  const std::string json =
      "{\"type\": \"Heightmap\", \"xfov\": 1, \"yfov\": 1, \"height_range\": [0, 2], \"heights\": \"";
  const GeometryPtr g = geometry(write("hole.json", json + "hole.pgm\"}"));
  EXPECT_EQ(g->numVertices(), 8);
  EXPECT_EQ(g->numTriangles(), 2);  // Six of the eight have the corner in the middle.
  write("none.pgm", "P2\n2 2\n2\n0 0\n0 0\n");
  EXPECT_NE(errorText([&] { geometry(write("none.json", json + "none.pgm\"}")); }).find("shows nothing"),
            std::string::npos);
  EXPECT_NE(errorText([&] {
              geometry(write("turned.json",
                             "{\"type\": \"Heightmap\", \"xsize\": 1, \"ysize\": 1, \"height_range\": [0, 1], "
                             "\"heights\": \"hole.pgm\", \"orientation\": [[2, 0, 0], [0, 1, 0], [0, 0, 1]]}"));
            }).find("no rotation matrix"),
            std::string::npos);
}

TEST_F(ManualFiles, ShapesOfTheWebAreRefusedWithWhatToDo) {
  world(write("web.xml", "<world><terrain file='https://example.org/shapes/table.off'/></world>"));
  expectProblem("web.xml:1:17: error: 'https://example.org/shapes/table.off' is an address on the web");
  expectProblem("hint: download it, for example with `curl -O https://example.org/shapes/table.off`");
  diagnostics = {};
  robot(write("mount.rob",
              "TParent 1 0 0 0 1 0 0 0 1 0 0 1\nmount 0 http://example.org/hand.rob 1 0 0 0 1 0 0 0 1 0 0 0\n"));
  expectProblem("'http://example.org/hand.rob' is an address on the web");
}

}  // namespace
}  // namespace mortise::test
