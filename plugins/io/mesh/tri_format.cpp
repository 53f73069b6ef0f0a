#include "mesh/tri_format.h"

#include <algorithm>

#include "common/geometry_text.h"
#include "mesh/mesh_builder.h"
#include "mortise/base/files.h"

namespace mortise::io {

void readTriangles(const TextFile& file, Cursor& cursor, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  const int numVertices = readCount(file, cursor, "vertices", kShortestVertex);
  mesh.vertices.reserve(mesh.vertices.size() + static_cast<std::size_t>(numVertices));
  for (int i = 0; i < numVertices; ++i) {
    double p[3];
    if (!plainNumbers(cursor, p))
      for (double& number : p) number = cursor.finite("a vertex coordinate");
    mesh.vertices.emplace_back(p[0], p[1], p[2]);
  }
  const int numTriangles = readCount(file, cursor, "triangles", kShortestVertex);
  mesh.triangles.reserve(mesh.triangles.size() + static_cast<std::size_t>(numTriangles));
  for (int i = 0; i < numTriangles; ++i) {
    const Cursor line = cursor;
    int corners[3];
    if (plainNumbers(cursor, corners) && std::max({corners[0], corners[1], corners[2]}) < numVertices) {
      for (int& corner : corners) corner += first;
      addPolygon(corners, mesh);
      continue;
    }
    cursor = line;
    for (int& corner : corners) {
      cursor.skipSpace();
      const std::size_t at = cursor.offset();
      const int vertex = cursor.integer("a vertex index");
      if (vertex < 0 || vertex >= numVertices)
        throw Error("triangle " + std::to_string(i) + " names vertex " + std::to_string(vertex) + "; there are " +
                        std::to_string(numVertices),
                    file.position(at));
      corner = vertex + first;
    }
    addPolygon(corners, mesh);
  }
}

GeometryPtr TriFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  Cursor cursor(file);
  TriangleMesh mesh;
  do readTriangles(file, cursor, mesh);
  while (cursor.skipSpace());
  return std::make_shared<Geometry>(std::move(mesh), 0, context.path);
}

void TriFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  GeometryText text;
  text.mesh(meshToWrite(geometry, path));
  writeFile(path, text.take());
}

}  // namespace mortise::io
