#include "mortise/geometry/grids/triangle_field.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/geometry/convex/element_cores.h"
#include "mortise/geometry/convex/mesh_recognition.h"

namespace mortise {

namespace {

constexpr int kLeaf = 4;

double squaredToBox(const Vector3d& p, const Vector3d& low, const Vector3d& high) {
  return (low - p).cwiseMax(p - high).cwiseMax(0).squaredNorm();
}

}  // namespace

TriangleField::TriangleField(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (!mesh.vertices[i].allFinite())
      throw Error("vertex " + std::to_string(i) + " is not finite", {}, "repair the mesh");
  mesh_ = weldedMesh(mesh);
  if (mesh_.triangles.empty()) throw Error("the mesh has no triangles", {}, "");
  closed_ = isClosed(mesh_);
  const auto vertex = [&](int v) -> const Vector3d& { return mesh_.vertices[static_cast<std::size_t>(v)]; };
  vertexNormals_.assign(mesh_.vertices.size(), Vector3d::Zero());
  std::map<std::pair<int, int>, Vector3d> edges;
  InterruptionPoints points;
  for (const auto& t : mesh_.triangles) {
    points.pass();
    const Vector3d n = (vertex(t[1]) - vertex(t[0])).cross(vertex(t[2]) - vertex(t[0]));
    const double length = n.norm();
    faceNormals_.push_back(length > 0 ? Vector3d(n / length) : Vector3d::Zero());
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3d u = vertex(t[(i + 1) % 3]) - vertex(t[i]), v = vertex(t[(i + 2) % 3]) - vertex(t[i]);
      const double angle = std::atan2(u.cross(v).norm(), u.dot(v));
      vertexNormals_[static_cast<std::size_t>(t[i])] += angle * faceNormals_.back();
      edges.emplace(std::minmax(t[i], t[(i + 1) % 3]), Vector3d::Zero()).first->second += faceNormals_.back();
    }
  }
  for (const auto& t : mesh_.triangles) {
    points.pass();
    std::array<Vector3d, 3> normals;
    for (std::size_t i = 0; i < 3; ++i) normals[i] = edges.at(std::minmax(t[i], t[(i + 1) % 3]));
    edgeNormals_.push_back(normals);
  }
  order_.resize(mesh_.triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.emplace_back();
  build(0, 0, static_cast<int>(order_.size()));
}

void TriangleField::build(int at, int begin, int end) {
  interruptionPoint();
  AxisAlignedBounds bounds, centers;
  const auto center = [&](int triangle) -> Vector3d {
    Vector3d sum = Vector3d::Zero();
    for (const int v : mesh_.triangles[static_cast<std::size_t>(triangle)])
      sum += mesh_.vertices[static_cast<std::size_t>(v)];
    return sum / 3;
  };
  for (int i = begin; i < end; ++i) {
    const int triangle = order_[static_cast<std::size_t>(i)];
    for (const int v : mesh_.triangles[static_cast<std::size_t>(triangle)])
      bounds.include(mesh_.vertices[static_cast<std::size_t>(v)]);
    centers.include(center(triangle));
  }
  Node& node = nodes_[static_cast<std::size_t>(at)];
  node.low = bounds.min;
  node.high = bounds.max;
  if (end - begin <= kLeaf) {
    node.first = begin;
    node.count = end - begin;
    return;
  }
  int axis = 0;
  (centers.max - centers.min).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
    const double x = center(a)[axis], y = center(b)[axis];
    return x < y || (x == y && a < b);
  });
  const int child = static_cast<int>(nodes_.size());
  node.first = child;
  nodes_.resize(nodes_.size() + 2);
  build(child, begin, middle);
  build(child + 1, middle, end);
}

TriangleField::Nearest TriangleField::nearest(const Vector3d& point) const {
  Nearest best;
  best.squared = std::numeric_limits<double>::infinity();
  best.point = point;
  int stack[128], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[static_cast<std::size_t>(stack[--depth])];
    if (squaredToBox(point, node.low, node.high) >= best.squared) continue;
    if (node.count == 0) {
      const Node &a = nodes_[static_cast<std::size_t>(node.first)],
                 &b = nodes_[static_cast<std::size_t>(node.first + 1)];
      const bool firstNearer = squaredToBox(point, a.low, a.high) <= squaredToBox(point, b.low, b.high);
      stack[depth++] = node.first + (firstNearer ? 1 : 0);
      stack[depth++] = node.first + (firstNearer ? 0 : 1);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int triangle = order_[static_cast<std::size_t>(i)];
      const auto& t = mesh_.triangles[static_cast<std::size_t>(triangle)];
      ElementFeature feature;
      const Vector3d p = nearestOnTriangle(mesh_.vertices[static_cast<std::size_t>(t[0])],
                                           mesh_.vertices[static_cast<std::size_t>(t[1])],
                                           mesh_.vertices[static_cast<std::size_t>(t[2])], point, feature);
      const double squared = (p - point).squaredNorm();
      if (!(squared < best.squared)) continue;
      best = {squared, triangle, p, static_cast<int>(feature.kind), feature.index};
    }
  }
  return best;
}

double TriangleField::distance(const Vector3d& point) const { return std::sqrt(nearest(point).squared); }

double TriangleField::signedDistance(const Vector3d& point) const {
  const Nearest n = nearest(point);
  const auto triangle = static_cast<std::size_t>(n.triangle);
  const auto kind = static_cast<FeatureKind>(n.kind);
  const auto index = static_cast<std::size_t>(n.index);
  const Vector3d& normal = kind == FeatureKind::face ? faceNormals_[triangle]
                           : kind == FeatureKind::edge
                               ? edgeNormals_[triangle][index]
                               : vertexNormals_[static_cast<std::size_t>(mesh_.triangles[triangle][index])];
  const double distance = std::sqrt(n.squared);
  return normal.dot(point - n.point) < 0 ? -distance : distance;
}

}  // namespace mortise
