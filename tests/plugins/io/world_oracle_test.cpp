#include <algorithm>
#include <filesystem>

#include "io_test.h"
#include "mortise/base/files.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world_description.h"
#include "mortise/modeling/world_compiler.h"
#include "oracle.h"
#include "tests/support/equality/world_equality.h"

// Every world of the reference against what Klamp't makes of it.

namespace mortise::test {
namespace {

constexpr double kWorldTolerance = 1e-9;
constexpr double kWorldVertexTolerance = 3e-7;  ///< Klamp't's vertices are single precision.

std::vector<std::string> oracleFiles(const std::string& prefix) {
  std::vector<std::string> names;
  if (referenceDir().empty()) return names;
  for (const auto& entry : std::filesystem::directory_iterator(referenceDir() + "/reference/klampt-oracle")) {
    const std::string name = entry.path().stem().string();
    if (name.rfind(prefix, 0) == 0) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class WorldOracle : public IoTest, public testing::WithParamInterface<std::string> {
 protected:
  static void expectShape(const Value& theirs, const GeometryPtr& geometry) {
    ASSERT_TRUE(geometry);
    const bool primitive = theirs.at("type").asString() == "Primitive";
    EXPECT_EQ(primitive ? "GeometricPrimitive" : theirs.at("type").asString(), geometry->typeName());
    EXPECT_EQ(theirs.at("tris").asInteger(), geometry->numTriangles());
    // Klamp't keeps the corners of STL facets apart where normals differ.
    if (!geometry->file().ends_with(".stl")) {
      EXPECT_EQ(theirs.at("verts").asInteger(), geometry->numVertices());
    }
    EXPECT_EQ(theirs.at("margin").asReal(), geometry->margin());
    EXPECT_TRUE(allNear(theirs.at("bmin"), geometry->bounds().min, kWorldVertexTolerance));
    EXPECT_TRUE(allNear(theirs.at("bmax"), geometry->bounds().max, kWorldVertexTolerance));
  }

  static void expectRobot(const Value& theirs, const World& world, int i) {
    const WorldRobot& robot = world.robots[static_cast<std::size_t>(i)];
    EXPECT_EQ(theirs.at("name").asString(), robot.name);
    EXPECT_EQ(theirs.at("id").asInteger(), world.robotId(i));
    EXPECT_EQ(theirs.at("link_ids_first").asInteger(), world.linkId(i, 0));
    EXPECT_EQ(theirs.at("num_drivers").asInteger(), robot.robot->numDrivers());
    ASSERT_EQ(theirs.at("num_links").asInteger(), robot.robot->numLinks());
    EXPECT_TRUE(allNear(theirs.at("q"), robot.q, kWorldTolerance));
    EXPECT_TRUE(allNear(theirs.at("dq"), robot.dq, kWorldTolerance));
    RobotState state(*robot.robot);
    state.q = robot.q;
    updateFrames(*robot.robot, state);
    Vector3d moment = Vector3d::Zero();
    for (int k = 0; k < robot.robot->numLinks(); ++k) {
      const BodyInertia& body = robot.robot->link(k).inertia;
      moment += body.mass * (state.X_WL[k] * body.com);
    }
    EXPECT_TRUE(allNear(theirs.at("com"), Vector3d(moment / robot.robot->totalMass()), kWorldTolerance));
    for (int k = 0; k < robot.robot->numLinks(); ++k)
      EXPECT_TRUE(allNear(theirs.at("link_T")[static_cast<std::size_t>(k)], rows(state.X_WL[k]), kWorldTolerance));
  }

  static void expectObject(const Value& theirs, const World& world, int i) {
    const RigidObject& object = world.objects[static_cast<std::size_t>(i)];
    EXPECT_EQ(theirs.at("name").asString(), object.name);
    EXPECT_EQ(theirs.at("id").asInteger(), world.objectId(i));
    EXPECT_TRUE(allNear(theirs.at("T"), rows(object.X_WO), kWorldTolerance));
    EXPECT_TRUE(allNear(theirs.at("v"), object.v_WO, kWorldTolerance));
    EXPECT_TRUE(allNear(theirs.at("w"), object.w_WO, kWorldTolerance));
    EXPECT_TRUE(near(theirs.at("mass"), object.inertia.mass, kWorldTolerance));
    EXPECT_TRUE(allNear(theirs.at("com"), object.inertia.com, kWorldTolerance));
    EXPECT_TRUE(allNear(theirs.at("inertia"), rows(object.inertia.inertia), kWorldTolerance));
    EXPECT_TRUE(near(theirs.at("kFriction"), object.surface.friction, kWorldTolerance));
    EXPECT_TRUE(near(theirs.at("kRestitution"), object.surface.restitution, kWorldTolerance));
    EXPECT_TRUE(near(theirs.at("kStiffness"), object.surface.stiffness, kWorldTolerance));
    EXPECT_TRUE(near(theirs.at("kDamping"), object.surface.damping, kWorldTolerance));
    expectShape(theirs.at("geometry"), object.geometry);
  }

  /// Klamp't passes over the `translate` of `<geometry>` that its manual has.
  static void forgetTranslate(WorldDescription& world) {
    for (ObjectEntry& object : world.objects)
      for (ObjectGeometry& geometry : object.geometry) geometry.placement.translation.reset();
  }
};

TEST_P(WorldOracle, Agrees) {
  const Value oracle = loadYaml(referenceDir() + "/reference/klampt-oracle/" + GetParam() + ".json");
  // The patched worlds differ in what newest Klamp't refuses and we read.
  std::string file = oracle.at("file").asString();
  file = file.substr(0, file.find(" (patched)"));
  WorldDescription description =
      loader.load<WorldDescription>(referenceDir() + "/klampt-data/" + file, {}, diagnostics);
  if (file == "block.xml") forgetTranslate(description);
  const World world = WorldCompiler().compile(description, diagnostics);
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();

  EXPECT_EQ(oracle.at("num_ids").asInteger(), world.numIds());
  EXPECT_TRUE(allNear(oracle.at("background"), Eigen::Map<const VectorXd>(world.background.data(), 4), 1e-7));
  ASSERT_EQ(oracle.at("robots").size(), world.robots.size());
  ASSERT_EQ(oracle.at("rigid_objects").size(), world.objects.size());
  ASSERT_EQ(oracle.at("terrains").size(), world.terrains.size());
  for (std::size_t i = 0; i < world.robots.size(); ++i) expectRobot(oracle.at("robots")[i], world, static_cast<int>(i));
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    expectObject(oracle.at("rigid_objects")[i], world, static_cast<int>(i));
  for (std::size_t i = 0; i < world.terrains.size(); ++i) {
    const Value& theirs = oracle.at("terrains")[i];
    const Terrain& terrain = world.terrains[i];
    EXPECT_EQ(theirs.at("name").asString(), terrain.name);
    EXPECT_EQ(theirs.at("id").asInteger(), world.terrainId(static_cast<int>(i)));
    EXPECT_TRUE(near(theirs.at("kFriction0"), terrain.surface.friction, kWorldTolerance));
    // One number for each triangle (or for the one primitive) there, one for all here unless they differ.
    const int elements = std::max(1, terrain.geometry->numTriangles());
    EXPECT_EQ(theirs.at("num_kFriction").asInteger(), elements);
    expectShape(theirs.at("geometry"), terrain.geometry);
  }
}

/// Everything that worlds, rigid objects and terrains refer to, wherever they lie.
std::vector<std::string> dataFiles(const std::vector<std::string>& extensions) {
  std::vector<std::string> files;
  if (referenceDir().empty()) return files;
  const std::string root = referenceDir() + "/klampt-data";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const std::string file = entry.path().string();
    if (std::find(extensions.begin(), extensions.end(), entry.path().extension()) != extensions.end())
      files.push_back(file.substr(root.size() + 1));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::size_t numComments(const std::string& xml) {
  std::size_t count = 0;
  for (std::size_t at = xml.find("<!--"); at != std::string::npos; at = xml.find("<!--", xml.find("-->", at))) ++count;
  return count;
}

using WorldData = IoTest;

TEST_F(WorldData, WrittenWorldsReadBackEqual) {
  MORTISE_NEEDS_REFERENCE();
  int count = 0;
  for (const std::string& name : dataFiles({".xml"})) {
    const std::string file = referenceDir() + "/klampt-data/" + name;
    if (loader.contentOf(file) != FileContent::world) continue;
    SCOPED_TRACE(name);
    diagnostics = {};
    const WorldDescription world = loader.load<WorldDescription>(file, {}, diagnostics);
    ASSERT_FALSE(diagnostics.hasErrors()) << problems();
    int warnings = diagnostics.warningCount();
    for (const Diagnostic& said : diagnostics.all())
      if (said.message.starts_with("<geometry> translate")) --warnings;  // Written as `translation`.
    const std::string copy = path("copy.xml");
    diagnostics = {};
    loader.write(world, copy, diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << problems();
    const WorldDescription back = loader.load<WorldDescription>(copy, {}, diagnostics);
    ASSERT_FALSE(diagnostics.hasErrors()) << problems();
    EXPECT_EQ(diagnostics.warningCount(), warnings) << "what means nothing is kept";
    EXPECT_EQ(worldDifferences(WorldCompiler().compile(world), WorldCompiler().compile(back)), "");
    EXPECT_EQ(numComments(readFile(file)), numComments(readFile(copy)));
    ++count;
  }
  EXPECT_EQ(count, 33);
}

TEST_F(WorldData, WrittenObjectsAndTerrainsReadBackEqual) {
  MORTISE_NEEDS_REFERENCE();
  int objects = 0, terrains = 0;
  for (const std::string& name : dataFiles({".obj", ".env"})) {
    SCOPED_TRACE(name);
    const std::string file = referenceDir() + "/klampt-data/" + name;
    diagnostics = {};
    const auto content = loader.contentOf(file);
    if (content == FileContent::rigidObject) {
      RigidObject object = loader.load<RigidObject>(file, {}, diagnostics);
      if (diagnostics.hasErrors()) continue;  // The pod's meshes are not in the data.
      loader.write(object, path("copy.obj"), diagnostics);
      RigidObject back = loader.load<RigidObject>(path("copy.obj"), {}, diagnostics);
      back.name = object.name;
      EXPECT_EQ(worldDifferences(object, back), "");
      ++objects;
    } else if (content == FileContent::terrain) {
      const Terrain terrain = loader.load<Terrain>(file, {}, diagnostics);
      loader.write(terrain, path("copy.env"), diagnostics);
      Terrain back = loader.load<Terrain>(path("copy.env"), {}, diagnostics);
      back.name = terrain.name;
      EXPECT_EQ(worldDifferences(terrain, back), "");
      ++terrains;
    }
    // Masses of open meshes are guesses, which is said.
    for (const Diagnostic& problem : diagnostics.all())
      EXPECT_NE(problem.message.find("boundary edges; for its mass properties"), std::string::npos) << problem.format();
  }
  EXPECT_GE(objects, 12);
  EXPECT_EQ(terrains, 1);
}

/// What Klamp't's simulator makes of `<simulation>`.
class SettingsOracle : public IoTest, public testing::WithParamInterface<std::string> {
 protected:
  static void expectSurface(const Value& theirs, const Surface& ours) {
    EXPECT_TRUE(near(theirs.at("padding"), ours.thickness(), kWorldTolerance)) << ours.thickness();
    EXPECT_TRUE(near(theirs.at("kFriction"), ours.friction, kWorldTolerance)) << ours.friction;
    EXPECT_TRUE(near(theirs.at("kRestitution"), ours.restitution, kWorldTolerance)) << ours.restitution;
    EXPECT_TRUE(near(theirs.at("kStiffness"), ours.stiffness, kWorldTolerance)) << ours.stiffness;
    EXPECT_TRUE(near(theirs.at("kDamping"), ours.damping, kWorldTolerance)) << ours.damping;
  }

  static std::vector<std::string> sensorsOf(const World& world, int robot) {
    std::vector<std::string> names;
    for (const auto& [owner, request] : world.simulation.sensors)
      if (owner == robot) names.push_back(request.type + ":" + request.settings.at("name").text());
    if (!names.empty()) return names;
    const Value& sensors = world.robots[static_cast<std::size_t>(robot)].robot->description().sensors;
    if (!sensors.isList()) return {"JointPositionSensor:q", "JointVelocitySensor:dq"};
    for (const Value& sensor : sensors.items())
      names.push_back(sensor.at("type").text() + ":" + sensor.at("name").text());
    return names;
  }
};

TEST_P(SettingsOracle, Agree) {
  const Value oracle = loadYaml(referenceDir() + "/reference/klampt-oracle/" + GetParam() + ".json");
  std::string file = oracle.at("file").asString();
  file = file.substr(0, file.find(" (patched)"));
  const World world = IoTest::world(referenceDir() + "/klampt-data/" + file);
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  // Klamp't gives up at the first entry it does not like; we read on, so there is nothing to compare.
  if (!oracle.at("settings_parsed_ok").asBool()) GTEST_SKIP() << "the reference did not read these settings";

  const Value& settings = oracle.at("settings");
  const SimulationSettings& ours = world.simulation;
  EXPECT_TRUE(allNear(settings.at("gravity"), ours.gravity, kWorldTolerance));
  EXPECT_TRUE(near(settings.at("ERP"), ours.errorReduction, kWorldTolerance));
  EXPECT_TRUE(near(settings.at("CFM"), ours.constraintForceMixing, kWorldTolerance));
  EXPECT_TRUE(near(oracle.at("sim_step"), ours.timeStep, kWorldTolerance));
  EXPECT_EQ(settings.at("maxContacts").asInteger(), ours.maxContacts);
  EXPECT_EQ(settings.at("boundaryLayer").asBool(), ours.boundaryLayerContacts);
  EXPECT_EQ(settings.at("adaptiveTimeStepping").asBool(), ours.adaptiveTimeStepping);
  EXPECT_EQ(settings.at("rigidObjectCollisions").asBool(), ours.objectCollisions);
  EXPECT_EQ(settings.at("robotSelfCollisions").asBool(), ours.robotSelfCollisions);
  EXPECT_EQ(settings.at("robotRobotCollisions").asBool(), ours.robotRobotCollisions);

  const Value& surfaces = oracle.at("surfaces");
  for (std::size_t i = 0; i < world.terrains.size(); ++i) {
    SCOPED_TRACE("terrain " + std::to_string(i));
    expectSurface(surfaces.at("terrains")[i], world.simulationSurface(world.terrainId(static_cast<int>(i))));
  }
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    SCOPED_TRACE("object " + std::to_string(i));
    expectSurface(surfaces.at("objects")[i], world.simulationSurface(world.objectId(static_cast<int>(i))));
  }
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    for (const auto& link : surfaces.at("robots")[r].entries()) {
      SCOPED_TRACE("robot " + std::to_string(r) + " link " + link.key);
      expectSurface(link.value, world.simulationSurface(world.linkId(static_cast<int>(r), std::stoi(link.key))));
    }
    std::vector<std::string> sensors;
    for (const Value& sensor : oracle.at("sensors")[r].items()) sensors.push_back(sensor.text());
    EXPECT_EQ(sensors, sensorsOf(world, static_cast<int>(r)));
  }
}

INSTANTIATE_TEST_SUITE_P(Worlds, SettingsOracle, testing::ValuesIn(oracleFiles("sim_")),
                         [](const auto& test) { return test.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SettingsOracle);

INSTANTIATE_TEST_SUITE_P(Worlds, WorldOracle, testing::ValuesIn(oracleFiles("world_")),
                         [](const auto& test) { return test.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WorldOracle);

}  // namespace
}  // namespace mortise::test
