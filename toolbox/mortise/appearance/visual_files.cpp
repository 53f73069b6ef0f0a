#include "mortise/appearance/visual_files.h"

#include <algorithm>
#include <filesystem>

#include "mortise/appearance/texture.h"
#include "mortise/appearance/visual_library.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/modeling/packages.h"
#include "mortise/text/normalize.h"

namespace mortise {

namespace {

thread_local VisualFiles* current = nullptr;

/// Formats of shapes and nothing else: such files need not be searched for looks.
bool holdsShapesAlone(const std::string& path) {
  const std::string extension = lowerCase(std::filesystem::path(path).extension().string());
  for (const char* plain : {"", ".stl", ".tri", ".geom", ".group", ".pcd", ".vol", ".sdf", ".occ", ".json"})
    if (extension == plain) return true;
  return false;
}

/// Nearly the same place, up to the rounding of maps.
bool nearlyEqual(const AxisAlignedBounds& a, const AxisAlignedBounds& b) {
  if (a.empty() || b.empty()) return false;
  const double size = (b.max - b.min).norm() + b.max.cwiseAbs().maxCoeff();
  return (a.min - b.min).norm() <= 1e-5 * size && (a.max - b.max).norm() <= 1e-5 * size;
}

SourcePosition positionOf(const LinkVisual& visual) {
  SourcePosition where = inFile(visual.file);
  where.line = visual.line;
  return where;
}

}  // namespace

VisualFilesScope::VisualFilesScope(VisualFiles& files) : outer_(current) { current = &files; }
VisualFilesScope::VisualFilesScope(ResourceLoader* loader, LogSink& log) : outer_(current) {
  if (outer_ != nullptr || loader == nullptr) return;
  own_.emplace(*loader, [&log](const std::string& message) { log.write(LogLevel::warning, "mortise", message); });
  current = &*own_;
}
VisualFilesScope::~VisualFilesScope() { current = outer_; }
VisualFiles* currentVisualFiles() { return current; }

VisualFiles::VisualFiles(ResourceLoader& loader, Warn warn) : loader_(loader), warn_(std::move(warn)) {}

void VisualFiles::warn(const std::string& message) {
  if (said_.insert(message).second && warn_) warn_(message);
}

void VisualFiles::know(const GeometryPtr& geometry, VisualShapePtr appearance, bool isDefault) {
  if (isDefault) defaults_.insert(&geometry->data());
  known_[&geometry->data()] = {geometry, std::move(appearance)};
}

std::string VisualFiles::findMesh(const LinkVisual& visual) {
  if (!visual.packageRoot.empty() && visual.mesh.starts_with(kPackagePrefix))
    for (const std::string& candidate : candidatesBelowRoot(visual.mesh, visual.file, visual.packageRoot)) {
      std::error_code code;
      if (std::filesystem::exists(candidate, code)) return candidate;
    }
  return loader_.find(visual.mesh, visual.file);
}

VisualFiles::Content VisualFiles::mesh(const LinkVisual& visual) {
  const SourcePosition where = positionOf(visual);
  try {
    return read(findMesh(visual), where);
  } catch (const Error& error) {
    warn(Error("the visual mesh '" + visual.mesh + "' is not drawn: " + error.message(), where, error.hint()).what());
    return {};
  }
}

VisualFiles::Content VisualFiles::read(const std::string& path, const SourcePosition& where) {
  if (const auto known = contents_.find(path); known != contents_.end()) return known->second;
  Content& content = contents_[path];
  content.appearance = readAppearance(path);
  if (content.appearance != nullptr) return content;
  Diagnostics diagnostics;
  try {
    content.geometry = loader_.load<GeometryPtr>(path, {}, diagnostics);
    diagnostics.throwIfErrors();
  } catch (const Error& error) {
    content.geometry = nullptr;
    warn(Error("the visual mesh '" + path + "' is not drawn: " + error.message(),
               error.where().known() ? error.where() : where, error.hint())
             .what());
  }
  return content;
}

VisualShapePtr VisualFiles::readAppearance(const std::string& path) {
  if (holdsShapesAlone(path)) return nullptr;
  if (const auto known = appearances_.find(path); known != appearances_.end()) return known->second;
  VisualShapePtr& appearance = appearances_[path];
  Diagnostics diagnostics;
  std::vector<VisualPart> parts;
  try {
    if (loader_.contentOf(path) != FileContent::geometry) return nullptr;
    parts = partsFrom(loader_.load<ResourceLibrary>(path, {}, diagnostics));
  } catch (const Error&) {
    return nullptr;  // Who reads it as a shape says what is wrong.
  }
  for (const Diagnostic& said : diagnostics.all())
    if (said.severity != Severity::note) warn(Error(said.message, said.where, said.hint).what());
  VisualShape shape;
  for (VisualPart& part : parts) {
    VisualMesh mesh;
    if (part.color || !part.textureFile.empty() || !part.textureBytes.empty()) {
      mesh.material.emplace();
      if (part.color) mesh.material->color = *part.color;
      try {
        if (!part.textureBytes.empty()) mesh.material->texture = textureFrom(std::move(part.textureBytes));
      } catch (const Error& error) {
        warn(Error("a texture is not drawn: " + error.message(), inFile(path), error.hint()).what());
      }
      if (!part.textureFile.empty()) mesh.material->texture = readTexture(part.textureFile, inFile(path));
      if (part.data.textureCoordinates.empty()) mesh.material->texture = nullptr;
    }
    mesh.data = std::make_shared<const VisualMeshData>(std::move(part.data));
    shape.push_back(std::move(mesh));
  }
  if (!shape.empty()) appearance = std::make_shared<const VisualShape>(std::move(shape));
  return appearance;
}

VisualShapePtr VisualFiles::appearanceOf(const GeometryPtr& geometry, const AffineMap& map) {
  if (const auto known = known_.find(&geometry->data()); known != known_.end()) return known->second.second;
  if (geometry->file().empty()) return nullptr;
  const VisualShapePtr appearance = readAppearance(geometry->file());
  const auto saysMore = [](const VisualMesh& mesh) { return mesh.material.has_value() || !mesh.data->colors.empty(); };
  if (appearance == nullptr || std::none_of(appearance->begin(), appearance->end(), saysMore)) return nullptr;
  auto mapped = map.isIdentity() ? appearance : std::make_shared<const VisualShape>(transformed(*appearance, map));
  if (!nearlyEqual(boundsOf(*mapped), geometry->bounds())) return nullptr;
  known_[&geometry->data()] = {geometry, mapped};
  return mapped;
}

TexturePtr VisualFiles::texture(const std::string& reference, const SourcePosition& where) {
  try {
    return readTexture(loader_.find(reference, where.file), where);
  } catch (const Error& error) {
    warn(Error("the texture '" + reference + "' is not drawn: " + error.message(), where, error.hint()).what());
    return nullptr;
  }
}

TexturePtr VisualFiles::readTexture(const std::string& path, const SourcePosition& where) {
  if (const auto known = textures_.find(path); known != textures_.end()) return known->second;
  TexturePtr& texture = textures_[path];
  try {
    texture = textureFrom(readFile(path));
  } catch (const Error& error) {
    warn(Error("the texture '" + path + "' is not drawn: " + error.message(), where, error.hint()).what());
  }
  return texture;
}

}  // namespace mortise
