// Masses that files ask for of meshes that bound no solid: the number is Klamp't's, and a warning says what it stands
// for.

#include "io_test.h"

namespace mortise::test {
namespace {

constexpr const char* kInsideOut = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n";
constexpr const char* kOpen = "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n";

class Automass : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("open.off", kOpen);
    write("inward.off", kInsideOut);
    write("cube.off", kCubeOff);
  }
  /// The only warning, which points to a line of the file.
  void expectWarning(const std::string& file, int line, const std::string& said) {
    ASSERT_FALSE(diagnostics.hasErrors()) << problems();
    ASSERT_EQ(diagnostics.all().size(), 1u) << problems();
    const Diagnostic& warning = diagnostics.all()[0];
    EXPECT_EQ(warning.severity, Severity::warning);
    EXPECT_EQ(warning.where.file, file);
    EXPECT_EQ(warning.where.line, line);
    EXPECT_NE(warning.message.find(said), std::string::npos) << warning.message;
    EXPECT_NE(warning.hint.find("close the mesh"), std::string::npos) << warning.hint;
  }
};

TEST_F(Automass, OfAnObjectFile) {
  const std::string file = write("o.obj", "mesh inward.off\nmass 6\nautoMass 0\n");
  const RigidObject object = loader.load<RigidObject>(file, {}, diagnostics);
  expectWarning(file, 3, "inward.off' has a negative volume");
  // A tetrahedron of three unit edges: 3/80 of its mass off the axis about the center, twice.
  EXPECT_TRUE(object.inertia.com.isApprox(Vector3d::Constant(0.25), 1e-12));
  EXPECT_NEAR(object.inertia.inertia(0, 0), 6 * 2 * 3.0 / 80, 1e-12);
}

TEST_F(Automass, OfAWorldOnceAMesh) {
  const std::string object =
      "<rigidObject><geometry file='open.off'/>\n<physics mass='1' automass='1'/></rigidObject>\n";
  const std::string file = write("w.xml", "<world>\n" + object + object + "</world>\n");
  const World world = this->world(file);
  ASSERT_EQ(world.objects.size(), 2u);
  expectWarning(file, 3, "open.off' has 3 boundary edges");
}

TEST_F(Automass, OfARobotFile) {
  const std::string links =
      "links \"a\" \"b\" \"c\"\nparents -1 0 1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0 "
      "0 0  1 0 0 0 1 0 0 0 1 0 0 0\n";
  const std::string file = write("r.rob", links + "geometry inward.off open.off inward.off\nmass 1 0 1\nautomass\n");
  (void)robot(file);
  expectWarning(file, 6, "inward.off' has a negative volume");  // The open one weighs nothing.
}

TEST_F(Automass, IsSilentWhereItIsNotUsedAndWhereMeshesAreClosed) {
  const std::string links = "links \"a\"\nparents -1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0\n";
  (void)robot(write("own.rob", links + "geometry open.off\nmass 1\ncom 0 0 0\ninertia 1 0 0 0 1 0 0 0 1\nautomass\n"));
  (void)robot(write("closed.rob", links + "geometry cube.off\nmass 1\nautomass 0\n"));
  (void)loader.load<RigidObject>(write("o.obj", "mesh open.off\nmass 6\n"), {}, diagnostics);
  (void)world(write("w.xml",
                    "<world><rigidObject><geometry file='cube.off'/><physics mass='1' automass='1'/></rigidObject>"
                    "<rigidObject><geometry file='open.off'/><physics mass='1' automass='0'/></rigidObject></world>"));
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

}  // namespace
}  // namespace mortise::test
