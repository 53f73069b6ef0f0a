#include "mortise/render/floor_placement.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mortise/appearance/surface_look.h"
#include "mortise/path_tracing/floor.h"
#include "mortise/render/camera_view.h"

namespace mortise::render {

namespace {

constexpr double kLeastRadius = 0.05;

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
  return all.empty() ? 0.5 : std::max(0.5 * (all.max - all.min).norm(), kLeastRadius);
}

}  // namespace

FloorPlacement placeFloor(const World& world, const SimulationView& view) {
  FloorPlacement floor;
  std::optional<double> height;
  for (std::size_t i = 0; i < world.terrains.size(); ++i) {
    const Terrain& terrain = world.terrains[i];
    if (terrain.geometry == nullptr ||
        !isDefaultColor(LookKind::terrain, displayColor(terrain.display, kTerrainColor, nullptr)))
      continue;
    const std::optional<double> top = path_tracing::levelTop(*terrain.geometry);
    if (!top || (height && std::abs(*top - *height) > 1e-3)) continue;
    if (!height) height = top;
    floor.terrains.push_back(static_cast<int>(i));
  }
  const SeenBoxes boxes = seenBoxes(world, view, floor.terrains);
  floor.radius = radiusOf(boxes);
  double lowest = kInfinity;
  for (const auto* list : {&boxes.moving, &boxes.fixed})
    for (const AxisAlignedBounds& box : *list) lowest = std::min(lowest, box.min.z());
  floor.height = height.value_or(std::isfinite(lowest) ? lowest : 0);
  return floor;
}

}  // namespace mortise::render
