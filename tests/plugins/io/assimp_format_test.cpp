#include <cstdlib>
#include <cstring>

#include "io_test.h"

// Files that Assimp reads: axes, units, transforms of nodes, several meshes, and files that are wrong.

namespace mortise::test {
namespace {

using AssimpFormats = IoTest;

/// One triangle (0,0,0) (1,0,0) (0,0,2), standing in the XZ plane, placed by `nodes`.
std::string collada(const std::string& unit, const std::string& up, const std::string& nodes) {
  return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
         "version=\"1.4.1\"><asset>"
         "<unit meter=\"" +
         unit + "\" name=\"u\"/><up_axis>" + up +
         "</up_axis></asset><library_geometries><geometry id=\"g\" name=\"g\"><mesh><source id=\"p\"><float_array "
         "id=\"pa\" count=\"9\">0 0 0 1 0 0 0 0 2</float_array><technique_common><accessor source=\"#pa\" count=\"3\" "
         "stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
         "type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
         "source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 "
         "1 "
         "2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">" +
         nodes + "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
}

const std::string kPlain = "<node id=\"n\"><instance_geometry url=\"#g\"/></node>";

TEST_F(AssimpFormats, ColladaKeepsItsAxesAndAppliesItsUnit) {
  for (const char* up : {"X_UP", "Y_UP", "Z_UP"}) {
    const GeometryPtr g = geometry(write(std::string(up) + ".dae", collada("0.01", up, kPlain)));
    ASSERT_NE(g->as<TriangleMesh>(), nullptr) << up;
    EXPECT_TRUE(g->bounds().max.isApprox(Vector3d(0.01, 0, 0.02), 1e-6)) << up << g->bounds().max.transpose();
    EXPECT_EQ(g->bounds().min, Vector3d::Zero()) << up;
  }
}

TEST_F(AssimpFormats, NodesMoveTheirMeshesAndSeveralMeshesAreAGroup) {
  const GeometryPtr g = geometry(
      write("a.dae",
            collada("1", "Z_UP",
                    "<node id=\"a\"><translate>0 0 1</translate><node id=\"b\"><scale>2 2 2</scale><instance_geometry "
                    "url=\"#g\"/></node></node><node id=\"c\"><scale>-1 1 1</scale><instance_geometry "
                    "url=\"#g\"/></node>")));
  const auto* group = g->as<GeometryGroup>();
  ASSERT_NE(group, nullptr);
  ASSERT_EQ(group->parts.size(), 2u);
  EXPECT_EQ(group->parts[0]->bounds().max, Vector3d(2, 0, 5));
  EXPECT_EQ(group->parts[0]->bounds().min, Vector3d(0, 0, 1));
  // A mirror image still faces the way it did: its normal is -y mirrored in x, so -y.
  const auto* mirrored = group->parts[1]->as<TriangleMesh>();
  ASSERT_EQ(mirrored->triangles.size(), 1u);
  const auto& t = mirrored->triangles[0];
  const auto corner = [&](int i) {
    return mirrored->vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(i)])];
  };
  const Vector3d u = corner(1) - corner(0), v = corner(2) - corner(0);
  EXPECT_LT(u[2] * v[0] - u[0] * v[2], 0);
}

/// A glTF triangle (0,0,0) (1,0,0) (0,2,0); Y is up.
std::string gltf(const std::string& uri) {
  return "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
         "\"meshes\":["
         "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"uri\":\"" +
         uri +
         "\",\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],\"accessors\":[{"
         "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,2,0]}]}";
}

std::string triangleBytes(float height) {
  const float numbers[9] = {0, 0, 0, 1, 0, 0, 0, height, 0};
  return {reinterpret_cast<const char*>(numbers), sizeof(numbers)};
}

TEST_F(AssimpFormats, GltfStandsUpAndFindsItsBuffer) {
  write("a/t.bin", triangleBytes(2));
  write("b/t.bin", triangleBytes(3));
  EXPECT_TRUE(geometry(write("a/a.gltf", gltf("t.bin")))->bounds().max.isApprox(Vector3d(1, 0, 2), 1e-6));
  // The same bytes beside another buffer are another shape: the cache must not take one for the other.
  EXPECT_TRUE(geometry(write("b/a.gltf", gltf("t.bin")))->bounds().max.isApprox(Vector3d(1, 0, 3), 1e-6));
  const std::string alone = write("c/a.gltf", gltf("t.bin"));
  const std::string message = errorText([&] { geometry(alone); });
  EXPECT_NE(message.find("c/a.gltf: cannot read"), std::string::npos) << message;
  EXPECT_NE(message.find("t.bin"), std::string::npos) << message;
}

/// The triangle again, with other nodes.
std::string gltfWithNodes(const std::string& nodes) {
  std::string text = gltf("t.bin");
  const std::string one = "\"nodes\":[{\"mesh\":0}]";
  text.replace(text.find(one), one.size(), "\"nodes\":[" + nodes + "]");
  return text;
}

TEST_F(AssimpFormats, NodesThatHoldEachOtherManyTimesEndInAnError) {
  write("t.bin", triangleBytes(2));
  // Each node holds the next one twice: 2^40 triangles.
  std::string nodes;
  for (int i = 0; i < 40; ++i) nodes += "{\"children\":[" + std::to_string(i + 1) + "," + std::to_string(i + 1) + "]},";
  const std::string file = write("nested.gltf", gltfWithNodes(nodes + "{\"mesh\":0}"));
  const std::string text = errorText([&] { geometry(file); });
  EXPECT_NE(text.find("nested.gltf"), std::string::npos) << text;
}

TEST_F(AssimpFormats, ManyInstancesAreReadUpToALimit) {
  write("t.bin", triangleBytes(2));
  const auto scene = [&](int count) {
    std::string children, nodes;
    for (int i = 1; i <= count; ++i) {
      children += (i > 1 ? "," : "") + std::to_string(i);
      nodes += ",{\"mesh\":0,\"translation\":[" + std::to_string(i) + ",0,0]}";
    }
    return gltfWithNodes("{\"children\":[" + children + "]}" + nodes);
  };
  EXPECT_EQ(geometry(write("many.gltf", scene(500)))->numTriangles(), 500);
}

TEST_F(AssimpFormats, DamagedFilesAreErrors) {
  const std::string good = collada("1", "Z_UP", kPlain);
  for (std::size_t size = 0; size < good.size(); size += 37) {
    const std::string file = write("cut.dae", good.substr(0, size));
    EXPECT_NE(errorText([&] { FormatLoader(*registry, log).load<GeometryPtr>(file, {}, diagnostics); }), "") << size;
  }
  for (const char* name : {"a.glb", "a.fbx", "a.3ds", "a.blend", "a.lwo", "a.ms3d", "a.b3d"}) {
    const std::string file = write(name, "this is something else");
    EXPECT_NE(errorText([&] { geometry(file); }).find(name), std::string::npos) << name;
  }
  const std::string empty = write("empty.dae", collada("1", "Z_UP", "<node id=\"n\"/>"));
  EXPECT_NE(errorText([&] { geometry(empty); }), "");
}

/// An X file with one triangle, which Assimp reads well.
const std::string kDirectX =
    "xof 0303txt 0032\nFrame Root {\n Mesh {\n 3;\n 0;0;0;,\n 1;0;0;,\n 0;1;0;;\n 1;\n 3;0,1,2;;\n }\n}\n";

TEST_F(AssimpFormats, FormatsThatCrashTheLibraryAreOffUnlessAskedFor) {
  ::unsetenv("MORTISE_ASSIMP_ALLOW");
  for (const char* name : {"a.3mf", "a.amf", "a.ase", "a.cob", "a.X"}) {
    const std::string file = write(name, "this is something else");
    const std::string message = errorText([&] { geometry(file); });
    EXPECT_NE(message.find("files are not read unless asked for"), std::string::npos) << message;
    EXPECT_NE(message.find("MORTISE_ASSIMP_ALLOW="), std::string::npos) << message;
  }
  const std::string file = write("b.x", kDirectX);
  EXPECT_NE(errorText([&] { geometry(file); }), "");
  for (const char* value : {"x", "3mf, x", ".x", "all"}) {
    ::setenv("MORTISE_ASSIMP_ALLOW", value, 1);
    EXPECT_EQ(FormatLoader(*registry, log).load<GeometryPtr>(file, {}, diagnostics)->numTriangles(), 1) << value;
  }
  ::setenv("MORTISE_ASSIMP_ALLOW", "3mf", 1);
  EXPECT_NE(errorText([&] {
              FormatLoader(*registry, log).load<GeometryPtr>(write("c.x", kDirectX + "\n"), {}, diagnostics);
            }),
            "");
  ::unsetenv("MORTISE_ASSIMP_ALLOW");
}

TEST_F(AssimpFormats, FilesThatCrashTheLibraryOrTakeAllMemoryAreErrors) {
  std::string endless = collada("1", "Z_UP", kPlain);
  const std::string indices = "<p>0 1 2</p>";
  endless.replace(endless.find(indices), indices.size(), "<p>0 1 x</p>");
  const std::string message = errorText([&] { geometry(write("endless.dae", endless)); });
  EXPECT_NE(message.find("endless.dae"), std::string::npos) << message;
  // The process is whole, and reads the next file.
  EXPECT_EQ(geometry(write("good.dae", collada("1", "Z_UP", kPlain)))->numTriangles(), 1);
}

TEST_F(AssimpFormats, EveryColladaFileOfTheDataLoads) {
  MORTISE_NEEDS_REFERENCE();
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(referenceDir() + "/klampt-data")) {
    if (entry.path().extension() != ".dae") continue;
    SCOPED_TRACE(entry.path().string());
    ++count;
    const GeometryPtr g = geometry(entry.path().string());
    EXPECT_GT(g->numTriangles(), 0);
    // Parts of robots, in meters; one file of a head scales itself to millimeters.
    const Vector3d size = g->bounds().max - g->bounds().min;
    EXPECT_LT(size.maxCoeff(), 3);
    EXPECT_GT(size.maxCoeff(), 0.002);
  }
  EXPECT_GT(count, 50);
}

/// The head of the PR2: the file of its looks (COLLADA, Y up by its own word) must lie over the one of its collisions.
TEST_F(AssimpFormats, LooksLieOverCollisions) {
  MORTISE_NEEDS_REFERENCE();
  const std::string folder = referenceDir() + "/klampt-data/robots/pr2/";
  const AxisAlignedBounds visual = geometry(folder + "head_v0/head_pan.dae")->bounds();
  const Vector3d min(-0.110514, -0.160608, -0.065348), max(0.143151, 0.160608, 0.078302);
  EXPECT_LT((visual.min - min).cwiseAbs().maxCoeff(), 0.03) << visual.min.transpose();
  EXPECT_LT((visual.max - max).cwiseAbs().maxCoeff(), 0.03) << visual.max.transpose();
}

}  // namespace
}  // namespace mortise::test
