#include "mortise/render/floor_placement.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mortise/math/constants.h"
#include "mortise/path_tracing/floor.h"
#include "mortise/render/camera_view.h"

namespace mortise::render {

namespace {

constexpr double kMinRadius = 0.05;

/// Around everything that moves, or where nothing does around everything. Of what moves, half of the ball around it:
/// bodies overlap, and their boxes are larger than they are.
double radiusOf(const SeenBoxes& boxes) {
  AxisAlignedBounds all;
  const bool moves = !boxes.moving.empty();
  for (const AxisAlignedBounds& box : moves ? boxes.moving : boxes.fixed) {
    const Vector3d center = 0.5 * (box.min + box.max);
    const Vector3d reach = Vector3d::Constant((moves ? 0.25 : 0.5) * (box.max - box.min).norm());
    all.include(center - reach);
    all.include(center + reach);
  }
  return all.empty() ? 0.5 : std::max(0.5 * (all.max - all.min).norm(), kMinRadius);
}

}  // namespace

FloorPlacement placeFloor(const std::vector<DrawnBody>& bodies, const SimulationView& view) {
  FloorPlacement floor;
  std::optional<double> height;
  for (const DrawnBody& body : bodies) {
    if (body.kind != World::Kind::terrain || body.parts.size() != 1) continue;
    const DrawnPart& part = body.parts.front();
    if (part.geometry == nullptr || !part.defaultColor) continue;
    const std::optional<double> top = path_tracing::levelTop(*part.geometry);
    if (!top || (height && std::abs(*top - *height) > 1e-3)) continue;
    if (!height) height = top;
    floor.terrains.push_back(body.index);
  }
  const SeenBoxes boxes = seenBoxes(bodies, view, floor.terrains);
  floor.radius = radiusOf(boxes);
  double lowest = kInfinity;
  for (const auto* list : {&boxes.moving, &boxes.fixed})
    for (const AxisAlignedBounds& box : *list) lowest = std::min(lowest, box.min.z());
  floor.height = height.value_or(std::isfinite(lowest) ? lowest : 0);
  return floor;
}

}  // namespace mortise::render
