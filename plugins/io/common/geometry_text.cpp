#include "common/geometry_text.h"

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/text/article.h"
#include "text/text_file.h"

namespace mortise::io {

GeometryText& GeometryText::word(std::string_view text) {
  if (!text_.empty() && text_.back() != '\n') text_ += ' ';
  text_ += text;
  return *this;
}

GeometryText& GeometryText::real(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  return word({digits, static_cast<std::size_t>(end - digits)});
}

GeometryText& GeometryText::endLine() {
  points_.pass();
  text_ += '\n';
  return *this;
}

GeometryText& GeometryText::primitive(const Geometry& geometry, const std::string& path) {
  const auto frame = [this](const RigidTransform& X) -> GeometryText& {
    vector(X.p);
    for (int axis = 0; axis < 3; ++axis) vector(X.R.col(axis));
    return *this;
  };
  if (const auto* point = geometry.as<PointShape>()) {
    word("Point").vector(point->point);
  } else if (const auto* segment = geometry.as<SegmentShape>()) {
    word("Segment").vector(segment->a).vector(segment->b);
  } else if (const auto* triangle = geometry.as<TriangleShape>()) {
    word("Triangle").vector(triangle->a).vector(triangle->b).vector(triangle->c);
  } else if (const auto* polygon = geometry.as<PolygonShape>()) {
    word("Polygon").integer(polygon->vertices.size());
    for (const Vector3d& v : polygon->vertices) vector(v);
  } else if (const auto* sphere = geometry.as<SphereShape>()) {
    word("Sphere").vector(sphere->center).real(sphere->radius);
  } else if (const auto* aligned = geometry.as<AxisAlignedBoxShape>()) {
    word("AABB").vector(aligned->min).vector(aligned->max);
  } else if (const auto* box = geometry.as<BoxShape>()) {
    word("Box");
    frame(box->X).vector(box->size);
  } else if (const auto* ellipsoid = geometry.as<EllipsoidShape>()) {
    word("Ellipsoid");
    frame(ellipsoid->X).vector(ellipsoid->radii);
  } else if (const auto* cylinder = geometry.as<CylinderShape>()) {
    word("Cylinder").vector(cylinder->base).vector(cylinder->axis).real(cylinder->radius).real(cylinder->height);
  } else if (const auto* capsule = geometry.as<CapsuleShape>()) {
    word("Capsule").vector(capsule->a).vector(capsule->b).real(capsule->radius);
  } else {
    const std::string type(geometry.typeName());
    throw Error(withArticle(type.empty() ? "shape without content" : type) + " cannot be written as a primitive",
                inFile(path),
                "the primitives are: Point, Segment, Triangle, Polygon, Sphere, AABB, Box, Ellipsoid, "
                "Cylinder, Capsule");
  }
  return endLine();
}

GeometryText& GeometryText::mesh(const TriangleMesh& mesh) {
  integer(mesh.vertices.size()).endLine();
  for (const Vector3d& p : mesh.vertices) vector(p).endLine();
  integer(mesh.triangles.size()).endLine();
  for (const auto& t : mesh.triangles) integer(t[0]).integer(t[1]).integer(t[2]).endLine();
  return *this;
}

GeometryText& GeometryText::cloud(const PointCloud& cloud) {
  const std::size_t numFields = 3 + cloud.properties.size();
  const bool ordered = cloud.rows > 1;
  line("# .PCD v0.7 - Point Cloud Data file format").line("VERSION 0.7");
  word("FIELDS x y z");
  for (const auto& property : cloud.properties) word(property.name);
  endLine().word("SIZE");
  for (std::size_t i = 0; i < numFields; ++i) integer(8);
  endLine().word("TYPE");
  for (std::size_t i = 0; i < numFields; ++i) word("F");
  endLine().word("COUNT");
  for (std::size_t i = 0; i < numFields; ++i) integer(1);
  endLine().word("WIDTH").integer(ordered ? static_cast<std::size_t>(cloud.columns) : cloud.points.size()).endLine();
  word("HEIGHT").integer(ordered ? cloud.rows : 1).endLine();
  line("VIEWPOINT 0 0 0 1 0 0 0").word("POINTS").integer(cloud.points.size()).endLine().line("DATA ascii");
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    vector(cloud.points[i]);
    for (const auto& property : cloud.properties) real(property.values[i]);
    endLine();
  }
  return *this;
}

namespace {

/// Says whether a mesh is exactly this shape, so that nothing has to be chosen.
bool hasFlatFaces(const Geometry& geometry) {
  return geometry.as<TriangleShape>() || geometry.as<PolygonShape>() || geometry.as<AxisAlignedBoxShape>() ||
         geometry.as<BoxShape>() || geometry.as<ConvexHullShape>();
}

void collect(const Geometry& geometry, const std::string& path, TriangleMesh& result) {
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part && !part->empty()) collect(*part, path, result);
    return;
  }
  const auto append = [&result](const TriangleMesh& mesh) {
    const int shift = static_cast<int>(result.vertices.size());
    result.vertices.insert(result.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const auto& t : mesh.triangles) result.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  };
  if (const auto* mesh = geometry.as<TriangleMesh>()) return append(*mesh);
  if (const auto* heights = geometry.as<HeightmapShape>()) return append(heights->surface());
  if (hasFlatFaces(geometry)) return append(tessellated(geometry, 1));
  const std::string_view type = geometry.typeName();
  throw Error(
      withArticle(type.empty() ? std::string_view("shape without content") : type) + " has no triangles to write",
      inFile(path),
      "primitives are written to .geom, point clouds to .pcd, implicit surfaces to .vol or .sdf, occupancy grids to "
      ".occ, groups to .group; `mortise geometry convert --as mesh` makes a mesh of them");
}

}  // namespace

TriangleMesh meshToWrite(const Geometry& geometry, const std::string& path) {
  TriangleMesh mesh;
  collect(geometry, path, mesh);
  return mesh;
}

}  // namespace mortise::io
