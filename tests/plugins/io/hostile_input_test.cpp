#include "io_test.h"
#include "mortise/base/random.h"

// Whatever a file holds, reading it ends with a result or an `Error`, soon and without a crash.

namespace mortise::test {
namespace {

class HostileInput : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
    write("good.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 0\n");
  }

  /// Reads the file as whatever its extension stands for.
  void readAny(const std::string& file) {
    diagnostics = {};
    const std::string extension = file.substr(file.find_last_of('.') + 1);
    try {
      if (extension == "rob" || extension == "urdf") {
        const RobotDescription description = robot(file);
        if (!diagnostics.hasErrors()) {
          Robot::compile(description);
          loader.write(description, path("back.rob"), diagnostics);
        }
      } else if (extension == "xml") {
        world(file);
      } else if (extension == "obj") {
        loader.load<RigidObject>(file, {}, diagnostics);
      } else if (extension == "env") {
        loader.load<Terrain>(file, {}, diagnostics);
      } else if (extension == "config") {
        loader.load<VectorXd>(file, {}, diagnostics);
      } else if (extension == "path" || extension == "milestones") {
        loader.load<Trajectory>(file, {}, diagnostics);
      } else {
        geometry(file);
      }
    } catch (const Error&) {
    }
  }

  void abuse(const std::string& name, const std::string& content) {
    // Cut off everywhere.
    const std::size_t stride = std::max<std::size_t>(1, content.size() / 150);
    for (std::size_t size = 0; size < content.size(); size += stride) readAny(write(name, content.substr(0, size)));
    // Changed here and there.
    RandomStream random(7, name);
    const std::string bytes("\0\n\"\\#<>/-+.,9e \xff%&'=", 21);
    const std::vector<std::string> numbers = {"1e999", "-1",         "99999999999", "nan",
                                              "-inf",  "2147483648", "0x7f",        "1e-400"};
    for (int round = 0; round < 200; ++round) {
      std::string changed = content;
      for (std::uint64_t k = random.below(4) + 1; k > 0; --k) {
        const std::size_t at = random.below(changed.size());
        if (random.below(3) == 0)
          changed.insert(at, " " + numbers[random.below(numbers.size())] + " ");
        else
          changed[at] = bytes[random.below(bytes.size())];
      }
      readAny(write(name, changed));
    }
  }
};

TEST_F(HostileInput, Off) { abuse("a.off", kCubeOff); }
TEST_F(HostileInput, Wavefront) { abuse("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 -1/1\nf 1 2 3\n"); }
TEST_F(HostileInput, RigidObject) {
  abuse("b.obj", "mesh \"cube.off\"\ngeomscale 1 2 3\nT 1 0 0 0 1 0 0 0 1 0 0 0\nmass 1\nautoMass 0.5\nkFriction 1\n");
}
TEST_F(HostileInput, Terrain) { abuse("a.env", "mesh cube.off\nkFriction 1\n"); }
TEST_F(HostileInput, StlAscii) {
  abuse("a.stl",
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid\n");
}
TEST_F(HostileInput, StlBinary) {
  std::string bytes(84 + 100, '\1');
  bytes[80] = 2;
  bytes[81] = bytes[82] = bytes[83] = 0;
  abuse("b.stl", bytes);
}
TEST_F(HostileInput, Geom) {
  abuse("a.geom", "Box 0 0 0  1 0 0  0 1 0  0 0 1  1 2 3\n");
  abuse("b.geom", "Primitive\nPolygon 3 0 0 0 1 0 0 0 1 0\n");
}
TEST_F(HostileInput, Motions) {
  abuse("a.config", "3\t1 2 3\n");
  abuse("a.path", "0\t3\t1 2 3\n1\t3\t1 2 3\n");
  abuse("a.milestones", "3\t1 2 3\t3\t0 0 0\n");
}
TEST_F(HostileInput, Rob) {
  abuse("a.rob",
        "links a b \"c d\"\nparents -1 0 1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0 \\\n1 0 0 0 1 0 0 0 1 1 0 0 \\\n"
        "1 0 0 0 1 0 0 0 1 1 0 0\naxis 0 0 1 0 0 1 0 0 1\njointtype r r p\nqMinDeg -1 -2 -inf\nmass 1 2 3\n"
        "geometry cube.off \"\" cube.off\ngeomscale 2\ngeomtransform 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\nautomass 0.5\n"
        "joint weld 0\njoint ballandsocket 2 -1\ndriver affine 2 1 2 1 1 0 0 0 1 0 1 0 1\ndriver normal 0\nservoP 1 2\n"
        "noselfcollision 0 2\nmount 1 cube.off 1 0 0 0 1 0 0 0 1 0 0 0\nmount 2 good.rob as \"x\"\n"
        "property sensors \"<sensors><A link='0'/></sensors>\"\nproperty p q\n");
}
TEST_F(HostileInput, Urdf) {
  abuse(
      "a.urdf",
      "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1'/><mass value='2'/><inertia ixx='1' "
      "ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision><geometry><mesh filename='cube.off' scale='1 2 "
      "3'/></geometry></collision></link><link name='b'><collision><geometry><box size='1 2 3'/></geometry>"
      "</collision></link><joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
      "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint><link name='c'/><joint name='k' type='planar'>"
      "<parent link='b'/><child link='c'/></joint><link name='d'/><joint name='l' type='continuous'><parent link='c'/>"
      "<child link='d'/><mimic joint='j' multiplier='2'/></joint><klampt default_acc_max='2' package_root='x'>"
      "<noselfcollision pairs='a b'/><mount link='a' file='good.rob' prefix='p'/></klampt></robot>");
}
TEST_F(HostileInput, World) {
  abuse("a.xml",
        "<?xml version=\"1.0\"?>\n<!-- c --><world><robot name=\"r\" file=\"good.rob\" config=\"1 0\" rotateZ=\"1\"/>"
        "<rigidObject name='o' position='0 0 1'><geometry mesh='cube.off' scale='1 2 3'/><physics mass='1' "
        "automass='1'/></rigidObject><terrain file='cube.off'/><simulation backend='ode'><globals maxContacts='3'/>"
        "<object index='0'><geometry padding='0.1'/></object><robot index='0' body='0'><controller type='x'/></robot>"
        "<joint type='hinge' axis='0 0 1' point='0 0 0'><object name='o'/></joint></simulation></world>\n");
}

TEST_F(HostileInput, DeepNestingIsRefused) {
  std::string text = "<world>";
  for (int i = 0; i < 20000; ++i) text += "<a>";
  readAny(write("deep.xml", text));
}

}  // namespace
}  // namespace mortise::test
