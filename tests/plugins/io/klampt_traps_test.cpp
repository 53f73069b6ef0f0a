#include "io_test.h"
#include "mortise/model/robot_state.h"

// One test for each line of the table of traps in docs/klampt.md that worlds and robots are about.

namespace mortise::test {
namespace {

class KlamptTraps : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
    write("arm.rob",
          "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nlinks base arm\ngeometry cube.off cube.off\n");
    write("thing.obj", "mesh cube.off\nmass 3\n");
  }
  World read(const std::string& inside, bool strict = false) {
    diagnostics = {};
    diagnostics.setStrict(strict);
    return world(write("w.xml", "<world>\n" + inside + "\n</world>\n"));
  }
  void expectProblem(const std::string& text) {
    EXPECT_NE(problems().find(text), std::string::npos) << "wanted: " << text << "\n" << problems();
  }
  std::string data(const std::string& name) const { return referenceDir() + "/klampt-data/" + name; }
};

TEST_F(KlamptTraps, ObjectMeansRigidObject) {
  const World w = read("<object name='o' file='thing.obj'/>");
  ASSERT_EQ(w.objects.size(), 1u);
  expectProblem("w.xml:2:1: warning: <object> is read as <rigidObject>");
}

TEST_F(KlamptTraps, SensorsStandUnderTheRobotOrInTheSimulation) {
  const World w = read(
      "<robot file='arm.rob'><sensors><TiltSensor name='t'/></sensors></robot>"
      "<simulation><robot index='0'><sensors><GyroSensor name='g'/></sensors></robot></simulation>");
  EXPECT_EQ(w.robots[0].robot->description().sensors.size(), 1u);
  EXPECT_EQ(w.simulation.sensors.size(), 1u);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

TEST_F(KlamptTraps, AttributesThatTheManualLeavesOut) {
  write("q.config", "2 1 2");
  const World w = read(
      "<robot file='arm.rob' configfile='q.config'/>"
      "<rigidObject name='o' file='thing.obj'><display emissiveColor='1 0 0 1' specularColor='1 1 1 1' shininess='4'/>"
      "</rigidObject><simulation><globals adaptiveTimeStepping='0'/>"
      "<object index='0'><geometry padding='0.01' preshrink='2'/><velocity linear='1 0 0' angular='0 1 0'/></object>"
      "<joint type='slider' axis='1 0 0' minimum='-1' minimax='1'><object index='0'/></joint></simulation>");
  ASSERT_EQ(diagnostics.all().size(), 1u) << problems();
  EXPECT_NE(problems().find("preshrink: 2 shrinks the shape in simulation alone"), std::string::npos) << problems();
  EXPECT_EQ(w.robots[0].q[1], 2);
  EXPECT_FALSE(w.simulation.adaptiveTimeStepping);
  EXPECT_EQ(w.simulationSurface(w.objectId(0)).preshrink, 2);
  EXPECT_EQ(w.objects[0].w_WO, Vector3d(0, 1, 0));
  EXPECT_EQ(w.simulation.joints.at(0).min, -1);
  EXPECT_EQ(w.simulation.joints.at(0).max, 1);
  EXPECT_EQ(w.objects[0].display.at(0).at("shininess").asReal(), 4);
}

TEST_F(KlamptTraps, MisspeltAttributesAreNamedAndStrictRefusesThem) {
  const std::string inside =
      "<rigidObject file='thing.obj'>\n<geometry translat='1 0 0'/></rigidObject><simulation>\n"
      "<object index='0'><geometry padding='0.1' preshink='1' stiffness='5'/></object>\n</simulation>";
  const World w = read(inside);
  EXPECT_EQ(w.objects[0].geometry->bounds().min, Vector3d(0, 0, 0)) << "as in Klamp't: the shape stays where it was";
  EXPECT_EQ(w.simulationSurface(w.objectId(0)).preshrink, 0);
  expectProblem("w.xml:3:11: warning: <geometry> has no attribute 'translat'; it is ignored\n  hint: did you mean");
  expectProblem("w.xml:4:43: warning: <geometry> has no attribute 'preshink'; it is ignored\n  hint: did you mean");
  expectProblem("has no attribute 'stiffness'; it is ignored\n  hint: did you mean 'kStiffness'?");
  read(inside, true);
  EXPECT_EQ(diagnostics.errorCount(), 3) << problems();
}

TEST_F(KlamptTraps, ShrinkingNeedsThePaddingItGoesBy) {
  const World w =
      read("<terrain file='cube.off'/><simulation><terrain index='0'><geometry preshrink='1'/></terrain></simulation>");
  EXPECT_EQ(w.simulationSurface(0).preshrink, 0);
  expectProblem("warning: <geometry> preshrink: has no effect without 'padding'");
}

TEST_F(KlamptTraps, TranslationWinsOverPosition) {
  const World w = read("<rigidObject file='thing.obj' position='1 1 1' translation='2 2 2'/>");
  EXPECT_EQ(w.objects[0].X_WO.p, Vector3d(2, 2, 2));
}

TEST_F(KlamptTraps, AnObjectWithoutFileHasNoInertia) {
  const World w = read("<rigidObject><geometry file='cube.off'/></rigidObject><rigidObject file='thing.obj'/>");
  EXPECT_EQ(w.objects[0].inertia.inertia, Matrix3d(Matrix3d::Zero()));
  EXPECT_EQ(w.objects[1].inertia.inertia, Matrix3d(Matrix3d::Identity()));
}

TEST_F(KlamptTraps, XmlIsKnownByItsRoot) {
  EXPECT_EQ(loader.contentOf(write("a.xml", "<?xml version='1.0'?>\n<!-- c -->\n<world/>")), FileContent::world);
  EXPECT_NE(loader.contentOf(write("b.xml", "<multipath/>")), FileContent::world);
}

TEST_F(KlamptTraps, MalformedXmlHasAPlace) {
  const std::string message =
      errorText([&] { robot(write("h.urdf", "<robot name='h'>\n<link name='a'>\n</robot>\n")); });
  EXPECT_NE(message.find("h.urdf:"), std::string::npos) << message;
  EXPECT_NE(message.find("<link> is not closed"), std::string::npos) << message;
}

TEST_F(KlamptTraps, TheBlankTemplateIsOneFixedLink) {
  MORTISE_NEEDS_REFERENCE();
  const RobotDescription r = robot(data("robots/blank.rob"));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  expectProblem("warning: the file is a template: 'parents' has an explanation in the place of values");
  expectProblem("warning: the file gives no links; the robot has one, welded to the world");
  const RobotPtr compiled = Robot::compile(r);
  EXPECT_EQ(compiled->numLinks(), 1);
  EXPECT_EQ(compiled->numDrivers(), 0);
}

TEST_F(KlamptTraps, FloatingChainsOfThreeShiftsBecomeJoints) {
  MORTISE_NEEDS_REFERENCE();
  const RobotDescription r = robot(data("robots/sphere.rob"));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  expectProblem("sphere.rob:19:1: warning: a floating joint needs a chain of 6 links; the 3 that shift link 'Link_2'");
  ASSERT_EQ(r.joints.size(), 3u);
  const RobotPtr compiled = Robot::compile(r);
  RobotState state(*compiled);
  state.q = Vector3d(0.5, -0.25, 0.75);
  updateFrames(*compiled, state);
  EXPECT_TRUE(state.X_WL[2].p.isApprox(Vector3d(0.5, -0.25, 0.75))) << state.X_WL[2].p.transpose();
}

TEST_F(KlamptTraps, PrimitiveHeadersAreReadAndLeftOut) {
  const GeometryPtr with = geometry(write("a.geom", "Primitive\nSphere 0 0 0 1\n"));
  const GeometryPtr without = geometry(write("b.geom", "Sphere 0 0 0 1\n"));
  ASSERT_TRUE(with->as<SphereShape>());
  ASSERT_TRUE(without->as<SphereShape>());
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

}  // namespace
}  // namespace mortise::test
