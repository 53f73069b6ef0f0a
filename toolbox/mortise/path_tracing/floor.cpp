#include "mortise/path_tracing/floor.h"

#include <algorithm>
#include <cmath>

#include "mortise/appearance/drawn_shape.h"

namespace mortise::path_tracing {

namespace {

/// A line through every multiple of `spacing`, as wide as pixels have it.
double gridLine(const Eigen::Vector2d& place, const Eigen::Vector2d& step, double spacing, double halfWidth) {
  double most = 0;
  for (int k = 0; k < 2; ++k) {
    const double at = place[k] / spacing, width = std::max(step[k] / spacing, 1e-9);
    const double shifted = at - 0.5 - std::floor(at - 0.5), away = std::abs(shifted - 0.5) / width;
    most = std::max(most, std::clamp(halfWidth + 0.5 - away, 0.0, 1.0) *
                              smoothstep(style::kGridNoPixels, style::kGridAllPixels, 1 / width));
  }
  return most;
}

}  // namespace

double Floor::opacityAt(const Eigen::Vector2d& place) const {
  return 1 - smoothstep(style::kFloorFadesFrom * reach, reach, (place - center).norm());
}

double Floor::gridAt(const Eigen::Vector2d& place, const Eigen::Vector2d& step, double fraction) const {
  if (!(cell > 0)) return 0;
  const double line = std::max(gridLine(place, step, cell, style::kGridHalfWidth),
                               gridLine(place, step, 10 * cell, style::kGridTenthHalfWidth));
  return fraction * line *
         (1 - smoothstep(style::kGridFadesFrom * reach, style::kGridFadesTo * reach, (place - center).norm()));
}

double gridCell(double metersPerPixel) {
  return std::pow(10.0, std::ceil(std::log10(std::max(style::kGridMinPixels * metersPerPixel, 1e-9)) - 1e-9));
}

std::optional<double> levelTop(const Geometry& geometry) {
  const AxisAlignedBounds bounds = geometry.bounds();
  if (bounds.empty() || !bounds.min.allFinite() || !bounds.max.allFinite()) return std::nullopt;
  const Vector3d size = bounds.max - bounds.min;
  const double least = std::min(size.x(), size.y()), near = 1e-3 * std::max(size.x(), size.y());
  if (least < style::kFloorTerrainWide || size.z() > style::kFloorTerrainThin * least) return std::nullopt;
  const TriangleMesh mesh = drawnShape(geometry).mesh;
  double area = 0;
  for (const auto& triangle : mesh.triangles) {
    Vector3d corners[3];
    double lowest = bounds.max.z();
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k] = mesh.vertices[static_cast<std::size_t>(triangle[k])];
      const double z = corners[k].z();
      if (!(std::min(bounds.max.z() - z, z - bounds.min.z()) <= near)) return std::nullopt;
      lowest = std::min(lowest, z);
    }
    // Triangles of the top alone; of a plate without thickness, those of both sides.
    if (lowest < bounds.max.z() - near) continue;
    const Vector3d b = corners[1] - corners[0], c = corners[2] - corners[0];
    area += std::abs(b.x() * c.y() - b.y() * c.x()) / 2;
  }
  if (area < 0.999 * size.x() * size.y()) return std::nullopt;
  return bounds.max.z();
}

}  // namespace mortise::path_tracing
