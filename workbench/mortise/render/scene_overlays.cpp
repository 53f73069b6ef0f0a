#include "mortise/render/scene_overlays.h"

#include <algorithm>
#include <cmath>

#include "mortise/appearance/picture_style.h"

namespace mortise::render {

namespace {

/// The length of the axes of a frame, in sizes of the scene, and their width in pixels.
constexpr double kAxisLength = 0.05, kAxisWidth = 3;

/// The height of capital letters, pixels.
constexpr double kNameHeight = 14;

/// The middle of the top of shapes.
class TopOf {
 public:
  void include(const GeometryPtr& geometry, const RigidTransform& X) {
    if (geometry == nullptr) return;
    const AxisAlignedBounds own = geometry->bounds();
    if (own.empty() || !own.min.allFinite() || !own.max.allFinite() || !X.allFinite()) return;
    for (int corner = 0; corner < 8; ++corner)
      bounds_.include(X * Vector3d(corner & 1 ? own.max.x() : own.min.x(), corner & 2 ? own.max.y() : own.min.y(),
                                   corner & 4 ? own.max.z() : own.min.z()));
  }
  bool empty() const { return bounds_.empty(); }
  Vector3d point() const {
    return {0.5 * (bounds_.min.x() + bounds_.max.x()), 0.5 * (bounds_.min.y() + bounds_.max.y()), bounds_.max.z()};
  }

 private:
  AxisAlignedBounds bounds_;
};

void drawFrame(OverlayCanvas& canvas, const RigidTransform& X, double length) {
  for (int k = 0; k < 3; ++k)
    canvas.line(X.p, X.p + length * X.R.col(k), kAxisWidth, style::kAxes[static_cast<std::size_t>(k)]);
}

}  // namespace

double largestForce(const std::vector<logs::ContactSum>& contacts) {
  double largest = 0;
  for (const logs::ContactSum& contact : contacts)
    if (const double force = contact.force.norm(); std::isfinite(force)) largest = std::max(largest, force);
  return largest;
}

void drawContacts(OverlayCanvas& canvas, const std::vector<logs::ContactSum>& contacts, double largest, double size) {
  if (!(largest > 0)) return;
  for (const logs::ContactSum& contact : contacts)
    canvas.arrow(contact.point, style::kArrowLength * size / largest * contact.force, style::kArrowThickness * size,
                 style::kContact);
}

void drawFrames(OverlayCanvas& canvas, const World& world, const SimulationView& view, double size) {
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l)
      if (world.robots[r].robot->link(l).geometry != nullptr)
        drawFrame(canvas, view.robots[r].state->X_WL[static_cast<std::size_t>(l)], kAxisLength * size);
  for (std::size_t i = 0; i < view.objects.size(); ++i) drawFrame(canvas, view.objects[i].X_WB, kAxisLength * size);
}

void drawNames(OverlayCanvas& canvas, const World& world, const SimulationView& view, const std::vector<int>& without,
               const style::Theme& theme) {
  const auto draw = [&](const TopOf& top, const std::string& name) {
    if (!top.empty()) canvas.words(top.point(), name, kNameHeight, theme.ink, theme.floor);
  };
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    TopOf top;
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l)
      top.include(world.robots[r].robot->link(l).geometry, view.robots[r].state->X_WL[static_cast<std::size_t>(l)]);
    draw(top, world.robots[r].name);
  }
  for (std::size_t i = 0; i < view.objects.size(); ++i) {
    if (std::find(without.begin(), without.end(), static_cast<int>(i)) != without.end()) continue;
    TopOf top;
    top.include(world.objects[i].geometry, view.objects[i].X_WB);
    draw(top, world.objects[i].name);
  }
}

}  // namespace mortise::render
