#include "urdf/urdf_shapes.h"

#include <filesystem>

#include "common/references.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/packages.h"

namespace mortise::io {

namespace {

namespace fs = std::filesystem;

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
  for (const std::string& candidate : candidatesBelowRoot(reference, context.path, klampt.packageRoot)) {
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

/// From a shape's own frame to the link's.
AffineMap mapOf(const UrdfShape& shape, const UrdfKlampt& klampt) {
  AffineMap map(shape.X_LS);
  if (shape.mesh.empty()) return map;
  if (shape.scale != Vector3d::Ones()) map = map * AffineMap::scaling(shape.scale);
  if (klampt.flipYz) map = map * flipYz();
  return map;
}

/// Sets the kind and the size of a primitive, which the parser centers; what lies elsewhere is moved by the map.
void describePrimitive(const Geometry::Data& primitive, LinkVisual& visual) {
  if (const auto* box = std::get_if<AxisAlignedBoxShape>(&primitive)) {
    visual.kind = LinkVisual::Kind::box;
    visual.size = box->max - box->min;
  } else if (const auto* sphere = std::get_if<SphereShape>(&primitive)) {
    visual.kind = LinkVisual::Kind::sphere;
    visual.size = Vector3d(sphere->radius, 0, 0);
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&primitive)) {
    visual.kind = LinkVisual::Kind::cylinder;
    visual.size = Vector3d(cylinder->radius, cylinder->height, 0);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&primitive)) {
    visual.kind = LinkVisual::Kind::capsule;
    visual.size = Vector3d(capsule->radius, (capsule->b - capsule->a).norm(), 0);
  } else if (const auto* plane = std::get_if<BoxShape>(&primitive)) {
    visual.kind = LinkVisual::Kind::box;
    visual.size = plane->size;
    visual.map = visual.map * AffineMap(plane->X * RigidTransform::translation(0.5 * plane->size));
  }
}

}  // namespace

std::vector<LinkVisual> visualsOf(const UrdfLink& link, const UrdfKlampt& klampt, const std::string& file) {
  std::vector<LinkVisual> visuals;
  for (const UrdfShape& shape : link.visuals) {
    LinkVisual visual;
    visual.map = mapOf(shape, klampt);
    visual.file = file;
    visual.line = shape.position.line;
    visual.mesh = shape.mesh;
    if (shape.mesh.empty())
      describePrimitive(shape.primitive, visual);
    else if (shape.mesh.starts_with(kPackagePrefix))
      visual.packageRoot = klampt.packageRoot;
    if (shape.material) {
      visual.color = shape.material->color;
      visual.texture = shape.material->texture;
    }
    visuals.push_back(std::move(visual));
  }
  return visuals;
}

void loadUrdfShapes(const std::vector<UrdfShape>& shapes, const UrdfKlampt& klampt, ReadContext& context, Link& link) {
  for (const UrdfShape& shape : shapes) {
    const AffineMap map = mapOf(shape, klampt);
    loadReference(context.diagnostics, shape.position, [&] {
      GeometryPtr part;
      if (shape.mesh.empty()) {
        part = transformed(Geometry(shape.primitive), map);
      } else {
        part = context.loader.load<GeometryPtr>(findMesh(shape, klampt, context), context.path, context.diagnostics);
        if (!map.isIdentity()) part = transformed(*part, map);
      }
      link.geometry = unionOf(link.geometry, part);
      return true;
    });
  }
  if (shapes.size() == 1 && !shapes[0].mesh.empty()) {
    link.geometryFile = shapes[0].mesh;
    link.geometryTransform = mapOf(shapes[0], klampt);
  }
}

}  // namespace mortise::io
