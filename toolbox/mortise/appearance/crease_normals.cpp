#include "mortise/appearance/crease_normals.h"

#include <Eigen/Geometry>
#include <cmath>
#include <map>

namespace mortise {

namespace {

/// Where more faces meet, each keeps its own normal: comparing all with all would take too long.
constexpr std::size_t kMostFaces = 256;

struct FaceNormal {
  Vector3d unit;
  double area;
};

std::vector<FaceNormal> faceNormals(const TriangleMesh& mesh) {
  std::vector<FaceNormal> faces;
  faces.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    const Vector3d& a = mesh.vertices[static_cast<std::size_t>(t[0])];
    const Vector3d cross =
        (mesh.vertices[static_cast<std::size_t>(t[1])] - a).cross(mesh.vertices[static_cast<std::size_t>(t[2])] - a);
    const double area = cross.norm();
    if (area > 0 && std::isfinite(area))
      faces.push_back({cross / area, area});
    else
      faces.push_back({Vector3d::Zero(), 0});
  }
  return faces;
}

/// The faces around each place; vertices at one place are one.
struct Places {
  std::vector<std::size_t> of;  ///< By vertex.
  std::vector<std::vector<std::size_t>> faces;
};

Places vertexPlaces(const TriangleMesh& mesh) {
  Places places;
  std::map<std::array<double, 3>, std::size_t> known;
  for (const Vector3d& v : mesh.vertices)
    places.of.push_back(known.try_emplace({v[0], v[1], v[2]}, known.size()).first->second);
  places.faces.resize(known.size());
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f)
    for (const int v : mesh.triangles[f]) places.faces[places.of[static_cast<std::size_t>(v)]].push_back(f);
  return places;
}

}  // namespace

std::vector<std::array<Eigen::Vector3f, 3>> creasedNormals(const TriangleMesh& mesh, double crease) {
  const std::vector<FaceNormal> faces = faceNormals(mesh);
  const Places places = vertexPlaces(mesh);
  const double cosine = std::cos(crease) - 1e-9;
  std::vector<std::array<Eigen::Vector3f, 3>> normals(mesh.triangles.size());
  for (std::size_t f = 0; f < normals.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& around = places.faces[places.of[static_cast<std::size_t>(mesh.triangles[f][k])]];
      Vector3d sum = faces[f].area * faces[f].unit;
      if (around.size() <= kMostFaces && faces[f].area > 0)
        for (const std::size_t other : around)
          if (other != f && faces[other].unit.dot(faces[f].unit) >= cosine)
            sum += faces[other].area * faces[other].unit;
      const double length = sum.norm();
      normals[f][k] = (length > 0 ? Vector3d(sum / length) : faces[f].unit).cast<float>();
    }
  return normals;
}

}  // namespace mortise
