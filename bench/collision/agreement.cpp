#include <cmath>
#include <cstdio>
#include <optional>

#include "bench.h"
#include "mortise/math/rotation.h"
#include "solids.h"

namespace mortise::bench {
namespace {

/// Meters, of bodies of about 1 m: what is nearer to touching than this may be called either.
constexpr double kRounding = 1e-10;

/// A convex solid or a mesh, as all see it.
struct Body {
  std::string name;
  Solid solid;
  std::optional<TriangleMesh> mesh;
  CollisionShapePtr ours;
  std::shared_ptr<fcl::CollisionGeometryd> fcl;
  std::shared_ptr<btConvexShape> bullet;

  Solid element(int index) const { return mesh ? triangleOf(*mesh, index) : solid; }
  bool surface() const { return mesh || solid.kind == Solid::Kind::triangle; }
};

constexpr int kKinds = 8;  ///< Those of solids, and meshes.

Body body(int kind, RandomStream& random) {
  Body result;
  if (kind == kKinds - 1) {
    result.name = "mesh";
    result.mesh = ball(8, 10);
    const Vector3d stretch(random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1));
    for (Vector3d& p : result.mesh->vertices) p = p.cwiseProduct(stretch);
    result.ours = makeCollisionShape(std::make_shared<const Geometry>(*result.mesh));
    result.fcl = fclModel(*result.mesh);
    return result;
  }
  result.solid = randomSolid(static_cast<Solid::Kind>(kind), random);
  result.name = nameOf(result.solid.kind);
  result.ours = oursOf(result.solid);
  result.fcl = fclOf(result.solid);
  result.bullet = bulletOf(result.solid);
  return result;
}

struct Pose {
  RigidTransform X_WA, X_WB;
};

/// Apart, near, touching to rounding, shallow and deep in turns; a third with axes parallel, as things that lie on each
/// other have them.
Pose pose(const Body& a, const Body& b, int i, RandomStream& random, QueryWorkspace& workspace) {
  const auto direction = [&] { return Vector3d(random.gaussian(), random.gaussian(), random.gaussian()).normalized(); };
  Pose result;
  Matrix3d R_AB = rotationAboutAxis(direction(), random.uniform(-3.1, 3.1));
  Vector3d from = direction();
  if (i / 5 % 3 == 0) {
    // A quarter turn about one axis, exactly; approached along an axis.
    const int axis = static_cast<int>(random.below(4));
    R_AB.setIdentity();
    if (axis < 3) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      R_AB(u, u) = R_AB(v, v) = 0;
      R_AB(v, u) = 1;
      R_AB(u, v) = -1;
    }
    from = Vector3d::Unit(static_cast<int>(random.below(3))) * (random.below(2) ? 1 : -1);
  } else {
    result.X_WA = {rotationAboutAxis(direction(), random.uniform(-3.1, 3.1)), direction()};
  }
  RigidTransform X_AB;
  X_AB.R = R_AB;
  const Vector3d aim = a.ours->center() - R_AB * b.ours->center();
  double along = a.ours->radius() + b.ours->radius() + 0.1;
  for (int step = 0; step < 300; ++step) {
    X_AB.p = aim + along * from;
    const double left = distance(*a.ours, {}, *b.ours, X_AB, workspace).distance;
    if (left < 1e-13 || along < -1) break;
    along -= left;
  }
  const auto power = [&](double low, double high) { return std::pow(10, random.uniform(low, high)); };
  const double gaps[] = {random.uniform(0.1, 1.5), power(-8, -2), power(-15, -9) * (random.below(2) ? 1 : -1),
                         -power(-8, -2), -random.uniform(0, 1) * std::max(0.0, along)};
  X_AB.p = aim + (along + gaps[i % 5]) * from;
  result.X_WB = result.X_WA * X_AB;
  return result;
}

struct Theirs {
  bool answered = true;  ///< True: it answered whether they collide.
  bool colliding = false;
  int elementA = 0, elementB = 0;
  bool measured = false;
  double distance = 0;
};

Theirs askFcl(const Body& a, const Body& b, const Pose& X) {
  Theirs theirs;
  const fcl::Transform3d A = fclPose(X.X_WA), B = fclPose(X.X_WB);
  try {
    fcl::CollisionRequestd request(1, true);
    fcl::CollisionResultd result;
    theirs.colliding = fcl::collide(a.fcl.get(), A, b.fcl.get(), B, request, result) > 0;
    if (theirs.colliding) {
      theirs.elementA = std::max(0, static_cast<int>(result.getContact(0).b1));
      theirs.elementB = std::max(0, static_cast<int>(result.getContact(0).b2));
      // Its signed distance never ends for some poses of spheres and capsules.
      theirs.distance = -result.getContact(0).penetration_depth;
      theirs.measured = true;
      return theirs;
    }
  } catch (const std::exception&) {
    theirs.answered = false;
  }
  try {
    const fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    theirs.distance = fcl::distance(a.fcl.get(), A, b.fcl.get(), B, request, result);
    theirs.measured = true;
    theirs.elementA = std::max(0, static_cast<int>(result.b1));
    theirs.elementB = std::max(0, static_cast<int>(result.b2));
  } catch (const std::exception&) {
  }
  return theirs;
}

Theirs askBullet(const Body& a, const Body& b, const Pose& X) {
  Theirs theirs;
  const BulletAnswer answer = bulletSeparation(*a.bullet, X.X_WA, *b.bullet, X.X_WB);
  theirs.answered = theirs.measured = answer.found;
  theirs.colliding = answer.distance <= 0;
  theirs.distance = answer.distance;
  return theirs;
}

/// The result of one pair with one of the others.
struct Row {
  int poses = 0, differ = 0, rounding = 0, theirsWrong = 0, oursWrong = 0, open = 0, silent = 0;
  double apart = 0, deep = 0;  ///< Their largest errors.
  int apartOff = 0, deepOff = 0;
};
struct Proof {
  double apart = 0, deep = 0;  ///< The largest of what our distances and depths may be off by.
  double points = 0;           ///< Distance of our points from the bodies.
  int unproven = 0;            ///< Distances that may be off by more than rounding.
};

/// Bounds of our answer's error that follow from its own points and normal, and from a search for a better direction.
void prove(const Body& a, const Body& b, const Pose& X, const DistanceResult& ours, Proof& proof) {
  const Solid sA = a.element(ours.elements.a.index), sB = b.element(ours.elements.b.index);
  const Real d = ours.distance;
  proof.points = std::max({proof.points, static_cast<double>(excessAt(sA, X.X_WA, ours.p_WA)),
                           static_cast<double>(excessAt(sB, X.X_WB, ours.p_WB))});
  const bool surfaces = a.surface() && b.surface();
  if (d <= 0 && surfaces) return;
  Real error = std::abs((ours.p_WA - ours.p_WB).cast<Real>().norm() - std::abs(d));
  Real gap = gapAlong(sA, X.X_WA, sB, X.X_WB, ours.normal_W);
  const auto search = [&](int steps) {
    gap = std::max(gap, searchedGap(sA, X.X_WA, sB, X.X_WB, ours.normal_W, steps));
    // Surfaces are never less than 0 apart.
    if (surfaces) gap = std::max<Real>(gap, 0);
  };
  if (d <= 0) {
    search(400);
    // On sharp ridges the search needs patience.
    if (std::abs(gap - d) > kRounding) search(20000);
  } else {
    const DistanceBounds bounds = boundedDistance(sA, X.X_WA, sB, X.X_WB, ours.normal_W);
    gap = std::max(gap, bounds.lower);
    error = std::max(error, d - bounds.upper);
  }
  error = std::max(error, std::abs(gap - d));
  double& largest = d > 0 ? proof.apart : proof.deep;
  largest = std::max(largest, static_cast<double>(error));
  if (error > kRounding) ++proof.unproven;
}

/// Says whether two points of any elements are nearer than our answer.
bool nearerElements(const Body& a, const Body& b, const Pose& X, const DistanceResult& ours) {
  struct Part {
    Solid solid;
    Vector3d center_W;
    double radius = 0;
  };
  const auto parts = [](const Body& body, const RigidTransform& X_W) {
    std::vector<Part> result;
    const int count = body.mesh ? static_cast<int>(body.mesh->triangles.size()) : 1;
    for (int i = 0; i < count; ++i) {
      Part part{body.element(i), X_W * body.ours->center(), body.ours->radius()};
      if (body.mesh) {
        const auto& p = part.solid.points;
        part.center_W = X_W * Vector3d((p[0] + p[1] + p[2]) / 3);
        part.radius = 0;
        for (const Vector3d& v : p) part.radius = std::max(part.radius, (X_W * v - part.center_W).norm());
      }
      result.push_back(part);
    }
    return result;
  };
  const std::vector<Part> ofA = parts(a, X.X_WA), ofB = parts(b, X.X_WB);
  for (const Part& u : ofA)
    for (const Part& v : ofB) {
      const Vector3d between = v.center_W - u.center_W;
      if (between.norm() - u.radius - v.radius > ours.distance) continue;
      if (gapAlong(u.solid, X.X_WA, v.solid, X.X_WB, ours.normal_W) > ours.distance) continue;
      if (boundedDistance(u.solid, X.X_WA, v.solid, X.X_WB, between).upper < ours.distance - kRounding) return true;
    }
  return false;
}

void judge(const Body& a, const Body& b, const Pose& X, bool colliding, const DistanceResult& ours,
           const Theirs& theirs, Row& row) {
  ++row.poses;
  if (!theirs.answered) {
    ++row.silent;
    return;
  }
  const double d = ours.distance;
  if (theirs.colliding != colliding) {
    ++row.differ;
    // Bare surfaces are never less than 0 apart, and a search for a direction between them says by how much they cross.
    const auto searched = [&](int i, int j) {
      return searchedGap(a.element(i), X.X_WA, b.element(j), X.X_WB, ours.normal_W, 4000);
    };
    const auto bounded = [&](int i, int j) {
      return boundedDistance(a.element(i), X.X_WA, b.element(j), X.X_WB, ours.normal_W);
    };
    const int i = ours.elements.a.index, j = ours.elements.b.index;
    const bool surfaces = a.surface() && b.surface();
    const double depth = surfaces && d <= 0 ? static_cast<double>(searched(i, j)) : d;
    if (std::abs(depth) <= kRounding) {
      ++row.rounding;
    } else if (colliding) {
      const Real common = searchedExcess(a.element(i), X.X_WA, b.element(j), X.X_WB, 0.5 * (ours.p_WA + ours.p_WB));
      const Real apart = searched(i, j);
      const DistanceBounds bounds = bounded(i, j);
      const bool wrong = apart > kRounding || bounds.lower > kRounding;
      ++(wrong ? row.oursWrong : common <= 0 || bounds.upper <= kRounding ? row.theirsWrong : row.open);
    } else {
      const DistanceBounds bounds = bounded(theirs.elementA, theirs.elementB);
      ++(bounds.lower > 0 ? row.theirsWrong : bounds.upper <= kRounding ? row.oursWrong : row.open);
    }
    return;
  }
  if (!theirs.measured || (d <= 0 && (a.surface() || b.surface()) && !(a.bullet && b.bullet))) return;
  if (d <= 0 && a.surface() && b.surface()) return;
  const double off = std::abs(theirs.distance - d);
  if (d > 0) {
    row.apart = std::max(row.apart, off);
    row.apartOff += off > 1e-4 ? 1 : 0;
  } else {
    row.deep = std::max(row.deep, off);
    row.deepOff += off > 1e-4 ? 1 : 0;
  }
}

}  // namespace

void runAgreement(int count, int seed) {
  std::printf(
      "agreement, poses a fifth each apart, near, touching, shallow, deep; collide: poses in which the answers\n"
      "differ (within rounding, theirs wrong, ours wrong, not decided), without their answer; their largest\n"
      "errors of distance and depth, and how many are above 1e-4 m; last by how much our\n"
      "distances and depths may be off by the independent proof, how many by more than 1e-10 m, and how far our\n"
      "points are off the bodies\n");
  QueryWorkspace workspace;
  for (int kindA = 0; kindA < kKinds; ++kindA)
    for (int kindB = kindA; kindB < kKinds; ++kindB) {
      RandomStream random(static_cast<std::uint64_t>(seed),
                          "agreement " + std::to_string(kindA) + " " + std::to_string(kindB));
      Row rows[2];
      Proof proof;
      std::string name;
      Body a, b;
      for (int i = 0; i < count; ++i) {
        // Meshes first, as FCL wants it.
        if (i % 50 == 0) {
          a = body(kindB, random);
          b = body(kindA, random);
          name = b.name + ", " + a.name;
        }
        const Pose X = pose(a, b, i, random, workspace);
        const bool colliding = collide(*a.ours, X.X_WA, *b.ours, X.X_WB, workspace);
        const DistanceResult ours = distance(*a.ours, X.X_WA, *b.ours, X.X_WB, workspace);
        if (colliding != (ours.distance <= 0) && std::abs(ours.distance) > kRounding) ++rows[0].oursWrong;
        if (ours.distance > kRounding && (a.mesh || b.mesh) && nearerElements(a, b, X, ours)) ++rows[0].oursWrong;
        prove(a, b, X, ours, proof);
        judge(a, b, X, colliding, ours, askFcl(a, b, X), rows[0]);
        if (a.bullet && b.bullet) judge(a, b, X, colliding, ours, askBullet(a, b, X), rows[1]);
      }
      for (int k = 0; k < 2; ++k) {
        const Row& row = rows[k];
        if (row.poses == 0) continue;
        std::printf("%-20s %-6s %6d  %5d (%5d %5d %3d %3d) %5d   %7.1e %5d   %7.1e %5d", name.c_str(),
                    k == 0 ? "FCL" : "Bullet", row.poses, row.differ, row.rounding, row.theirsWrong, row.oursWrong,
                    row.open, row.silent, row.apart, row.apartOff, row.deep, row.deepOff);
        if (k == 0) std::printf("   %7.1e %7.1e %d %7.1e", proof.apart, proof.deep, proof.unproven, proof.points);
        std::printf("\n");
      }
      std::fflush(stdout);
    }
}

}  // namespace mortise::bench
