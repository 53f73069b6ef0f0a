#include "rob_shapes.h"

#include <filesystem>

#include "geom_format.h"
#include "mortise/geometry/compare.h"
#include "off_format.h"
#include "pcd_format.h"
#include "references.h"

namespace mortise::io {

namespace {

namespace fs = std::filesystem;

fs::path resolved(const fs::path& path) {
  std::error_code code;
  fs::path found = fs::weakly_canonical(fs::absolute(path, code), code);
  return code ? path : found;
}

void collectFiles(const GeometryPtr& geometry, std::set<std::string>& files) {
  if (!geometry) return;
  if (!geometry->file().empty()) files.insert(resolved(geometry->file()).string());
  if (const auto* group = geometry->as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts) collectFiles(part, files);
}

/// A name for files: letters, digits, '_' and '-' only.
std::string fileName(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    name += good ? c : '_';
  }
  return name;
}

}  // namespace

ShapeFiles::ShapeFiles(const RobotDescription& robot, WriteContext& context) : context_(context) {
  for (const Link& link : robot.links) collectFiles(link.geometry, taken_);
}

WrittenShape ShapeFiles::write(const Link& link) {
  WrittenShape shape;
  if (!link.geometry || link.geometry->empty()) return shape;
  const Geometry& geometry = *link.geometry;
  if (fileHolds(geometry.file(), link.geometryScale, link.geometryTransform, geometry)) {
    shape.reference = reference(geometry.file());
    shape.placed = true;
    return shape;
  }
  const auto* group = geometry.as<GeometryGroup>();
  if (group == nullptr) {
    shape.reference = writePart(geometry, link.name);
    return shape;
  }
  for (const GeometryPtr& part : group->parts) {
    if (!part || part->empty()) continue;
    std::string file =
        fileHolds(part->file(), 1, AffineMap(), *part) ? reference(part->file()) : writePart(*part, link.name);
    if (shape.reference.empty())
      shape.reference = std::move(file);
    else
      shape.mounts.push_back(std::move(file));
  }
  return shape;
}

bool ShapeFiles::fileHolds(const std::string& file, double scale, const AffineMap& map, const Geometry& geometry) {
  if (file.empty()) return false;
  Diagnostics ignored;
  try {
    GeometryPtr held = context_.loader.geometry(file, {}, ignored);
    if (ignored.hasErrors() || !held) return false;
    if (scale != 1) held = held->transformed(AffineMap::scaling(Vector3d::Constant(scale)));
    if (!map.isIdentity()) held = held->transformed(map);
    return sameShape(*held->withMargin(geometry.margin()), geometry);
  } catch (const Error&) {
    return false;  // The file is gone; what it held is still in memory.
  }
}

/// Relative to the robot's folder, unless the two have nothing but the root of the disk in common.
std::string ShapeFiles::reference(const std::string& file) const {
  const fs::path target = resolved(file);
  const fs::path folder = resolved(context_.path).parent_path();
  const fs::path relative = target.lexically_relative(folder);
  auto a = target.begin(), b = folder.begin();
  int common = 0;
  for (; a != target.end() && b != folder.end() && *a == *b; ++a, ++b) ++common;
  return common > 1 && !relative.empty() ? relative.string() : target.string();
}

std::string ShapeFiles::writePart(const Geometry& geometry, const std::string& link) {
  const std::string extension = geometry.as<TriangleMesh>() ? ".off" : geometry.as<PointCloud>() ? ".pcd" : ".geom";
  const fs::path folder = fs::path(context_.path).parent_path();
  const std::string base = fileName(stemOf(context_.path)) + "_" + fileName(link);
  fs::path path = folder / (base + extension);
  for (int number = 2; taken_.count(resolved(path).string()) > 0; ++number)
    path = folder / (base + "_" + std::to_string(number) + extension);
  taken_.insert(resolved(path).string());
  if (extension == ".off")
    OffFormat().writeGeometry(geometry, path.string());
  else if (extension == ".pcd")
    PcdFormat().writeGeometry(geometry, path.string());
  else
    GeomFormat().writeGeometry(geometry, path.string());
  return path.filename().string();
}

}  // namespace mortise::io
