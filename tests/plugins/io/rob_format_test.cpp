#include "io_test.h"

namespace mortise::test {
namespace {

/// Three links in a row, the last one sliding.
const std::string kArm =
    "links base upper slide\n"
    "parents -1 0 1\n"
    "axis 0 0 1  0 1 0  1 0 0\n"
    "jointtype r r p\n"
    "TParent 1 0 0 0 1 0 0 0 1 0 0 0 \\\n"
    "  1 0 0 0 1 0 0 0 1 0 0 1 \\\n"
    "  1 0 0 0 1 0 0 0 1 2 0 0\n";

class RobFormat : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
  }
  RobotDescription read(const std::string& content) { return robot(write("a.rob", content)); }
  /// Reads a file that must be good.
  RobotDescription good(const std::string& content) {
    RobotDescription description = read(content);
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return description;
  }
  void expectProblem(const std::string& text) {
    EXPECT_NE(problems().find(text), std::string::npos) << "wanted: " << text << "\n" << problems();
  }
};

TEST_F(RobFormat, DefaultsOfAKinematicChain) {
  const RobotDescription r = good("TParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 1\n");
  ASSERT_EQ(r.links.size(), 2u);
  EXPECT_EQ(r.name, "a");
  EXPECT_EQ(r.links[1].name, "Link_1");
  EXPECT_EQ(r.links[1].parent, 0);
  EXPECT_EQ(r.links[1].axis, Vector3d::UnitZ());
  EXPECT_EQ(r.links[1].motion, LinkMotion::revolute);
  EXPECT_EQ(r.links[1].inertia.mass, 1);
  EXPECT_EQ(r.links[1].inertia.inertia, Matrix3d(Matrix3d::Identity()));
  EXPECT_EQ(r.links[1].qMin, -kInfinity);
  EXPECT_EQ(r.links[1].accelerationMax, kInfinity);
  ASSERT_EQ(r.joints.size(), 2u);
  EXPECT_EQ(r.joints[0].type, JointType::normal);
  ASSERT_EQ(r.drivers.size(), 2u);
  EXPECT_EQ(r.drivers[1].name, "Link_1");
  EXPECT_EQ(r.drivers[1].links, std::vector<int>{1});
  EXPECT_TRUE(r.selfCollisionPairs.empty());
  EXPECT_TRUE(r.sensors.isNull());
}

TEST_F(RobFormat, KeywordsInAnyCaseListsOverSeveralLinesComments) {
  const RobotDescription r = good(kArm + "QMIN -1 # first\nqMin -2 \\\r\n -inf\nqmax 1 2 Infinity # \\\n# mass 1\n");
  EXPECT_EQ(r.links[0].qMin, -1);
  EXPECT_EQ(r.links[1].qMin, -2);
  EXPECT_EQ(r.links[2].qMin, -kInfinity);
  EXPECT_EQ(r.links[2].qMax, kInfinity);
}

TEST_F(RobFormat, DegreesSpareSlidingJointsDeclaredBefore) {
  const double degree = EIGEN_PI / 180;
  const RobotDescription after = good(kArm +
                                      "qMinDeg -90 -90 -90\nqMaxDeg 90 90 90\nqDeg 10 10 10\n"
                                      "velMaxDeg 180 180 180\naccMaxDeg 10 10 10\n");
  EXPECT_NEAR(after.links[1].qMin, -90 * degree, 1e-15);
  EXPECT_EQ(after.links[2].qMin, -90);
  EXPECT_EQ(after.links[2].qMax, 90);
  EXPECT_NEAR(after.links[2].q, 10 * degree, 1e-15);
  EXPECT_NEAR(after.links[2].velocityMax, 180 * degree, 1e-15);
  EXPECT_EQ(after.links[2].velocityMin, -after.links[2].velocityMax);
  EXPECT_NEAR(after.links[2].accelerationMax, 10 * degree, 1e-15);
  const RobotDescription before = good("qMinDeg -90 -90 -90\n" + kArm);
  EXPECT_NEAR(before.links[2].qMin, -90 * degree, 1e-15);
}

TEST_F(RobFormat, DenavitHartenberg) {
  const RobotDescription r = good("alphadeg 0 90\na 0 2\nd 1 3\nthetadeg 0 0\n");
  ASSERT_EQ(r.links.size(), 2u);
  EXPECT_EQ(r.links[0].X_PL0.p, Vector3d(0, 0, 1));
  // a along the old x, then the twist about it, then d along the new z, which is the old -y.
  EXPECT_TRUE(r.links[1].X_PL0.p.isApprox(Vector3d(2, -3, 0), 1e-15));
  EXPECT_TRUE(r.links[1].X_PL0.R.col(2).isApprox(Vector3d(0, -1, 0), 1e-15));
}

TEST_F(RobFormat, BaseTransformMovesTheRootsOnly) {
  const RobotDescription r = good(kArm + "translation 1 2 3\nrotation 0 -1 0 1 0 0 0 0 1\n");
  EXPECT_EQ(r.links[0].X_PL0.p, Vector3d(1, 2, 3));
  EXPECT_EQ(r.links[0].X_PL0 * Vector3d(1, 0, 0), Vector3d(1, 3, 3));
  EXPECT_EQ(r.links[1].X_PL0.p, Vector3d(0, 0, 1));
}

TEST_F(RobFormat, GeometryIsScaledThenTransformed) {
  const RobotDescription r = good(kArm +
                                  "geometry \"cube.off\" \"\" cube.off\ngeomscale 2\ngeommargin 0 0 0.01\n"
                                  "geomtransform 2  1 0 0 5  0 3 0 0  0 0 1 0  0 0 0 1\n");
  EXPECT_EQ(r.links[0].geometry->bounds().max, Vector3d(2, 2, 2));
  EXPECT_EQ(r.links[1].geometry, nullptr);
  EXPECT_EQ(r.links[2].geometry->bounds().min, Vector3d(5, 0, 0));
  EXPECT_EQ(r.links[2].geometry->bounds().max, Vector3d(7, 6, 2));
  EXPECT_EQ(r.links[2].geometry->margin(), 0.01);
  EXPECT_EQ(r.links[2].geometryFile, "cube.off");
}

TEST_F(RobFormat, AutomassFillsWhatTheFileLeavesOut) {
  const RobotDescription r = good(kArm + "geometry cube.off \"\" cube.off\nmass 2 3 0\nautomass\n");
  EXPECT_TRUE(r.links[0].inertia.com.isApprox(Vector3d::Constant(0.5), 1e-12));
  EXPECT_NEAR(r.links[0].inertia.inertia(0, 0), 2 * 5.0 / 18, 1e-12);
  EXPECT_EQ(r.links[1].inertia.com, Vector3d(0, 0, 0));
  EXPECT_EQ(r.links[1].inertia.inertia, Matrix3d(Matrix3d::Zero()));
  EXPECT_EQ(r.links[2].inertia.inertia, Matrix3d(Matrix3d::Zero()));
  const RobotDescription own = good(kArm + "geometry cube.off \"\" cube.off\ncom 0 0 0 0 0 0 0 0 0\nautomass 0\n");
  EXPECT_EQ(own.links[0].inertia.com, Vector3d(0, 0, 0));
  EXPECT_NEAR(own.links[0].inertia.inertia(0, 0), 1 / 6.0 + 0.5, 1e-12);
}

TEST_F(RobFormat, InertiaOfTheFile) {
  const RobotDescription r = good(kArm + "inertiaDiag 1 2 3  4 5 6\ninertia 1 2 3  2 4 5  3 5 6\n");
  EXPECT_EQ(r.links[1].inertia.inertia, Matrix3d(Vector3d(4, 5, 6).asDiagonal()));
  EXPECT_EQ(r.links[2].inertia.inertia(0, 2), 3);
}

TEST_F(RobFormat, AutotorqueHoldsTheArmOutstretched) {
  const RobotDescription r = good(kArm + "mass 0 0 2\ncom 0 0 0 0 0 0 0.5 0 0\nautotorque 2\n");
  EXPECT_NEAR(r.links[2].torqueMax, 2 * 9.8 * 2 * 0.5, 1e-12);
  // Klamp't adds the offset of the link itself (1 m), not of the one further out.
  EXPECT_NEAR(r.links[1].torqueMax, 2 * 9.8 * 2 * 1.5, 1e-12);
}

TEST_F(RobFormat, AutotorqueWithoutANumberHasTheFactorOne) {
  const std::string masses = "mass 0 0 2\ncom 0 0 0 0 0 0 0.5 0 0\n";
  const RobotDescription bare = good(kArm + masses + "autotorque\n");
  const RobotDescription one = good(kArm + masses + "autotorque 1\n");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(bare.links[i].torqueMax, one.links[i].torqueMax);
  EXPECT_NEAR(bare.links[2].torqueMax, 9.8 * 2 * 0.5, 1e-12);
}

TEST_F(RobFormat, AutotorqueGivesALastLinkWithItsMassAtItsOriginNone) {
  const RobotDescription r = good(kArm + "mass 1 1 2\ncom 0 0 0 0 0 0 0 0 0\nautotorque\n");
  EXPECT_EQ(r.links[2].torqueMax, 0);
  EXPECT_GT(r.links[1].torqueMax, 0);
}

TEST_F(RobFormat, ScaleIsThatOfEveryLength) {
  const std::string arm = kArm +
                          "translation 1 0 0\nmass 1 1 2\ncom 0 0 0 0 0 0 0.5 0 0\nqMin -1 -1 -0.5\nqMax 1 1 0.5\n"
                          "velMax 3 3 3\naccMax 4 4 4\ngeometry cube.off cube.off \"\"\ngeomscale 3\ngeommargin 0.01\n"
                          "geomtransform 1  1 0 0 5  0 1 0 0  0 0 1 0  0 0 0 1\nmount 2 cube.off\nautotorque 1\n"
                          "driver normal 2\ndriver affine 2  0 2  1 2  0 3  -1 1 -1 1 -1 1\n";
  const RobotDescription one = good(arm), two = good(arm + "scale 2\n");
  EXPECT_EQ(two.links[0].X_PL0.p, Vector3d(2, 0, 0));
  EXPECT_EQ(two.links[2].X_PL0.p, Vector3d(4, 0, 0));
  EXPECT_EQ(two.links[2].inertia.com, Vector3d(1, 0, 0));
  EXPECT_EQ(two.links[2].inertia.mass, 2);
  EXPECT_EQ(two.links[2].inertia.inertia, Matrix3d(4 * Matrix3d::Identity()));
  EXPECT_EQ(two.links[0].qMax, 1) << "an angle";
  EXPECT_EQ(two.links[2].qMax, 1) << "a length";
  EXPECT_EQ(two.links[2].velocityMax, 6);
  EXPECT_EQ(two.links[2].accelerationMax, 8);
  EXPECT_NEAR(two.links[1].torqueMax, 2 * one.links[1].torqueMax, 1e-12);
  EXPECT_EQ(two.links[1].geometry->bounds().min, Vector3d(10, 0, 0));
  EXPECT_EQ(two.links[1].geometry->bounds().max, Vector3d(16, 6, 6));
  EXPECT_EQ(two.links[1].geometry->margin(), 0.02);
  EXPECT_EQ(two.links[2].geometry->bounds().max, Vector3d(2, 2, 2)) << "mounted meshes, too";
  EXPECT_EQ(two.drivers[0].qMax, 1);
  EXPECT_EQ(two.drivers[1].scale, (std::vector<double>{1, 4}));
  EXPECT_EQ(two.drivers[1].offset, (std::vector<double>{0, 6}));
  // Written flat, with the numbers as they are now.
  loader.write(two, path("flat.rob"), diagnostics);
  const RobotDescription back = robot(path("flat.rob"));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(back.links[2].X_PL0.p, Vector3d(4, 0, 0));
  EXPECT_EQ(back.links[1].geometry->bounds().max, Vector3d(16, 6, 6));
}

TEST_F(RobFormat, RootsThatCannotMoveAreWelded) {
  const RobotDescription r = good(kArm + "velMax 0 1 1\n");
  EXPECT_EQ(r.joints[0].type, JointType::weld);
  EXPECT_EQ(r.drivers.size(), 2u);
}

std::string floatingBase(int extra) {
  std::string text = "TParent";
  for (int i = 0; i < 6 + extra; ++i) text += " 1 0 0 0 1 0 0 0 1 0 0 0";
  text += "\naxis 1 0 0 0 1 0 0 0 1 0 0 1 0 1 0 1 0 0";
  for (int i = 0; i < extra; ++i) text += " 0 0 1";
  text += "\njointtype p p p r r r";
  for (int i = 0; i < extra; ++i) text += " r";
  return text + "\njoint floating 5 -1\n";
}

TEST_F(RobFormat, JointTypesAndChains) {
  const RobotDescription r = good(floatingBase(2) + "joint weld 6\njoint SPIN 7\n");
  ASSERT_EQ(r.joints.size(), 3u);
  EXPECT_EQ(r.joints[0].type, JointType::floating);
  EXPECT_EQ(r.joints[0].link, 5);
  EXPECT_EQ(r.joints[0].base, -1);
  EXPECT_EQ(r.joints[2].type, JointType::spin);
  ASSERT_EQ(r.drivers.size(), 1u);
  EXPECT_EQ(r.drivers[0].links[0], 7);
  const RobotPtr robot = Robot::compile(r);
  EXPECT_EQ(robot->floatingBaseLink(), 5);

  read(kArm + "joint floating 2\n");
  expectProblem("a.rob:8:1: error: a joint of this type needs a chain of 6 links");
  diagnostics = {};
  good(kArm + "joint ballandsocket 2 -1\n");
  good(kArm + "joint floatingplanar 2\n");
}

TEST_F(RobFormat, DriversOfAllTypes) {
  const RobotDescription r = good(kArm +
                                  "qMin -1 -2 -3\nqMax 1 2 3\naccMax 4 4 4\ntorqueMax 5 6 7\n"
                                  "driver normal 0\ndriver affine 2  1 2  2 -4  0.5 0.25  0 1 -3 3 -inf 2\n"
                                  "driver translation 2 1\ndriver rotation 1 2\ndrivers one \"two b\" three four\n"
                                  "servoP 1 2 3 4\nservoI 5 6 7 8\nservoD 9 10 11 12\ndryFriction 1 1 1 2\n"
                                  "viscousFriction 0 0 0 3\n");
  ASSERT_EQ(r.drivers.size(), 4u);
  EXPECT_EQ(r.drivers[0].torqueMin, -5);
  const Driver& affine = r.drivers[1];
  EXPECT_EQ(affine.name, "two b");
  EXPECT_EQ(affine.type, DriverType::affine);
  EXPECT_EQ(affine.links, (std::vector<int>{1, 2}));
  EXPECT_EQ(affine.scale, (std::vector<double>{2, -4}));
  EXPECT_EQ(affine.offset, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(affine.velocityMin, -3);
  EXPECT_EQ(affine.torqueMin, -kInfinity);
  EXPECT_EQ(affine.accelerationMax, 1);  // The slower of 4/2 and 4/4.
  EXPECT_EQ(affine.accelerationMin, -1);
  EXPECT_EQ(r.drivers[2].type, DriverType::translation);
  EXPECT_EQ(r.drivers[2].links, (std::vector<int>{2, 1}));
  EXPECT_EQ(r.drivers[2].qMax, 3);
  EXPECT_EQ(r.drivers[3].type, DriverType::rotation);
  EXPECT_EQ(r.drivers[3].servoP, 4);
  EXPECT_EQ(r.drivers[3].servoI, 8);
  EXPECT_EQ(r.drivers[3].servoD, 12);
  EXPECT_EQ(r.drivers[3].dryFriction, 2);
  EXPECT_EQ(r.drivers[3].viscousFriction, 3);
}

TEST_F(RobFormat, SelfCollisionRules) {
  const std::string four =
      "links a b c 7up\nparents -1 0 1 2\n"
      "TParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 0\n"
      "geometry cube.off cube.off cube.off cube.off\n";
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(good(four).selfCollisionPairs, (Pairs{{0, 2}, {0, 3}, {1, 3}}));
  EXPECT_EQ(good(four + "noselfcollision 3 0 a c\n").selfCollisionPairs, (Pairs{{1, 3}}));
  EXPECT_EQ(good(four + "selfcollision 1 0 7up b\n").selfCollisionPairs, (Pairs{{0, 1}, {1, 3}}));
  read(four + "selfcollision a a\n");
  expectProblem("a.rob:5:15: error: a link cannot collide with itself");
  read(four + "noselfcollision a x\n");
  expectProblem("a.rob:5:17: error: there is no link 'x'");
}

TEST_F(RobFormat, MountedMeshJoinsTheLink) {
  const RobotDescription r = good(kArm +
                                  "geometry cube.off \"\" \"\"\nmass 1 1 1\nautomass\n"
                                  "mount base cube.off 1 0 0 0 1 0 0 0 1 3 0 0\nmount 1 cube.off\n");
  EXPECT_EQ(r.links[0].geometry->typeName(), "TriangleMesh");
  EXPECT_EQ(r.links[0].geometry->numTriangles(), 24);
  EXPECT_TRUE(r.links[0].inertia.com.isApprox(Vector3d(2, 0.5, 0.5), 1e-12));
  EXPECT_EQ(r.links[1].geometry->numTriangles(), 12);
}

TEST_F(RobFormat, MountedRobotIsAppended) {
  write("hand.rob",
        "links palm finger\nTParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 0 0 0\nmass 1 1\n"
        "geometry cube.off cube.off\nselfcollision 0 1\njoint weld 0\njoint normal 1\nservoP 7\n"
        "property sensors \"<sensors><ForceTorqueSensor name='f' link='finger'/>"
        "<DriverTorqueSensor name='t' indices='0'/><FilteredSensor name='g' sensor='f'/></sensors>\"\n");
  const RobotDescription r =
      good(kArm +
           "geometry cube.off \"\" cube.off\nmount slide \"hand.rob\" 0 -1 0 1 0 0 0 0 1 5 0 0 as \"h\"\n"
           "noselfcollision 0 h:finger\n");
  ASSERT_EQ(r.links.size(), 5u);
  EXPECT_EQ(r.links[3].name, "h:palm");
  EXPECT_EQ(r.links[3].parent, 2);
  EXPECT_EQ(r.links[3].X_PL0.p, Vector3d(5, 0, 1));
  EXPECT_EQ(r.links[4].parent, 3);
  ASSERT_EQ(r.joints.size(), 5u);
  EXPECT_EQ(r.joints[3].type, JointType::weld);
  EXPECT_EQ(r.joints[3].link, 3);
  EXPECT_EQ(r.joints[3].base, -1) << "only chains have a base";
  ASSERT_EQ(r.drivers.size(), 4u);
  EXPECT_EQ(r.drivers[3].name, "h:finger");
  EXPECT_EQ(r.drivers[3].links[0], 4);
  EXPECT_EQ(r.drivers[3].servoP, 7);
  // Old against new wherever both have geometry; not the link it is mounted on against its palm.
  EXPECT_EQ(r.selfCollisionPairs, (std::vector<std::pair<int, int>>{{0, 2}, {0, 3}, {2, 4}, {3, 4}}));
  ASSERT_EQ(r.sensors.size(), 3u);
  EXPECT_EQ(r.sensors[0].at("name").asString(), "h:f");
  EXPECT_EQ(r.sensors[0].at("link").asInteger(), 4);
  EXPECT_EQ(r.sensors[1].at("indices").asInteger(), 3);
  EXPECT_EQ(r.sensors[2].at("sensor").asString(), "h:f");

  read(kArm + "mount 9 hand.rob\n");
  expectProblem("a.rob:8:9: error: there is no link '9' to mount on");
}

TEST_F(RobFormat, MountsOnWhatWasMountedBefore) {
  write("hand.rob", "links palm\nTParent 1 0 0 0 1 0 0 0 1 0 0 1\nmass 1\n");
  const RobotDescription r = good(
      kArm + "mount slide hand.rob as a\nmount a:palm hand.rob as b\nmount b:palm cube.off 1 0 0 0 1 0 0 0 1 2 0 0\n");
  ASSERT_EQ(r.links.size(), 5u);
  EXPECT_EQ(r.links[4].name, "b:palm");
  EXPECT_EQ(r.links[4].parent, 3);
  ASSERT_TRUE(r.links[4].geometry);
  EXPECT_EQ(r.links[4].geometry->bounds().min, Vector3d(2, 0, 0));
  read(kArm + "mount slide hand.rob as a\nmount a:plam hand.rob as b\n");
  expectProblem("a.rob:9:14: error: there is no link 'a:plam' to mount on");
  read(kArm + "mount a:palm hand.rob as b\nmount slide hand.rob as a\n");
  expectProblem("a.rob:8:14: error: there is no link 'a:palm' to mount on");
}

TEST_F(RobFormat, ARobotThatMountsItselfIsRefused) {
  read(kArm + "mount 2 a.rob as x\n");
  expectProblem("refers to itself");
}

TEST_F(RobFormat, PropertiesSensorsAndController) {
  write("sensors.xml", "<sensors><TiltSensor name=\"tilt\" link=\"1\" hasAxis=\"1 1 0\"/></sensors>");
  const RobotDescription r =
      good(kArm +
           "property sensors sensors.xml\nproperty controller <controller type=\"Some\" gain=\"2.5\"/>\n"
           "property color \"dark red\"\nproperty shape round  and small # no\n");
  ASSERT_EQ(r.sensors.size(), 1u);
  EXPECT_EQ(r.sensors[0].at("type").asString(), "TiltSensor");
  EXPECT_EQ(r.sensors[0].at("hasAxis").asString(), "1 1 0");
  EXPECT_EQ(r.controller.at("type").asString(), "Some");
  EXPECT_EQ(r.controller.at("gain").asReal(), 2.5);
  EXPECT_EQ(r.controller.at("gain").position().line, 9);
  ASSERT_EQ(r.properties.size(), 2u);
  EXPECT_EQ(r.properties[0].second, "dark red");
  EXPECT_EQ(r.properties[1].second, "round  and small");
}

TEST_F(RobFormat, AListEndsWithAWarningWhereNoNumberFollows) {
  // The backslash behind the last number swallows the statement below; shipped robots do this.
  const RobotDescription r = good("TParent 1 0 0 0 1 0 0 0 1 0 0 0 \\\nparents -1\n");
  EXPECT_EQ(r.links.size(), 1u);
  expectProblem("a.rob:2:1: warning: TParent: 'parents' is no number; it and what follows are ignored");
  diagnostics = {};
  diagnostics.setStrict(true);
  read("TParent 1 0 0 0 1 0 0 0 1 0 0 0 \\\nparents -1\n");
  EXPECT_TRUE(diagnostics.hasErrors());
}

struct BadRobotFile {
  const char* name;
  const char* lines;
  const char* message;
};

class BadRobots : public RobFormat, public testing::WithParamInterface<BadRobotFile> {};

TEST_P(BadRobots, AreRefusedWithAPosition) {
  read(kArm + GetParam().lines);
  EXPECT_TRUE(diagnostics.hasErrors());
  expectProblem(GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadRobots,
    testing::Values(
        BadRobotFile{"Keyword", "axes 1 2 3\n",
                     "a.rob:8:1: error: unknown keyword 'axes'\n  hint: did you mean 'axis'?"},
        BadRobotFile{"NumberAsKeyword", "qMin 1 2\n3\n",
                     "a.rob:9:1: error: unknown keyword '3'\n  hint: a list goes on"},
        BadRobotFile{"TooManyMasses", "mass 1 2 3 4\n", "a.rob:8:1: error: mass has 4 entries; the robot has 3 links"},
        BadRobotFile{"GeometryCount", "geometry cube.off\n", "a.rob:8:1: error: geometry has 1 entries"},
        BadRobotFile{"NegativeMass", "mass 1 -1 1\n", "a.rob:8:1: error: the mass of link 1 is negative"},
        BadRobotFile{"NaN", "mass 1 nan 1\n", "a.rob:8:8: error: mass: 'nan' is not allowed here"},
        BadRobotFile{"InfiniteMass", "mass 1 inf 1\n", "a.rob:8:8: error: mass: 'inf' is not allowed here"},
        BadRobotFile{"NaNLimit", "qMin 0 nan 0\n", "a.rob:8:8: error: qMin: 'nan' is not allowed here"},
        BadRobotFile{"HalfVector", "com 1 2 3 4 5\n",
                     "a.rob:8:14: error: com: expected a number, found the end of the line"},
        BadRobotFile{"JointType", "joint hinge 1\n", "a.rob:8:7: error: joint: 'hinge' is not a joint type"},
        BadRobotFile{"JointNoType", "joint\n", "a.rob:8:6: error: joint: expected the type of the joint"},
        BadRobotFile{"JointIndex", "joint normal 3\n", "a.rob:8:1: error: the joint names link 3; there are 3"},
        BadRobotFile{"JointNegative", "joint weld -2\n", "a.rob:8:1: error: the joint names link -2"},
        BadRobotFile{"DriverType", "driver Normal 1\n", "a.rob:8:8: error: driver: 'Normal' is not a driver type"},
        BadRobotFile{"DriverIndex", "driver normal 17\n", "a.rob:8:1: error: the driver names link 17; there are 3"},
        BadRobotFile{"AffineHuge", "driver affine 1000000000 1 1 0\n",
                     "an affine driver of 1000000000 links does not fit"},
        BadRobotFile{"AffineNegative", "driver affine -1 1 1 0\n", "an affine driver of -1 links does not fit"},
        BadRobotFile{"AffineShort", "driver affine 1 1 1 0 0 1\n",
                     "driver: expected a number, found the end of the line"},
        BadRobotFile{"AffineZeroScale", "driver affine 1 1 0 0 0 1 0 1 0 1\n",
                     "the scale of an affine driver must not be 0"},
        BadRobotFile{"ServoCount", "servoP 1\n", "a.rob:8:1: error: servoP has 1 entries; the robot has 3 drivers"},
        BadRobotFile{"ServoNegative", "servoP 1 1 -1\n", "a.rob:8:1: error: servoP must not be negative"},
        BadRobotFile{"GeomTransformIndex", "geomtransform 9 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n",
                     "a.rob:8:15: error: geomtransform names link 9; there are 3"},
        BadRobotFile{"GeomTransformRow", "geomtransform 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1\n", "must be 0 0 0 1"},
        BadRobotFile{"NoScale", "scale 0\n", "a.rob:8:8: error: scale: the scale of a robot must be above 0"},
        BadRobotFile{"InfiniteScale", "scale inf\n", "a.rob:8:7: error: scale: 'inf' is not allowed here"},
        BadRobotFile{"Quote", "links \"a b\n", "a.rob:8:7: error: the quote is not closed"},
        BadRobotFile{"SensorsMissing", "property sensors none.xml\n", "a.rob:8:18: error: cannot find 'none.xml'"},
        BadRobotFile{"SensorsMalformed", "property sensors \"<sensors><A></sensors>\"\n",
                     "a.rob:8:28: error: not well-formed XML: <A> is not closed"},
        BadRobotFile{"MountTransform", "mount 0 cube.off 1 2 3\n", "a.rob:8:23: error: mount: expected a number"},
        BadRobotFile{"MountWorldMesh", "mount -1 cube.off\n", "a.rob:8:10: error: there is no link '-1' to mount on"}),
    [](const auto& test) { return test.param.name; });

TEST_F(RobFormat, AllProblemsComeInOneGo) {
  read(kArm + "mas 1 2 3\nqMin x\njoint hinge 1\nmass 1 inf 1\n");
  EXPECT_EQ(diagnostics.errorCount(), 3);
  EXPECT_EQ(diagnostics.warningCount(), 1);
}

TEST_F(RobFormat, ParentsMustComeFirst) {
  read("parents 1 -1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 0\n");
  expectProblem("a.rob:1:1: error: link 0 has parent 1; parents come before their children");
  diagnostics = {};
  read("# nothing\n");
  expectProblem("the file describes no links");
  diagnostics = {};
  read("mass 1 2\n");
  expectProblem("the links have no transforms");
}

}  // namespace
}  // namespace mortise::test
