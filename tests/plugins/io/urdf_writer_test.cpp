#include <algorithm>
#include <filesystem>

#include "io_test.h"
#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/joint_names.h"
#include "tests/support/equality/robot_equality.h"

namespace mortise::test {
namespace {

class UrdfWriter : public IoTest {
 protected:
  /// Writes the robot as URDF and reads it back; what could not be held is in `lost`.
  RobotDescription through(const RobotDescription& robot, const std::string& name = "out.urdf") {
    Diagnostics warnings;
    loader.write(robot, path(name), warnings);
    lost.clear();
    for (const Diagnostic& entry : warnings.all()) lost += entry.message + "\n";
    EXPECT_FALSE(warnings.hasErrors()) << lost;
    RobotDescription back = IoTest::robot(path(name));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    return back;
  }
  std::string fileText(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(path(name)).rdbuf();
    return out.str();
  }
  std::string lost;
};

/// Everything that URDF and its <klampt> element can say, with numbers that no rotation rounds.
const char* const kEverything = R"(<robot name="everything">
  <link name="world"/>
  <link name="base"><inertial><origin xyz="0.1 0 0.2"/><mass value="3"/>
    <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="1.5"/></inertial>
    <collision><geometry><box size="1 2 3"/></geometry></collision></link>
  <link name="turner"><collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="0.7"/></geometry>
    </collision><collision><geometry><sphere radius="0.25"/></geometry></collision></link>
  <link name="slider"><collision><origin xyz="1 0 0"/><geometry><mesh filename="cube.off" scale="1 2 -3"/></geometry>
    </collision></link>
  <link name="spinner"><collision><geometry><mesh filename="cube.off"/></geometry></collision></link>
  <link name="follower"/><link name="free"/><link name="plane"/><link name="fixed"/>
  <joint name="a" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0 0 1"/></joint>
  <joint name="b" type="revolute"><parent link="base"/><child link="turner"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5" friction="0.25"/></joint>
  <joint name="c" type="prismatic"><parent link="turner"/><child link="slider"/><axis xyz="0 0 1"/>
    <origin xyz="0 0.5 0"/><limit lower="0" upper="0.5" effort="100" velocity="1"/></joint>
  <joint name="d" type="continuous"><parent link="slider"/><child link="spinner"/><axis xyz="1 0 0"/>
    <limit effort="5" velocity="6"/></joint>
  <joint name="e" type="revolute"><parent link="spinner"/><child link="follower"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="7" velocity="8"/><mimic joint="b" multiplier="-0.5" offset="0.25"/></joint>
  <joint name="f" type="floating"><parent link="follower"/><child link="free"/><origin xyz="1 2 3"/></joint>
  <joint name="g" type="planar"><parent link="free"/><child link="plane"/><axis xyz="0 0 1"/></joint>
  <joint name="h" type="fixed"><parent link="plane"/><child link="fixed"/></joint>
  <klampt default_acc_max="20">
    <link name="turner" accMax="3" servoP="11" servoI="12" servoD="13"/>
    <link name="slider" servoP="7"/>
    <noselfcollision pairs="base spinner"/>
    <sensors><ForceTorqueSensor name="ft" link="3" hasForce="1 1 1"/></sensors>
    <controller type="JointTrackingController" rate="100"/>
  </klampt>
</robot>)";

TEST_F(UrdfWriter, HoldsEverythingThatCameFromOne) {
  write("cube.off", kCubeOff);
  const RobotDescription before = IoTest::robot(write("in.urdf", kEverything));
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  RobotDescription after = through(before);
  EXPECT_EQ(lost, "");
  // Other tools find the shapes as well: links are seen as they collide.
  ASSERT_FALSE(hasLinkVisuals(before));
  const std::vector<LinkVisual> turner = linkVisuals(after, after.findLink("turner"));
  ASSERT_EQ(turner.size(), 2U);
  EXPECT_EQ(turner[0].kind, LinkVisual::Kind::cylinder);
  EXPECT_EQ(turner[0].map.t, Vector3d(0, 0, 0.5));
  EXPECT_EQ(turner[1].kind, LinkVisual::Kind::sphere);
  EXPECT_TRUE(linkVisuals(after, after.findLink("follower")).empty());
  std::erase_if(after.properties, isLinkVisual);
  EXPECT_EQ(differences(before, after, 1e-12), "");
}

TEST_F(UrdfWriter, SaysWhichVisualShapesAreLost) {
  write("cube.off", kCubeOff);
  RobotDescription robot = IoTest::robot(write("in.urdf", kEverything));
  LinkVisual sheared;
  sheared.kind = LinkVisual::Kind::sphere;
  sheared.size = Vector3d(0.5, 0, 0);
  sheared.map.A(0, 1) = 0.25;
  LinkVisual round = sheared;
  round.map = AffineMap::scaling(Vector3d::Constant(2));
  setLinkVisuals(robot, "base", {sheared, round});
  robot.properties.emplace_back("visual:turner", "[nonsense");
  const RobotDescription after = through(robot);
  EXPECT_NE(lost.find("a visual shape of link 'base' is scaled as URDF cannot say it; it is left out"),
            std::string::npos)
      << lost;
  EXPECT_NE(lost.find("the visual shapes of link 'turner' are not written: "), std::string::npos) << lost;
  const std::vector<LinkVisual> kept = linkVisuals(after, after.findLink("base"));
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].size[0], 1) << "the radius of the sphere that grew";
  // What the test of all warnings finds in the writers.
  for (const char* text : {"a visual shape of link '", "the visual shapes of link '"})
    EXPECT_NE(lost.find(text), std::string::npos) << lost;
}

TEST_F(UrdfWriter, FloatingRoots) {
  const std::string urdf =
      "<robot name='r'><link name='body'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link><link name='arm'/><joint name='j' type='continuous'><parent link='body'/><child "
      "link='arm'/><limit effort='1' velocity='1'/></joint>";
  for (const char* klampt : {"", "<klampt freeze_root_link='1'/>"}) {
    const RobotDescription before = IoTest::robot(write("in.urdf", urdf + klampt + "</robot>"));
    const RobotDescription after = through(before);
    EXPECT_EQ(lost, "");
    EXPECT_EQ(differences(before, after), "");
    EXPECT_EQ(fileText("out.urdf").find("\"world\""), std::string::npos);
  }
}

TEST_F(UrdfWriter, SaysWhatItCannotHold) {
  const RobotDescription robot = IoTest::robot(
      write("r.rob",
            "links \"a\" \"b\" \"c\"\nparents -1 0 1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 "
            "0 1 0 0 0 1 0 0 1\nqMin -1 -1 -1\nqMax 1 1 1\nq 0.5 0 0\nvelMin -1 -2 -1\nvelMax 1 1 1\ntorqueMax 1 1 "
            "1\npowerMax 5 inf inf\naccMax 1 1 1\ndriver normal 0\ndriver affine 2 1 2  2 1  0 0  -0.5 0.5 -1 1 -3 3\n"
            "drivers \"motor\" \"b\"\nservoP 1 1\nservoI 0 0\nservoD 0 0\nproperty maker \"us\"\n"));
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  const RobotDescription back = through(robot);
  for (const char* text : {"start positions of link 'a'", "velocity limits of link 'b'", "power limits of link 'a'",
                           "names of drivers 'motor' and 'b'", "torque limits of driver 'b'", "properties"})
    EXPECT_NE(lost.find(std::string("a URDF file cannot hold ") + text), std::string::npos) << text << "\n" << lost;
  ASSERT_EQ(back.drivers.size(), 2u);
  // The driver's value is that of its link with scale 1 and offset 0.
  EXPECT_EQ(back.drivers[1].type, DriverType::affine);
  EXPECT_EQ(back.drivers[1].links, (std::vector<int>{2, 1}));
  EXPECT_EQ(back.drivers[1].scale, (std::vector<double>{1, 2}));
}

TEST_F(UrdfWriter, NamesAndOrderThatUrdfDoesNotKnow) {
  // Siblings whose names sort the other way round, two links of one name, and children before their uncles.
  const RobotDescription robot = IoTest::robot(
      write("r.rob",
            "links \"root\" \"z\" \"a\" \"z\"\nparents -1 0 0 1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 "
            "0 1  1 0 0 0 1 0 0 0 1 1 0 1  1 0 0 0 1 0 0 0 1 0 1 1\nqMin -1 -1 -1 -1\nqMax 1 1 1 1\n"));
  const RobotDescription back = through(robot);
  EXPECT_NE(lost.find("the order of the links"), std::string::npos) << lost;
  EXPECT_NE(lost.find("names of link 'z'"), std::string::npos) << lost;
  ASSERT_EQ(back.links.size(), 4u);
  EXPECT_EQ(back.links[0].name, "root");
  EXPECT_EQ(back.links[1].name, "z");
  EXPECT_EQ(back.links[2].name, "z_2");
  EXPECT_EQ(back.links[3].name, "a");
  EXPECT_EQ(back.links[2].X_PL0.p, Vector3d(0, 1, 1));
}

TEST_F(UrdfWriter, ShapesWithoutAFileGetOne) {
  write("cube.off", kCubeOff);
  RobotDescription robot = IoTest::robot(write("in.urdf", kEverything));
  Link& link = robot.links[3];
  AffineMap shear;
  shear.A(0, 1) = 0.5;
  link.geometry = transformed(*link.geometry, shear);
  link.geometryTransform = shear;
  link.geometryFile = "cube.off";
  robot.links[4].geometry = std::make_shared<Geometry>(EllipsoidShape{{}, {1, 2, 3}});
  const RobotDescription back = through(robot);
  EXPECT_TRUE(sameShape(robot.links[3].geometry, back.links[3].geometry, 1e-9));
  EXPECT_TRUE(sameShape(robot.links[4].geometry, back.links[4].geometry, 1e-9));
  EXPECT_EQ(fileText("cube.off"), kCubeOff);
}

TEST_F(UrdfWriter, EveryRobotOfTheReferenceMovesAlike) {
  MORTISE_NEEDS_REFERENCE();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(referenceDir() + "/reference/klampt-oracle")) {
    const std::string name = entry.path().stem().string();
    if (!name.starts_with("world_") && !name.starts_with("sim_") && !name.starts_with("plan") && name != "motions" &&
        entry.path().extension() == ".json")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  RandomStream random(1);
  for (const auto& file : files) {
    SCOPED_TRACE(file.stem().string());
    const std::string source = loadYaml(file.string()).at("file").asString();
    const RobotDescription before = IoTest::robot(referenceDir() + "/klampt-data/" + source);
    const RobotDescription after = through(before, file.stem().string() + ".urdf");
    // Those that mount a .rob file have what URDF has no word for.
    if (source.ends_with(".urdf") &&
        readFile(referenceDir() + "/klampt-data/" + source).find("<mount") == std::string::npos) {
      EXPECT_EQ(lost, "");
    }
    ASSERT_EQ(before.links.size(), after.links.size());
    const RobotPtr a = Robot::compile(before), b = Robot::compile(after);
    RobotState x(*a), y(*b);
    for (double& q : x.q) q = random.uniform(-2, 2);
    // Links go by name; where it repeats or was another one, by the order that is left.
    const bool renumbered = lost.find("the order of the links") != std::string::npos;
    if (renumbered) continue;
    y.q = x.q;
    // Welds do not move in URDF either, but their axes are lost.
    for (const Joint& joint : before.joints)
      if (joint.type == JointType::weld) x.q[joint.link] = y.q[joint.link] = 0;
    updateFrames(*a, x);
    updateFrames(*b, y);
    for (int i = 0; i < a->numLinks(); ++i) {
      EXPECT_LT((x.X_WL[i].p - y.X_WL[i].p).norm(), 1e-4) << i;
      EXPECT_LT((x.X_WL[i].R - y.X_WL[i].R).norm(), 1e-4) << i;
    }
    EXPECT_NEAR(a->totalMass(), b->totalMass(), 1e-9 * a->totalMass());
  }
}

TEST_F(UrdfWriter, JointsKeepTheirNames) {
  const RobotDescription robot = IoTest::robot(write("in.urdf", R"(<robot name="r"><link name="world"/>
    <link name="base"/><link name="a"/><link name="b"/>
    <joint name="1_mount" type="fixed"><parent link="world"/><child link="base"/></joint>
    <joint name="2_lift" type="revolute"><parent link="base"/><child link="b"/><limit lower="-1" upper="1" effort="1"
      velocity="1"/></joint>
    <joint name="3_turn" type="continuous"><parent link="base"/><child link="a"/></joint></robot>)"));
  const std::vector<std::string> names = {"1_mount", "2_lift", "3_turn"};
  EXPECT_EQ(jointNames(robot), names);
  EXPECT_EQ(jointNames(through(robot)), names);
  EXPECT_EQ(lost, "");
  // A .rob file holds them as properties.
  loader.write(robot, path("out.rob"), diagnostics);
  EXPECT_EQ(jointNames(IoTest::robot(path("out.rob"))), names);
  EXPECT_EQ(problems(), "");
}

}  // namespace
}  // namespace mortise::test
