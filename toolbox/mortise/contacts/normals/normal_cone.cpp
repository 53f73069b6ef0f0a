#include "mortise/contacts/normals/normal_cone.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

namespace mortise {
namespace {

/// Beyond this a cone prunes nothing.
constexpr double kWide = 1.3;
constexpr double kRounding = 3e-6;

NormalCone everything() { return {Vector3d::UnitZ(), NormalCone::kAll}; }

double angleBetweenLines(const Vector3d& a, const Vector3d& b) { return std::acos(std::min(1.0, std::abs(a.dot(b)))); }

/// The corners of the region of directions with u . d <= sine for all u.
void corners(std::span<const Vector3d> cone, double sine, std::vector<Vector3d>& result) {
  result.clear();
  for (std::size_t i = 0; i < cone.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double c = cone[i].dot(cone[j]);
      const Vector3d across = cone[i].cross(cone[j]);
      const double length = across.norm(), beside = 1 - 2 * sine * sine / std::max(1 + c, 1e-12);
      if (!(length > 1e-9) || beside < 0) continue;
      for (const double side : {-1.0, 1.0}) {
        const Vector3d d = sine / (1 + c) * (cone[i] + cone[j]) + side * std::sqrt(beside) / length * across;
        bool within = true;
        for (const Vector3d& u : cone) within &= u.dot(d) <= sine + 1e-7;
        if (within) result.push_back(d);
      }
    }
}

NormalCone around(const std::vector<Vector3d>& directions, const Vector3d& towards) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& d : directions) sum += d.dot(towards) < 0 ? Vector3d(-d) : d;
  const double length = sum.norm();
  if (!(length > 1e-6)) return everything();
  NormalCone result{sum / length, 0};
  for (const Vector3d& d : directions) result.half = std::max(result.half, angleBetweenLines(result.axis, d));
  result.half += kRounding;
  return result.half < kWide ? result : everything();
}

}  // namespace

double angleBelow(double cosine) { return std::sqrt(std::max(0.0, 2 - 2 * std::abs(cosine))); }

void NormalCone::include(const NormalCone& other) {
  if (other.none() || half >= kAll) return;
  if (none() || other.half >= kAll) {
    *this = other;
    return;
  }
  const Vector3d towards = axis.dot(other.axis) < 0 ? Vector3d(-other.axis) : other.axis;
  const double between = angleBetweenLines(axis, towards);
  if (between + other.half <= half) return;
  if (between + half <= other.half) {
    *this = other;
    return;
  }
  const double joined = 0.5 * (between + half + other.half);
  if (joined > kWide) {
    *this = everything();
    return;
  }
  // Turned from the one axis to the other by as much as the edge moves out.
  const Vector3d across = towards - axis.dot(towards) * axis;
  const double length = across.norm();
  if (length > 1e-12) {
    const double turn = joined - half;
    axis = (std::cos(turn) * axis + std::sin(turn) / length * across).normalized();
  }
  half = joined + 1e-7;
}

NormalCone normalsOfVertex(std::span<const Vector3d> cone, VertexKind kind, double sine) {
  std::vector<Vector3d> directions;
  if (kind == VertexKind::smooth) {
    // Edges lead all around: what is left lies near the normal, to either side.
    corners(cone, sine, directions);
    if (directions.empty()) return cone.size() > 2 ? NormalCone() : everything();
    Vector3d normal = Vector3d::Zero();
    for (std::size_t i = 0; i < cone.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Vector3d across = cone[i].cross(cone[j]);
        normal += across.dot(normal) < 0 ? Vector3d(-across) : across;
      }
    normal.normalize();
    const Vector3d x = normal.unitOrthogonal(), y = normal.cross(x);
    std::vector<double> angles;
    for (const Vector3d& u : cone) angles.push_back(std::atan2(y.dot(u), x.dot(u)));
    std::sort(angles.begin(), angles.end());
    double gap = angles.front() + 2 * 3.14159265358979323846 - angles.back();
    for (std::size_t i = 1; i < angles.size(); ++i) gap = std::max(gap, angles[i] - angles[i - 1]);
    return gap < 2.6 ? around(directions, normal) : everything();
  }
  if (sine > kRounding) return everything();
  // A cone with a point at its tip, or one that holds a whole line.
  double volume = 0;
  for (std::size_t i = 0; i < cone.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k) volume = std::max(volume, std::abs(cone[i].cross(cone[j]).dot(cone[k])));
  if (volume < 1e-3) return everything();
  corners(cone, sine, directions);
  if (directions.empty()) return {};
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& d : directions) sum += d;
  for (const Vector3d& d : directions)
    if (d.dot(sum) < 0.3 * sum.norm()) return everything();
  return around(directions, sum);
}

NormalCone normalsOfEdge(const Vector3d& along, std::span<const Vector3d> cone, double sine) {
  if (cone.size() != 2) return everything();
  const double turned = std::acos(std::clamp(-cone[0].dot(cone[1]), -1.0, 1.0));
  const double half = 0.5 * turned + std::asin(sine) + kRounding;
  if (half > kWide || turned > 1.5) return everything();
  const Vector3d axis = along.cross(Vector3d(cone[0] - cone[1]));
  const double length = axis.norm();
  return length > 0 ? NormalCone{axis / length, half} : everything();
}

}  // namespace mortise
