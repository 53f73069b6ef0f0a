// What pages do with shapes among the resources.

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/geometry/remesh.h"
#include "mortise/viewer/posing/message_fields.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/shape_mesh.h"

namespace mortise::viewer {

namespace {

constexpr int kMostTriangles = 100000;  ///< That a page is sent at once.

const Geometry& shapeAt(const Poser& poser, std::size_t resource) {
  const auto* shape = std::get_if<GeometryPtr>(&poser.resource(resource).value);
  if (shape == nullptr || !*shape || (*shape)->empty())
    throw Error(std::string(contentName(contentOf(poser.resource(resource).value))) + " is no shape", {},
                "keep a geometry first");
  return **shape;
}

}  // namespace

void PoseSession::onSimplify(const Value& message, Value& result) {
  const std::size_t at = indexFrom(message, "resource");
  const Geometry& shape = shapeAt(poser_, at);
  const double cell = message.real("cell", facetSize(shape));
  if (!std::isfinite(cell) || !(cell > 0)) throw Error("meshes are simplified with cells of a size above 0 m");
  const TriangleMesh mesh = shownMesh(shape);
  TriangleMesh coarse = clustered(mesh, cell);
  if (coarse.triangles.empty())
    throw Error("nothing of the mesh is left with cells of this size", {}, "choose smaller ones");
  result.set("text", std::to_string(coarse.triangles.size()) + " of " + std::to_string(mesh.triangles.size()) +
                         " triangles are left");
  poser_.replace(
      at, {poser_.resource(at).name, "", GeometryPtr(std::make_shared<Geometry>(std::move(coarse), shape.margin()))});
}

/// The triangles of a shape, for the page to draw.
void PoseSession::onMesh(const Value& message, Value& result) {
  const TriangleMesh mesh = shownMesh(shapeAt(poser_, indexFrom(message, "resource")));
  if (mesh.triangles.size() > kMostTriangles)
    throw Error("the mesh has " + std::to_string(mesh.triangles.size()) + " triangles, too many to be shown here", {},
                "simplify it first");
  std::vector<double> points, corners;
  for (const Vector3d& p : mesh.vertices) points.insert(points.end(), p.begin(), p.end());
  for (const auto& triangle : mesh.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
  Value value = Value::map();
  value.set("points", points);
  value.set("triangles", corners);
  result.set("mesh", std::move(value));
}

}  // namespace mortise::viewer
