#include "urdf/urdf_shapes.h"

#include <filesystem>

#include "common/references.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/packages.h"

namespace mortise::io {

namespace {

namespace fs = std::filesystem;

/// Returns the places of a package reference below `package_root`: Klamp't puts the name of the package behind it;
/// others give the package itself.
std::vector<std::string> belowRoot(const std::string& reference, const std::string& root, const std::string& file) {
  const std::string inside(insidePackages(reference));
  const fs::path folder = fs::path(file).parent_path() / root;
  std::vector<std::string> candidates = {(folder / inside).lexically_normal().string()};
  const std::size_t slash = inside.find('/');
  if (slash != std::string::npos) candidates.push_back((folder / inside.substr(slash + 1)).lexically_normal().string());
  return candidates;
}

/// Says once a package where its files are taken from when that is no folder of its name.
void noteOtherFolder(const std::string& reference, const std::string& found, const SourcePosition& where,
                     ReadContext& context) {
  const std::string folder = folderInsteadOfPackage(reference, context.path, found);
  if (folder.empty()) return;
  const std::string_view inside = insidePackages(reference);
  const std::string message = "the files of package '" + std::string(inside.substr(0, inside.find('/'))) +
                              "' are taken from '" + folder + "', a folder of another name";
  for (const Diagnostic& said : context.diagnostics.all())
    if (said.message == message) return;
  context.diagnostics.note(message, where, "--package NAME=DIR says where a package is");
}

std::string findMesh(const UrdfShape& shape, const UrdfKlampt& klampt, ReadContext& context) {
  const std::string& reference = shape.mesh;
  if (!reference.starts_with(kPackagePrefix)) return context.loader.find(reference, context.path);
  if (klampt.packageRoot.empty()) {
    std::string found = context.loader.find(reference, context.path);
    noteOtherFolder(reference, found, shape.position, context);
    return found;
  }
  std::string tried;
  for (const std::string& candidate : belowRoot(reference, klampt.packageRoot, context.path)) {
    std::error_code code;
    if (fs::exists(candidate, code)) return candidate;
    tried += (tried.empty() ? "" : ", ") + candidate;
  }
  try {
    return context.loader.find(reference, context.path);
  } catch (const Error& error) {
    throw Error(error.message() + "; below package_root: " + tried, error.where(), error.hint());
  }
}

/// Klamp't's flip_yz, for meshes whose y axis points up.
AffineMap flipYz() {
  AffineMap map;
  map.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return map;
}

}  // namespace

void loadUrdfShapes(const std::vector<UrdfShape>& shapes, const UrdfKlampt& klampt, ReadContext& context, Link& link) {
  for (const UrdfShape& shape : shapes) {
    AffineMap map(shape.X_LS);
    loadReference(context.diagnostics, shape.position, [&] {
      GeometryPtr part;
      if (shape.mesh.empty()) {
        part = transformed(Geometry(shape.primitive), map);
      } else {
        if (shape.scale != Vector3d::Ones()) map = map * AffineMap::scaling(shape.scale);
        if (klampt.flipYz) map = map * flipYz();
        part = context.loader.load<GeometryPtr>(findMesh(shape, klampt, context), context.path, context.diagnostics);
        if (!map.isIdentity()) part = transformed(*part, map);
      }
      link.geometry = unionOf(link.geometry, part);
      return true;
    });
  }
  if (shapes.size() == 1 && !shapes[0].mesh.empty()) {
    AffineMap map(shapes[0].X_LS);
    if (shapes[0].scale != Vector3d::Ones()) map = map * AffineMap::scaling(shapes[0].scale);
    if (klampt.flipYz) map = map * flipYz();
    link.geometryFile = shapes[0].mesh;
    link.geometryTransform = map;
  }
}

}  // namespace mortise::io
