#include <numbers>

#include "io_test.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise::test {
namespace {

class UrdfFormat : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
  }
  RobotDescription read(const std::string& body) {
    return robot(write("a.urdf", "<robot name=\"a\">\n" + body + "\n</robot>\n"));
  }
  /// Reads a file that must be good.
  RobotDescription good(const std::string& body) {
    RobotDescription description = read(body);
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return description;
  }
  void expectProblem(const std::string& text) {
    EXPECT_NE(problems().find(text), std::string::npos) << "wanted: " << text << "\n" << problems();
  }
  /// World, base on it, and what hangs on the base.
  static std::string onBase(const std::string& more) {
    return "<link name='world'/><link name='base'/>\n"
           "<joint name='fix' type='fixed'><parent link='world'/><child link='base'/></joint>\n" +
           more;
  }
  static std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                           const std::string& child, const std::string& more = {}) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
           "'/>" + more + "</joint><link name='" + child + "'/>\n";
  }
};

const std::string kLimit = "<limit lower='-1' upper='2' effort='30' velocity='4'/>";

TEST_F(UrdfFormat, FixedBaseDropsTheWorldLink) {
  const RobotDescription r =
      good(onBase(joint("j", "revolute", "base", "arm",
                        "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>" + kLimit)));
  ASSERT_EQ(r.links.size(), 2u);
  EXPECT_EQ(r.name, "a");
  EXPECT_EQ(r.links[0].name, "base");
  EXPECT_EQ(r.links[0].parent, -1);
  EXPECT_EQ(r.links[1].parent, 0);
  EXPECT_EQ(r.links[1].axis, Vector3d(0, 0, 2)) << "axes are kept as written";
  EXPECT_EQ(r.links[1].X_PL0.p, Vector3d(1, 2, 3));
  EXPECT_TRUE(r.links[1].X_PL0.R.isApprox(rotationZ(kPi / 2), 1e-15));
  EXPECT_EQ(r.links[1].qMin, -1);
  EXPECT_EQ(r.links[1].qMax, 2);
  EXPECT_EQ(r.links[1].velocityMin, -4);
  EXPECT_EQ(r.links[1].torqueMax, 30);
  EXPECT_EQ(r.links[1].accelerationMax, 10);
  EXPECT_EQ(r.links[1].inertia.mass, 1e-4) << "no <inertial>";
  ASSERT_EQ(r.joints.size(), 2u);
  EXPECT_EQ(r.joints[0].type, JointType::weld);
  EXPECT_EQ(r.joints[1].type, JointType::normal);
  ASSERT_EQ(r.drivers.size(), 1u);
  EXPECT_EQ(r.drivers[0].name, "arm");
  EXPECT_EQ(r.drivers[0].servoP, 100);
  EXPECT_EQ(r.drivers[0].servoD, 10);
}

TEST_F(UrdfFormat, FloatingBaseGetsFiveVirtualLinks) {
  const RobotDescription r = good("<link name='trunk'/>" + joint("j", "prismatic", "trunk", "arm", kLimit));
  ASSERT_EQ(r.links.size(), 7u);
  EXPECT_EQ(r.links[0].name, "base0");
  EXPECT_EQ(r.links[5].name, "trunk");
  EXPECT_EQ(r.links[6].parent, 5);
  EXPECT_EQ(r.links[6].motion, LinkMotion::prismatic);
  EXPECT_EQ(r.links[6].axis, Vector3d::UnitX()) << "the axis that URDF has when none is given";
  EXPECT_EQ(Robot::compile(r)->floatingBaseLink(), 5);
  const RobotDescription frozen = good("<link name='trunk'/><klampt freeze_root_link='1'/>");
  ASSERT_EQ(frozen.joints.size(), 6u);
  for (const Joint& each : frozen.joints) EXPECT_EQ(each.type, JointType::weld);
  const RobotDescription named =
      good("<klampt world_frame='ground'/><link name='ground'/>" + joint("f", "fixed", "ground", "box"));
  EXPECT_EQ(named.links.size(), 1u);
}

TEST_F(UrdfFormat, ChildrenStandInTheOrderOfTheirJointsNames) {
  const RobotDescription r = good(onBase(joint("z", "fixed", "base", "first") + joint("a", "fixed", "base", "second") +
                                         joint("m", "fixed", "second", "third")));
  std::vector<std::string> names;
  for (const Link& link : r.links) names.push_back(link.name);
  EXPECT_EQ(names, (std::vector<std::string>{"base", "second", "third", "first"}));
}

TEST_F(UrdfFormat, EveryTypeOfJoint) {
  const RobotDescription r =
      good(onBase(joint("a", "continuous", "base", "wheel",
                        "<limit lower='-9' upper='9' effort='2' velocity='3'/>"
                        "<dynamics damping='0.5' friction='0.25'/>") +
                  joint("b", "floating", "base", "ball", "<origin xyz='0 0 1'/>") +
                  joint("c", "planar", "base", "puck", "<axis xyz='0 1 0'/><origin xyz='0 0 2'/>")));
  const RobotPtr compiled = Robot::compile(r);
  ASSERT_EQ(r.links.size(), 1u + 1 + 6 + 3);
  EXPECT_EQ(r.joints[1].type, JointType::spin);
  EXPECT_EQ(r.links[1].qMax, kInfinity) << "a continuous joint has no limits";
  EXPECT_EQ(r.links[1].velocityMax, 3);
  ASSERT_EQ(r.drivers.size(), 1u);
  EXPECT_EQ(r.drivers[0].viscousFriction, 0.5);
  EXPECT_EQ(r.drivers[0].dryFriction, 0.25);
  EXPECT_EQ(r.joints[2].type, JointType::floating);
  EXPECT_EQ(r.joints[2].link, 7);
  EXPECT_EQ(r.joints[2].base, 0);
  EXPECT_EQ(r.joints[3].type, JointType::floatingPlanar);
  EXPECT_EQ(r.joints[3].link, 10);
  EXPECT_EQ(r.links[10].name, "puck");
  EXPECT_EQ(r.links[10].axis, Vector3d::UnitY());
  EXPECT_EQ(r.links[8].X_PL0.p, Vector3d(0, 0, 2));
  for (const int i : {8, 9}) EXPECT_EQ(r.links[i].axis.dot(Vector3d::UnitY()), 0) << "moves in the plane";
  EXPECT_EQ(r.links[8].axis.cross(r.links[9].axis), Vector3d(Vector3d::UnitY()));
}

TEST_F(UrdfFormat, InertiaTurnsWithItsFrame) {
  const RobotDescription r = good(
      "<link name='l'><inertial><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='3'/></inertial></link>");
  const BodyInertia& body = r.links[5].inertia;
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.com, Vector3d(1, 0, 0));
  EXPECT_TRUE(body.inertia.isApprox(Matrix3d(Vector3d(2, 1, 3).asDiagonal()), 1e-15)) << body.inertia;
}

TEST_F(UrdfFormat, ShapesAreUnited) {
  const RobotDescription r = good(
      "<link name='l'>"
      "<collision><origin xyz='0 0 1'/><geometry><box size='2 4 6'/></geometry></collision>"
      "<collision><origin rpy='0 1.5707963267948966 0'/><geometry><cylinder radius='1' length='4'/></geometry>"
      "</collision><collision><geometry><sphere radius='3'/></geometry></collision>"
      "<collision><geometry><capsule radius='0.5' length='2'/></geometry></collision>"
      "<visual><geometry><mesh filename='nowhere.dae'/></geometry></visual></link>");
  const auto* group = r.links[5].geometry->as<GeometryGroup>();
  ASSERT_NE(group, nullptr);
  ASSERT_EQ(group->parts.size(), 4u);
  const auto* box = group->parts[0]->as<AxisAlignedBoxShape>();
  ASSERT_NE(box, nullptr);
  EXPECT_EQ(box->min, Vector3d(-1, -2, -2));
  EXPECT_EQ(box->max, Vector3d(1, 2, 4));
  const auto* cylinder = group->parts[1]->as<CylinderShape>();
  ASSERT_NE(cylinder, nullptr);
  EXPECT_TRUE(cylinder->axis.isApprox(Vector3d::UnitX(), 1e-15));
  EXPECT_TRUE(cylinder->base.isApprox(Vector3d(-2, 0, 0), 1e-15));
  EXPECT_EQ(group->parts[2]->as<SphereShape>()->radius, 3);
  EXPECT_EQ(group->parts[3]->as<CapsuleShape>()->b, Vector3d(0, 0, 1));
}

TEST_F(UrdfFormat, MeshesAreScaledThenPlaced) {
  const std::string mesh =
      "<link name='l'><visual><origin xyz='0 0 10'/><geometry>"
      "<mesh filename='cube.off' scale='1 2 3'/></geometry></visual></link>";
  const RobotDescription r = good(mesh + "<klampt use_vis_geom='1'/>");
  EXPECT_EQ(r.links[5].geometry->bounds().min, Vector3d(0, 0, 10));
  EXPECT_EQ(r.links[5].geometry->bounds().max, Vector3d(1, 2, 13));
  EXPECT_EQ(r.links[5].geometryFile, "cube.off");
  const RobotDescription flipped = good(mesh + "<klampt use_vis_geom='1' flip_yz='1'/>");
  EXPECT_EQ(flipped.links[5].geometry->bounds().min, Vector3d(0, -2, 10));
  EXPECT_EQ(flipped.links[5].geometry->bounds().max, Vector3d(1, 0, 13));
  const RobotDescription after = good(mesh);
  EXPECT_EQ(after.links[5].geometry, nullptr) << "settings of one file must not reach the next";
}

TEST_F(UrdfFormat, MimicJointsShareADriver) {
  const std::string body =
      onBase(joint("a", "revolute", "base", "la", kLimit) +
             joint("b", "revolute", "base", "lb", "<mimic joint='a' multiplier='-2' offset='1'/>" + kLimit) +
             joint("c", "revolute", "base", "lc", "<mimic joint='b' multiplier='0.5' offset='0.25'/>" + kLimit));
  const RobotDescription r = good(body);
  ASSERT_EQ(r.drivers.size(), 1u);
  const Driver& driver = r.drivers[0];
  EXPECT_EQ(driver.name, "la");
  EXPECT_EQ(driver.type, DriverType::affine);
  EXPECT_EQ(driver.links, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(driver.scale, (std::vector<double>{1, -2, -1}));
  EXPECT_EQ(driver.offset, (std::vector<double>{0, 1, 0.75}));
  // lb: (-1 - 1) / -2 = 1 down to (2 - 1) / -2 = -0.5; lc: 1.75 down to -1.25.
  EXPECT_EQ(driver.qMin, -0.5);
  EXPECT_EQ(driver.qMax, 1);
  EXPECT_EQ(driver.velocityMax, 2);
  EXPECT_EQ(driver.velocityMin, -2);
  EXPECT_EQ(driver.accelerationMax, 5);
  EXPECT_EQ(driver.torqueMax, 30);
  read(onBase(joint("a", "revolute", "base", "la", "<mimic joint='b'/>" + kLimit) +
              joint("b", "revolute", "base", "lb", "<mimic joint='a'/>" + kLimit)));
  expectProblem("follows itself");
  read(onBase(joint("knee", "revolute", "base", "la", kLimit) +
              joint("b", "revolute", "base", "lb", "<mimic joint='kne'/>" + kLimit)));
  expectProblem(
      "warning: there is no joint 'kne' to follow; the joint 'b' moves by itself\n  hint: did you mean 'knee'?");
}

TEST_F(UrdfFormat, AFollowerOfNothingMovesByItself) {
  for (const char* leader : {"absent", "fix"}) {
    diagnostics = {};
    const RobotDescription r =
        good(onBase(joint("a", "revolute", "base", "la", kLimit) +
                    joint("b", "revolute", "base", "lb", "<mimic joint='" + std::string(leader) + "'/>" + kLimit)));
    EXPECT_EQ(r.drivers.size(), 2u) << leader;
    EXPECT_EQ(diagnostics.warningCount(), 1) << problems();
  }
}

TEST_F(UrdfFormat, PlanesAreBoxesAndDistanceFieldsAreLeftOut) {
  const auto shaped = [&](const std::string& shape) {
    diagnostics = {};
    return good("<link name='l'><collision><geometry>\n<" + shape + "/></geometry></collision></link>").links.back();
  };
  const Link ground = shaped("plane normal='0 0 1'");
  expectProblem("a.urdf:3:1: warning: a <plane> is read as a box below it, 1000 m wide and 1 m thick");
  ASSERT_NE(ground.geometry, nullptr);
  EXPECT_TRUE(ground.geometry->bounds().max.isApprox(Vector3d(500, 500, 0), 1e-9));
  EXPECT_TRUE(ground.geometry->bounds().min.isApprox(Vector3d(-500, -500, -1), 1e-9));
  const Link wall = shaped("plane normal='-2 0 0'");
  EXPECT_TRUE(wall.geometry->bounds().max.isApprox(Vector3d(1, 500, 500), 1e-9)) << wall.geometry->bounds().max;
  EXPECT_NEAR(wall.geometry->bounds().min.x(), 0, 1e-9);
  const Link field = shaped("cdf filename='x.cdf'");
  expectProblem("a.urdf:3:1: warning: <cdf> holds a distance field for one engine alone; the shape is left out");
  EXPECT_TRUE(field.geometry == nullptr || field.geometry->empty());
  read("<link name='l'><collision><geometry><plane normal='0 0 0'/></geometry></collision></link>");
  expectProblem("<plane> normal: expected a vector other than 0");
}

TEST_F(UrdfFormat, KlamptElement) {
  write("sensors.xml", "<sensors><JointPositionSensor name='q'/></sensors>");
  const RobotDescription r = good(
      onBase(joint("a", "revolute", "base", "la", kLimit) + joint("b", "revolute", "la", "lb", kLimit) +
             joint("c", "revolute", "lb", "lc", kLimit)) +
      "<klampt default_acc_max='7' default_mass='0.5' default_inertia='1 2 3' sensors='sensors.xml'>"
      "<link name='la' physical='0' accMax='3' servoP='20' servoI='1' servoD='2' dryFriction='4' viscousFriction='5'/>"
      "<controller type='Watcher' gain='2'/></klampt>");
  EXPECT_EQ(r.links[1].inertia.mass, 0);
  EXPECT_EQ(r.links[1].accelerationMax, 3);
  EXPECT_EQ(r.links[2].accelerationMax, 7);
  EXPECT_EQ(r.links[2].inertia.mass, 0.5);
  EXPECT_EQ(r.links[2].inertia.inertia, Matrix3d(Vector3d(1, 2, 3).asDiagonal()));
  EXPECT_EQ(r.drivers[0].servoP, 20);
  EXPECT_EQ(r.drivers[0].viscousFriction, 5);
  EXPECT_EQ(r.drivers[1].servoP, 100);
  ASSERT_EQ(r.sensors.size(), 1u);
  EXPECT_EQ(r.sensors[0].string("type", ""), "JointPositionSensor");
  EXPECT_EQ(r.controller.integer("gain", 0), 2);

  const RobotDescription other = good("<link name='l'/><klampt><sensors file='sensors.xml'/></klampt>");
  ASSERT_EQ(other.sensors.size(), 1u) << "as in world files";
  EXPECT_EQ(other.sensors[0].string("name", ""), "q");
}

TEST_F(UrdfFormat, SelfCollisionsByNameIndexAndGroup) {
  using Pairs = std::vector<std::pair<int, int>>;
  std::string links = "<link name='world'/>";
  for (const char* name : {"a", "b", "c", "d"})
    links += "<link name='" + std::string(name) +
             "'><collision><geometry><sphere radius='1'/></geometry></collision></link><joint name='j" + name +
             "' type='fixed'><parent link='" + (*name == 'a' ? "world" : std::string(1, static_cast<char>(*name - 1))) +
             "'/><child link='" + name + "'/></joint>";
  EXPECT_EQ(good(links).selfCollisionPairs, (Pairs{{0, 2}, {0, 3}, {1, 3}}));
  EXPECT_EQ(good(links + "<klampt><noselfcollision pairs='a 2'/></klampt>").selfCollisionPairs,
            (Pairs{{0, 3}, {1, 3}}));
  EXPECT_EQ(good(links + "<klampt><noselfcollision group1='a b' group2='a d'/></klampt>").selfCollisionPairs,
            (Pairs{{0, 2}}));
  EXPECT_EQ(good(links + "<klampt><selfcollision pairs='d a  0 1'/></klampt>").selfCollisionPairs,
            (Pairs{{0, 1}, {0, 3}}));
  read(links + "<klampt><noselfcollision pairs='a nobody'/></klampt>");
  expectProblem("there is no link 'nobody'");
}

TEST_F(UrdfFormat, MountsMeshesAndRobots) {
  write("tool.urdf", "<robot name='t'><link name='world'/>" + joint("f", "fixed", "world", "palm") +
                         joint("g", "revolute", "palm", "finger", kLimit) + "</robot>");
  const RobotDescription r =
      good(onBase(joint("a", "revolute", "base", "arm", kLimit)) +
           "<klampt><mount link='arm' file='tool.urdf' transform='1 0 0 0 1 0 0 0 1 0 0 5' prefix='hand'/>"
           "<mount link='base' file='cube.off'/></klampt>");
  ASSERT_EQ(r.links.size(), 4u);
  EXPECT_EQ(r.links[2].name, "hand:palm");
  EXPECT_EQ(r.links[2].parent, 1);
  EXPECT_EQ(r.links[2].X_PL0.p, Vector3d(0, 0, 5));
  EXPECT_EQ(r.drivers.back().name, "hand:finger");
  EXPECT_EQ(r.links[0].geometry->numTriangles(), 12);
}

TEST_F(UrdfFormat, MisspeltAttributesAreWarningsWithTheNearestName) {
  good(
      "<link name='l'/>\n<klampt defaultAccMax='4'>\n  <link name='l' servop='3'/><noselfcolision pairs=''/></klampt>");
  EXPECT_EQ(diagnostics.warningCount(), 3) << problems();
  expectProblem(
      "a.urdf:3:9: warning: <klampt> has no attribute 'defaultAccMax'; it is ignored\n"
      "  hint: did you mean 'default_acc_max'?");
  expectProblem("a.urdf:4:18: warning: <link> has no attribute 'servop'");
  expectProblem("did you mean 'noselfcollision'?");
  diagnostics = Diagnostics();
  diagnostics.setStrict(true);
  read(
      "<link name='l'><inertial><mass valeu='1' value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
      "</inertial></link><gazebo reference='l'><odd/></gazebo><transmission name='t'/>");
  EXPECT_EQ(diagnostics.errorCount(), 1) << problems();
}

TEST_F(UrdfFormat, ProblemsNameTheirPlace) {
  EXPECT_NE(errorText([&] { read("<link name='l'>\n<visual></link>"); }).find("a.urdf:3"), std::string::npos);
  read("<link/>");
  expectProblem("a.urdf:2:1: error: <link> needs the attribute 'name'");
  read("<link name='l'/><link name='l'/>");
  expectProblem("there are two links 'l'");
  read(onBase(joint("j", "revolute", "base", "arm")));
  expectProblem("joint 'j' is revolute and needs <limit>");
  read(onBase(joint("j", "revolut", "base", "arm", kLimit)));
  expectProblem("'revolut' is not a joint type\n  hint: did you mean 'revolute'?");
  read(onBase(joint("j", "fixed", "bas", "arm")));
  expectProblem("there is no link 'bas'\n  hint: did you mean 'base'?");
  read("<link name='a'/><link name='b'/>");
  expectProblem("several links without a joint above them: 'a', 'b'");
  read(joint("j", "fixed", "b", "a") + joint("k", "fixed", "a", "b"));
  expectProblem("there is no root");
  read("<link name='r'/>" + joint("j", "fixed", "b", "a") + joint("k", "fixed", "a", "b"));
  expectProblem("part of a loop");
  read(onBase("<link name='l'/>" + joint("j", "fixed", "base", "l2") +
              "<joint name='k' type='fixed'><parent link='l'/><child link='l2'/></joint>"));
  expectProblem("link 'l2' is the child of two joints, 'j' and 'k'");
  read("<link name='l'><collision><geometry><cone/></geometry></collision></link>");
  expectProblem("<cone> is not a shape");
  read("<link name='l'><collision><geometry><box size='1 2'/></geometry></collision></link>");
  expectProblem("<box> size: expected 3 numbers, found 2");
  read("<link name='world'/>");
  expectProblem("no links but 'world'");
  robot(write("b.urdf", "<robots/>"));
  expectProblem("expected <robot>, found <robots>");
}

TEST_F(UrdfFormat, OdditiesThatOthersReadAreWarningsWithTheirPlace) {
  const auto only = [&](const std::string& body, const std::string& warning) {
    diagnostics = {};
    RobotDescription r = good(body);
    EXPECT_EQ(diagnostics.warningCount(), 1) << problems();
    expectProblem(warning);
    (void)Robot::compile(r);
    return r;
  };
  RobotDescription r =
      only(onBase(joint("j", "revolute", "base", "arm", "<axis xyz='0,0, 1'/>" + kLimit)),
           "a.urdf:4:79: warning: <axis> xyz: numbers are separated by blanks; commas are read as such");
  EXPECT_EQ(r.links[1].axis, Vector3d::UnitZ());
  r = only(onBase(joint("j", "prismatic", "base", "arm", "<axis xyz='0 -0.25 0'/>" + kLimit)),
           "a.urdf:4:80: warning: the axis of joint 'j' has the length 0.25");
  EXPECT_EQ(r.links[1].axis, Vector3d(0, -0.25, 0));
  diagnostics = {};
  // Rounded digits are no length: they stay.
  r = good(onBase(joint("j", "revolute", "base", "arm", "<axis xyz='0 0.707 0.707'/>" + kLimit)));
  EXPECT_EQ(r.links[1].axis, Vector3d(0, 0.707, 0.707));
  r = good(onBase(joint("j", "fixed", "base", "arm", "<axis xyz='0 2 0'/>")));
  EXPECT_EQ(diagnostics.warningCount(), 0) << problems();
  r = only(onBase(joint("j", "revolute", "base", "arm", "<limit lower='1' upper='-1' effort='3' velocity='4'/>")),
           "a.urdf:4:80: warning: the lower limit lies above the upper limit; the joint has no position limits");
  EXPECT_EQ(r.links[1].qMin, -kInfinity);
  EXPECT_EQ(r.links[1].qMax, kInfinity);
  EXPECT_EQ(r.links[1].torqueMax, 3);
  r = only(onBase(joint("j", "prismatic", "base", "arm")),
           "joint 'j' is prismatic and has no <limit>; it is unlimited");
  EXPECT_EQ(r.links[1].qMax, kInfinity);
  EXPECT_EQ(r.drivers.size(), 1u);
  r = only(onBase(joint("j", "revolute", "base", "arm", "<limit lower='-1' upper='1' effort='3' velocity='-4'/>")),
           "<limit> velocity is negative; it is taken as unlimited");
  EXPECT_EQ(r.links[1].velocityMax, kInfinity);
  r = only(onBase(joint("j", "revolute", "base", "arm", "<limit lower='-1' upper='1' effort='-3' velocity='4'/>")),
           "<limit> effort is negative; it is taken as unlimited");
  EXPECT_EQ(r.links[1].torqueMax, kInfinity);
  r = only(
      "<link name='l'><inertial><mass value='2'/><inertia ixx='1' ixz='0' iyy='2' iyz='0' izz='3'/></inertial></link>",
      "a.urdf:2:43: warning: <inertia> has no 'ixy'; it is taken as 0");
  EXPECT_EQ(r.links[5].inertia.inertia, Matrix3d(Vector3d(1, 2, 3).asDiagonal()));
  r = only("<link name='l'><collision><geometry>\n<mesh filename=''/></geometry></collision></link>",
           "a.urdf:3:7: warning: <mesh> names no file; the shape is left out");
  EXPECT_EQ(r.links[5].geometry, nullptr);
  r = only(
      "<link name='l'><collision><geometry><mesh filename='cube.off' scale='1 2 3 1'/></geometry></collision></link>",
      "<mesh> scale: the last of four numbers is ignored");
  EXPECT_EQ(r.links[5].geometry->bounds().max, Vector3d(1, 2, 3));
}

TEST_F(UrdfFormat, FollowersWithTheMultiplierZeroAreFixedAtTheirOffset) {
  const RobotDescription r =
      good(onBase(joint("j", "revolute", "base", "arm", kLimit) +
                  joint("k", "prismatic", "arm", "rod",
                        "<axis xyz='0 1 0'/><mimic joint='j' multiplier='0' offset='0.5'/>" + kLimit) +
                  joint("l", "revolute", "rod", "tip",
                        "<axis xyz='0 0 1'/><mimic joint='j' multiplier='0' offset='0.3'/>" + kLimit)));
  expectProblem("joint 'k' follows with the multiplier 0; it is fixed");
  EXPECT_EQ(r.drivers.size(), 1u);
  EXPECT_EQ(r.joints[2].type, JointType::weld);
  EXPECT_EQ(r.links[2].X_PL0.p, Vector3d(0, 0.5, 0));
  EXPECT_TRUE(r.links[3].X_PL0.R.isApprox(rotationZ(0.3), 1e-15));
}

TEST_F(UrdfFormat, SphericalJointsAreBallsOfThreeLinks) {
  const RobotDescription r = good(onBase(joint("j", "spherical", "base", "arm", "<origin xyz='0 0 1'/>")));
  ASSERT_EQ(r.links.size(), 4u);
  EXPECT_EQ(r.links[1].name, "j0");
  EXPECT_EQ(r.links[1].X_PL0.p, Vector3d(0, 0, 1));
  EXPECT_EQ(r.links[1].axis, Vector3d::UnitZ());
  EXPECT_EQ(r.links[2].axis, Vector3d::UnitY());
  EXPECT_EQ(r.links[3].name, "arm");
  EXPECT_EQ(r.links[3].axis, Vector3d::UnitX());
  ASSERT_EQ(r.joints.size(), 2u);
  EXPECT_EQ(r.joints[1].type, JointType::ballAndSocket);
  EXPECT_EQ(r.joints[1].link, 3);
  EXPECT_EQ(r.joints[1].base, 0);
  EXPECT_TRUE(r.drivers.empty());
  (void)Robot::compile(r);
}

TEST_F(UrdfFormat, TemplatesOfXacroAreNamed) {
  good("<xacro:property name='w' value='1'/><link name='l'/>");
  expectProblem("a.urdf:2:1: warning: <xacro:property> is a macro of xacro and means nothing here; it is ignored");
  diagnostics = {};
  read(
      "<xacro:arm/><link name='${prefix}l'><collision><geometry><sphere radius='${r}'/></geometry></collision></link>");
  expectProblem(
      "a.urdf:2:1: error: this file is a xacro template: its macros must be expanded first\n  hint: run `xacro ");
}

TEST_F(UrdfFormat, MeshesThatCannotBeLoadedAreErrors) {
  const std::string before = "<link name='l'><collision><geometry>\n<mesh filename='";
  const std::string after = "'/></geometry></collision></link>";
  read(before + "cub.off" + after);
  expectProblem("a.urdf:3:7: error: cannot find 'cub.off'; tried ");
  expectProblem("cube.off'?");
  read(before + "shape.nobodys" + after);
  expectProblem("a.urdf:3:7: error: cannot find 'shape.nobodys'");
  write("shape.nobodys", "x");
  read(before + "shape.nobodys" + after);
  expectProblem("a.urdf:3:7: error: no format reads '");
}

}  // namespace
}  // namespace mortise::test
