#include "mesh/geom_format.h"

#include <cmath>
#include <vector>

#include "common/geometry_text.h"
#include "mortise/base/files.h"
#include "mortise/text/suggest.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

const std::vector<std::string> kShapeTypes = {"Point", "Segment", "Triangle",  "Polygon",  "Sphere",
                                              "AABB",  "Box",     "Ellipsoid", "Cylinder", "Capsule"};

class GeomReader {
 public:
  GeomReader(const TextFile& file, Cursor& cursor) : file_(file), cursor_(cursor) {}

  Geometry::Data read(std::string_view type, std::size_t begin) {
    if (type == "Point") return PointShape{vector("the point")};
    if (type == "Segment") {
      const Vector3d a = vector("the first end");
      return SegmentShape{a, vector("the second end")};
    }
    if (type == "Triangle") {
      const Vector3d a = vector("the first corner"), b = vector("the second corner");
      return TriangleShape{a, b, vector("the third corner")};
    }
    if (type == "Polygon") return polygon();
    if (type == "Sphere") {
      const Vector3d center = vector("the center");
      return SphereShape{center, length("the radius")};
    }
    if (type == "AABB") {
      const Vector3d min = vector("the lower corner"), max = vector("the upper corner");
      if ((min.array() > max.array()).any())
        throw Error("the lower corner of the AABB lies above the upper corner", file_.position(begin));
      return AxisAlignedBoxShape{min, max};
    }
    if (type == "Box") {
      BoxShape box;
      box.X = frame(begin);
      for (int i = 0; i < 3; ++i) box.size[i] = length("a dimension");
      return box;
    }
    if (type == "Ellipsoid") {
      EllipsoidShape ellipsoid;
      ellipsoid.X = frame(begin);
      for (int i = 0; i < 3; ++i) ellipsoid.radii[i] = length("a radius");
      return ellipsoid;
    }
    // Not one of Klamp't's, but of URDF's.
    if (type == "Capsule") {
      CapsuleShape capsule;
      capsule.a = vector("the first end");
      capsule.b = vector("the second end");
      capsule.radius = length("the radius");
      return capsule;
    }
    if (type == "Cylinder") {
      CylinderShape cylinder;
      cylinder.base = vector("the center of the base");
      cylinder.axis = vector("the axis");
      if (cylinder.axis.norm() == 0) throw Error("the axis of the cylinder is zero", file_.position(begin));
      // Axes of unit length keep their bits.
      if (std::abs(cylinder.axis.norm() - 1) > 1e-12) cylinder.axis.normalize();
      cylinder.radius = length("the radius");
      cylinder.height = length("the height");
      return cylinder;
    }
    const std::string name(type.substr(0, 40));
    throw Error("'" + name + "' is not a primitive", file_.position(begin), suggestAndList(name, kShapeTypes));
  }

 private:
  Vector3d vector(std::string_view what) {
    Vector3d v;
    for (int i = 0; i < 3; ++i) v[i] = cursor_.finite(what);
    return v;
  }
  double length(std::string_view what) {
    cursor_.skipSpace();
    const std::size_t begin = cursor_.offset();
    const double value = cursor_.finite(what);
    if (value < 0) throw Error(std::string(what) + " is negative", file_.position(begin));
    return value;
  }
  RigidTransform frame(std::size_t begin) {
    RigidTransform X;
    X.p = vector("the origin");
    for (int axis = 0; axis < 3; ++axis) X.R.col(axis) = vector("an axis");
    if (!(X.R.transpose() * X.R).isApprox(Matrix3d::Identity(), 1e-4))
      throw Error("the axes must be of unit length and perpendicular", file_.position(begin));
    return X;
  }
  PolygonShape polygon() {
    cursor_.skipSpace();
    const std::size_t begin = cursor_.offset();
    const int count = cursor_.integer("the number of corners");
    if (count < 3 || static_cast<std::size_t>(count) > cursor_.remaining() / 5)
      throw Error("a polygon of " + std::to_string(count) + " corners does not fit the file", file_.position(begin));
    PolygonShape polygon;
    for (int i = 0; i < count; ++i) polygon.vertices.push_back(vector("a corner"));
    return polygon;
  }

  const TextFile& file_;
  Cursor& cursor_;
};

}  // namespace

Geometry::Data readPrimitive(const TextFile& file, Cursor& cursor) {
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  const std::string_view type = cursor.word();
  if (type.empty()) throw Error("expected the name of a primitive, found the end of the file", file.position(begin));
  return GeomReader(file, cursor).read(type, begin);
}

GeometryPtr GeomFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  Cursor cursor(file);
  // Older files say "Primitive" first.
  const Cursor start = cursor;
  if (cursor.word() != "Primitive") cursor = start;
  Geometry::Data data = readPrimitive(file, cursor);
  if (cursor.skipSpace()) context.diagnostics.warning("what follows the primitive is ignored", cursor.position());
  return std::make_shared<Geometry>(std::move(data), 0, context.path);
}

void GeomFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  GeometryText text;
  text.primitive(geometry, path);
  writeFile(path, text.take());
}

}  // namespace mortise::io
