#include "mesh/off_format.h"

#include <algorithm>

#include "common/geometry_text.h"
#include "mesh/mesh_builder.h"
#include "mortise/base/files.h"
#include "text/text_file.h"

namespace mortise::io {

/// "1 0", a face of one corner, and its line end.
constexpr std::size_t kShortestFace = 4;

double OffFormat::probe(std::string_view, std::string_view head) const {
  return head.substr(0, 16).find("OFF") != std::string_view::npos ? 1 : 0.2;
}

GeometryPtr OffFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  Cursor cursor(file);
  cursor.skipSpace();
  const std::size_t start = cursor.offset();
  const std::string_view header = cursor.word();
  if (header.size() < 3 || header.substr(header.size() - 3) != "OFF")
    throw Error("not an OFF file: the first word is '" + std::string(header.substr(0, 20)) + "' instead of OFF",
                file.position(start));
  if (header != "OFF" && header != "COFF" && header != "NOFF" && header != "CNOFF" && header != "STOFF")
    throw Error("this kind of OFF file ('" + std::string(header.substr(0, 20)) + "') is not supported",
                file.position(start), "convert it to plain three-dimensional OFF");

  const int numVertices = readCount(file, cursor, "vertices", kShortestVertex);
  const int numFaces = readCount(file, cursor, "faces", kShortestFace);
  cursor.skipLine();  // The number of edges, which nobody keeps right.

  TriangleMesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(numVertices));
  for (int i = 0; i < numVertices; ++i) {
    double p[3];
    if (!plainNumbers(cursor, p))
      for (double& number : p) number = cursor.finite("a vertex coordinate");
    cursor.skipLine();  // Colors and the like.
    mesh.vertices.emplace_back(p[0], p[1], p[2]);
  }
  mesh.triangles.reserve(static_cast<std::size_t>(numFaces));
  std::vector<int> corners;
  for (int i = 0; i < numFaces; ++i) {
    const Cursor line = cursor;
    if (int plain[3]; cursor.rest().starts_with("3 ")) {
      cursor.skip(2);
      if (plainNumbers(cursor, plain) && std::max({plain[0], plain[1], plain[2]}) < numVertices) {
        addPolygon(plain, mesh);
        cursor.skipLine();
        continue;
      }
      cursor = line;
    }
    cursor.skipSpace();
    const std::size_t begin = cursor.offset();
    const int count = cursor.integer("the number of corners of a face");
    if (count < 1 || static_cast<std::size_t>(count) > cursor.remaining())
      throw Error("face " + std::to_string(i) + " claims " + std::to_string(count) + " corners", file.position(begin));
    corners.clear();
    for (int k = 0; k < count; ++k) {
      const std::size_t at = cursor.offset();
      const int vertex = cursor.integer("a vertex index");
      if (vertex < 0 || vertex >= numVertices)
        throw Error("face " + std::to_string(i) + " names vertex " + std::to_string(vertex) + "; there are " +
                        std::to_string(numVertices),
                    file.position(at + 1));
      corners.push_back(vertex);
    }
    addPolygon(corners, mesh);
    cursor.skipLine();
  }
  joinVertices(mesh);
  return std::make_shared<Geometry>(std::move(mesh), 0, context.path);
}

std::string offText(const TriangleMesh& mesh) {
  GeometryText text;
  text.line("OFF");
  text.integer(mesh.vertices.size()).integer(mesh.triangles.size()).integer(0).endLine();
  for (const Vector3d& p : mesh.vertices) text.vector(p).endLine();
  for (const auto& t : mesh.triangles) text.integer(3).integer(t[0]).integer(t[1]).integer(t[2]).endLine();
  return text.take();
}

void OffFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  writeFile(path, offText(meshToWrite(geometry, path)));
}

}  // namespace mortise::io
