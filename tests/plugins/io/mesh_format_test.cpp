#include <cstring>

#include "io_test.h"

namespace mortise::test {
namespace {

using MeshFormats = IoTest;

TEST_F(MeshFormats, OffReadsVerticesFacesAndComments) {
  const GeometryPtr g = geometry(write("a.off",
                                       "# made by hand\nOFF # header\n\n4 2 0\n0 0 0\n1.5 0 0 # corner\n1 1 0\n0 1 "
                                       "-2e-1\n\n4 0 1 2 3\n3 0 2 3 255 0 0\n"));
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  ASSERT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->vertices[1], Vector3d(1.5, 0, 0));
  EXPECT_EQ(mesh->vertices[3], Vector3d(0, 1, -0.2));
  ASSERT_EQ(mesh->triangles.size(), 3u);  // The quadrilateral counts for two.
  EXPECT_EQ(mesh->triangles[0], (std::array<int, 3>{0, 1, 2}));
  EXPECT_EQ(mesh->triangles[1], (std::array<int, 3>{0, 2, 3}));
}

TEST_F(MeshFormats, OffJoinsEqualVerticesAndDropsWhatBecomesFlat) {
  const GeometryPtr g = geometry(write("a.off", "OFF\n5 2 0\n0 0 0\n1 0 0\n0 1 0\n-0 0 0\n1 0 0\n3 3 4 2\n3 0 3 1\n"));
  const auto* mesh = g->as<TriangleMesh>();
  EXPECT_EQ(mesh->vertices.size(), 3u);
  ASSERT_EQ(mesh->triangles.size(), 1u);
  EXPECT_EQ(mesh->triangles[0], (std::array<int, 3>{0, 1, 2}));
}

TEST_F(MeshFormats, OffTakesCountsBesideTheHeaderAndColors) {
  const GeometryPtr g = geometry(write("a.off", "COFF 3 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n0 1 0 1 0 0 1\n3 0 1 2\n"));
  EXPECT_EQ(g->numVertices(), 3);
  EXPECT_EQ(g->numTriangles(), 1);
}

TEST_F(MeshFormats, OffMayBeginWithBlanks) {
  for (const char* head : {"  OFF 3 1 0\n", "\n\n   OFF\n3 1 0\n", "                    OFF 3 1\n", "\t OFF\t3 1 0\n"})
    EXPECT_EQ(geometry(write("a.off", std::string(head) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"))->numTriangles(), 1)
        << head;
}

TEST_F(MeshFormats, ObjLinesGoOnBehindABackslash) {
  const GeometryPtr g =
      geometry(write("a.obj", "v 0 0 \\\n 0\nv 1 0 0\nv 1 1 0 \\\r\n\r\nv 0 1 0\nf 1 2 \\\n 3 \\ \n4\n"));
  EXPECT_EQ(g->numVertices(), 4);
  EXPECT_EQ(g->numTriangles(), 2);
  const std::string text =
      errorText([&] { geometry(write("b.obj", "v 0 0 \\\n 0\nv 1 0 0\nv 1 1 0\nf 1 2 \\\n 9\n")); });
  EXPECT_NE(text.find("b.obj:6:2: '9' names no vertex"), std::string::npos) << text;
}

TEST_F(MeshFormats, AnStlOfItsHeaderAloneIsEmpty) {
  const std::string blanks(80, ' ');
  for (const std::string& header : {blanks, "solid" + blanks.substr(5)}) {
    const GeometryPtr g = geometry(write("a.stl", header));
    EXPECT_EQ(g->numTriangles(), 0);
    EXPECT_NE(problems().find("a.stl: warning: the file ends behind its header"), std::string::npos) << problems();
  }
}

struct Bad {
  const char* name;
  const char* file;
  const char* content;
  const char* message;  ///< Must occur in the error.
};

class BadMeshes : public IoTest, public testing::WithParamInterface<Bad> {};

TEST_P(BadMeshes, AreRefusedWithAPosition) {
  const Bad& bad = GetParam();
  const std::string file = write(bad.file, bad.content);
  const std::string message = errorText([&] { geometry(file); });
  EXPECT_NE(message.find(bad.message), std::string::npos) << message;
  EXPECT_NE(message.find(bad.file), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadMeshes,
    testing::Values(
        Bad{"NoHeader", "a.off", "8 12 0\n0 0 0\n", "a.off:1:1: not an OFF file"},
        Bad{"Empty", "a.off", "", "not an OFF file"},
        Bad{"FourDimensions", "a.off", "4OFF\n1 1 1\n", "is not supported"},
        Bad{"HugeCount", "a.off", "OFF\n2000000000 1 0\n0 0 0\n", "a.off:2:1: the header promises 2000000000 vertices"},
        Bad{"CountBeyondInt", "a.off", "OFF\n99999999999999 1 0\n", "a.off:2:1: expected the number of vertices"},
        Bad{"NegativeCount", "a.off", "OFF\n-3 1 0\n", "a.off:2:1: the number of vertices is negative"},
        Bad{"NotANumber", "a.off", "OFF\n3 1 0\n0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n",
            "a.off:4:3: expected a vertex coordinate, found 'x'"},
        Bad{"NaN", "a.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "a.off:4:3: expected a vertex coordinate"},
        Bad{"CutOff", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 ", "found the end of the file"},
        Bad{"IndexTooLarge", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
            "a.off:6:7: face 0 names vertex 3; there are 3"},
        Bad{"NegativeIndex", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 -1 2\n", "face 0 names vertex -1"},
        Bad{"HugeFace", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n1000000 0 1 2\n", "claims 1000000 corners"},
        Bad{"WavefrontNoVertex", "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a.obj:4:7: '4' names no vertex"},
        Bad{"WavefrontZero", "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "a.obj:4:3: '0' names no vertex"},
        Bad{"WavefrontTooFarBack", "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "'-4' names no vertex"},
        Bad{"WavefrontTwoCorners", "a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "at least three corners"},
        Bad{"WavefrontNoFaces", "a.obj", "v 0 0 0\n", "holds no faces"},
        Bad{"WavefrontKeyword", "a.obj", "v 0 0 0\nbogus 1\n", "a.obj:2:1: 'bogus' is not a Wavefront keyword"},
        Bad{"StlShort", "a.stl", "abc", "not an STL file"},
        Bad{"StlCutOff", "a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "before 'endsolid'"},
        Bad{"StlTwoVertices", "a.stl",
            "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n",
            "a.stl:7:1: a facet has 2 vertices"},
        Bad{"StlKeyword", "a.stl", "solid x\nfase\n", "a.stl:2:1: 'fase' is not an STL keyword"}),
    [](const auto& test) { return test.param.name; });

TEST_F(MeshFormats, WavefrontReadsAllFormsOfCorners) {
  const GeometryPtr g =
      geometry(write("a.obj",
                     "# comment\nmtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\n"
                     "vt 0 0\nvn 0 0 1\ns off\nf 1 2/1 3/1/1 4//1\nf -4 -3 -2\n"));
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->vertices.size(), 4u);
  ASSERT_EQ(mesh->triangles.size(), 3u);
  EXPECT_EQ(mesh->triangles[2], (std::array<int, 3>{0, 1, 2}));
}

TEST_F(MeshFormats, StlAsciiJoinsCorners) {
  std::string text = "solid two\n";
  for (const char* corners :
       {"vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", "vertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"})
    text += std::string("facet normal 0 0 1\n outer loop\n") + corners + " endloop\nendfacet\n";
  const GeometryPtr g = geometry(write("a.stl", text + "endsolid two\n"));
  EXPECT_EQ(g->numVertices(), 4);
  EXPECT_EQ(g->numTriangles(), 2);
}

std::string binaryStl(std::uint32_t claimed, std::uint32_t written, const char* header = "binary") {
  std::string bytes(80, ' ');
  std::memcpy(bytes.data(), header, std::strlen(header));
  bytes.append(reinterpret_cast<const char*>(&claimed), 4);
  for (std::uint32_t i = 0; i < written; ++i) {
    const float numbers[12] = {0, 0, 1, 0, 0, static_cast<float>(i), 1, 0, static_cast<float>(i), 0, 1, 0.5f};
    bytes.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST_F(MeshFormats, StlBinaryAlsoWhenItBeginsWithSolid) {
  for (const char* header : {"binary", "solid but binary"}) {
    const GeometryPtr g =
        loader.load<GeometryPtr>(write(std::string(header) + ".stl", binaryStl(3, 3, header)), {}, diagnostics);
    EXPECT_EQ(g->numTriangles(), 3);
    EXPECT_EQ(g->numVertices(), 7);
  }
}

TEST_F(MeshFormats, StlBinaryRefusesCountsBeyondTheFile) {
  const std::string file = write("a.stl", binaryStl(4000000000u, 2));
  const std::string message = errorText([&] { geometry(file); });
  EXPECT_NE(message.find("promises 4000000000 facets, the file has room for 2"), std::string::npos) << message;
}

TEST_F(MeshFormats, AMissingMeshNamesEveryPathTried) {
  write("robots/parts/arm.off", kCubeOff);
  const std::string robot =
      write("robots/a.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 0\nparents -1\ngeometry \"parts/arn.off\"\n");
  IoTest::robot(robot);
  const std::string text = problems();
  EXPECT_NE(text.find("a.rob:3:10: error: cannot find 'parts/arn.off'; tried "), std::string::npos) << text;
  EXPECT_NE(text.find("robots/parts/arn.off, parts/arn.off"), std::string::npos) << text;
  EXPECT_NE(text.find("arm.off'?"), std::string::npos) << text;
}

TEST_F(MeshFormats, PrimitivesWithAndWithoutTheOldHeader) {
  EXPECT_EQ(geometry(write("a.geom", "Sphere 0 1 0 0.5"))->as<SphereShape>()->radius, 0.5);
  EXPECT_EQ(geometry(write("b.geom", "Primitive\nSphere 0 1 0 0.5\n"))->as<SphereShape>()->center, Vector3d(0, 1, 0));
  EXPECT_EQ(geometry(write("c.geom", "Point 1 2 3"))->as<PointShape>()->point, Vector3d(1, 2, 3));
  EXPECT_EQ(geometry(write("d.geom", "Segment 1 2 3 4 5 6"))->as<SegmentShape>()->b, Vector3d(4, 5, 6));
  EXPECT_EQ(geometry(write("e.geom", "Triangle 0 0 0 1 0 0 0 1 0"))->as<TriangleShape>()->c, Vector3d(0, 1, 0));
  EXPECT_EQ(geometry(write("f.geom", "Polygon 4 0 0 0 1 0 0 1 1 0 0 1 0"))->as<PolygonShape>()->vertices.size(), 4u);
  EXPECT_EQ(geometry(write("g.geom", "AABB 0 0 0 1 2 3"))->as<AxisAlignedBoxShape>()->max, Vector3d(1, 2, 3));
  const auto* box = geometry(write("h.geom", "Box 1 0 0  0 1 0  -1 0 0  0 0 1  4 5 6"))->as<BoxShape>();
  ASSERT_NE(box, nullptr);
  EXPECT_EQ(box->X * Vector3d(1, 0, 0), Vector3d(1, 1, 0));
  EXPECT_EQ(box->size, Vector3d(4, 5, 6));
  EXPECT_EQ(geometry(write("i.geom", "Ellipsoid 0 0 0  1 0 0  0 1 0  0 0 1  1 2 3"))->as<EllipsoidShape>()->radii,
            Vector3d(1, 2, 3));
  const auto* cylinder = geometry(write("j.geom", "Cylinder 0 0 1  0 0 2  0.5 3"))->as<CylinderShape>();
  ASSERT_NE(cylinder, nullptr);
  EXPECT_EQ(cylinder->axis, Vector3d::UnitZ());
  EXPECT_EQ(cylinder->height, 3);
}

TEST_F(MeshFormats, BadPrimitivesAreRefused) {
  const auto refused = [this](const char* content, const char* message) {
    const std::string file = write("bad.geom", content);
    const std::string text = errorText([&] { loader.load<GeometryPtr>(file, {}, diagnostics); });
    EXPECT_NE(text.find(message), std::string::npos) << text;
  };
  refused("", "expected the name of a primitive");
  refused("Primitive", "expected the name of a primitive");
  refused("Spere 0 0 0 1", "did you mean 'Sphere'?");
  refused("Sphere 0 0 0", "bad.geom:1:13: expected the radius");
  refused("Sphere 0 0 0 -1", "bad.geom:1:14: the radius is negative");
  refused("Sphere 0 inf 0 1", "expected the center");
  refused("Polygon 1000000000 0 0 0", "does not fit the file");
  refused("Polygon -1 0 0 0", "does not fit the file");
  refused("AABB 1 0 0 0 1 1", "lies above the upper corner");
  refused("Box 0 0 0  1 0 0  1 0 0  0 0 1  1 1 1", "unit length and perpendicular");
  refused("Cylinder 0 0 0  0 0 0  1 1", "the axis of the cylinder is zero");
}

}  // namespace
}  // namespace mortise::test
