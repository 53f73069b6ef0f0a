#include "mortise/inspect/values.h"

namespace mortise::inspect {

int numElements(const Geometry& geometry) {
  if (const auto* group = geometry.as<GeometryGroup>()) return static_cast<int>(group->parts.size());
  if (geometry.as<TriangleMesh>()) return geometry.numTriangles();
  if (geometry.as<PointCloud>()) return geometry.numVertices();
  return geometry.empty() ? 0 : 1;
}

Value geometryInfo(const GeometryPtr& geometry) {
  if (!geometry || geometry->empty()) return {};
  Value info = Value::map();
  const std::string_view type = geometry->typeName();
  info.set("type", type == "GeometricPrimitive" ? "Primitive" : type);
  info.set("verts", geometry->numVertices());
  info.set("tris", geometry->numTriangles());
  info.set("elements", numElements(*geometry));
  info.set("margin", geometry->margin());
  const AxisAlignedBounds bounds = geometry->bounds();
  info.set("bmin", list(bounds.min));
  info.set("bmax", list(bounds.max));
  return info;
}

}  // namespace mortise::inspect
