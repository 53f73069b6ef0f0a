#include "mortise/appearance/visual_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <unordered_map>

#include "mortise/appearance/drawn_shape.h"
#include "mortise/hash/hash.h"

namespace mortise {

namespace {

/// A vertex where more faces meet gets each face's own normal: comparing all with all would take too long.
constexpr std::size_t kMaxFaces = 256;

struct PlaceHash {
  std::size_t operator()(const std::array<double, 3>& place) const {
    std::uint64_t hash = kWyhashSecret[0];
    for (const double x : place) hash = foldedProduct(hash ^ std::bit_cast<std::uint64_t>(x), kWyhashSecret[1]);
    return static_cast<std::size_t>(hash);
  }
};

/// The number of each vertex's place; files repeat vertices where colors or texture coordinates part.
std::vector<int> placesOf(const std::vector<Vector3d>& vertices, int& count) {
  std::unordered_map<std::array<double, 3>, int, PlaceHash> known;
  known.reserve(vertices.size());
  std::vector<int> places;
  places.reserve(vertices.size());
  count = 0;
  for (const Vector3d& v : vertices) {
    // Adding 0 turns -0 into 0.
    const auto [at, isNew] = known.try_emplace({v[0] + 0.0, v[1] + 0.0, v[2] + 0.0}, count);
    if (isNew) ++count;
    places.push_back(at->second);
  }
  return places;
}

/// Faces around each place, one after another.
struct Faces {
  std::vector<int> begin, face;
};

Faces facesAround(const VisualMeshData& mesh, const std::vector<int>& places, int count) {
  Faces faces;
  faces.begin.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const auto& t : mesh.triangles)
    for (const int v : t) ++faces.begin[static_cast<std::size_t>(places[static_cast<std::size_t>(v)]) + 1];
  for (std::size_t i = 1; i < faces.begin.size(); ++i) faces.begin[i] += faces.begin[i - 1];
  faces.face.resize(3 * mesh.triangles.size());
  std::vector<int> next(faces.begin.begin(), faces.begin.end() - 1);
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f)
    for (const int v : mesh.triangles[f])
      faces.face[static_cast<std::size_t>(next[static_cast<std::size_t>(places[static_cast<std::size_t>(v)])]++)] =
          static_cast<int>(f);
  return faces;
}

class CreaseNormals {
 public:
  CreaseNormals(const VisualMeshData& mesh, double crease) : mesh_(mesh), cosine_(std::cos(crease) - 1e-9) {
    int count = 0;
    places_ = placesOf(mesh.vertices, count);
    faces_ = facesAround(mesh, places_, count);
    for (const auto& t : mesh.triangles) {
      const Vector3d& a = mesh.vertices[static_cast<std::size_t>(t[0])];
      const Vector3d cross =
          (mesh.vertices[static_cast<std::size_t>(t[1])] - a).cross(mesh.vertices[static_cast<std::size_t>(t[2])] - a);
      const double area = cross.norm();
      const bool flat = area > 0 && std::isfinite(area);
      areas_.push_back(flat ? area : 0);
      normals_.push_back(flat ? Vector3d(cross / area) : Vector3d(Vector3d::Zero()));
    }
  }

  VisualMeshData split() const {
    VisualMeshData out;
    out.triangles.reserve(mesh_.triangles.size());
    // The copies of each vertex of the mesh: the first one, and of each copy the next one; -1: none.
    std::vector<int> first(mesh_.vertices.size(), -1), next;
    for (std::size_t f = 0; f < mesh_.triangles.size(); ++f) {
      std::array<int, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<std::size_t>(mesh_.triangles[f][k]);
        const Eigen::Vector3f normal = normalAt(f, static_cast<std::size_t>(places_[v])).cast<float>();
        // Where very many faces meet, all copies are made: comparing each with each would take too long.
        const bool crowded = facesAt(static_cast<std::size_t>(places_[v])) > kMaxFaces;
        int copy = crowded ? -1 : first[v];
        while (copy >= 0 && out.normals[static_cast<std::size_t>(copy)] != normal)
          copy = next[static_cast<std::size_t>(copy)];
        if (copy < 0) {
          copy = static_cast<int>(out.vertices.size());
          append(v, normal, out);
          next.push_back(first[v]);
          first[v] = copy;
        }
        corners[k] = copy;
      }
      out.triangles.push_back(corners);
    }
    return out;
  }

 private:
  void append(std::size_t vertex, const Eigen::Vector3f& normal, VisualMeshData& out) const {
    out.vertices.push_back(mesh_.vertices[vertex]);
    out.normals.push_back(normal);
    if (!mesh_.textureCoordinates.empty()) out.textureCoordinates.push_back(mesh_.textureCoordinates[vertex]);
    if (!mesh_.colors.empty()) out.colors.push_back(mesh_.colors[vertex]);
  }

  std::size_t facesAt(std::size_t place) const {
    return static_cast<std::size_t>(faces_.begin[place + 1] - faces_.begin[place]);
  }

  Vector3d normalAt(std::size_t face, std::size_t place) const {
    const auto begin = static_cast<std::size_t>(faces_.begin[place]),
               end = static_cast<std::size_t>(faces_.begin[place + 1]);
    const Vector3d& own = normals_[face];
    if (own.isZero(0)) return firstNormal(begin, end);
    if (end - begin > kMaxFaces) return own;
    Vector3d sum = Vector3d::Zero();
    for (std::size_t i = begin; i < end; ++i) {
      const auto other = static_cast<std::size_t>(faces_.face[i]);
      if (normals_[other].dot(own) >= cosine_) sum += areas_[other] * normals_[other];
    }
    const double length = sum.norm();
    return length > 0 && std::isfinite(length) ? Vector3d(sum / length) : own;
  }

  Vector3d firstNormal(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (const Vector3d& normal = normals_[static_cast<std::size_t>(faces_.face[i])]; !normal.isZero(0)) return normal;
    return Vector3d::UnitZ();
  }

  const VisualMeshData& mesh_;
  double cosine_;
  std::vector<int> places_;  ///< By vertex.
  Faces faces_;              ///< By place.
  std::vector<Vector3d> normals_;
  std::vector<double> areas_;
};

}  // namespace

VisualShape transformed(const VisualShape& shape, const AffineMap& map) {
  if (map.isIdentity()) return shape;
  VisualShape result;
  const bool mirrored = map.A.determinant() < 0;
  for (const VisualMesh& mesh : shape) {
    auto data = std::make_shared<VisualMeshData>(*mesh.data);
    data->normals.clear();
    for (Vector3d& vertex : data->vertices) vertex = map * vertex;
    if (mirrored)
      for (auto& triangle : data->triangles) std::swap(triangle[1], triangle[2]);
    result.push_back({std::move(data), mesh.material});
  }
  return result;
}

AxisAlignedBounds boundsOf(const VisualShape& shape) {
  AxisAlignedBounds bounds;
  for (const VisualMesh& mesh : shape)
    for (const Vector3d& vertex : mesh.data->vertices) bounds.include(vertex);
  return bounds;
}

VisualMeshData withNormals(const VisualMeshData& mesh, double crease) {
  if (mesh.triangles.empty()) return mesh;
  return CreaseNormals(mesh, crease).split();
}

VisualShape visualShapeOf(const Geometry& geometry) {
  DrawnShape drawn = drawnShape(geometry);
  VisualShape shape;
  if (!drawn.mesh.triangles.empty()) {
    auto data = std::make_shared<VisualMeshData>();
    data->vertices = std::move(drawn.mesh.vertices);
    data->triangles = std::move(drawn.mesh.triangles);
    shape.push_back({std::move(data), std::nullopt});
  }
  if (!drawn.points.empty()) {
    auto data = std::make_shared<VisualMeshData>();
    data->vertices = std::move(drawn.points);
    if (drawn.colors.size() == data->vertices.size())
      for (const Color& color : drawn.colors) data->colors.push_back({color[0], color[1], color[2], 1});
    shape.push_back({std::move(data), std::nullopt});
  }
  return shape;
}

}  // namespace mortise
