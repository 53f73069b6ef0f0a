#include <Eigen/Geometry>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "io_test.h"
#include "mortise/base/random.h"

// PLY, .tri, .group, PCD and heightmaps; what is written reads back equal.

namespace mortise::test {
namespace {

using GeometryFormats = IoTest;

template <typename T>
void put(std::string& bytes, T value, bool bigEndian = false) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (bigEndian) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

TEST_F(GeometryFormats, PlyTextWithPolygonsAndThingsToPassOver) {
  const GeometryPtr g = geometry(write(
      "a.ply",
      "ply\nformat ascii 1.0\ncomment by hand\nobj_info none\nelement vertex 4\nproperty float x\nproperty uchar "
      "red\nproperty float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nproperty "
      "int flags\nelement edge 1\nproperty int a\nproperty list uchar float b\nend_header\n0 9 0 0\n1 9 0 0\n1 9 1 "
      "0\n0 9 1 0.5\n4 0 1 2 3 7\n3 0 2 3 7\n1 2 0.5 0.5\n"));
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->vertices[3], Vector3d(0, 1, 0.5));
  ASSERT_EQ(mesh->triangles.size(), 3u);
  EXPECT_EQ(mesh->triangles[1], (std::array<int, 3>{0, 2, 3}));
}

TEST_F(GeometryFormats, PlyBinaryOfBothByteOrders) {
  for (const bool big : {false, true}) {
    std::string bytes = std::string("ply\nformat ") + (big ? "binary_big_endian" : "binary_little_endian") +
                        " 1.0\nelement vertex 3\nproperty double x\nproperty float y\nproperty short z\nelement face "
                        "1\nproperty list uint8 uint16 vertex_index\nend_header\n";
    for (int i = 0; i < 3; ++i) {
      put(bytes, i + 0.25, big);
      put(bytes, static_cast<float>(i * i), big);
      put(bytes, static_cast<std::int16_t>(-300), big);
    }
    put(bytes, std::uint8_t{3});
    for (const std::uint16_t i : {2, 1, 0}) put(bytes, i, big);
    const GeometryPtr g = geometry(write(big ? "big.ply" : "little.ply", bytes));
    const auto* mesh = g->as<TriangleMesh>();
    ASSERT_NE(mesh, nullptr);
    EXPECT_EQ(mesh->vertices[2], Vector3d(2.25, 4, -300));
    EXPECT_EQ(mesh->triangles.at(0), (std::array<int, 3>{2, 1, 0}));
    const std::string cut = write("cut.ply", bytes.substr(0, bytes.size() - 1));
    EXPECT_NE(errorText([&] { loader.load<GeometryPtr>(cut, {}, diagnostics); }).find("too early"), std::string::npos);
  }
}

TEST_F(GeometryFormats, PlyTriangleStripsTurnEveryOtherTriangle) {
  const GeometryPtr g = geometry(
      write("a.ply",
            "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float "
            "z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 "
            "0\n0 2 0\n8 0 1 2 3 -1 2 3 4\n"));
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  const std::vector<std::array<int, 3>> expected = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}};
  EXPECT_EQ(mesh->triangles, expected);
}

TEST_F(GeometryFormats, PlyWithoutFacesIsAPointCloud) {
  const GeometryPtr g =
      geometry(write("a.ply",
                     "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float "
                     "y\nproperty float z\nproperty float nx\nproperty uchar red\nend_header\n0 0 1 1 "
                     "255\n1 2 3 0.5 7\n"));
  const auto* cloud = g->as<PointCloud>();
  ASSERT_NE(cloud, nullptr);
  EXPECT_EQ(cloud->points[1], Vector3d(1, 2, 3));
  ASSERT_NE(cloud->property("red"), nullptr);
  EXPECT_EQ(cloud->property("red")->values, (std::vector<double>{255, 7}));
  EXPECT_EQ(cloud->property("normal_x")->values[1], 0.5);
}

TEST_F(GeometryFormats, TriKeepsVerticesAndMergesMeshes) {
  const std::string one = "3\n0 0 0\n1\t0\t0\n0 1 0\n1\n0 1 2\n";
  const auto* mesh = geometry(write("a.tri", one + one))->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->vertices.size(), 6u);
  ASSERT_EQ(mesh->triangles.size(), 2u);
  EXPECT_EQ(mesh->triangles[1], (std::array<int, 3>{3, 4, 5}));
}

const std::string kPcdHeader = "# .PCD v.7\nVERSION .7\n";

TEST_F(GeometryFormats, PcdTextKeepsPropertiesAndOrder) {
  const GeometryPtr g = geometry(write(
      "a.pcd",
      kPcdHeader +
          "FIELDS intensity x y z fpfh _\nSIZE 4 4 4 4 4 1\nTYPE U F F F F U\nCOUNT 1 1 1 1 2 3\nWIDTH "
          "2\nHEIGHT 2\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 4\nDATA ascii\n5 0 0 0 .5 .25 0 0 0\n6 1 0 0 1 2 0 0 0\n7 0 1 "
          "0 3 4 0 0 0\n8 1 1 -1e-1 5 6 0 0 0\n"));
  const auto* cloud = g->as<PointCloud>();
  ASSERT_NE(cloud, nullptr);
  EXPECT_EQ(cloud->points[3], Vector3d(1, 1, -0.1));
  ASSERT_EQ(cloud->properties.size(), 3u);
  EXPECT_EQ(cloud->property("intensity")->values, (std::vector<double>{5, 6, 7, 8}));
  EXPECT_EQ(cloud->property("fpfh_1")->values[2], 4);
  EXPECT_EQ(cloud->columns, 2);
  EXPECT_EQ(cloud->rows, 2);
}

TEST_F(GeometryFormats, PcdLeavesOutPointsThatWereNotSeen) {
  const GeometryPtr g =
      geometry(write("a.pcd", kPcdHeader + "FIELDS x y z r\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH "
                                           "1\nHEIGHT 3\nPOINTS 3\nDATA ascii\n0 0 0 1\nnan nan nan 2\n1 1 1 3\n"));
  const auto* cloud = g->as<PointCloud>();
  ASSERT_EQ(cloud->points.size(), 2u);
  EXPECT_EQ(cloud->property("r")->values, (std::vector<double>{1, 3}));
  EXPECT_EQ(cloud->rows, 0);
  EXPECT_NE(problems().find("1 points without finite coordinates"), std::string::npos);
}

/// Three points; a float holds the bits of a color.
std::string pcdHeader(const char* encoding) {
  return kPcdHeader +
         "FIELDS x y z rgb\nSIZE 4 4 8 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH 3\nHEIGHT 1\nPOINTS 3\nDATA " + encoding +
         "\n";
}

void expectThreePoints(const GeometryPtr& g) {
  const auto* cloud = g->as<PointCloud>();
  ASSERT_NE(cloud, nullptr);
  ASSERT_EQ(cloud->points.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cloud->points[static_cast<std::size_t>(i)], Vector3d(i, 2 * i, 0.1 * i));
  EXPECT_EQ(cloud->property("rgb")->values, (std::vector<double>{0xff8040, 0xff8041, 0xff8042}));
}

TEST_F(GeometryFormats, PcdBinary) {
  std::string bytes = pcdHeader("binary");
  for (int i = 0; i < 3; ++i) {
    put(bytes, static_cast<float>(i));
    put(bytes, static_cast<float>(2 * i));
    put(bytes, 0.1 * i);
    put(bytes, std::bit_cast<float>(0xff8040 + i));
  }
  expectThreePoints(geometry(write("a.pcd", bytes)));
  const std::string cut = write("cut.pcd", bytes.substr(0, bytes.size() - 1));
  EXPECT_NE(errorText([&] { geometry(cut); }).find("promises 3 points, the file has room for 2"), std::string::npos);
}

TEST_F(GeometryFormats, PcdCompressed) {
  std::string plain;
  for (int i = 0; i < 3; ++i) put(plain, static_cast<float>(i));
  for (int i = 0; i < 3; ++i) put(plain, static_cast<float>(2 * i));
  for (int i = 0; i < 3; ++i) put(plain, 0.1 * i);
  for (int i = 0; i < 3; ++i) put(plain, std::bit_cast<float>(0xff8040 + i));
  // LZF: literal runs of at most 32 bytes, except that the zeros at the start are a copy of the first.
  std::string packed("\0\0", 2);         // One literal byte: the first zero.
  packed += std::string("\x20\x00", 2);  // Copy three bytes from one byte back.
  for (std::size_t at = 4; at < plain.size();) {
    const std::size_t count = std::min<std::size_t>(32, plain.size() - at);
    packed += static_cast<char>(count - 1);
    packed.append(plain, at, count);
    at += count;
  }
  std::string bytes = pcdHeader("binary_compressed");
  put(bytes, static_cast<std::uint32_t>(packed.size()));
  put(bytes, static_cast<std::uint32_t>(plain.size()));
  expectThreePoints(geometry(write("a.pcd", bytes + packed)));
  packed[3] = '\x05';  // Reaches back before the start.
  const std::string damaged = write("b.pcd", bytes + packed);
  EXPECT_NE(errorText([&] { geometry(damaged); }).find("damaged"), std::string::npos);
}

TEST_F(GeometryFormats, GroupsHoldPartsOfAllTypes) {
  write("h.pgm", "P2\n2 2\n10\n10 0\n0 0\n");
  const std::string group =
      "6\nPrimitive\nSphere 0 0 0 1\nConvexHull\n4 0 0 0 1 0 0 0 1 0 0 0 1\nTriangleMesh\n3\n0 0 0\n1 0 0\n0 1 0\n1\n0 "
      "1 "
      "2\nPointCloud\n" +
      kPcdHeader +
      "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n0 0 0\n1 1 "
      "1\nHeightmap\n{\"type\": \"Heightmap\", \"xsize\": 1, \"ysize\": 2, \"height_range\": [0, 1], \"heights\": "
      "\"h.pgm\"}\nGroup\n1\nPrimitive\nPoint 1 2 3\n";
  for (const char* head : {"", "Group\n"}) {
    const GeometryPtr g = geometry(write(std::string("a") + (*head ? "b" : "") + ".group", head + group));
    const auto* parts = g->as<GeometryGroup>();
    ASSERT_NE(parts, nullptr);
    ASSERT_EQ(parts->parts.size(), 6u);
    const char* types[] = {"GeometricPrimitive", "ConvexHull", "TriangleMesh", "PointCloud", "Heightmap", "Group"};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(parts->parts[i]->typeName(), types[i]);
    EXPECT_EQ(parts->parts[3]->bounds().max, Vector3d(1, 1, 1));
    EXPECT_EQ(parts->parts[4]->bounds().max, Vector3d(0.5, 1, 1));
  }
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

TEST_F(GeometryFormats, HeightmapsStandAsKlamptPutsThem) {
  // Two rows of three, the brightest at the top left: least x, greatest y.
  write("maps/h.pgm", "P2\n# comment\n3 2\n4\n4 0 0\n0 2 1\n");
  const GeometryPtr g =
      geometry(write("maps/a.json",
                     "{\"type\": \"Heightmap\", \"xsize\": 4, \"ysize\": 2, \"offset\": [10, 20, 30], "
                     "\"height_range\": [-1, 1], \"heights\": \"h.pgm\"}"));
  const auto* map = g->as<HeightmapShape>();
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(map->columns, 3);
  EXPECT_EQ(map->rows, 2);
  EXPECT_EQ(map->point(0, 1), Vector3d(8, 21, 31));
  EXPECT_EQ(map->point(2, 0), Vector3d(12, 19, 29.5));
  const TriangleMesh surface = map->surface();
  EXPECT_EQ(surface.triangles.size(), 4u);
  for (const auto& t : surface.triangles) {
    const Vector3d a = surface.vertices[static_cast<std::size_t>(t[0])],
                   b = surface.vertices[static_cast<std::size_t>(t[1])],
                   c = surface.vertices[static_cast<std::size_t>(t[2])];
    EXPECT_GT((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0], 0);
  }
}

TEST_F(GeometryFormats, HeightmapsFromPng) {
  // A gray image of 2 x 2 pixels: 0 255 / 128 64.
  const unsigned char png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
                               0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0x57,
                               0xdd, 0x52, 0xf8, 0x00, 0x00, 0x00, 0x0e, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60,
                               0xf8, 0xcf, 0xd8, 0x70, 0x00, 0x00, 0x05, 0xc5, 0x02, 0x41, 0x04, 0x9b, 0xf8, 0x59, 0x00,
                               0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  write("h.png", std::string(reinterpret_cast<const char*>(png), sizeof(png)));
  const GeometryPtr g = geometry(write("a.json",
                                       "{\"type\": \"Heightmap\", \"xsize\": 1, \"ysize\": 1, \"height_range\": [0, "
                                       "255], \"heights\": \"h.png\"}"));
  const auto* map = g->as<HeightmapShape>();
  ASSERT_NE(map, nullptr);
  ASSERT_EQ(map->heights.size(), 4u);
  const double expected[] = {128, 64, 0, 255};  // From the lower row up.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(map->heights[i], expected[i], 1e-4);
}

TEST_F(GeometryFormats, WhatIsWrittenReadsBackEqual) {
  TriangleMesh mesh{{{0, 0, 0}, {1.1f, 0, 0}, {0, 1e-17f, 1}, {0, 1.f / 3, -5e20f}}, {{0, 1, 2}, {3, 2, 1}}};
  const Geometry shape(mesh);
  for (const char* name : {"m.off", "m.obj", "m.ply", "m.tri", "m.group"}) {
    writeShape(shape, path(name));
    GeometryPtr g = geometry(path(name));
    if (const auto* group = g->as<GeometryGroup>()) g = group->parts.at(0);
    const auto* read = g->as<TriangleMesh>();
    ASSERT_NE(read, nullptr) << name;
    EXPECT_EQ(read->vertices, mesh.vertices) << name;
    EXPECT_EQ(read->triangles, mesh.triangles) << name;
  }
  PointCloud cloud{{{1, 2, 3}, {0.1, 0.2, 0.3}}, {{"normal_x", {0, 0.7}}, {"rgb", {255, 65280}}}, 1, 2};
  for (const char* name : {"c.pcd", "c.ply", "c.group"}) {
    writeShape(Geometry(cloud), path(name));
    GeometryPtr g = geometry(path(name));
    if (const auto* group = g->as<GeometryGroup>()) g = group->parts.at(0);
    const auto* read = g->as<PointCloud>();
    ASSERT_NE(read, nullptr) << name;
    EXPECT_EQ(read->points, cloud.points) << name;
    ASSERT_EQ(read->properties.size(), 2u) << name;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(read->properties[i].name, cloud.properties[i].name) << name;
      EXPECT_EQ(read->properties[i].values, cloud.properties[i].values) << name;
    }
  }
  CylinderShape cylinder;
  cylinder.radius = 0.3;
  writeShape(Geometry(cylinder), path("p.geom"));
  EXPECT_EQ(geometry(path("p.geom"))->as<CylinderShape>()->radius, 0.3);
  EXPECT_NE(errorText([&] { writeShape(Geometry(cylinder), path("p.off")); }).find("has no triangles to write"),
            std::string::npos);
  EXPECT_NE(errorText([&] { writeShape(shape, path("p.geom")); }).find("cannot be written as a primitive"),
            std::string::npos);
}

TEST_F(GeometryFormats, HeightmapsAreWrittenWithTheirImage) {
  HeightmapShape map;
  map.X.p = {1, 2, 3};
  map.columns = 3;
  map.rows = 2;
  map.size = {4, 5};
  map.heights = {-0.25, 0.1, 0.2, 0.3, 0.4, 0.75};
  writeShape(Geometry(map), path("field.json"));
  const GeometryPtr g = geometry(path("field.json"));
  const auto* read = g->as<HeightmapShape>();
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->columns, 3);
  EXPECT_EQ(read->rows, 2);
  EXPECT_EQ(read->size, map.size);
  EXPECT_EQ(read->X.p, map.X.p);
  ASSERT_EQ(read->heights.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(read->heights[i], map.heights[i], 0.51 / 65535) << i;
  // The ends of the range are exact, and a map of one height is one.
  EXPECT_EQ(read->heights.front(), -0.25);
  EXPECT_EQ(read->heights.back(), 0.75);
  map.heights.assign(6, 7.5);
  writeShape(Geometry(map), path("flat.json"));
  EXPECT_EQ(geometry(path("flat.json"))->as<HeightmapShape>()->heights, map.heights);
  map.X.R = Eigen::AngleAxisd(1, Vector3d::UnitX()).toRotationMatrix();
  writeShape(Geometry(map), path("turned.json"));
  EXPECT_TRUE(geometry(path("turned.json"))->as<HeightmapShape>()->X.R.isApprox(map.X.R, 1e-12));
  EXPECT_NE(errorText([&] { writeShape(Geometry(SphereShape()), path("ball.json")); }).find("not a heightmap"),
            std::string::npos);
}

// Our own reading of numbers, eight digits at a time, against the library's.
TEST_F(GeometryFormats, NumbersAreRoundedCorrectly) {
  RandomStream random(7, "numbers");
  std::vector<std::string> words = {"0",
                                    "-0",
                                    "1",
                                    "00012",
                                    "1e5",
                                    "1E-5",
                                    "-1.5e+3",
                                    "9007199254740993",
                                    "1e23",
                                    "1e-23",
                                    "123456789012345678901234567890",
                                    "0.1234567890123456789",
                                    "4.9e-324",
                                    "1e-400",
                                    "1.7976931348623157e308",
                                    "12345678",
                                    "123456789",
                                    "0.00000001",
                                    "5.",
                                    ".5"};
  for (int i = 0; i < 3000; ++i) {
    char text[64];
    const double value = random.uniform(-1, 1) * std::pow(10.0, std::floor(random.uniform(-12, 12)));
    std::snprintf(text, sizeof(text), i % 3 == 0 ? "%.*f" : i % 3 == 1 ? "%.*g" : "%.*e", i % 20, value);
    words.emplace_back(text);
  }
  while (words.size() % 3 != 0) words.emplace_back("1");
  std::string file = std::to_string(words.size() / 3) + "\n";
  for (std::size_t i = 0; i < words.size(); ++i) file += words[i] + (i % 3 == 2 ? "\n" : i % 2 == 0 ? " " : "  \t");
  const GeometryPtr g = geometry(write("numbers.tri", file + "0\n"));
  const auto* mesh = g->as<TriangleMesh>();
  ASSERT_NE(mesh, nullptr);
  ASSERT_EQ(3 * mesh->vertices.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(mesh->vertices[i / 3][static_cast<int>(i % 3)], std::strtod(words[i].c_str(), nullptr)) << words[i];
}

// Many vertices that meet, in an order that has nothing to do with where they are: the hash table must grow and must
// find each again; 0 and -0 are one place.
TEST_F(GeometryFormats, VerticesAreJoinedExactly) {
  constexpr int kPlaces = 5000, kTriangles = 20000;
  RandomStream random(3, "joined");
  std::vector<Vector3d> places(kPlaces);
  // Few enough digits for single precision.
  for (Vector3d& p : places)
    p = Vector3d(std::floor(random.uniform(-4096, 4096)) / 4096, std::floor(random.uniform(-3, 3)),
                 std::floor(random.uniform(0, 2)));
  TriangleMesh loose;
  std::set<std::array<double, 3>> used;
  int kept = 0;
  for (int i = 0; i < kTriangles; ++i) {
    std::array<int, 3> corners;
    for (int& corner : corners) corner = static_cast<int>(random.uniform(0, kPlaces - 1e-9));
    const int first = static_cast<int>(loose.vertices.size());
    for (const int corner : corners) {
      Vector3d p = places[static_cast<std::size_t>(corner)];
      used.insert({p[0], p[1], p[2]});
      if (p[2] == 0 && i % 2 == 0) p[2] = -0.0;
      loose.vertices.push_back(p);
    }
    const auto same = [&](int a, int b) {
      return loose.vertices[static_cast<std::size_t>(first + a)] == loose.vertices[static_cast<std::size_t>(first + b)];
    };
    if (!same(0, 1) && !same(1, 2) && !same(2, 0)) ++kept;
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  for (const char* name : {"a.off", "a.stl", "a.ply", "a.obj"}) {
    writeShape(Geometry(loose), path(name));
    const GeometryPtr g = geometry(path(name));
    const auto* mesh = g->as<TriangleMesh>();
    ASSERT_NE(mesh, nullptr) << name;
    EXPECT_EQ(mesh->vertices.size(), used.size()) << name;
    EXPECT_EQ(static_cast<int>(mesh->triangles.size()), kept) << name;
    // In order of their first appearance.
    EXPECT_EQ(mesh->vertices[0], loose.vertices[0]) << name;
    std::size_t at = 0;
    for (const auto& t : loose.triangles) {
      const auto corner = [&](int k) {
        return loose.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
      };
      if (corner(0) == corner(1) || corner(1) == corner(2) || corner(2) == corner(0)) continue;
      for (int k = 0; k < 3; ++k)
        ASSERT_EQ(mesh->vertices[static_cast<std::size_t>(mesh->triangles[at][static_cast<std::size_t>(k)])], corner(k))
            << name;
      ++at;
    }
  }
}

TEST_F(GeometryFormats, BadFilesAreRefusedWithAPosition) {
  const auto refused = [this](const char* name, const std::string& content, const char* message) {
    const std::string file = write(name, content);
    const std::string text = errorText([&] { loader.load<GeometryPtr>(file, {}, diagnostics); });
    EXPECT_NE(text.find(message), std::string::npos) << name << ": " << text;
  };
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  refused("a.ply", "plx\n", "a.ply:1:1: not a PLY file");
  refused("b.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "before 'end_header'");
  refused("c.ply", "ply\nformat asci 1.0\nend_header\n", "c.ply:2:8: 'asci' is not a PLY format");
  refused("d.ply", "ply\nformat ascii 1.0\nelement vertex 2000000000\n" + xyz + "end_header\n0 0 0\n",
          "d.ply:3:1: the header promises 2000000000 of 'vertex'");
  refused("e.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty flot x\nend_header\n",
          "e.ply:4:10: 'flot' is not a type");
  refused("f.ply",
          "ply\nformat ascii 1.0\nelement vertex 1\n" + xyz +
              "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 1\n",
          "names vertex 1; there are 1");
  refused("g.ply",
          "ply\nformat ascii 1.0\nelement vertex 1\n" + xyz +
              "element face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n1000000000 0 0 1\n",
          "claims 1000000000 entries");
  refused("a.tri", "3\n0 0 0\n1 0 0\n0 1 0\n1\n0 1 3\n", "a.tri:6:5: triangle 0 names vertex 3");
  refused("b.tri", "3000000\n0 0 0\n", "b.tri:1:1: the header promises 3000000 vertices");
  refused("a.group", "2\nPrimitve\n", "a.group:2:1: 'Primitve' is not a type of geometry");
  refused("b.group", "1\nImplicitSurface\n1 2 3\n", "a coordinate of the grid's box");
  refused("c.group", "1000000\nPrimitive\nPoint 0 0 0\n", "c.group:1:1: the header promises 1000000 parts");
  std::string deep = "1\n";
  for (int i = 0; i < 100; ++i) deep += "Group 1\n";
  refused("d.group", deep, "nested deeper");
  refused("a.pcd", "FIELDS x y\nSIZE 4 4\nTYPE F F\nCOUNT 1 1\nPOINTS 1\nDATA ascii\n0 0\n", "no field 'z'");
  refused("b.pcd", "FIELDS x y z\nPOINTS 1000000000\nDATA ascii\n0 0 0\n", "promises 1000000000 points");
  refused("c.pcd", "FIELDS x y z\nSIZE 4 4\nPOINTS 1\nDATA ascii\n0 0 0\n",
          "c.pcd:2:1: SIZE has 2 entries for 3 fields");
  refused("d.pcd", "FIELDS x y z\nPOINTS 1\nDATA ascii\n0 0\n", "d.pcd:4:4: point 0 has fewer than 3 numbers");
  refused("e.pcd", "FIELDS x y z\nSIZE 4 4 3\nTYPE F F F\nPOINTS 1\nDATA binary\n", "a type that does not exist");
  refused("a.json", "{\"type\": \"Path\"}", "a.json");
  refused("b.json",
          "{\"type\": \"Heightmap\", \"xsize\": 1, \"ysize\": 1, \"height_range\": [0, 1], \"heights\": \"no.png\"}",
          "cannot find 'no.png'");
  refused("c.json", "{\"type\": \"Heightmap\", \"xfov\": 4, \"yfov\": 1}", "'xfov' must be an angle between 0 and pi");
}

}  // namespace
}  // namespace mortise::test
