#include "io_test.h"

namespace mortise::test {
namespace {

class UrdfPackage : public IoTest {
 protected:
  static std::string urdf(const std::string& mesh, const std::string& klampt = {}) {
    return "<robot name='r'><link name='l'><collision><geometry>\n<mesh filename='" + mesh +
           "'/></geometry></collision></link>" + klampt + "</robot>";
  }
};

TEST_F(UrdfPackage, FoundInTheFoldersAbove) {
  write("vendor/meshes/cube.off", kCubeOff);
  write("vendor/package.xml", "<package format='2'><name>arm</name></package>");
  const RobotDescription r = robot(write("vendor/urdf/r.urdf", urdf("package://arm/meshes/cube.off")));
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(r.links[5].geometry->numTriangles(), 12);
}

TEST_F(UrdfPackage, SlashesTooManyMeanTheSame) {
  write("vendor/meshes/cube.off", kCubeOff);
  write("vendor/package.xml", "<package format='2'><name>arm</name></package>");
  write("packages/arm/cube.off", kCubeOff);
  for (const char* slashes : {"/", "//"}) {
    const std::string prefix = "package://" + std::string(slashes);
    RobotDescription r = robot(write("vendor/urdf/r.urdf", urdf(prefix + "arm/meshes/cube.off")));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    EXPECT_EQ(r.links[5].geometry->numTriangles(), 12);
    r = robot(write("vendor/urdf/s.urdf", urdf(prefix + "arm//meshes//cube.off")));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    ASSERT_NE(r.links[5].geometry, nullptr);
    r = robot(write("robots/r.urdf", urdf(prefix + "arm/cube.off", "<klampt package_root='../packages'/>")));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    ASSERT_NE(r.links[5].geometry, nullptr);
  }
  robot(write("vendor/urdf/r.urdf", urdf("package://")));
  EXPECT_NE(problems().find("r.urdf:2:7: error: 'package://' names no file of a package"), std::string::npos)
      << problems();
}

TEST_F(UrdfPackage, PackageRootHoldsPackagesOrIsOne) {
  write("packages/arm/cube.off", kCubeOff);
  for (const char* root : {"../packages", "../packages/arm"}) {
    const RobotDescription r = robot(
        write("robots/r.urdf", urdf("package://arm/cube.off", "<klampt package_root='" + std::string(root) + "'/>")));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    ASSERT_NE(r.links[5].geometry, nullptr) << root;
  }
  robot(write("robots/r.urdf", urdf("package://arm/cube.off")));
  EXPECT_TRUE(diagnostics.hasErrors()) << "package_root must not reach the next file";
}

TEST_F(UrdfPackage, FilesOutsideOfAFolderOfTheNameAreFoundWithANote) {
  // The folder has another name; only a part of the package was copied; only the files lie there.
  for (const char* mesh : {"a/meshes/arm/cube.off", "b/robots/arm/cube.off", "c/robots/cube.off"}) {
    diagnostics = {};
    write(mesh, kCubeOff);
    const std::string folder(mesh, 1);
    const RobotDescription r = robot(write(folder + "/robots/r.urdf", urdf("package://gone/meshes/arm/cube.off")));
    EXPECT_FALSE(diagnostics.hasErrors()) << problems();
    ASSERT_NE(r.links[5].geometry, nullptr) << mesh;
    ASSERT_EQ(diagnostics.all().size(), 1u) << problems();
    EXPECT_EQ(diagnostics.all()[0].severity, Severity::note);
    EXPECT_NE(problems().find("r.urdf:2:7: note: the files of package 'gone' are taken from '"), std::string::npos)
        << problems();
  }
  EXPECT_NE(problems().find(path("c/robots") + "', a folder of another name"), std::string::npos) << problems();
}

TEST_F(UrdfPackage, FoldersOfTheNameComeFirstAndWithoutANote) {
  write("ws/arm/meshes/cube.off", kCubeOff);
  write("ws/arm/urdf/meshes/cube.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  const RobotDescription r = robot(write("ws/arm/urdf/r.urdf", urdf("package://arm/meshes/cube.off")));
  EXPECT_EQ(r.links[5].geometry->numTriangles(), 12);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

TEST_F(UrdfPackage, NamedOnTheCommandLine) {
  write("odd place/cube.off", kCubeOff);
  ResourcePath paths;
  paths.addPackage("arm", path("odd place"));
  FormatLoader withPackage(*registry, log, paths);
  const RobotDescription r =
      withPackage.load<RobotDescription>(write("r.urdf", urdf("package://arm/cube.off")), {}, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(r.links[5].geometry->numTriangles(), 12);
}

TEST_F(UrdfPackage, ErrorsHaveThePlaceAndEveryPath) {
  robot(write("robots/r.urdf", urdf("package://arm/cube.off", "<klampt package_root='mine'/>")));
  ASSERT_EQ(diagnostics.errorCount(), 1);
  const std::string text = problems();
  EXPECT_EQ(text.find("r.urdf:2:7: error: cannot find 'package://arm/cube.off'; tried "), 0u) << text;
  for (const char* place : {"robots/arm/cube.off", "robots/mine/arm/cube.off", "robots/mine/cube.off"})
    EXPECT_NE(text.find(path(place)), std::string::npos) << place << "\n" << text;
}

}  // namespace
}  // namespace mortise::test
