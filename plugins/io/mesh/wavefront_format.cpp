#include "mesh/wavefront_format.h"

#include <algorithm>
#include <array>

#include "common/geometry_text.h"
#include "mesh/mesh_builder.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

constexpr std::array<std::string_view, 24> kKeywords = {
    "v",      "vn",  "vt",   "vp",    "f",    "l",    "p",    "o",    "g",   "s",          "mtllib",    "usemtl",
    "cstype", "deg", "curv", "curv2", "surf", "parm", "trim", "hole", "end", "shadow_obj", "trace_obj", "lod"};

/// Faces may point back from the end: -1 is the last vertex so far.
int resolveIndex(int index, std::size_t count) {
  if (index > 0) return index - 1;
  return static_cast<int>(count) + index;
}

}  // namespace

bool resemblesWavefront(std::string_view head) {
  if (isUtf16(head)) return false;  // Reading says what is wrong.
  const TextFile file("", std::string(head));
  Cursor cursor(file);
  const std::string_view keyword = cursor.word();
  return std::find(kKeywords.begin(), kKeywords.end(), keyword) != kKeywords.end();
}

double WavefrontFormat::probe(std::string_view, std::string_view head) const {
  return resemblesWavefront(head) ? 0.9 : 0.05;
}

GeometryPtr WavefrontFormat::readGeometry(ReadContext& context) {
  const TextFile file = TextFile(context.path, context.content()).withLinesJoined();
  Cursor cursor(file);
  TriangleMesh mesh;
  std::vector<int> corners;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    const std::string_view keyword = cursor.word();
    if (keyword == "v") {
      double p[3];
      if (!plainNumbers(cursor, p))
        for (double& number : p) number = cursor.finite("a vertex coordinate");
      mesh.vertices.emplace_back(p[0], p[1], p[2]);
    } else if (keyword == "f") {
      corners.clear();
      for (;;) {
        if (!cursor.skipBlank()) break;
        const std::size_t at = cursor.offset();
        const std::string_view corner = cursor.wordOnLine();
        const auto index = parseInteger(corner.substr(0, corner.find('/')));
        const int vertex = index && *index != 0 ? resolveIndex(*index, mesh.vertices.size()) : -1;
        if (vertex < 0 || vertex >= static_cast<int>(mesh.vertices.size()))
          throw Error("'" + std::string(corner.substr(0, 40)) + "' names no vertex; there are " +
                          std::to_string(mesh.vertices.size()) + " so far",
                      file.position(at));
        corners.push_back(vertex);
      }
      if (corners.size() < 3) throw Error("a face needs at least three corners", file.position(begin));
      addPolygon(corners, mesh);
    } else if (std::find(kKeywords.begin(), kKeywords.end(), keyword) == kKeywords.end()) {
      throw Error("'" + std::string(keyword.substr(0, 40)) + "' is not a Wavefront keyword", file.position(begin),
                  resemblesWavefront(file.text())
                      ? ""
                      : "a rigid object of Klamp't has the same extension; use it as an object");
    }
    // Whatever else stands on the line: weights, colors, the arguments of keywords passed over.
    cursor.skipLine();
  }
  joinVertices(mesh);
  if (mesh.triangles.empty()) throw Error("the file holds no faces", inFile(context.path));
  return std::make_shared<Geometry>(std::move(mesh), 0, context.path);
}

void WavefrontFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  const TriangleMesh mesh = meshToWrite(geometry, path);
  GeometryText text;
  for (const Vector3d& p : mesh.vertices) text.word("v").vector(p).endLine();
  for (const auto& t : mesh.triangles) text.word("f").integer(t[0] + 1).integer(t[1] + 1).integer(t[2] + 1).endLine();
  writeFile(path, text.take());
}

}  // namespace mortise::io
