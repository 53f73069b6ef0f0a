#include "mortise/contacts/contact_recovery.h"

#include <algorithm>
#include <cmath>

namespace mortise {
namespace {

constexpr std::size_t kMaxDirections = 12;

RigidTransform shifted(const RigidTransform& X_AB, const Vector3d& motionOfA) { return {X_AB.R, X_AB.p - motionOfA}; }

/// Returns how far along n the second reaches beyond where the first begins.
double overlapAlong(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, const Vector3d& n) {
  const double top = n.dot(X_AB * supportPoint(b, X_AB.R.transpose() * n));
  const double bottom = n.dot(supportPoint(a, -n));
  return top - bottom;
}

bool isSolid(CoreKind kind) {
  return kind == CoreKind::box || kind == CoreKind::hull || kind == CoreKind::cylinder || kind == CoreKind::ellipsoid;
}

}  // namespace

SeparatingMotion separatingMotion(const CollisionShape& a, const CollisionShape& b, const RigidTransform& X_AB,
                                  const Vector3d& direction, double limit, RecoveryWorkspace& workspace) {
  SeparatingMotion result;
  result.direction = direction;
  const auto meets = [&](double t) { return collide(a, {}, b, shifted(X_AB, t * direction), workspace.query); };
  if (a.numElements() == 1 && b.numElements() == 1 && !a.solid() && !b.solid()) {
    const double t = std::max(0.0, overlapAlong(a.element(0), b.element(0), X_AB, direction));
    // Supports part convex bodies for certain; along this direction less may do.
    double low = 0, high = t * (1 + 1e-9) + 1e-12;
    if (low > limit) return result;
    for (int i = 0; i < 40 && high - low > 1e-7 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (meets(middle) ? low : high) = middle;
    }
    result.found = high <= limit;
    result.distance = high;
    return result;
  }
  // Small steps that grow, so as not to jump over what is thin, then halving back.
  const double size = std::min(a.radius(), b.radius());
  double low = 0, high = std::max(1e-4 * size, 1e-9);
  while (meets(high)) {
    low = high;
    high *= 1.5;
    if (low > limit) return result;
  }
  for (int i = 0; i < 40 && high - low > 1e-6 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (meets(middle) ? low : high) = middle;
  }
  result.found = high <= limit;
  result.distance = high;
  return result;
}

SeparatingMotion recover(const ContactSurface& a, const ContactSurface& b, const RigidTransform& X_AB,
                         std::span<const LayerCrossing> crossings, const Vector3d& previous,
                         RecoveryWorkspace& workspace, double shallow) {
  if (shallow > 0 && previous.squaredNorm() > 0.5) {
    const SeparatingMotion back = separatingMotion(a.shape(), b.shape(), X_AB, previous, shallow, workspace);
    if (back.found) return back;
  }
  std::vector<Vector3d>& directions = workspace.directions;
  directions.clear();
  const auto offer = [&](const Vector3d& n) {
    if (directions.size() >= kMaxDirections || !(n.squaredNorm() > 0.5)) return;
    for (const Vector3d& other : directions)
      if (other.dot(n) > 0.9999) return;
    directions.push_back(n);
  };
  for (const Vector3d& up : b.upward()) offer(X_AB.R * up);
  for (const Vector3d& up : a.upward()) offer(-up);
  double minimum = std::numeric_limits<double>::infinity();
  const std::size_t stride = std::max<std::size_t>(1, crossings.size() / 8);
  for (std::size_t k = 0; k < crossings.size(); k += stride) {
    const auto [i, j] = crossings[k];
    const ConvexElement elementA = a.shape().element(i), elementB = b.shape().element(j);
    if (isSolid(elementA.kind) || isSolid(elementB.kind)) {
      const ElementSeparation apart = separation(elementA, elementB, X_AB);
      offer(-apart.normal);
      minimum = std::min(minimum, -apart.distance);
    }
    if (elementB.kind == CoreKind::triangle) {
      offer(X_AB.R * b.triangle(j).normal);
      offer(-(X_AB.R * b.triangle(j).normal));
    }
    if (elementA.kind == CoreKind::triangle) {
      offer(a.triangle(i).normal);
      offer(-a.triangle(i).normal);
    }
  }
  if (crossings.empty()) {
    // Inside a solid whose elements are its surface: the nearest way through that, or back.
    const DistanceResult nearest = distance(a.shape(), {}, b.shape(), X_AB, workspace.query);
    if (nearest.found) {
      offer(nearest.normal_W);
      offer(-nearest.normal_W);
    }
  }
  const Vector3d centerB = X_AB * b.shape().center(), apart = a.shape().center() - centerB;
  if (apart.norm() > 1e-9) offer(apart.normalized());
  const double limit = (a.shape().radius() + b.shape().radius()) * 1.01 + apart.norm();
  const bool convex = a.shape().numElements() == 1 && b.shape().numElements() == 1 && std::isfinite(minimum);

  SeparatingMotion best;
  const auto consider = [&](const Vector3d& n, double favor) {
    const double bound = best.found ? best.distance * favor : limit;
    const SeparatingMotion motion = separatingMotion(a.shape(), b.shape(), X_AB, n, bound, workspace);
    if (motion.found && motion.distance < bound) best = motion;
  };
  if (previous.squaredNorm() > 0.5) {
    for (const Vector3d& n : directions)
      if (n.dot(previous) > 0.5) consider(n, 1);
    // Its own only where it is clearly better: fresh normals are exact, it is one step old.
    consider(previous, 0.7);
    // Two convex solids are parted the short way when the old one is much longer: they cannot have passed through.
    if (best.found && !(convex && best.distance > 4 * minimum)) return best;
  }
  for (const Vector3d& n : directions) consider(n, 1);
  return best;
}

}  // namespace mortise
