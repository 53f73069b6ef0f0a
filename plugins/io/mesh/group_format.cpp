#include "mesh/group_format.h"

#include <string>
#include <vector>

#include "cloud/heightmap_format.h"
#include "cloud/pcd_format.h"
#include "cloud/volume_format.h"
#include "common/geometry_text.h"
#include "mesh/geom_format.h"
#include "mesh/mesh_builder.h"
#include "mesh/tri_format.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/text/suggest.h"

namespace mortise::io {

namespace {

const std::vector<std::string> kGeometryTypes = {"Primitive",       "ConvexHull",    "TriangleMesh", "PointCloud",
                                                 "ImplicitSurface", "OccupancyGrid", "Heightmap",    "Group"};
constexpr int kDeepest = 32;
/// "Group 0" and its line end.
constexpr std::size_t kShortestPart = 8;

class GroupReader {
 public:
  GroupReader(const TextFile& file, ReadContext& context) : file_(file), context_(context), cursor_(file) {}

  Geometry::Data read() {
    Geometry::Data data = startsWithNumber() ? Geometry::Data(group(0)) : part(0);
    if (cursor_.skipSpace()) context_.diagnostics.warning("what follows the last part is ignored", cursor_.position());
    return data;
  }

 private:
  bool startsWithNumber() {
    const Cursor start = cursor_;
    const bool number = parseInteger(cursor_.word()).has_value();
    cursor_ = start;
    return number;
  }

  GeometryGroup group(int depth) {
    const int count = readCount(file_, cursor_, "parts", kShortestPart);
    GeometryGroup group;
    for (int i = 0; i < count; ++i)
      group.parts.push_back(std::make_shared<Geometry>(part(depth + 1), 0, context_.path));
    return group;
  }

  Geometry::Data part(int depth) {
    cursor_.skipSpace();
    const std::size_t begin = cursor_.offset();
    const std::string type(cursor_.word().substr(0, 40));
    if (depth > kDeepest)
      throw Error("groups are nested deeper than " + std::to_string(kDeepest) + " levels", file_.position(begin));
    if (type == "Primitive") return readPrimitive(file_, cursor_);
    if (type == "TriangleMesh") {
      TriangleMesh mesh;
      readTriangles(file_, cursor_, mesh);
      return mesh;
    }
    if (type == "ConvexHull") return hull();
    if (type == "PointCloud") return readPcd(file_, cursor_, context_.diagnostics);
    if (type == "Heightmap") return heightmap();
    if (type == "Group") return group(depth);
    if (type == "ImplicitSurface") return ImplicitSurfaceShape{readVolume(file_, cursor_)};
    if (type == "OccupancyGrid") return OccupancyGridShape{readVolume(file_, cursor_)};
    if (type.empty()) throw Error("expected the type of a part, found the end of the file", file_.position(begin));
    throw Error("'" + type + "' is not a type of geometry", file_.position(begin),
                suggestAndList(type, kGeometryTypes));
  }

  ConvexHullShape hull() {
    const int count = readCount(file_, cursor_, "points", kShortestVertex);
    ConvexHullShape hull;
    hull.points.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      Vector3d p;
      for (int k = 0; k < 3; ++k) p[k] = cursor_.finite("a coordinate of a point");
      hull.points.push_back(p);
    }
    return hull;
  }

  /// The text from '{' to the '}' that matches it.
  Geometry::Data heightmap() {
    cursor_.skipSpace();
    const std::size_t begin = cursor_.offset();
    const std::string& text = file_.text();
    std::size_t end = begin;
    bool quoted = false;
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (quoted) {
        if (c == '\\')
          ++end;
        else if (c == '"')
          quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth <= 0) {
        ++end;
        break;
      } else if (depth == 0) {
        break;
      }
    }
    end = std::min(end, text.size());
    if (begin == end || text[begin] != '{' || text[end - 1] != '}')
      throw Error("expected the heightmap as a JSON object", file_.position(begin));
    // Blanked lines before it keep the positions in its errors right.
    const SourcePosition where = file_.position(begin);
    std::string json(static_cast<std::size_t>(where.line - 1), '\n');
    json.append(static_cast<std::size_t>(where.column - 1), ' ');
    json.append(text, begin, end - begin);
    cursor_.skip(end - begin);
    return readHeightmap(file_, json, context_);
  }

  const TextFile& file_;
  ReadContext& context_;
  Cursor cursor_;
};

void writePart(const Geometry& geometry, const std::string& path, GeometryText& text) {
  if (const auto* group = geometry.as<GeometryGroup>()) {
    text.line("Group").integer(group->parts.size()).endLine();
    for (const GeometryPtr& part : group->parts) writePart(part ? *part : Geometry(), path, text);
  } else if (const auto* mesh = geometry.as<TriangleMesh>()) {
    text.line("TriangleMesh").mesh(*mesh);
  } else if (const auto* cloud = geometry.as<PointCloud>()) {
    text.line("PointCloud").cloud(*cloud);
  } else if (const auto* hull = geometry.as<ConvexHullShape>()) {
    text.line("ConvexHull").integer(hull->points.size()).endLine();
    for (const Vector3d& p : hull->points) text.vector(p).endLine();
  } else if (const auto* surface = geometry.as<ImplicitSurfaceShape>()) {
    text.line("ImplicitSurface");
    writeVolume(surface->grid, path, text);
  } else if (const auto* cells = geometry.as<OccupancyGridShape>()) {
    text.line("OccupancyGrid");
    writeVolume(cells->grid, path, text);
  } else if (const auto* heights = geometry.as<HeightmapShape>()) {
    text.line("TriangleMesh").mesh(heights->surface());
  } else {
    text.line("Primitive").primitive(geometry, path);
  }
}

}  // namespace

GeometryPtr GroupFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  return std::make_shared<Geometry>(GroupReader(file, context).read(), 0, context.path);
}

void GroupFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  GeometryText text;
  const auto* group = geometry.as<GeometryGroup>();
  text.integer(group ? group->parts.size() : 1).endLine();
  if (!group) {
    writePart(geometry, path, text);
  } else {
    for (const GeometryPtr& part : group->parts) writePart(part ? *part : Geometry(), path, text);
  }
  writeFile(path, text.take());
}

void GroupFormat::reportLosses(const Geometry& geometry, WriteContext& context) const {
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part) reportLosses(*part, context);
  } else if (geometry.as<HeightmapShape>()) {
    context.diagnostics.warning("a group holds no heightmap: it is read back as the mesh of its surface",
                                inFile(context.path), "write it by itself, to .json");
  }
}

}  // namespace mortise::io
