#include "mortise/appearance/drawn_shape.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/geometry/tessellate.h"

namespace mortise {

namespace {

void draw(const Geometry& geometry, double resolution, DrawnShape& drawn) {
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part != nullptr) draw(*part, resolution, drawn);
    return;
  }
  if (const auto* cloud = geometry.as<PointCloud>()) {
    const std::vector<Color> colors = cloudColors(*cloud);
    if (!drawn.colors.empty() || (drawn.points.empty() && !colors.empty())) {
      for (std::size_t i = 0; i < cloud->points.size(); ++i)
        drawn.colors.push_back(colors.empty() ? Color{0.5f, 0.5f, 0.5f} : colors[i]);
    }
    drawn.points.insert(drawn.points.end(), cloud->points.begin(), cloud->points.end());
    return;
  }
  if (const auto* point = geometry.as<PointShape>()) {
    drawn.points.push_back(point->point);
    if (!drawn.colors.empty()) drawn.colors.push_back({0.5f, 0.5f, 0.5f});
    return;
  }
  try {
    const TriangleMesh mesh = tessellated(geometry, resolution);
    const int first = static_cast<int>(drawn.mesh.vertices.size());
    drawn.mesh.vertices.insert(drawn.mesh.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const auto& t : mesh.triangles) drawn.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  } catch (const Error&) {
    // A shape without surface is not drawn.
  }
}

double drawnResolution(const Geometry& geometry) {
  const AxisAlignedBounds bounds = geometry.bounds();
  const double size = bounds.empty() ? 1 : (bounds.max - bounds.min).norm();
  return std::isfinite(size) && size > 0 ? size / 20 : 1;
}

}  // namespace

DrawnShape drawnShape(const Geometry& geometry) {
  DrawnShape drawn;
  draw(geometry, drawnResolution(geometry), drawn);
  return drawn;
}

}  // namespace mortise
