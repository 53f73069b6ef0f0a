#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/support_polygon.h"
#include "tests/support/plain_simplex.h"

namespace mortise {
namespace {

using test::PlainSimplex;

constexpr double kMass = 3;
const Vector3d kGravity(0, 0, -9.8);

std::vector<ContactPoint> randomContacts(RandomStream& random) {
  const int count = 1 + static_cast<int>(random.below(6));
  const double slope = random.uniform(0, 1.5);
  std::vector<ContactPoint> contacts;
  for (int i = 0; i < count; ++i) {
    const Vector3d tilt(random.gaussian(), random.gaussian(), 0.3 * random.gaussian());
    contacts.push_back({Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.5, 0.5)),
                        (Vector3d::UnitZ() + slope * tilt).normalized(),
                        random.below(5) == 0 ? 0.0 : random.uniform(0.1, 1.2)});
  }
  return contacts;
}

/// How far the center of mass may go along `direction` (across gravity), up to 10 m on both sides; NaN: nowhere.
/// Variables: forces along all edges, the center of mass x and y plus 10, and slacks of the limits. No scaling and no
/// column generation: newton and meters as they are.
double farthest(const std::vector<ContactPoint>& contacts, int coneEdges, double forceLimit,
                const Eigen::Vector2d& direction) {
  std::vector<std::pair<std::size_t, Vector3d>> columns;
  std::vector<Vector3d> edges;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    frictionEdges(contacts[i], coneEdges, edges);
    for (const Vector3d& edge : edges) columns.emplace_back(i, edge);
  }
  const bool limited = std::isfinite(forceLimit);
  const Eigen::Index forces = std::ssize(columns), limits = limited ? std::ssize(contacts) : 0;
  const Eigen::Index size = forces + 4 + limits, rows = 8 + limits;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, size);
  VectorXd b = VectorXd::Zero(rows), c = VectorXd::Zero(size);
  for (Eigen::Index k = 0; k < forces; ++k) {
    const auto& [i, edge] = columns[static_cast<std::size_t>(k)];
    A.block<3, 1>(0, k) = edge;
    A.block<3, 1>(3, k) = contacts[i].p_WC.cross(edge);
    if (limited) A(8 + static_cast<Eigen::Index>(i), k) = contacts[i].n_W.dot(edge);
  }
  // sum f = -m g; sum p x f = -c x (m g), with c = (x - 10, y - 10, 0).
  const Vector3d weight = kMass * kGravity;
  b.head<3>() = -weight;
  A.block<3, 1>(3, forces) = Vector3d::UnitX().cross(weight);
  A.block<3, 1>(3, forces + 1) = Vector3d::UnitY().cross(weight);
  b.segment<3>(3) = 10 * Vector3d(1, 1, 0).cross(weight);
  for (int k = 0; k < 2; ++k) {  // x and y up to 20.
    A(6 + k, forces + k) = A(6 + k, forces + 2 + k) = 1;
    b[6 + k] = 20;
  }
  for (Eigen::Index i = 0; i < limits; ++i) {
    A(8 + i, forces + 4 + i) = 1;
    b[8 + i] = forceLimit;
  }
  c[forces] = direction.x();
  c[forces + 1] = direction.y();
  return PlainSimplex(A, b, c).value() - 10 * (direction.x() + direction.y());
}

/// How far what has the half planes in common goes along `direction` within the square of `farthest`.
double farthestWithin(const SupportPolygon& polygon, const Eigen::Vector2d& direction) {
  std::vector<Eigen::Vector2d> corners = {{-10, -10}, {10, -10}, {10, 10}, {-10, 10}};
  for (const SupportPolygon::HalfPlane& side : polygon.halfPlanes()) {
    std::vector<Eigen::Vector2d> left;
    const auto over = [&](const Eigen::Vector2d& p) { return side.normal.dot(p) - side.offset; };
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Eigen::Vector2d &a = corners[i], &b = corners[(i + 1) % corners.size()];
      constexpr double kOn = 1e-8;  // Lines are regions, too.
      if (over(a) <= kOn) left.push_back(a);
      if ((over(a) <= kOn) != (over(b) <= kOn)) left.push_back(a + (b - a) * (over(a) / (over(a) - over(b))));
    }
    corners = std::move(left);
  }
  double maximum = -kInfinity;
  for (const Eigen::Vector2d& corner : corners) maximum = std::max(maximum, direction.dot(corner));
  return maximum;
}

TEST(BruteForce, SupportPolygonsOfAThousandContactSets) {
  RandomStream random(2026);
  int empty = 0, unbounded = 0, compared = 0;
  double worst = 0;
  for (int k = 0; k < 1000; ++k) {
    const std::vector<ContactPoint> contacts = randomContacts(random);
    const int edges = 3 + static_cast<int>(random.below(4));
    const bool limited = random.below(3) == 0;
    const double limit = limited ? random.uniform(0.2, 1.5) * kMass * 9.8 : kInfinity;
    SupportPolygonOptions options;
    options.coneEdges = edges;
    options.mass = kMass;
    if (limited) options.limits.bounds = normalForceBounds(contacts, limit);
    const SupportPolygon polygon(contacts, options);
    for (int j = 0; j < 3; ++j) {
      const double angle = random.uniform(0, 2 * kPi);
      const Eigen::Vector2d direction(std::cos(angle), std::sin(angle));
      const double brute = farthest(contacts, edges, limit, direction);
      ASSERT_EQ(polygon.empty(), std::isnan(brute)) << k;
      if (polygon.empty()) {
        ++empty;
        break;
      }
      double maximum = -kInfinity;
      bool near = true;  // All within the square of the plain program.
      for (const Eigen::Vector2d& corner : polygon.corners()) {
        maximum = std::max(maximum, direction.dot(corner));
        near = near && corner.cwiseAbs().maxCoeff() < 10;
      }
      if (!polygon.bounded()) {
        maximum = farthestWithin(polygon, direction);
        near = true;
        ++unbounded;
      }
      if (!near) break;
      worst = std::max(worst, std::abs(maximum - brute));
      ++compared;
    }
  }
  EXPECT_LT(worst, 1e-7);
  EXPECT_GT(compared, 1000);
  EXPECT_GT(empty, 50);
  RecordProperty("compared", compared);
  RecordProperty("empty", empty);
  EXPECT_GT(unbounded, 50);
  RecordProperty("far", unbounded);
}

/// Whether forces along edges keep a body with this center of mass at rest.
bool balances(const std::vector<ContactPoint>& contacts, int coneEdges, const Vector3d& com) {
  std::vector<Vector3d> edges;
  Eigen::MatrixXd A(6, 0);
  for (const ContactPoint& contact : contacts) {
    frictionEdges(contact, coneEdges, edges);
    for (const Vector3d& edge : edges) {
      A.conservativeResize(6, A.cols() + 1);
      A.rightCols<1>() << edge, contact.p_WC.cross(edge);
    }
  }
  VectorXd b(6);
  b << -kMass * kGravity, -com.cross(kMass * kGravity);
  return !std::isnan(PlainSimplex(A, b, VectorXd::Zero(A.cols())).value());
}

TEST(BruteForce, EquilibriumOfAThousandContactSets) {
  RandomStream random(2027);
  int yes = 0, no = 0, near = 0;
  for (int k = 0; k < 1000; ++k) {
    const std::vector<ContactPoint> contacts = randomContacts(random);
    Vector3d com = 0.2 * Vector3d(random.gaussian(), random.gaussian(), random.gaussian());
    for (const ContactPoint& contact : contacts) com += contact.p_WC / static_cast<double>(contacts.size());
    const double margin = SupportPolygon(contacts, {.coneEdges = 4}).margin(com);
    if (std::abs(margin) < 1e-7) {
      ++near;
      continue;
    }
    const bool balanced = testEquilibrium(contacts, kMass, com, {.coneEdges = 4}).balanced;
    EXPECT_EQ(balanced, margin > 0) << k;
    EXPECT_EQ(balanced, balances(contacts, 4, com)) << k << ", margin " << margin;
    ++(balanced ? yes : no);
  }
  EXPECT_GT(yes, 100);
  EXPECT_GT(no, 100);
  EXPECT_LT(near, 20);
}

}  // namespace
}  // namespace mortise
