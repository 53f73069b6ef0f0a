#include "mortise/render/camera_view.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::render {

namespace {

/// Turns about the vertical, in the order in which they are tried, degrees.
constexpr double kTurns[] = {0, 45, -45, 90, -90, 135, -135, 180};

AxisAlignedBounds boxOf(const AxisAlignedBounds& own, const RigidTransform& X) {
  AxisAlignedBounds bounds;
  if (own.empty() || !own.min.allFinite() || !own.max.allFinite() || !X.allFinite()) return bounds;
  for (int corner = 0; corner < 8; ++corner)
    bounds.include(X * Vector3d(corner & 1 ? own.max.x() : own.min.x(), corner & 2 ? own.max.y() : own.min.y(),
                                corner & 4 ? own.max.z() : own.min.z()));
  return bounds;
}

void append(std::vector<AxisAlignedBounds>& boxes, const AxisAlignedBounds& box) {
  if (!box.empty()) boxes.push_back(box);
}

Vector3d centerOf(const AxisAlignedBounds& box) { return 0.5 * (box.min + box.max); }

bool contains(const AxisAlignedBounds& box, const Vector3d& point) {
  return (point.array() >= box.min.array()).all() && (point.array() <= box.max.array()).all();
}

/// Says whether a box is met between two points outside of it.
bool isBetween(const AxisAlignedBounds& box, const Vector3d& from, const Vector3d& to) {
  double in = 0, out = 1;
  for (int k = 0; k < 3; ++k) {
    const double d = to[k] - from[k];
    if (d == 0) {
      if (from[k] < box.min[k] || from[k] > box.max[k]) return false;
      continue;
    }
    const double a = (box.min[k] - from[k]) / d, b = (box.max[k] - from[k]) / d;
    in = std::max(in, std::min(a, b));
    out = std::min(out, std::max(a, b));
  }
  return in <= out;
}

int hiddenFrom(const Vector3d& eye, const SeenBoxes& boxes) {
  const auto hides = [&](const AxisAlignedBounds& box, const Vector3d& point) {
    if (contains(box, point)) return false;
    return contains(box, eye) || isBetween(box, eye, point);
  };
  return static_cast<int>(std::count_if(boxes.moving.begin(), boxes.moving.end(), [&](const AxisAlignedBounds& target) {
    return std::any_of(boxes.fixed.begin(), boxes.fixed.end(),
                       [&](const AxisAlignedBounds& box) { return hides(box, centerOf(target)); });
  }));
}

/// Says whether what is seen stands on something that is not the floor.
bool standsOnSomething(const SeenBoxes& boxes, const AxisAlignedBounds& target) {
  const Vector3d size = target.max - target.min;
  return std::any_of(boxes.fixed.begin(), boxes.fixed.end(), [&](const AxisAlignedBounds& b) {
    bool under = b.max.z() > target.min.z() + 0.05 * size.z() && b.min.z() < target.min.z() + 0.5 * size.z();
    for (int k = 0; k < 2; ++k)
      under = under && b.min[k] < target.max[k] && b.max[k] > target.min[k] && b.max[k] - b.min[k] > 0.3 * size[k];
    return under;
  });
}

Vector3d cornerDirection(double turn, double elevation) {
  const double azimuth = style::kAzimuth + turn * style::kDegree;
  return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth), std::sin(elevation)};
}

}  // namespace

SeenBoxes seenBoxes(const std::vector<DrawnBody>& bodies, const SimulationView& view,
                    const std::vector<int>& floorTerrains) {
  SeenBoxes boxes;
  for (const DrawnBody& body : bodies) {
    const auto index = static_cast<std::size_t>(body.index);
    RigidTransform X;
    if (body.kind == World::Kind::object) {
      X = view.objects[index].X_WB;
    } else if (body.kind == World::Kind::link) {
      X = view.robots[index].state->X_WL[static_cast<std::size_t>(body.link)];
    } else if (std::find(floorTerrains.begin(), floorTerrains.end(), body.index) != floorTerrains.end()) {
      continue;
    }
    auto& list = body.kind == World::Kind::terrain ? boxes.fixed : boxes.moving;
    for (const DrawnPart& part : body.parts)
      if (part.visual)
        append(list,
               boxOf(part.appearance != nullptr ? mortise::boundsOf(*part.appearance) : part.geometry->bounds(), X));
  }
  return boxes;
}

AxisAlignedBounds boundsOf(const SeenBoxes& boxes) {
  AxisAlignedBounds bounds;
  for (const AxisAlignedBounds& box : boxes.moving.empty() ? boxes.fixed : boxes.moving) {
    bounds.include(box.min);
    bounds.include(box.max);
  }
  if (bounds.empty()) {
    bounds.include(Vector3d::Constant(-0.5));
    bounds.include(Vector3d::Constant(0.5));
  }
  return bounds;
}

const std::vector<std::string>& presetNames() {
  static const std::vector<std::string> names = {"corner", "front", "back", "left", "right", "top", "bottom"};
  return names;
}

std::optional<Vector3d> presetDirection(std::string_view name) {
  // Seen from above and below, x is to the right.
  if (name == "corner") return cornerDirection(0, style::kElevationWide);
  if (name == "front") return Vector3d(1, 0, 0);
  if (name == "back") return Vector3d(-1, 0, 0);
  if (name == "left") return Vector3d(0, 1, 0);
  if (name == "right") return Vector3d(0, -1, 0);
  if (name == "top") return Vector3d(0, -1e-4, 1).normalized();
  if (name == "bottom") return Vector3d(0, -1e-4, -1).normalized();
  return std::nullopt;
}

Vector3d clearDirection(const SeenBoxes& boxes, const AxisAlignedBounds& bounds, double distance) {
  const Vector3d size = bounds.max - bounds.min, center = centerOf(bounds);
  const double elevation = standsOnSomething(boxes, bounds)          ? style::kElevationOnTables
                           : size.z() > std::max(size.x(), size.y()) ? style::kElevationHigh
                                                                     : style::kElevationWide;
  Vector3d best = cornerDirection(0, elevation);
  int least = -1;
  for (const double slope : {elevation, style::kElevationSteep})
    for (const double turn : kTurns) {
      const Vector3d direction = cornerDirection(turn, slope);
      const int hidden = hiddenFrom(center + distance * direction, boxes);
      if (least >= 0 && hidden >= least) continue;
      best = direction;
      least = hidden;
    }
  return best;
}

double fittingDistance(double fieldOfView, const AxisAlignedBounds& bounds, double aspect, const Vector3d& direction,
                       const Vector3d& up) {
  const Vector3d toEye = direction.normalized(), half = 0.5 * (bounds.max - bounds.min).cwiseMax(2e-3);
  const Vector3d across = up.cross(toEye);
  const Vector3d right = across.norm() > 1e-9 ? Vector3d(across.normalized()) : toEye.unitOrthogonal();
  const Vector3d top = toEye.cross(right);
  const double down = style::kFilled * std::tan(0.5 * fieldOfView), side = aspect * down;
  double distance = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d at((corner & 1 ? 1 : -1) * half.x(), (corner & 2 ? 1 : -1) * half.y(),
                      (corner & 4 ? 1 : -1) * half.z());
    distance =
        std::max(distance, at.dot(toEye) + std::max(std::abs(at.dot(right)) / side, std::abs(at.dot(top)) / down));
  }
  return distance;
}

RigidTransform cameraPose(const CameraView& camera, const AxisAlignedBounds& bounds, double aspect) {
  const Vector3d target = camera.target.value_or(centerOf(bounds));
  const Vector3d direction = camera.direction.value_or(cornerDirection(0, style::kElevationWide));
  const Vector3d position = camera.position.value_or(
      target + fittingDistance(camera.fieldOfView, bounds, aspect, direction, camera.up) * direction);
  const Vector3d forward = target - position;
  const Vector3d right = forward.cross(camera.up);
  if (!(forward.norm() > 1e-9))
    throw Error("the camera stands at the point that it looks at", {}, "give another position or target");
  if (!(right.norm() > 1e-9 * forward.norm()))
    throw Error("the camera looks along its own up direction", {}, "give another position, target or up direction");
  RigidTransform X;
  X.R.col(2) = forward.normalized();
  X.R.col(0) = right.normalized();
  X.R.col(1) = X.R.col(2).cross(X.R.col(0));
  X.p = position;
  return X;
}

}  // namespace mortise::render
