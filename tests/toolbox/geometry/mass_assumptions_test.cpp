#include "mortise/geometry/mass_assumptions.h"

#include <gtest/gtest.h>

#include "mortise/geometry/surface_defects.h"

namespace mortise {
namespace {

/// A unit cube, its faces outward.
TriangleMesh cubeMesh() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TriangleMesh insideOut(TriangleMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Every triangle with corners of its own, as STL files hold them.
TriangleMesh soup(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (const auto& t : mesh.triangles) {
    const int n = static_cast<int>(out.vertices.size());
    for (const int v : t) out.vertices.push_back(mesh.vertices[v]);
    out.triangles.push_back({n, n + 1, n + 2});
  }
  return out;
}

TEST(SurfaceDefects, ClosedSurfacesHaveNone) {
  for (const TriangleMesh& mesh : {cubeMesh(), soup(cubeMesh())}) {
    const SurfaceDefects defects = surfaceDefects(mesh);
    EXPECT_FALSE(defects.any());
    EXPECT_NEAR(defects.volume, 1, 1e-12);
  }
}

/// Without one triangle three edges are open; turned over, the same three are wound against their neighbors.
TEST(SurfaceDefects, CountsEdgesWhicheverTriangleIsMissingOrTurned) {
  for (std::size_t i = 0; i < 12; ++i) {
    TriangleMesh open = cubeMesh();
    open.triangles.erase(open.triangles.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(surfaceDefects(soup(open)).boundaryEdges, 3u);
    EXPECT_EQ(surfaceDefects(open).opposedEdges, 0u);
    TriangleMesh turned = cubeMesh();
    std::swap(turned.triangles[i][0], turned.triangles[i][1]);
    EXPECT_EQ(surfaceDefects(turned).boundaryEdges, 0u);
    EXPECT_EQ(surfaceDefects(soup(turned)).opposedEdges, 3u);
    EXPECT_FALSE(surfaceDefects(turned).inward);
  }
}

TEST(SurfaceDefects, InsideOutIsANegativeVolumeFarFromTheOriginToo) {
  TriangleMesh mesh = insideOut(cubeMesh());
  for (Vector3d& v : mesh.vertices) v = 1e-3 * v + Vector3d(100, -200, 300);
  const SurfaceDefects defects = surfaceDefects(mesh);
  EXPECT_TRUE(defects.inward);
  EXPECT_NEAR(defects.volume, -1e-9, 1e-18);
  EXPECT_EQ(defects.boundaryEdges + defects.opposedEdges, 0u);
}

TEST(MassAssumptions, SayWhatIsWrongAndWhatIsAssumed) {
  EXPECT_TRUE(massAssumptions(Geometry(cubeMesh()), 0).empty());
  EXPECT_TRUE(massAssumptions(Geometry(SphereShape{{0, 0, 0}, 1}), 1).empty());
  EXPECT_TRUE(massAssumptions(Geometry(), 1).empty());
  TriangleMesh open = cubeMesh();
  open.triangles.pop_back();
  EXPECT_EQ(massAssumptions(Geometry(open, 0, "a.off"), 1),
            (std::vector<std::string>{"the mesh 'a.off' has 3 boundary edges; for its mass properties, its mass is "
                                      "spread over its triangles, a thin shell, whichever way they face"}));
  EXPECT_EQ(massAssumptions(Geometry(open), 0.5),
            (std::vector<std::string>{"the mesh has 3 boundary edges; for its mass properties, openings count as "
                                      "closed from the mean of its vertices, as in Klamp't"}));
  EXPECT_EQ(massAssumptions(Geometry(insideOut(cubeMesh())), 0),
            (std::vector<std::string>{"the mesh has a negative volume (its triangles face inward); for its mass "
                                      "properties, it counts as if turned outward, as in Klamp't"}));
  const std::string both = massAssumptions(Geometry(insideOut(open)), 0).at(0);
  EXPECT_NE(both.find("3 boundary edges and a negative volume"), std::string::npos) << both;
}

TEST(MassAssumptions, AreSaidOnceAMesh) {
  TriangleMesh open = cubeMesh();
  open.triangles.pop_back();
  const auto a = std::make_shared<Geometry>(open, 0, "a.off"), b = std::make_shared<Geometry>(open, 0, "b.off");
  const Geometry group(GeometryGroup{{a, b, a}});
  Diagnostics diagnostics;
  SourcePosition where;
  where.file = "w.xml";
  where.line = 3;
  warnOfMassAssumptions(massAssumptions(group, 1), where, diagnostics);
  warnOfMassAssumptions(massAssumptions(*a, 1), where, diagnostics);
  ASSERT_EQ(diagnostics.warningCount(), 2);
  EXPECT_EQ(diagnostics.all()[0].where.line, 3);
  EXPECT_FALSE(diagnostics.all()[1].hint.empty());
}

}  // namespace
}  // namespace mortise
