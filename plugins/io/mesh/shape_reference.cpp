#include "mesh/shape_reference.h"

#include <filesystem>

#include "cloud/pcd_format.h"
#include "mesh/geom_format.h"
#include "mesh/group_format.h"
#include "mesh/off_format.h"
#include "mortise/geometry/compare.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/packages.h"

namespace mortise::io {

namespace {

namespace fs = std::filesystem;

const char* extensionFor(const Geometry& geometry) {
  const std::string_view type = geometry.typeName();
  if (type == "TriangleMesh") return ".off";
  if (type == "PointCloud") return ".pcd";
  return type == "GeometricPrimitive" ? ".geom" : ".group";
}

}  // namespace

std::string resolvedPath(const std::string& path) {
  std::error_code code;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, code), code);
  return code ? path : found.string();
}

std::string referenceFrom(const std::string& newFile, const std::string& path) {
  const fs::path target = resolvedPath(path);
  const fs::path folder = fs::path(resolvedPath(newFile)).parent_path();
  const fs::path relative = target.lexically_relative(folder);
  auto a = target.begin(), b = folder.begin();
  int common = 0;
  for (; a != target.end() && b != folder.end() && *a == *b; ++a, ++b) ++common;
  return common > 1 && !relative.empty() ? relative.string() : target.string();
}

std::string visualReference(const std::string& reference, const LinkVisual& visual, const std::string& newFile,
                            ResourceLoader& loader) {
  if (!visual.packageRoot.empty())
    for (const std::string& candidate : candidatesBelowRoot(reference, visual.file, visual.packageRoot)) {
      std::error_code code;
      if (fs::exists(candidate, code)) return referenceFrom(newFile, candidate);
    }
  try {
    return referenceFrom(newFile, loader.find(reference, visual.file));
  } catch (const Error&) {
    return reference;
  }
}

bool fileHolds(ResourceLoader& loader, const std::string& file, double scale, const AffineMap& map,
               const Geometry& geometry) {
  if (file.empty()) return false;
  Diagnostics ignored;
  try {
    GeometryPtr held = loader.load<GeometryPtr>(file, {}, ignored);
    if (ignored.hasErrors() || !held) return false;
    if (scale != 1) held = transformed(*held, AffineMap::scaling(Vector3d::Constant(scale)));
    if (!map.isIdentity()) held = transformed(*held, map);
    return sameShape(*held->withMargin(geometry.margin()), geometry);
  } catch (const Error&) {
    return false;  // The file is gone; what it held is still in memory.
  }
}

void collectFiles(const GeometryPtr& geometry, std::set<std::string>& files) {
  if (!geometry) return;
  if (!geometry->file().empty()) files.insert(resolvedPath(geometry->file()));
  if (const auto* group = geometry->as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts) collectFiles(part, files);
}

std::string writeShape(const Geometry& geometry, const std::string& base, std::set<std::string>& taken) {
  const std::string extension = extensionFor(geometry);
  std::string path = base + extension;
  for (int number = 2; taken.count(resolvedPath(path)) > 0; ++number)
    path = base + "_" + std::to_string(number) + extension;
  taken.insert(resolvedPath(path));
  if (extension == ".off")
    OffFormat().writeGeometry(geometry, path);
  else if (extension == ".pcd")
    PcdFormat().writeGeometry(geometry, path);
  else if (extension == ".geom")
    GeomFormat().writeGeometry(geometry, path);
  else
    GroupFormat().writeGeometry(geometry, path);
  return path;
}

std::string plainFileName(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    name += good ? c : '_';
  }
  return name;
}

}  // namespace mortise::io
