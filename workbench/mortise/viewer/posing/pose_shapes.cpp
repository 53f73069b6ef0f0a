// Requests of pages about shapes among the resources.

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/remesh.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/shape_mesh.h"

namespace mortise::viewer {

namespace {

constexpr int kMaxTriangles = 100000;  ///< That a page is sent at once.

const Geometry& shapeAt(const Poser& poser, std::size_t resource) {
  const auto* shape = std::get_if<GeometryPtr>(&poser.resource(resource).value);
  if (shape == nullptr || !*shape || (*shape)->empty())
    throw Error(std::string(contentName(contentOf(poser.resource(resource).value))) + " is no shape", {},
                "keep a geometry first");
  return **shape;
}

}  // namespace

void PoseSession::on(const message::Simplify& m, Turn& turn) {
  const Geometry& shape = shapeAt(poser_, m.at());
  const double cell = m.cell.value_or(facetSize(shape));
  if (!(cell > 0))
    throw Error("a mesh is simplified in cells of a size above 0 m, not " + formatReal(cell) + " m", {},
                "give 'cell' the size in meters of the smallest detail that is to stay");
  const TriangleMesh mesh = shownMesh(shape);
  TriangleMesh coarse = clustered(mesh, cell);
  if (coarse.triangles.empty())
    throw Error("nothing of the mesh is left with cells of this size", {}, "choose smaller ones");
  turn.result.text =
      std::to_string(coarse.triangles.size()) + " of " + std::to_string(mesh.triangles.size()) + " triangles are left";
  poser_.replace(m.at(), {poser_.resource(m.at()).name, "",
                          GeometryPtr(std::make_shared<Geometry>(std::move(coarse), shape.margin()))});
}

/// Tells the triangles of a shape, for the page to draw.
void PoseSession::on(const message::Mesh& m, Turn& turn) {
  const TriangleMesh mesh = shownMesh(shapeAt(poser_, m.at()));
  if (mesh.triangles.size() > kMaxTriangles)
    throw Error("the mesh has " + std::to_string(mesh.triangles.size()) + " triangles, too many to be shown here", {},
                "simplify it first");
  message::Triangles& out = turn.result.mesh.emplace();
  for (const Vector3d& p : mesh.vertices) out.points.insert(out.points.end(), p.begin(), p.end());
  for (const auto& triangle : mesh.triangles)
    out.triangles.insert(out.triangles.end(), triangle.begin(), triangle.end());
}

}  // namespace mortise::viewer
