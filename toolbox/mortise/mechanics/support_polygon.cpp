#include "mortise/mechanics/support_polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/mechanics/contact_program.h"

namespace mortise {

namespace {

using Vector2d = Eigen::Vector2d;

constexpr double kExact = 1e-9;  ///< In units of the contacts' extent: nothing more to gain.

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A direction, and the farthest point in it.
struct Support {
  Vector2d normal, point;
  bool done = false;  ///< Nothing is between this one and the next.
};

/// Where the lines across two directions meet.
Vector2d corner(const Support& a, const Support& b) {
  const double det = cross(a.normal, b.normal);
  const double ca = a.normal.dot(a.point), cb = b.normal.dot(b.point);
  return Vector2d(ca * b.normal.y() - cb * a.normal.y(), a.normal.x() * cb - b.normal.x() * ca) / det;
}

/// The middle of the contacts at 0, lengths in units of their extent.
class Expansion {
 public:
  Expansion(std::span<const ContactPoint> contacts, const Matrix3d& R_FW, const Vector3d& middle, double length,
            double far, const SupportPolygonOptions& options)
      : program_(make(contacts, R_FW, middle, length, options)) {
    constexpr int kRows = 6;
    // (c x down) for c along x and y, down = -z.
    VectorXd column = VectorXd::Zero(kRows);
    column[1] = 1;
    x_ = program_.program().addColumn(program_.column(column), -far, far);
    column = VectorXd::Zero(kRows);
    column[0] = -1;
    y_ = program_.program().addColumn(program_.column(column), -far, far);
    VectorXd b = VectorXd::Zero(kRows);
    b[5] = 1;
    program_.setRightSide(b);
  }

  bool support(const Vector2d& normal, Vector2d& point) {
    LinearProgram& program = program_.program();
    program.setCost(x_, -normal.x());
    program.setCost(y_, -normal.y());
    if (program_.solve() != LinearProgramStatus::optimal) return false;
    point = Vector2d(program.value(x_), program.value(y_));
    return true;
  }

 private:
  static ContactProgram make(std::span<const ContactPoint> contacts, const Matrix3d& R_FW, const Vector3d& middle,
                             double length, const SupportPolygonOptions& options) {
    std::vector<Eigen::MatrixX3d> effect;
    for (const ContactPoint& contact : contacts) {
      Eigen::MatrixX3d block(6, 3);  // Forces stay in the world's axes, by which pyramids are laid out.
      block.topRows<3>() = R_FW * crossMatrix((contact.p_WC - middle) / length);
      block.bottomRows<3>() = R_FW;
      effect.push_back(std::move(block));
    }
    return ContactProgram(6, contacts, effect, options.coneEdges, options.limits,
                          options.mass * options.gravity_W.norm());
  }

  ContactProgram program_;
  int x_ = 0, y_ = 0;
};

/// Without repetitions, and without corners on the line between their neighbors.
std::vector<Vector2d> cleaned(const std::vector<Vector2d>& points, double same) {
  std::vector<Vector2d> corners;
  for (const Vector2d& point : points)
    if (corners.empty() || (point - corners.back()).norm() > same) corners.push_back(point);
  while (corners.size() > 1 && (corners.front() - corners.back()).norm() <= same) corners.pop_back();
  for (std::size_t i = 0; corners.size() > 2 && i < corners.size();) {
    const Vector2d& before = corners[(i + corners.size() - 1) % corners.size()];
    const Vector2d& after = corners[(i + 1) % corners.size()];
    const Vector2d along = after - before;
    if (along.norm() > same && std::abs(cross(along.normalized(), corners[i] - before)) <= same) {
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i));
      i = i > 0 ? i - 1 : 0;
    } else {
      ++i;
    }
  }
  return corners;
}

}  // namespace

SupportPolygon::SupportPolygon(std::span<const ContactPoint> contacts, const SupportPolygonOptions& options) {
  requireConeEdges(options.coneEdges);
  for (std::size_t i = 0; i < contacts.size(); ++i) requireContact(contacts[i], i);
  const double gravity = options.gravity_W.norm();
  if (!(gravity > 0) || !std::isfinite(gravity)) throw Error("without gravity every center of mass is as good");
  requireForceLimits(options.limits, contacts.size());
  if (!(options.mass > 0) || !std::isfinite(options.mass))
    throw Error("the mass must be above 0, not " + formatReal(options.mass));
  if (!(options.tolerance > 0)) throw Error("the tolerance of a support polygon must be above 0");
  const Vector3d up = -options.gravity_W / gravity;
  const Vector3d first = std::abs(up.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  x_W_ = (first - up.dot(first) * up).normalized();
  y_W_ = up.cross(x_W_) + Vector3d::Zero();  // No -0.
  if (contacts.empty()) return;

  Vector3d middle = Vector3d::Zero();
  for (const ContactPoint& contact : contacts) middle += contact.p_WC / static_cast<double>(contacts.size());
  double length = 0;
  for (const ContactPoint& contact : contacts) length = std::max(length, (contact.p_WC - middle).norm());
  if (!(length > 0)) length = 1;
  Matrix3d R_FW;
  R_FW << x_W_.transpose(), y_W_.transpose(), up.transpose();
  Expansion expansion(contacts, R_FW, middle, length, kFar / length, options);

  std::vector<Support> supports;
  for (const Vector2d& normal : {Vector2d(1, 0), Vector2d(0, 1), Vector2d(-1, 0), Vector2d(0, -1)}) {
    Support support{normal, Vector2d::Zero()};
    if (!expansion.support(normal, support.point)) return;
    supports.push_back(support);
  }
  // The pair of neighbors with the widest gap between the line of their points and where their lines meet.
  const double small = options.coneEdges == 0 ? std::max(options.tolerance / length, kExact) : kExact;
  constexpr int kMost = 10000;
  for (int round = 0; round < kMost; ++round) {
    std::size_t widest = supports.size();
    double gap = small;
    Vector2d normal;
    for (std::size_t i = 0; i < supports.size(); ++i) {
      const Support &a = supports[i], &b = supports[(i + 1) % supports.size()];
      const Vector2d along = b.point - a.point;
      if (a.done || along.norm() <= small || cross(a.normal, b.normal) < 1e-9) continue;
      const Vector2d out = Vector2d(along.y(), -along.x()).normalized();
      const double width = out.dot(corner(a, b) - a.point);
      if (width <= gap) continue;
      gap = width;
      widest = i;
      normal = out;
    }
    if (widest == supports.size()) break;
    Support between{normal, Vector2d::Zero()};
    const Vector2d from = supports[widest].point;
    if (!expansion.support(normal, between.point) || normal.dot(between.point - from) <= kExact) {
      // The line of the two points is an edge.
      between.point = from;
      between.done = true;
      supports[widest].done = true;
    }
    supports.insert(supports.begin() + static_cast<std::ptrdiff_t>(widest) + 1, between);
  }

  const Vector2d shift = flat(middle);
  std::vector<Vector2d> inner, outer;
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const Support &a = supports[i], &b = supports[(i + 1) % supports.size()];
    inner.push_back(a.point * length + shift);
    outer.push_back(inner.back());
    if ((b.point - a.point).norm() > small && cross(a.normal, b.normal) >= 1e-9)
      outer.push_back(corner(a, b) * length + shift);
    bounded_ = bounded_ && a.point.cwiseAbs().maxCoeff() * length < 0.999 * kFar;
  }
  const double same = 1e-8 * length;
  corners_ = cleaned(inner, same);
  outer_ = cleaned(outer, same);
  if (corners_.size() <= 2) {  // A point or a line: bounded by what is across it, too.
    const Vector2d a = corners_.front(), b = corners_.back();
    const Vector2d along = corners_.size() == 2 ? Vector2d((b - a).normalized()) : Vector2d(1, 0);
    const Vector2d aside(-along.y(), along.x());
    edges_ = {{along, along.dot(b)}, {-along, -along.dot(a)}, {aside, aside.dot(a)}, {-aside, -aside.dot(a)}};
    return;
  }
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vector2d along = (corners_[(i + 1) % corners_.size()] - corners_[i]).normalized();
    const Vector2d out(along.y(), -along.x());
    edges_.push_back({out, out.dot(corners_[i])});
  }
}

double SupportPolygon::margin(const Vector3d& com_W) const {
  if (edges_.empty()) return -std::numeric_limits<double>::infinity();
  const Vector2d p = flat(com_W);
  double margin = std::numeric_limits<double>::infinity();
  for (const Edge& edge : edges_) margin = std::min(margin, edge.offset - edge.normal.dot(p));
  return margin;
}

double SupportPolygon::signedDistance(const Vector3d& com_W) const {
  const double inside = margin(com_W);
  if (inside >= 0 || corners_.empty()) return inside;
  const Vector2d p = flat(com_W);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vector2d& a = corners_[i];
    const Vector2d along = corners_[(i + 1) % corners_.size()] - a;
    const double length2 = along.squaredNorm();
    const double s = length2 > 0 ? std::clamp(along.dot(p - a) / length2, 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (a + s * along - p).norm());
  }
  return -nearest;
}

double SupportPolygon::area() const {
  double area = 0;
  for (std::size_t i = 0; i < corners_.size(); ++i)
    area += 0.5 * cross(corners_[i], corners_[(i + 1) % corners_.size()]);
  return area;
}

}  // namespace mortise
