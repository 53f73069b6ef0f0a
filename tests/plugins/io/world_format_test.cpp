#include "io_test.h"
#include "mortise/math/rotation.h"

namespace mortise::test {
namespace {

class WorldFormat : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
    write("arm.rob",
          "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nlinks base arm\ngeometry cube.off cube.off\n"
          "q 0.1 0.2\n");
    write("thing.obj", "mesh cube.off\nmass 3\nkFriction 0.9\nT 1 0 0 0 1 0 0 0 1 5 5 5\n");
  }
  World read(const std::string& inside) { return world(write("w.xml", "<world>\n" + inside + "\n</world>\n")); }
  World good(const std::string& inside) {
    World w = read(inside);
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return w;
  }
  void expectProblem(const std::string& text) {
    EXPECT_NE(problems().find(text), std::string::npos) << "wanted: " << text << "\n" << problems();
  }
};

TEST_F(WorldFormat, NumberingDefaultNamesAndOrder) {
  const World w = good(
      "<robot file='arm.rob'/><rigidObject file='thing.obj'/><robot name='second' file='arm.rob'/>"
      "<terrain file='cube.off'/><rigidObject name='o' file='thing.obj'/><terrain file='cube.off'/>");
  EXPECT_EQ(w.numIds(), 2 + 2 + 2 * 3);
  EXPECT_EQ(w.terrains[1].name, "Terrain1");
  EXPECT_EQ(w.objects[0].name, "RigidObject");
  EXPECT_EQ(w.robots[0].name, "Robot");
  EXPECT_EQ(w.objectId(1), 3);
  EXPECT_EQ(w.robotId(1), 7);
  EXPECT_EQ(w.linkId(1, 1), 9);
  EXPECT_EQ(w.nameOf(9), "second[arm]");
}

TEST_F(WorldFormat, PosesInWhateverOrderTheAttributesStand) {
  const World w = good(
      "<rigidObject file='thing.obj' rotateZ='0.3' rotateX='0.1' rotateY='0.2' rotateRPY='1 2 3' position='9 9 9' "
      "translation='1 2 3'/>"
      "<rigidObject file='thing.obj' rotateMoment='0 0 1.5'/><rigidObject file='thing.obj'/>");
  const Matrix3d expected =
      rotationZ(0.3) * rotationY(0.2) * rotationX(0.1) * rotationZ(3) * rotationY(2) * rotationX(1);
  EXPECT_TRUE(w.objects[0].X_WO.R.isApprox(expected, 1e-14));
  EXPECT_EQ(w.objects[0].X_WO.p, Vector3d(1, 2, 3));
  EXPECT_TRUE(w.objects[1].X_WO.R.isApprox(rotationZ(1.5), 1e-14));
  EXPECT_EQ(w.objects[1].X_WO.p, Vector3d(0, 0, 0));  // Replaces the pose of the file.
  EXPECT_EQ(w.objects[2].X_WO.p, Vector3d(5, 5, 5));
}

TEST_F(WorldFormat, TerrainsAreScaledThenRotatedThenMoved) {
  const World w = good(
      "<terrain file='cube.off' scale='1 2 3' rotateZ='1.5707963267948966' translation='10 0 0' "
      "kFriction='0.25' margin='0.01' name='t'><display color='1 0 0'/></terrain>");
  const AxisAlignedBounds b = w.terrains[0].geometry->bounds();
  EXPECT_TRUE(b.min.isApprox(Vector3d(8, 0, 0), 1e-12));
  EXPECT_TRUE(b.max.isApprox(Vector3d(10, 1, 3), 1e-12));
  EXPECT_EQ(w.terrains[0].geometry->margin(), 0.01);
  EXPECT_EQ(w.terrains[0].surface.friction, 0.25);
}

TEST_F(WorldFormat, ObjectsDescribedInPlace) {
  const World w = good(
      "<rigidObject name='box' position='0 0 1'>"
      "<physics mass='6' automass='1' automassSurfaceFraction='0' kRestitution='0' kStiffness='inf' kDamping='5'/>"
      "<geometry mesh='cube.off' scale='2' translation='-1 -1 -1' margin='0.002'/></rigidObject>"
      "<rigidObject name='bare'><geometry file='cube.off'/></rigidObject>");
  const RigidObject& box = w.objects[0];
  EXPECT_EQ(box.geometry->bounds().min, Vector3d(-1, -1, -1));
  EXPECT_EQ(box.geometry->margin(), 0.002);
  EXPECT_TRUE(box.inertia.com.isZero(1e-12));
  EXPECT_NEAR(box.inertia.inertia(0, 0), 6 * 4 / 6.0, 1e-12);
  EXPECT_EQ(box.surface.restitution, 0);
  EXPECT_EQ(box.surface.stiffness, kInfinity);
  EXPECT_EQ(box.surface.damping, 5);
  EXPECT_TRUE(box.file.empty());
  EXPECT_EQ(box.position.line, 2);
  EXPECT_EQ(box.position.column, 1);
  EXPECT_EQ(w.objects[1].inertia.mass, 1);
  EXPECT_EQ(w.objects[1].inertia.inertia, Matrix3d(Matrix3d::Zero()));
  EXPECT_EQ(w.objects[1].surface.restitution, 0.5);
}

TEST_F(WorldFormat, RobotsArePlacedAndConfigured) {
  write("q.config", "2 7 8");
  const World w = good(
      "<robot file='arm.rob' translation='0 0 4' rotateZ='1.5707963267948966'/>"
      "<robot file='arm.rob' config='2  -1 -2'/><robot file='arm.rob' config='2 1 1' configfile='q.config'/>");
  EXPECT_EQ(w.robots[0].q, Eigen::Vector2d(0.1, 0.2));
  EXPECT_EQ(w.robots[0].robot->link(0).X_PL0.p, Vector3d(0, 0, 5));
  EXPECT_EQ(w.robots[0].robot->link(1).X_PL0.p, Vector3d(1, 0, 0));
  EXPECT_EQ(w.robots[1].q, Eigen::Vector2d(-1, -2));
  EXPECT_EQ(w.robots[2].q, Eigen::Vector2d(7, 8));
}

TEST_F(WorldFormat, SensorsOfARobot) {
  write("s.xml", "<sensors><TiltSensor name='t'/></sensors>");
  const World w = good(
      "<robot file='arm.rob'><sensors><GyroSensor name='g' link='1'/></sensors></robot>"
      "<robot file='arm.rob'><sensors file='s.xml'/></robot>");
  EXPECT_EQ(w.robots[0].robot->description().sensors[0].at("type").asString(), "GyroSensor");
  EXPECT_EQ(w.robots[1].robot->description().sensors[0].at("name").asString(), "t");
}

TEST_F(WorldFormat, WhatStandsBetweenTheTagsOfSensorsIsSaid) {
  good(
      "<robot file='arm.rob'><sensors>q <TiltSensor name='t'>hasAxis<noise/></TiltSensor></sensors></robot>\n"
      "<simulation><robot index='0'><controller type='A'><gain>5</gain></controller></robot></simulation>");
  expectProblem("w.xml:2:23: warning: text in <sensors> is ignored");
  expectProblem("warning: text in <TiltSensor> is ignored");
  expectProblem("warning: <noise> in <TiltSensor> is ignored\n  hint: settings are attributes");
  expectProblem("w.xml:3:51: warning: <gain> in <controller> is ignored");
}

TEST_F(WorldFormat, SimulationSettings) {
  const World w = good(
      "<display background='0.1 0.2 0.3 1'/><robot name='r' file='arm.rob'/><rigidObject name='o' file='thing.obj'/>"
      "<rigidObject name='p' file='thing.obj'/><terrain name='floor' file='cube.off'/>\n"
      "<simulation backend='bullet' on_unstable='stop' iterations='50'>"
      "<globals gravity='0 0 -1' timestep='0.002' ERP='0.2' CFM='0.01' maxContacts='7' boundaryLayer='0' "
      "adaptiveTimeStepping='0' rigidObjectCollisions='false' robotSelfCollisions='1' robotRobotCollisions='0'/>"
      "<terrain name='floor'><geometry kFriction='0.1' kStiffness='inf' padding='0.001' preshrink='1'/></terrain>"
      "<object index='1'><geometry padding='0' kRestitution='0.3'/><velocity linear='1 2 3' angular='4 5 6'/></object>"
      "<robot index='0' body='1'><geometry kDamping='9'/></robot>"
      "<robot name='r'><controller type='SerialController' writeRate='50'/>"
      "<sensors><TiltSensor name='t'/><GyroSensor name='g'/></sensors></robot>"
      "<joint type='hinge' point='0 0 1' axis='0 0 2' min='-1' minimax='2' friction='0.5'><object name='o'/>"
      "<robot index='0' body='arm'/></joint>"
      "<joint type='fixed'><rigidObject index='1'/></joint>"
      "<state data='QUJD'/></simulation>");
  const SimulationSettings& s = w.simulation;
  EXPECT_EQ(w.background, (std::vector<double>{0.1, 0.2, 0.3, 1}));
  EXPECT_EQ(s.backend, "bullet");
  EXPECT_EQ(s.onUnstable, OnUnstable::stop);
  EXPECT_EQ(s.backendSettings.size(), 1u);
  EXPECT_EQ(s.backendSettings.at("iterations").asInteger(), 50);
  EXPECT_EQ(s.backendSettings.at("iterations").position().line, 3);
  EXPECT_EQ(s.gravity, Vector3d(0, 0, -1));
  EXPECT_EQ(s.timeStep, 0.002);
  EXPECT_EQ(s.errorReduction, 0.2);
  EXPECT_EQ(s.constraintForceMixing, 0.01);
  EXPECT_EQ(s.maxContacts, 7);
  EXPECT_FALSE(s.boundaryLayerContacts);
  EXPECT_FALSE(s.adaptiveTimeStepping);
  EXPECT_FALSE(s.objectCollisions);
  EXPECT_TRUE(s.robotSelfCollisions);
  EXPECT_FALSE(s.robotRobotCollisions);
  const Surface floor = w.simulationSurface(w.terrainId(0));
  EXPECT_EQ(floor.friction, 0.1);
  EXPECT_EQ(floor.stiffness, kInfinity);
  EXPECT_EQ(floor.damping, 2e5);
  EXPECT_EQ(floor.padding, 0.001);
  EXPECT_EQ(floor.preshrink, 1);
  EXPECT_EQ(w.simulationSurface(w.objectId(0)).padding, 0.0025);
  EXPECT_EQ(w.simulationSurface(w.objectId(1)).padding, 0);
  EXPECT_EQ(w.simulationSurface(w.objectId(1)).friction, 0.9);
  EXPECT_EQ(w.simulationSurface(w.linkId(0, 0)).damping, kInfinity);
  EXPECT_EQ(w.simulationSurface(w.linkId(0, 1)).damping, 9);
  EXPECT_EQ(w.objects[1].v_WO, Vector3d(1, 2, 3));
  EXPECT_EQ(w.objects[1].w_WO, Vector3d(4, 5, 6));
  ASSERT_EQ(s.controllers.size(), 1u);
  EXPECT_EQ(s.controllers[0].first, 0);
  EXPECT_EQ(s.controllers[0].second.type, "SerialController");
  EXPECT_EQ(s.controllers[0].second.settings.at("writeRate").asInteger(), 50);
  ASSERT_EQ(s.sensors.size(), 2u);
  EXPECT_EQ(s.sensors[1].second.type, "GyroSensor");
  ASSERT_EQ(s.joints.size(), 2u);
  EXPECT_EQ(s.joints[0].type, WorldJoint::Type::hinge);
  EXPECT_EQ(s.joints[0].idA, w.objectId(0));
  EXPECT_EQ(s.joints[0].idB, w.linkId(0, 1));
  EXPECT_EQ(s.joints[0].axis, Vector3d::UnitZ());
  EXPECT_EQ(s.joints[0].min, -1);
  EXPECT_EQ(s.joints[0].max, 2);
  EXPECT_EQ(s.joints[0].friction, 0.5);
  EXPECT_EQ(s.joints[1].type, WorldJoint::Type::fixed);
  EXPECT_EQ(s.joints[1].idB, -1);
  EXPECT_EQ(s.stateData, "QUJD");
}

TEST_F(WorldFormat, ARobotWithoutBodyMeansAllItsLinks) {
  const World w = good(
      "<robot file='arm.rob'/><simulation><robot index='0'><geometry kFriction='0.3'/></robot>"
      "<robot index='0' body='1'><geometry kFriction='0.4'/></robot></simulation>");
  EXPECT_EQ(w.simulationSurface(w.linkId(0, 0)).friction, 0.3);
  EXPECT_EQ(w.simulationSurface(w.linkId(0, 1)).friction, 0.4);
}

TEST_F(WorldFormat, GeometryIsTranslatedAsTheManualSays) {
  const World w = good(
      "<rigidObject file='thing.obj'>\n<geometry scale='2' translate='1 2 3'/></rigidObject>"
      "<rigidObject file='thing.obj'><geometry translate='1 2 3' translation='4 0 0'/></rigidObject>");
  EXPECT_EQ(w.objects[0].geometry->bounds().min, Vector3d(1, 2, 3));
  EXPECT_EQ(w.objects[0].geometry->bounds().max, Vector3d(3, 4, 5));
  EXPECT_EQ(w.objects[1].geometry->bounds().min, Vector3d(4, 0, 0));
  expectProblem(
      "w.xml:3:21: warning: <geometry> translate moves the shape, as the manual says; Klamp't passes over it");
  expectProblem("both 'translation' and 'translate'; the second is ignored");
  EXPECT_EQ(diagnostics.warningCount(), 2) << problems();
}

TEST_F(WorldFormat, BackgroundOfTheWorldItselfOrOfItsDisplay) {
  EXPECT_EQ(world(write("b.xml", "<world background='1 0.5 0 0.25'/>")).background,
            (std::vector<double>{1, 0.5, 0, 0.25}));
  EXPECT_EQ(world(write("c.xml", "<world background='1 0.5 0'><display background='0 1 0'/></world>")).background,
            (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(diagnostics.warningCount(), 0) << problems();
  world(write("d.xml", "<world background='blue'/>"));
  expectProblem("d.xml:1:8: error: <world> background: expected a number, found 'blue'");
}

TEST_F(WorldFormat, UnknownAttributesAndElementsAreWarningsWithPosition) {
  good(
      "<rigidObject file='thing.obj' >\n  <geometry\n     translatio='1 2 3' "
      "preshink='1'/>\n<graspGenerator/></rigidObject>"
      "<target/>");
  expectProblem(
      "w.xml:4:6: warning: <geometry> has no attribute 'translatio'; it is ignored\n  hint: did you mean "
      "'translation'?");
  expectProblem("w.xml:4:25: warning: <geometry> has no attribute 'preshink'");
  expectProblem("w.xml:5:1: warning: <graspGenerator> means nothing in <rigidObject>");
  expectProblem("w.xml:5:32: warning: <target> means nothing in <world>");
  diagnostics = {};
  diagnostics.setStrict(true);
  read("<target/>");
  EXPECT_TRUE(diagnostics.hasErrors());
}

TEST_F(WorldFormat, WhatIsSeldomMeantIsSaidAtItsPlace) {
  const struct {
    const char *line, *expected;
  } mistakes[] = {
      // Degrees.
      {"<rigidObject file='thing.obj' rotateRPY='180 0 90'/>",
       "w.xml:2:31: warning: <rigidObject> rotateRPY: 180 is in rad, which is 28.6 turns"},
      {"<terrain file='cube.off' rotateZ='-45'/>", "<terrain> rotateZ: -45 is in rad, which is 7.16 turns"},
      {"<rigidObject file='thing.obj' name='o'/><simulation><joint type='hinge' point='0 0 0' axis='0 0 1' min='-90' "
       "max='90'><object name='o'/></joint></simulation>",
       "<joint> max: 90 is in rad"},
      // Two that say the same, or of which one has no effect.
      {"<rigidObject file='thing.obj' position='2 0 1' translation='3 0 1'/>",
       "<rigidObject> has both 'translation' and 'position'; 'translation' counts"},
      {"<rigidObject><geometry file='cube.off'/><physics mass='1' automass='1' com='0 0 3'/></rigidObject>",
       "<physics> com: has no effect, because automass"},
      {"<rigidObject><geometry file='cube.off'/><physics mass='1' automass='1' inertia='1 1 1'/></rigidObject>",
       "<physics> inertia: has no effect"},
      {"<terrain file='cube.off' name='t'/><simulation><joint type='fixed'><terrain name='t'/></joint></simulation>",
       "the joint holds nothing: terrains do not move"},
      // Numbers out of range.
      {"<terrain file='cube.off' scale='0'/>", "must not be 0: the shape would be flat"},
      {"<simulation><globals ERP='2'/></simulation>", "must be at most 1"},
      {"<simulation><globals boundaryLayer='5'/></simulation>",
       "<globals> boundaryLayer: expected 0 or 1; 5 counts as 1"},
      {"<rigidObject><geometry file='cube.off'/><physics automassSurfaceFraction='2'/></rigidObject>",
       "expected a number from 0 to 1"}};
  for (const auto& [line, expected] : mistakes) {
    SCOPED_TRACE(line);
    diagnostics = {};
    read(line);
    expectProblem(expected);
  }
  diagnostics = {};
  good(
      "<rigidObject file='thing.obj' rotateRPY='3.14159265358979 0 -6.2831853'/>"
      "<rigidObject file='thing.obj' position='1 2 3' translation='1 2 3'/>");
  EXPECT_EQ(diagnostics.warningCount(), 0) << problems();
}

TEST_F(WorldFormat, ReferencesToNothingAreWarnings) {
  good(
      "<robot name='r' file='arm.rob'/><simulation>\n<object index='0'><geometry padding='1'/></object>"
      "<terrain name='flor'/><robot index='0' body='2'/><robot name='q'/></simulation>");
  expectProblem("w.xml:3:9: warning: there is no rigid object with index 0 (the world has 0)");
  expectProblem("there is no terrain called 'flor'");
  expectProblem("robot 'r' has no link '2' (2 links)");
  expectProblem("there is no robot called 'q'");
}

struct BadWorldFile {
  const char* name;
  const char* inside;
  const char* message;
};

class BadWorlds : public WorldFormat, public testing::WithParamInterface<BadWorldFile> {};

TEST_P(BadWorlds, AreRefusedWithAPosition) {
  const std::string message = errorText([&] { read(GetParam().inside); });
  if (message.empty()) {
    EXPECT_TRUE(diagnostics.hasErrors());
    expectProblem(GetParam().message);
  } else {
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadWorlds,
    testing::Values(
        BadWorldFile{"NotWellFormed", "<robot>", "w.xml:2:1: not well-formed XML: <robot> is not closed"},
        BadWorldFile{"RobotWithoutFile", "<robot name='a'/>", "w.xml:2:1: error: <robot> needs an attribute 'file'"},
        BadWorldFile{"MissingRobot", "<robot file='am.rob'/>", "w.xml:2:8: error: cannot find 'am.rob'; tried "},
        BadWorldFile{"MissingTerrain", "<terrain file='no.off'/>", "w.xml:2:10: error: cannot find 'no.off'"},
        BadWorldFile{"ObjectWithoutShape", "<rigidObject name='a'/>",
                     "w.xml:2:1: error: rigid object 'a' has no geometry"},
        BadWorldFile{"Config", "<robot file='arm.rob' config='3 1 2 3'/>",
                     "w.xml:2:23: error: the configuration has 3 numbers; robot 'Robot' has 2 links"},
        BadWorldFile{"ConfigCount", "<robot file='arm.rob' config='3 1 2'/>",
                     "config: expected the number of values and then the values"},
        BadWorldFile{"ConfigNaN", "<robot file='arm.rob' config='2 1 nan'/>", "config: expected a number, found 'nan'"},
        BadWorldFile{"Position", "<rigidObject file='thing.obj' position='1 2'/>",
                     "w.xml:2:31: error: <rigidObject> position: expected 3 numbers, found 2"},
        BadWorldFile{"PositionText", "<rigidObject file='thing.obj' position='1 2 x'/>",
                     "expected a number, found 'x'"},
        BadWorldFile{"PositionInfinite", "<rigidObject file='thing.obj' position='1 2 inf'/>",
                     "expected finite numbers"},
        BadWorldFile{"Scale", "<terrain file='cube.off' scale='1 2'/>", "scale: expected one number or three, found 2"},
        BadWorldFile{"Mass", "<rigidObject file='thing.obj'><physics mass='-1'/></rigidObject>",
                     "mass: must not be negative"},
        BadWorldFile{"Inertia", "<rigidObject file='thing.obj'><physics inertia='1 2'/></rigidObject>",
                     "inertia: expected 9 numbers, or 3 for the diagonal"},
        BadWorldFile{"Automass", "<rigidObject file='thing.obj'><physics automass='yes'/></rigidObject>",
                     "automass: expected 0 or 1, found 'yes'"},
        BadWorldFile{"TimeStep", "<simulation><globals timestep='0'/></simulation>",
                     "timestep: must be greater than 0"},
        BadWorldFile{"MaxContacts", "<simulation><globals maxContacts='many'/></simulation>",
                     "maxContacts: expected an integer, found 'many'"},
        BadWorldFile{"JointType",
                     "<rigidObject name='o' file='thing.obj'/><simulation><joint type='hing'><object name='o'/>"
                     "</joint></simulation>",
                     "'hing' is not a joint type\n  hint: did you mean 'hinge'? available: hinge, slider, fixed"},
        BadWorldFile{"JointTypeUnlikeAny",
                     "<rigidObject name='o' file='thing.obj'/><simulation><joint type='ballbearing'><object name='o'/>"
                     "</joint></simulation>",
                     "'ballbearing' is not a joint type\n  hint: available: hinge, slider, fixed"},
        BadWorldFile{"JointWithItself",
                     "<rigidObject name='o' file='thing.obj'/>\n<simulation><joint type='fixed'><object name='o'/>"
                     "<object index='0'/></joint></simulation>",
                     "w.xml:3:13: error: a joint cannot hold a body to itself"},
        BadWorldFile{"JointBodies", "<simulation><joint type='fixed'/></simulation>", "a joint needs one body"},
        BadWorldFile{"HingeWithoutAxis",
                     "<rigidObject name='o' file='thing.obj'/><simulation><joint type='hinge' point='0 0 0'>"
                     "<object name='o'/></joint></simulation>",
                     "axis: a hinge needs an axis"},
        BadWorldFile{"Controller",
                     "<robot file='arm.rob'/><simulation><robot index='0'><controller/></robot></simulation>",
                     "<controller> has no attribute 'type'"},
        BadWorldFile{"Preshrink",
                     "<terrain file='cube.off'/><simulation><terrain index='0'><geometry preshrink='3'/></terrain>"
                     "</simulation>",
                     "preshrink: expected 0, 1 or 2"}),
    [](const auto& test) { return test.param.name; });

TEST_F(WorldFormat, AllProblemsComeInOneGo) {
  read(
      "<robot file='none.rob'/><rigidObject name='a'/><terrain file='no.off'/>"
      "<simulation><globals timestep='x'/><object name='b'/></simulation>");
  EXPECT_EQ(diagnostics.errorCount(), 4) << problems();
}

TEST_F(WorldFormat, OtherXmlIsNoWorld) {
  const std::string file = write("m.xml", "<?xml version='1.0'?>\n<multipath/>");
  const std::string message = errorText([&] { world(file); });
  EXPECT_NE(message.find("m.xml:2:1: expected <world>, found <multipath>"), std::string::npos) << message;
}

TEST_F(WorldFormat, AMeshIsSharedByAllWhoUseItAsItIs) {
  const World w = good("<rigidObject file='thing.obj'/><rigidObject file='thing.obj'/><terrain file='cube.off'/>");
  EXPECT_EQ(w.objects[0].geometry, w.objects[1].geometry);
  EXPECT_EQ(w.objects[0].geometry, w.terrains[0].geometry);
}

}  // namespace
}  // namespace mortise::test
