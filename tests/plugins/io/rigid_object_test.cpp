#include "io_test.h"

namespace mortise::test {
namespace {

class RigidObjects : public IoTest {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    write("cube.off", kCubeOff);
  }
  RigidObject read(const std::string& content) {
    return loader.load<RigidObject>(write("thing.obj", content), {}, diagnostics);
  }
};

TEST_F(RigidObjects, EveryKeyIsRead) {
  const RigidObject o = read(
      "# a comment\nmesh \"cube.off\"\ngeomscale 2 4 6\ngeomtranslate 1 0 0\nT 0 -1 0 1 0 0 0 0 1  7 8 9\n"
      "velocity 1 2 3\nangularVelocity 4 5 6\nmass 2.5\ncom 0.1 0.2 0.3\ninertia 1 2 3\nkFriction 0.7\n"
      "kRestitution 0.2\nkStiffness 1e4\nkDamping inf\nkRolling 0.002\n");
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(o.name, "thing");
  EXPECT_EQ(o.geometry->bounds().min, Vector3d(1, 0, 0));
  EXPECT_EQ(o.geometry->bounds().max, Vector3d(3, 4, 6));
  EXPECT_EQ(o.X_WO * Vector3d(1, 0, 0), Vector3d(7, 9, 9));
  EXPECT_EQ(o.v_WO, Vector3d(1, 2, 3));
  EXPECT_EQ(o.w_WO, Vector3d(4, 5, 6));
  EXPECT_EQ(o.inertia.mass, 2.5);
  EXPECT_EQ(o.inertia.com, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(o.inertia.inertia, Matrix3d(Vector3d(1, 2, 3).asDiagonal()));
  EXPECT_EQ(o.surface.friction, 0.7);
  EXPECT_EQ(o.surface.restitution, 0.2);
  EXPECT_EQ(o.surface.stiffness, 1e4);
  EXPECT_EQ(o.surface.damping, kInfinity);
  EXPECT_EQ(o.surface.rolling, 0.002);
}

TEST_F(RigidObjects, DefaultsAreKlampts) {
  const RigidObject o = read("mesh cube.off\n");
  EXPECT_EQ(o.inertia.mass, 1);
  EXPECT_EQ(o.inertia.inertia, Matrix3d(Matrix3d::Identity()));
  EXPECT_EQ(o.surface, Surface());
}

TEST_F(RigidObjects, PoseAsFourByFourMatrix) {
  const RigidObject o = read("mesh cube.off\nT 0 -1 0 7  1 0 0 8  0 0 1 9  0 0 0 1\n");
  EXPECT_EQ(o.X_WO * Vector3d(1, 0, 0), Vector3d(7, 9, 9));
}

TEST_F(RigidObjects, AutoMassSpreadsOverTheSurfaceOrFillsTheVolume) {
  // A hollow cube of edge a has 5/18 m a^2 about its center, a solid one 1/6 m a^2.
  const RigidObject hollow = read("mesh cube.off\nmass 3\nautoMass\n");
  EXPECT_TRUE(hollow.inertia.com.isApprox(Vector3d::Constant(0.5), 1e-12));
  EXPECT_NEAR(hollow.inertia.inertia(0, 0), 3 * 5.0 / 18, 1e-12);
  const RigidObject solid = read("mesh cube.off\nmass 3\nautoMass 0\n");
  EXPECT_NEAR(solid.inertia.inertia(1, 1), 3 / 6.0, 1e-12);
  const RigidObject about = read("mesh cube.off\nmass 3\ncom 0 0 0\nautoMass 0\n");
  EXPECT_EQ(about.inertia.com, Vector3d(0, 0, 0));
  EXPECT_NEAR(about.inertia.inertia(2, 2), 3 * (1 / 6.0 + 0.5), 1e-12);
}

TEST_F(RigidObjects, EveryProblemIsReportedAtOnce) {
  read("mesh cube.off\nmas 3\nmass x\ncom 1 2\nkFriction -1\nT 1 2 3\ngeomscale 1 2\nmass 1 2\nautomass\n");
  const std::string text = problems();
  EXPECT_NE(text.find("thing.obj:2:1: error: unknown key 'mas'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'mass'?"), std::string::npos) << text;
  EXPECT_NE(text.find("thing.obj:3:6: error: mass: expected a number, found 'x'"), std::string::npos) << text;
  EXPECT_NE(text.find("thing.obj:4:8: error: com: expected a number, found the end of the line"), std::string::npos)
      << text;
  EXPECT_NE(text.find("thing.obj:5:11: error: kFriction must not be negative"), std::string::npos) << text;
  EXPECT_NE(text.find("thing.obj:6:8: error: T:"), std::string::npos) << text;
  EXPECT_NE(text.find("expected one number or three, found 2"), std::string::npos) << text;
  EXPECT_NE(text.find("thing.obj:8:8: error: mass: '2' is one value too many"), std::string::npos) << text;
  EXPECT_NE(text.find("thing.obj:9:1: warning: 'automass' is ignored, because this key is written 'autoMass'"),
            std::string::npos)
      << text;
  EXPECT_EQ(diagnostics.errorCount(), 7);
}

TEST_F(RigidObjects, AMissingOrUnknownMeshIsAnError) {
  read("mass 1\n");
  EXPECT_NE(problems().find("the object has no mesh"), std::string::npos) << problems();
  read("mesh cub.off\n");
  EXPECT_NE(problems().find("thing.obj:1:6: error: cannot find 'cub.off'"), std::string::npos) << problems();
}

TEST_F(RigidObjects, AWavefrontMeshWithTheSameExtensionIsAnObjectOfOneKilogram) {
  const RigidObject o =
      read("# Blender\no Cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(o.geometry->numTriangles(), 4);
  EXPECT_EQ(o.inertia.mass, 1);
  EXPECT_GT(o.inertia.inertia(0, 0), 0);
}

TEST_F(RigidObjects, AnObjectFileIsNoMesh) {
  const std::string file = write("thing.obj", "mesh cube.off\n");
  const std::string message = errorText([&] { geometry(file); });
  EXPECT_NE(message.find("rigid object of Klamp't"), std::string::npos) << message;
  EXPECT_EQ(loader.contentOf(file), FileContent::rigidObject);
  EXPECT_EQ(loader.contentOf(write("mesh.obj", "v 0 0 0\n")), FileContent::geometry);
}

TEST_F(RigidObjects, Terrains) {
  const Terrain t = loader.load<Terrain>(write("a.env", "mesh cube.off\nkFriction 0.8\n"), {}, diagnostics);
  EXPECT_EQ(t.surface.friction, 0.8);
  EXPECT_EQ(t.surface.stiffness, 8e5);
  EXPECT_EQ(t.surface.damping, 2e5);
  EXPECT_EQ(t.surface.restitution, 0.1);
  EXPECT_EQ(t.geometry->numTriangles(), 12);
  const Terrain bare = loader.load<Terrain>(path("cube.off"), {}, diagnostics);
  EXPECT_EQ(bare.surface.friction, 0.5);
  EXPECT_EQ(bare.surface.stiffness, 8e5);
  ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  std::string frictions;
  for (int i = 0; i < t.geometry->numTriangles(); ++i) frictions += i == 2 ? " 0.1" : " 0.8";
  const Terrain uneven =
      loader.load<Terrain>(write("c.env", "mesh cube.off\nkFriction" + frictions + "\n"), {}, diagnostics);
  EXPECT_EQ(uneven.surface.friction, 0.8);
  EXPECT_NE(problems().find("that of its first triangle, 0.8, is that of all"), std::string::npos) << problems();
  loader.load<Terrain>(write("b.env", "mesh cube.off\nfricton 1\nkFriction 1 2 3\n"), {}, diagnostics);
  EXPECT_NE(problems().find("b.env:2:1: error: unknown key 'fricton'"), std::string::npos) << problems();
  EXPECT_NE(problems().find("kFriction has 3 values"), std::string::npos) << problems();
}

}  // namespace
}  // namespace mortise::test
