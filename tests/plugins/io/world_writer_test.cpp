#include "io_test.h"
#include "mortise/base/files.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/math/rotation.h"
#include "mortise/model/world_description.h"
#include "mortise/modeling/robot_edit.h"
#include "mortise/modeling/world_compiler.h"
#include "tests/support/equality/world_equality.h"

namespace mortise::test {
namespace {

class WorldWriter : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
    write("arm.rob",
          "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nlinks base arm\ngeometry cube.off cube.off\n"
          "q 0.1 0.2\n");
    write("thing.obj", "mesh cube.off\nmass 3\nkFriction 0.9\nT 1 0 0 0 1 0 0 0 1 5 5 5\n");
    write("floor.env", "mesh cube.off\nkFriction 0.3\n");
    write("s.xml", "<sensors><TiltSensor name='t' rate='50'/></sensors>");
    write("q.config", "2 7 8");
  }
  WorldDescription description(const std::string& file) {
    WorldDescription world = loader.load<WorldDescription>(file, {}, diagnostics);
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return world;
  }
  WorldDescription good(const std::string& inside) {
    return description(write("w.xml", "<world>\n" + inside + "\n</world>\n"));
  }
  World compiled(const WorldDescription& world) { return WorldCompiler().compile(world); }
  /// Writes, reads and compares.
  WorldDescription roundTrip(const WorldDescription& world, const std::string& name = "out.xml") {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    loader.write(world, path(name), diagnostics);
    WorldDescription back = description(path(name));
    EXPECT_EQ(worldDifferences(compiled(world), compiled(back), 1e-7), "");
    return back;
  }
  std::string text(const std::string& name) const { return readFile(path(name)); }
  void expectText(const std::string& name, const std::string& part) {
    EXPECT_NE(text(name).find(part), std::string::npos) << part << "\n" << text(name);
  }

  /// One of everything.
  const std::string kFull =
      "<!-- the room -->\n<display background='0.1 0.2 0.3 1'/>\n"
      "<robot name='r' file='arm.rob' config='2 0.30000000000000004 -1' rotateRPY='0.1 0.2 0.3' position='1 2 3'>"
      "<sensors><GyroSensor name='g' link='1'/></sensors><display link='arm' color='1 0 0' texture='noise'/></robot>\n"
      "<robot file='arm.rob' configfile='q.config'><sensors file='s.xml'/></robot>\n"
      "<!-- first <b> & second -->"
      "<terrain file='floor.env' scale='1 2 3' rotateZ='0.3' margin='0.01'><appearance faceColor='0 1 0 0.5' "
      "specularColor='1 1 1 1' emissiveColor='0 0 0 1' shininess='3' silhouette='0'/></terrain>\n"
      "<terrain name='t2' file='cube.off' kFriction='0.25' translation='9 9 9'/>\n"
      "<rigidObject name='o' file='thing.obj' rotateMoment='0 0 0.5'/>\n"
      "<rigidObject name='p' position='0.1 0.2 0.3'><!-- scaled --><geometry mesh='cube.off' scale='0.1' "
      "translation='-0.05 -0.05 -0.05' margin='0.002'/><physics mass='6' automass='1' automassSurfaceFraction='0.5' "
      "kFriction='0.1' kRestitution='0.2' kStiffness='inf' kDamping='5' kRolling='0.003'/></rigidObject>\n"
      "<rigidObject name='q' file='thing.obj'><geometry scale='2'/><physics mass='2' com='1 2 3' inertia='1 2 3 4 5 6 "
      "7 8 9'/></rigidObject>\n"
      "<simulation backend='bullet' on_unstable='scale' iterations='50'><globals gravity='0 0 -1' timestep='0.002' "
      "ERP='0.2' CFM='0.01' "
      "maxContacts='7' boundaryLayer='0' adaptiveTimeStepping='0' rigidObjectCollisions='0' robotSelfCollisions='1' "
      "robotRobotCollisions='0'/>"
      "<!-- soft --><terrain index='0'><geometry kFriction='0.1' kStiffness='inf' padding='0.001' preshrink='1'/>"
      "</terrain><object name='p'><geometry padding='0' kRestitution='0.3'/><velocity linear='1 2 3' angular='4 5 6'/>"
      "</object><robot index='0' body='arm'><geometry kDamping='9' kRolling='0.001'/></robot>"
      "<robot name='r'><controller type='SerialController' writeRate='50'/><sensors><TiltSensor name='t'/></sensors>"
      "</robot><robot index='1'><sensors file='s.xml'/></robot>"
      "<joint type='hinge' point='0 0 1' axis='0 0 2' minimum='-1' minimax='2' friction='0.5'><object name='o'/>"
      "<robot index='0' body='1'/></joint><joint type='fixed'><rigidObject index='1'/></joint>"
      "<command at='1 s' body='p' force='1 0 0.5' for='0.2 s' while='time &lt; 3'><!-- a push --></command>"
      "<state data='QUJD'/></simulation>";
};

TEST_F(WorldWriter, EverythingReadsBack) {
  const WorldDescription world = good(kFull);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  const WorldDescription back = roundTrip(world);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  const World compiledWorld = compiled(back);
  EXPECT_EQ(compiledWorld.objects[1].v_WO, Vector3d(1, 2, 3));
  EXPECT_EQ(compiledWorld.objects[1].surface.rolling, 0.003);
  ASSERT_EQ(compiledWorld.simulation.commands.size(), 1u);
  EXPECT_EQ(compiledWorld.simulation.commands[0].string("while", ""), "time < 3");
  EXPECT_GT(compiledWorld.simulation.commands[0].at("force").position().line, 0);
  EXPECT_EQ(compiledWorld.robots[0].display.at(0).at("color").text(), "1 0 0");
  // Written once more, not a byte changes.
  const std::string first = text("out.xml");
  loader.write(back, path("out.xml"), diagnostics);
  EXPECT_EQ(text("out.xml"), first);
}

TEST_F(WorldWriter, KeepsReferencesPosesAndCommentsAsWritten) {
  roundTrip(good(kFull));
  for (const char* part :
       {"file=\"arm.rob\"", "rotateRPY=\"0.1 0.2 0.3\"", "translation=\"1 2 3\"", "2 0.30000000000000004 -1",
        "<!-- the room -->", "<!-- first <b> & second -->", "<!-- scaled -->", "<!-- soft -->", "<!-- a push -->",
        "file=\"s.xml\"", "configfile=\"q.config\"", "automassSurfaceFraction=\"0.5\"", "scale=\"0.1\"", "body=\"arm\"",
        "silhouette=\"0\"", "specularColor=\"1 1 1 1\""})
    expectText("out.xml", part);
  const std::string all = text("out.xml");
  EXPECT_LT(all.find("<robot name=\"r\""), all.find("<!-- first")) << "the order of the file";
  EXPECT_LT(all.find("<!-- first"), all.find("<terrain"));
  EXPECT_LT(all.find("<!-- soft -->"), all.find("kFriction=\"0.1\" kStiffness=\"inf\""));
}

TEST_F(WorldWriter, KeepsCommentsAroundTheWorld) {
  const std::string file = write("c.xml",
                                 "<?xml version='1.0'?>\n<!-- one -->\n<!-- two -->\n<world><rigidObject "
                                 "file='thing.obj'><physics mass='2'><!-- three --></physics></rigidObject></world>"
                                 "<!-- four -->");
  const WorldDescription back = roundTrip(description(file));
  roundTrip(back);
  const std::string all = text("out.xml");
  EXPECT_LT(all.find("<!-- one -->"), all.find("<!-- two -->"));
  EXPECT_LT(all.find("<!-- two -->"), all.find("<world>"));
  expectText("out.xml", "<!-- three -->");
  expectText("out.xml", "<!-- four -->");
}

TEST_F(WorldWriter, KeepsWhatMeansNothing) {
  roundTrip(
      good("<rigidObject file='thing.obj' color='red'><geometry translat='1 2 3'/><graspGenerator type='x'>"
           "<part/></graspGenerator></rigidObject><goal position='1 2 3'/><target/>"
           "<simulation><globals gravty='1'/><object index='7'><geometry padding='1'/></object>"
           "<object index='0'><geometry padding='0.1' preshink='1'/></object></simulation>"));
  for (const char* part :
       {"color=\"red\"", "translat=\"1 2 3\"", "<graspGenerator type=\"x\">", "<part/>", "<goal position=\"1 2 3\"/>",
        "<target/>", "gravty=\"1\"", "<object index=\"7\">", "padding=\"0.1\" preshink=\"1\""})
    expectText("out.xml", part);
}

TEST_F(WorldWriter, WordsOfTheManualAreWrittenAsKlamptReadsThem) {
  WorldDescription read = loader.load<WorldDescription>(
      write(
          "w.xml",
          "<world background='0.1 0.2 0.3 1'><rigidObject file='thing.obj'><geometry translate='1 2 3'/></rigidObject>"
          "</world>"),
      {}, diagnostics);
  const WorldDescription back = roundTrip(std::move(read));
  expectText("out.xml", "<display background=\"0.1 0.2 0.3 1\"/>");
  expectText("out.xml", "<geometry translation=\"1 2 3\"/>");
  EXPECT_EQ(back.background, (std::vector<double>{0.1, 0.2, 0.3, 1}));
}

TEST_F(WorldWriter, ReferencesFollowTheFileToAnotherFolder) {
  const WorldDescription back = roundTrip(good(kFull), "sub/deep/out.xml");
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  for (const char* part : {"file=\"../../arm.rob\"", "file=\"../../cube.off\"", "configfile=\"../../q.config\"",
                           "<sensors file=\"../../s.xml\"/>", "file=\"../../thing.obj\"", "file=\"../../floor.env\""})
    expectText("sub/deep/out.xml", part);
  // And back again.
  roundTrip(back, "again.xml");
  expectText("again.xml", "file=\"arm.rob\"");
}

TEST_F(WorldWriter, WhatIsAddedIsWrittenBesideTheWorld) {
  WorldDescription world = good("<terrain file='cube.off'/>");
  RigidObject ball;
  ball.name = "a ball";
  ball.geometry = std::make_shared<Geometry>(SphereShape{Vector3d(0.1, 0, 0), 0.5}, 0.003);
  ball.X_WO = RigidTransform::translation(Vector3d(1, 2, 3));
  ball.v_WO = Vector3d(0, 0, -1);
  ball.inertia = {2, Vector3d(0.1, 0, 0), Matrix3d(Vector3d(1, 2, 3).asDiagonal())};
  ball.surface = {.friction = 0.7, .restitution = 0.1, .stiffness = 1e4, .damping = 1e3, .padding = 0.01};
  world.addObject(ball);
  Terrain ramp;
  ramp.name = "ramp";
  ramp.geometry = transformed(*geometry(path("cube.off")), AffineMap(RigidTransform::rotation(rotationX(0.3))));
  ramp.surface.friction = 0.8;
  ramp.surface.stiffness = kInfinity;
  world.addTerrain(ramp);
  // The terrain's surface comes from <simulation> after reading, so the worlds are compared by what is in force.
  loader.write(world, path("out.xml"), diagnostics);
  const World back = compiled(description(path("out.xml"))), mine = compiled(world);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
  EXPECT_EQ(back.numIds(), mine.numIds());
  for (int id = 0; id < mine.numIds(); ++id) EXPECT_EQ(back.simulationSurface(id), mine.simulationSurface(id)) << id;
  EXPECT_TRUE(sameShape(back.terrains[1].geometry, ramp.geometry, 1e-7));
  EXPECT_TRUE(sameShape(back.objects[0].geometry, ball.geometry));
  EXPECT_EQ(back.objects[0].inertia, ball.inertia);
  EXPECT_EQ(back.objects[0].X_WO, ball.X_WO);
  EXPECT_EQ(back.objects[0].v_WO, ball.v_WO);
  EXPECT_TRUE(std::filesystem::exists(path("out_a_ball.geom")));
  EXPECT_TRUE(std::filesystem::exists(path("out_ramp.off")));
}

TEST_F(WorldWriter, AnEditedRobotGetsAFileOfItsOwn) {
  WorldDescription world = good("<robot name='r' file='arm.rob' position='0 0 1'/><robot name='r2' file='arm.rob'/>");
  EXPECT_EQ(world.robots[0].robot, world.robots[1].robot) << "one file, one description";
  world.editRobot(0, [](RobotDescription& robot) { robot.links[1].inertia.mass = 7; });
  const WorldDescription back = roundTrip(world);
  EXPECT_EQ(back.robots[0].file, "out_r.rob");
  EXPECT_EQ(back.robots[1].file, "arm.rob");
  EXPECT_EQ(back.robots[0].robot->links[1].inertia.mass, 7);
  EXPECT_EQ(back.robots[1].robot->links[1].inertia.mass, 1);
}

TEST_F(WorldWriter, AMountedGripperIsSavedWithItsRobot) {
  write("hand.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 0.1\nlinks finger\ngeometry cube.off\nqMin -1\nqMax 1\n");
  WorldDescription world = good("<robot name='r' file='arm.rob'/><robot name='r2' file='arm.rob'/>");
  WorldCompiler compiler;
  const World before = compiler.compile(world);
  world.editRobot(1, [this](RobotDescription& robot) {
    mountRobot(robot, 1, RigidTransform::translation(Vector3d(0.5, 0, 0)), "hand", IoTest::robot(path("hand.rob")));
  });
  const World after = compiler.compile(world);
  EXPECT_EQ(after.robots[0].robot, before.robots[0].robot);
  EXPECT_EQ(after.robots[1].robot->numLinks(), 3);
  EXPECT_EQ(after.robots[1].robot->link(1).geometry, before.robots[1].robot->link(1).geometry);
  const WorldDescription back = roundTrip(world);
  EXPECT_EQ(back.robots[1].robot->links[2].name, "hand:finger");
}

TEST_F(WorldWriter, RemovingAndAmbiguousNames) {
  WorldDescription world = good(
      "<rigidObject name='a' file='thing.obj'/><rigidObject name='b' file='thing.obj'/>"
      "<rigidObject name='b' file='thing.obj'/><simulation><object name='a'><geometry padding='0.1'/></object>"
      "<object index='2'><geometry padding='0.2'/></object></simulation>");
  world.objects[0].name = "b";
  world.removeObject(1);
  roundTrip(world);
  expectText("out.xml", "<object name=\"b\">");
  expectText("out.xml", "<object index=\"1\">");
  world.simulation.entities[1].entity.byName = true;  // By name it would be the first.
  roundTrip(world);
  expectText("out.xml", "<object index=\"1\">");
}

TEST_F(WorldWriter, RigidObjectsAndTerrains) {
  RigidObject object = loader.load<RigidObject>(
      write("o.obj",
            "mesh cube.off\ngeomscale 0.1 0.2 0.3\ngeomtranslate -1 0 1e-17\nT 0 1 0 -1 0 0 0 0 1 5 5 0.1\n"
            "velocity 1 2 3\nangularVelocity 3 2 1\nmass 0.3\nautoMass\nkFriction 0.9\nkStiffness 1000\nkDamping 10\n"),
      {}, diagnostics);
  loader.write(object, path("sub.obj"), diagnostics);
  expectText("sub.obj", "mesh \"cube.off\"\ngeomscale 0.1 0.2 0.3\ngeomtranslate -1 0 1e-17\n");
  RigidObject back = loader.load<RigidObject>(path("sub.obj"), {}, diagnostics);
  back.name = object.name;
  EXPECT_EQ(worldDifferences(object, back), "");
  object.geometryTransform.A(0, 1) = 0.5;  // No scale: the file does not hold this shape any more.
  object.geometry = transformed(*object.geometry, AffineMap(RigidTransform::rotation(rotationZ(1))));
  loader.write(object, path("new.obj"), diagnostics);
  expectText("new.obj", "mesh \"new.off\"\n");
  back = loader.load<RigidObject>(path("new.obj"), {}, diagnostics);
  back.name = object.name;
  EXPECT_EQ(worldDifferences(object, back, 1e-7), "");

  const Terrain terrain =
      loader.load<Terrain>(write("f.env", "mesh cube.off\nkFriction 1 2 3 4 5 6 7 8 9 10 11 12\n"), {}, diagnostics);
  EXPECT_EQ(terrain.surface.friction, 1);
  loader.write(terrain, path("g.env"), diagnostics);
  expectText("g.env", "kFriction 1\n");
  Terrain again = loader.load<Terrain>(path("g.env"), {}, diagnostics);
  again.name = terrain.name;
  EXPECT_EQ(worldDifferences(terrain, again), "");
  for (const Diagnostic& problem : diagnostics.all())
    EXPECT_NE(problem.message.find("one coefficient of friction"), std::string::npos) << problem.format();
  EXPECT_NE(errorText([&] { loader.write(RigidObject(), path("no.obj"), diagnostics); }).find("without a shape"),
            std::string::npos);
  Terrain soft = terrain;
  soft.surface.stiffness = 1;
  loader.write(soft, path("soft.env"), diagnostics);
  EXPECT_NE(problems().find("soft.env: warning: a terrain file holds friction alone"), std::string::npos) << problems();
}

TEST_F(WorldWriter, KlamptsOwnTerrainsKeepTheirFriction) {
  const Terrain terrain = loader.load<Terrain>(write("k.env", "mesh cube.off\nfriction 0.2\n"), {}, diagnostics);
  EXPECT_EQ(terrain.surface.friction, 0.2);
  EXPECT_NE(problems().find("k.env:2:1: warning: 'friction' is read as 'kFriction'"), std::string::npos) << problems();
}

}  // namespace
}  // namespace mortise::test
