#include "mortise/geometry/remesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/geometry/convex/convex_element.h"

namespace mortise {

namespace {

constexpr std::size_t kMaxTriangles = 10'000'000;

void checkLength(double length, const char* what) {
  if (!(length > 0) || !std::isfinite(length))
    throw Error(std::string("the ") + what + " is " + std::to_string(length) + " m", {}, "give a positive length");
}

using Cell = std::array<std::int64_t, 3>;

Cell cellOf(const Vector3d& p, double size) {
  Cell cell;
  for (int a = 0; a < 3; ++a) {
    const double at = std::floor(p[a] / size);
    if (!(std::abs(at) < 9e15))
      throw Error("a point at " + std::to_string(p[a]) + " m is in no cell of " + std::to_string(size) + " m", {},
                  "give a larger cell, or repair the shape");
    cell[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(at);
  }
  return cell;
}

template <typename Keep>
PointCloud picked(const PointCloud& cloud, const Keep& keep) {
  PointCloud result;
  for (const auto& property : cloud.properties) result.properties.push_back({property.name, {}});
  InterruptionPoints passes;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    passes.pass();
    if (!keep(cloud.points[i])) continue;
    result.points.push_back(cloud.points[i]);
    for (std::size_t k = 0; k < cloud.properties.size(); ++k)
      result.properties[k].values.push_back(cloud.properties[k].values[i]);
  }
  return result;
}

template <typename Keep>
TriangleMesh pickedTriangles(const TriangleMesh& mesh, const Keep& keep) {
  TriangleMesh result{mesh.vertices, {}};
  InterruptionPoints passes;
  for (const auto& t : mesh.triangles) {
    passes.pass();
    const auto corner = [&](std::size_t i) -> const Vector3d& { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    if (keep(ConvexElement::triangle(corner(0), corner(1), corner(2)))) result.triangles.push_back(t);
  }
  return withoutUnusedVertices(result);
}

}  // namespace

TriangleMesh withoutUnusedVertices(const TriangleMesh& mesh) {
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles)
    for (const int v : t) number[static_cast<std::size_t>(v)] = 0;
  TriangleMesh result;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(mesh.vertices[i]);
  }
  for (const auto& t : mesh.triangles)
    result.triangles.push_back({number[static_cast<std::size_t>(t[0])], number[static_cast<std::size_t>(t[1])],
                                number[static_cast<std::size_t>(t[2])]});
  return result;
}

namespace {

/// Adds the parts of a triangle whose edges are cut at `m`, -1: not. `length` is that between two vertices.
template <typename Length>
void addDivided(const std::array<int, 3>& t, const int (&m)[3], const Length& length,
                std::vector<std::array<int, 3>>& triangles) {
  const int cuts = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0);
  if (cuts == 0) {
    triangles.push_back(t);
  } else if (cuts == 3) {
    triangles.push_back({t[0], m[0], m[2]});
    triangles.push_back({m[0], t[1], m[1]});
    triangles.push_back({m[2], m[1], t[2]});
    triangles.push_back({m[0], m[1], m[2]});
  } else {
    // Turned so that the first edge is cut and, of two, the last is not.
    std::size_t r = 0;
    while (m[r] < 0 || (cuts == 2 && m[(r + 2) % 3] >= 0)) ++r;
    const int a = t[r], b = t[(r + 1) % 3], c = t[(r + 2) % 3], ab = m[r], bc = m[(r + 1) % 3];
    if (cuts == 1) {
      triangles.push_back({a, ab, c});
      triangles.push_back({ab, b, c});
    } else {
      triangles.push_back({ab, b, bc});
      // The shorter diagonal of what remains.
      if (length(a, bc) < length(ab, c)) {
        triangles.push_back({a, ab, bc});
        triangles.push_back({a, bc, c});
      } else {
        triangles.push_back({a, ab, c});
        triangles.push_back({ab, bc, c});
      }
    }
  }
}

}  // namespace

TriangleMesh refined(const TriangleMesh& original, double longestEdge) {
  checkLength(longestEdge, "longest edge");
  // No triangle with such edges is larger than an equilateral one.
  double minimum = 0;
  for (const auto& t : original.triangles) {
    const Vector3d &a = original.vertices[static_cast<std::size_t>(t[0])],
                   &b = original.vertices[static_cast<std::size_t>(t[1])],
                   &c = original.vertices[static_cast<std::size_t>(t[2])];
    minimum += 0.5 * (b - a).cross(c - a).norm() / (0.4330127018922193 * longestEdge * longestEdge);
  }
  const auto tooMany = [&] {
    throw Error("edges of " + std::to_string(longestEdge) + " m take more than 10 million triangles", {},
                "give a greater length");
  };
  if (minimum > static_cast<double>(kMaxTriangles)) tooMany();
  TriangleMesh mesh = original;
  for (;;) {
    // The longest edges first: half as long as the longest of all, so that triangles do not become slivers.
    double longest = 0;
    const auto length = [&](int a, int b) {
      return (mesh.vertices[static_cast<std::size_t>(a)] - mesh.vertices[static_cast<std::size_t>(b)]).norm();
    };
    for (const auto& t : mesh.triangles)
      for (std::size_t e = 0; e < 3; ++e) longest = std::max(longest, length(t[e], t[(e + 1) % 3]));
    if (!(longest > longestEdge)) return mesh;
    if (!std::isfinite(longest)) throw Error("a vertex of the mesh is not finite", {}, "repair the mesh");
    const double divide = std::max(longestEdge, 0.5 * longest);
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      if (!(length(a, b) > divide)) return -1;
      const auto [at, fresh] = middles.emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (fresh)
        mesh.vertices.push_back(
            0.5 * (mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)]));
      return at->second;
    };
    std::vector<std::array<int, 3>> triangles;
    triangles.reserve(mesh.triangles.size() * 2);
    InterruptionPoints points;
    for (const auto& t : mesh.triangles) {
      points.pass();
      const int m[3] = {middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])};
      addDivided(t, m, length, triangles);
    }
    if (triangles.size() > kMaxTriangles) tooMany();
    mesh.triangles = std::move(triangles);
  }
}

TriangleMesh clustered(const TriangleMesh& mesh, double cell) {
  checkLength(cell, "size of a cell");
  std::map<Cell, int> cells;
  std::vector<int> number, members;
  TriangleMesh result;
  InterruptionPoints passes;
  for (const Vector3d& v : mesh.vertices) {
    passes.pass();
    const auto [at, fresh] = cells.emplace(cellOf(v, cell), static_cast<int>(result.vertices.size()));
    if (fresh) {
      result.vertices.push_back(Vector3d::Zero());
      members.push_back(0);
    }
    number.push_back(at->second);
    result.vertices[static_cast<std::size_t>(at->second)] += v;
    ++members[static_cast<std::size_t>(at->second)];
  }
  for (std::size_t i = 0; i < result.vertices.size(); ++i) result.vertices[i] /= members[i];
  std::map<std::array<int, 3>, bool> seen;
  for (const auto& t : mesh.triangles) {
    passes.pass();
    std::array<int, 3> c;
    for (std::size_t i = 0; i < 3; ++i) c[i] = number[static_cast<std::size_t>(t[i])];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    // The same corners in the same sense of turning are the same triangle.
    std::array<int, 3> key = c;
    std::rotate(key.begin(), std::min_element(key.begin(), key.end()), key.end());
    if (seen.emplace(key, true).second) result.triangles.push_back(c);
  }
  return withoutUnusedVertices(result);
}

std::vector<SliceChain> sliced(const TriangleMesh& mesh, const Vector3d& normal, double offset) {
  if (!(normal.norm() > 0)) throw Error("the normal of a plane has no length", {}, "give a vector that is not zero");
  std::vector<double> height;
  for (const Vector3d& v : mesh.vertices) height.push_back(normal.dot(v) - offset);
  // Corners in the plane count as above it: then each triangle is cut along one segment or not at all, and neighbors
  // agree about the edge that they share.
  const auto above = [&](int v) { return height[static_cast<std::size_t>(v)] >= 0; };
  using Edge = std::pair<int, int>;
  std::map<Edge, std::vector<Edge>> next;
  std::map<Edge, int> arrivals;
  InterruptionPoints passes;
  for (const auto& t : mesh.triangles) {
    passes.pass();
    const int count = above(t[0]) + above(t[1]) + above(t[2]);
    if (count == 0 || count == 3) continue;
    Edge down, up;  // Crossed on the way round from above to below, and back.
    for (std::size_t e = 0; e < 3; ++e) {
      const int a = t[e], b = t[(e + 1) % 3];
      if (above(a) && !above(b)) down = std::minmax(a, b);
      if (!above(a) && above(b)) up = std::minmax(a, b);
    }
    next[down].push_back(up);
    ++arrivals[up];
  }
  const auto point = [&](const Edge& e) -> Vector3d {
    const double a = height[static_cast<std::size_t>(e.first)], b = height[static_cast<std::size_t>(e.second)];
    const Vector3d &p = mesh.vertices[static_cast<std::size_t>(e.first)],
                   &q = mesh.vertices[static_cast<std::size_t>(e.second)];
    return p + (a / (a - b)) * (q - p);
  };
  std::vector<SliceChain> chains;
  const auto follow = [&](const Edge& start) {
    SliceChain chain;
    Edge at = start;
    chain.points.push_back(point(at));
    for (;;) {
      const auto found = next.find(at);
      if (found == next.end() || found->second.empty()) break;
      at = found->second.front();
      found->second.erase(found->second.begin());
      if (at == start) {
        chain.closed = true;
        break;
      }
      if (const Vector3d p = point(at); p != chain.points.back()) chain.points.push_back(p);
    }
    if (chain.closed && chain.points.size() > 1 && chain.points.front() == chain.points.back()) chain.points.pop_back();
    if (chain.points.size() > 1) chains.push_back(std::move(chain));
  };
  for (const auto& [edge, targets] : next) {
    // Open chains from their ends.
    const int surplus = static_cast<int>(targets.size()) - (arrivals.count(edge) ? arrivals[edge] : 0);
    for (int i = 0; i < surplus; ++i) follow(edge);
  }
  for (const auto& [edge, targets] : next)
    while (!targets.empty()) follow(edge);
  return chains;
}

PointCloud sliced(const PointCloud& cloud, const Vector3d& normal, double offset, double thickness) {
  const double length = normal.norm();
  if (!(length > 0)) throw Error("the normal of a plane has no length", {}, "give a vector that is not zero");
  return picked(cloud, [&](const Vector3d& p) { return std::abs(normal.dot(p) - offset) <= thickness * length; });
}

TriangleMesh within(const TriangleMesh& mesh, const AxisAlignedBounds& box, bool invert) {
  const auto element =
      ConvexElement::box(RigidTransform::translation(0.5 * (box.min + box.max)), 0.5 * (box.max - box.min));
  return pickedTriangles(mesh,
                         [&](const ConvexElement& t) { return (!box.empty() && overlap(t, element, {})) != invert; });
}

PointCloud within(const PointCloud& cloud, const AxisAlignedBounds& box, bool invert) {
  return picked(cloud, [&](const Vector3d& p) {
    return ((p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all()) != invert;
  });
}

TriangleMesh within(const TriangleMesh& mesh, const Vector3d& center, double distance, bool invert) {
  return pickedTriangles(
      mesh, [&](const ConvexElement& t) { return (pointSeparation(t, center).distance <= distance) != invert; });
}

PointCloud within(const PointCloud& cloud, const Vector3d& center, double distance, bool invert) {
  return picked(cloud, [&](const Vector3d& p) { return ((p - center).norm() <= distance) != invert; });
}

PointCloud thinned(const PointCloud& cloud, double cell) {
  checkLength(cell, "size of a cell");
  std::map<Cell, bool> seen;
  return picked(cloud, [&](const Vector3d& p) { return seen.emplace(cellOf(p, cell), true).second; });
}

}  // namespace mortise
