#include "mortise/mechanics/forces/planar_cone.h"

#include <cmath>
#include <optional>

#include "mortise/math/constants.h"

namespace mortise {

namespace {

using Vector2d = Eigen::Vector2d;

constexpr double kAside = 1e-7;  ///< Sines below this count as zero.
constexpr double kNear = 1e-6;   ///< Angles (rad) that are as good as half a turn.

/// The direction of the farthest point; nothing where that is the origin. A cone that is more than the origin reaches
/// the edge of the square, so that there is nothing in between.
std::optional<Vector2d> direction(const PlanarSupport& support, const Vector2d& normal) {
  Vector2d point;
  if (!support(normal, point) || !(point.cwiseAbs().maxCoeff() > 0.5)) return std::nullopt;
  return point.normalized();
}

/// The last direction of the cone from `u` to the left (side 1) or right (-1), and the angle up to there; more than
/// half a turn when the cone goes on.
Vector2d lastFrom(const PlanarSupport& support, Vector2d u, double side, double& angle) {
  angle = 0;
  constexpr int kMaximum = 64;
  for (int i = 0; i < kMaximum && angle <= kPi + kNear; ++i) {
    const Vector2d aside = side * turnedLeft(u);
    const std::optional<Vector2d> next = direction(support, aside);
    if (!next || !(aside.dot(*next) > kAside)) break;
    angle += std::atan2(aside.dot(*next), u.dot(*next));
    u = *next;
  }
  return u;
}

}  // namespace

std::vector<Vector2d> PlanarCone::generators() const {
  switch (kind) {
    case Kind::point:
      return {};
    case Kind::pointed:
      if (first == last) return {first};
      return {first, last};
    case Kind::line:
      return {first, last};
    case Kind::halfPlane:
      return {first, turnedLeft(first), last};
    case Kind::plane:
      return {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  }
  return {};
}

PlanarCone planarCone(const PlanarSupport& support) {
  std::vector<Vector2d> found;
  for (const Vector2d& normal : {Vector2d(1, 0), Vector2d(0, 1), Vector2d(-1, 0), Vector2d(0, -1)})
    if (const std::optional<Vector2d> u = direction(support, normal)) found.push_back(*u);
  PlanarCone cone;
  if (found.empty()) return cone;
  double left = 0, right = 0;
  cone.last = lastFrom(support, found.front(), 1, left);
  cone.first = lastFrom(support, found.front(), -1, right);
  if (left + right > kPi + kNear) {
    cone.kind = PlanarCone::Kind::plane;
    return cone;
  }
  if (left + right > kPi - kNear) {
    cone.kind = PlanarCone::Kind::halfPlane;
    cone.last = -cone.first;
    return cone;
  }
  cone.kind = PlanarCone::Kind::pointed;
  if (left + right == 0) cone.first = cone.last = found.front();
  const Vector2d middle = cone.first + cone.last;
  for (const Vector2d& u : found)
    if (middle.dot(u) < 0) {
      cone.kind = PlanarCone::Kind::line;
      cone.last = -cone.first;
    }
  return cone;
}

}  // namespace mortise
