#include "mesh/stl_format.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/geometry_text.h"
#include "mesh/mesh_builder.h"
#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

constexpr std::size_t kHeader = 80, kFacet = 50;

void readBinary(const std::string& path, const std::string& bytes, std::uint32_t count, TriangleMesh& mesh) {
  TriangleJoiner<float> joiner(mesh, count);
  constexpr std::uint32_t kBatch = 16;
  std::array<Eigen::Vector3f, std::size_t{3} * kBatch> corners;
  for (std::uint32_t first = 0; first < count; first += kBatch) {
    const std::uint32_t end = std::min(count, first + kBatch);
    for (std::uint32_t i = first; i < end; ++i) {
      // Normal first, which follows from the corners and is often wrong.
      Eigen::Vector3f* const points = corners.data() + 3 * (i - first);
      std::memcpy(static_cast<void*>(points), bytes.data() + kHeader + 4 + i * kFacet + 12, 3 * sizeof(*points));
      for (int k = 0; k < 3; ++k)
        if (!points[k].allFinite())
          throw Error("facet " + std::to_string(i) + " has a coordinate that is not finite", inFile(path));
    }
    joiner.add(std::span<const Eigen::Vector3f>(corners.data(), 3 * (end - first)));
  }
}

void readAscii(const TextFile& file, TriangleMesh& mesh) {
  TriangleJoiner<double> joiner(mesh);
  Cursor cursor(file);
  cursor.skipLine();  // "solid" and a name
  Vector3d corners[3];
  int numCorners = 0;
  bool closed = false;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    const std::string_view keyword = cursor.word();
    if (keyword == "vertex") {
      if (numCorners == 3) throw Error("a facet has more than three vertices", file.position(begin));
      double p[3];
      if (!plainNumbers(cursor, p))
        for (double& number : p) number = cursor.finite("a vertex coordinate");
      corners[numCorners++] = Vector3d(p[0], p[1], p[2]);
    } else if (keyword == "endfacet") {
      if (numCorners != 3)
        throw Error("a facet has " + std::to_string(numCorners) + " vertices instead of three", file.position(begin));
      joiner.add(corners);
      numCorners = 0;
    } else if (keyword == "facet" || keyword == "solid" || keyword == "endsolid") {
      closed = keyword == "endsolid";
      cursor.skipLine();
    } else if (keyword != "outer" && keyword != "loop" && keyword != "endloop") {
      throw Error("'" + std::string(keyword.substr(0, 40)) + "' is not an STL keyword", file.position(begin));
    }
  }
  if (!closed) throw Error("the file ends before 'endsolid'", file.position(file.text().size()), "it may be cut off");
}

}  // namespace

GeometryPtr StlFormat::readGeometry(ReadContext& context) {
  const std::shared_ptr<const std::string> content = context.content();
  const std::string& bytes = *content;
  TriangleMesh mesh;
  // Some binary files begin with "solid" as well, so the size decides.
  std::uint32_t count = 0;
  if (bytes.size() >= kHeader + 4) std::memcpy(&count, bytes.data() + kHeader, 4);
  const bool fits = bytes.size() >= kHeader + 4 && (bytes.size() - kHeader - 4) / kFacet >= count;
  // Some of those have nothing but their header.
  const bool headerAlone = bytes.size() == kHeader && bytes.find("facet") == std::string::npos &&
                           bytes.find("endsolid") == std::string::npos;
  const bool exact = fits && bytes.size() == kHeader + 4 + kFacet * std::size_t{count};
  if (exact || (fits && bytes.compare(0, 5, "solid") != 0)) {
    readBinary(context.path, bytes, count, mesh);
  } else if (!headerAlone && bytes.compare(0, 5, "solid") == 0) {
    readAscii(TextFile(context.path, content), mesh);
  } else if (headerAlone) {
    context.diagnostics.warning("the file ends behind its header; it is read as a mesh without triangles",
                                inFile(context.path), "it may have been cut off");
  } else if (bytes.size() < kHeader + 4) {
    throw Error("not an STL file: it is shorter than a header and does not begin with 'solid'", inFile(context.path));
  } else {
    throw Error("the header promises " + std::to_string(count) + " facets, the file has room for " +
                    std::to_string((bytes.size() - kHeader - 4) / kFacet),
                inFile(context.path), "the file may have been cut off");
  }
  return std::make_shared<Geometry>(std::move(mesh), 0, context.path);
}

void StlFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  const TriangleMesh mesh = meshToWrite(geometry, path);
  std::string bytes(kHeader, '\0');
  bytes.reserve(kHeader + 4 + kFacet * mesh.triangles.size());
  InterruptionPoints points;
  appendBytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    points.pass();
    const Vector3d &a = mesh.vertices[static_cast<std::size_t>(t[0])],
                   &b = mesh.vertices[static_cast<std::size_t>(t[1])],
                   &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    const Vector3d normal = (b - a).cross(c - a).stableNormalized();
    for (const Vector3d& v : {normal, a, b, c}) {
      if (!v.cast<float>().allFinite())
        throw Error("a coordinate is too large for the single precision of STL", inFile(path),
                    "write .off or .ply, or scale the shape");
      for (int i = 0; i < 3; ++i) appendBytes(bytes, static_cast<float>(v[i]));
    }
    appendBytes(bytes, std::uint16_t{0});
  }
  writeFile(path, bytes);
}

void StlFormat::reportRounding(const Geometry& geometry, WriteContext& context) {
  double maximum = 0;
  for (const Vector3d& p : meshToWrite(geometry, context.path).vertices)
    maximum = std::max(maximum, (p.cast<float>().cast<double>() - p).cwiseAbs().maxCoeff());
  if (maximum > 0)
    context.diagnostics.note("STL holds single precision: coordinates are rounded by up to " + formatReal(maximum, 2),
                             inFile(context.path), "write .off or .ply to keep every digit");
}

}  // namespace mortise::io
