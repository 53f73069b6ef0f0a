#pragma once

/// The files that say what bodies look like. They are read when somebody draws a world, never before.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "mortise/appearance/visual_mesh.h"
#include "mortise/base/log.h"
#include "mortise/component/file_format.h"
#include "mortise/modeling/link_visuals.h"

namespace mortise {

/// Reads meshes with their colors and textures through the formats that a loader knows, each file once. A file that is
/// missing, or that cannot be read, is said once and is not drawn. Belongs to one thread.
class VisualFiles {
 public:
  /// Takes a sentence with file and line.
  using Warn = std::function<void(const std::string&)>;
  /// `loader` outlives this.
  VisualFiles(ResourceLoader& loader, Warn warn);

  /// The content of a file: a shape, and its appearance where the file says more than that.
  struct Content {
    GeometryPtr geometry;       ///< Null where `look` is enough.
    VisualShapePtr appearance;  ///< Null: the file holds nothing but a shape.
    bool empty() const { return geometry == nullptr && appearance == nullptr; }
  };
  /// The mesh that a visual shape of a link refers to, as the file has it.
  Content mesh(const LinkVisual& visual);
  /// The appearance in the file of a shape, mapped as the shape is; null where it says nothing, or where the shape is
  /// no longer that of its file.
  VisualShapePtr appearanceOf(const GeometryPtr& geometry, const AffineMap& map);
  /// An image, by the reference as written at `where`; null when there is none.
  TexturePtr texture(const std::string& reference, const SourcePosition& where);

  /// Sets the appearance of `geometry`, whatever its file says: for worlds out of logs. `isDefault`: nobody says a
  /// color, and what it has is a default.
  void know(const GeometryPtr& geometry, VisualShapePtr appearance, bool isDefault = false);
  /// Says whether the color of a known shape is a default.
  bool isDefaultColor(const GeometryPtr& geometry) const { return defaults_.contains(&geometry->data()); }
  /// Says it unless it was said before.
  void warn(const std::string& message);

 private:
  Content read(const std::string& path, const SourcePosition& where);
  VisualShapePtr readAppearance(const std::string& path);
  TexturePtr readTexture(const std::string& path, const SourcePosition& where);
  std::string findMesh(const LinkVisual& visual);

  ResourceLoader& loader_;
  Warn warn_;
  std::map<std::string, Content> contents_;                              ///< By path.
  std::map<std::string, VisualShapePtr> appearances_;                    ///< By path.
  std::map<std::string, TexturePtr> textures_;                           ///< By path.
  std::map<const void*, std::pair<GeometryPtr, VisualShapePtr>> known_;  ///< By shape; looked up, never walked through.
  std::set<const void*> defaults_;  ///< Known shapes without a color that anybody says; looked up.
  std::set<std::string> said_;
};

/// Those by which worlds are drawn on this thread as long as the scope lasts. Sensors and recorders, which get nothing
/// but a world, find them here; without any, they draw collision shapes.
class VisualFilesScope {
 public:
  explicit VisualFilesScope(VisualFiles& files);
  /// Files through `loader`, warnings to `log`, both of which outlive the scope; where a scope is open already, or
  /// where `loader` is null, it changes nothing.
  VisualFilesScope(ResourceLoader* loader, LogSink& log);
  ~VisualFilesScope();
  VisualFilesScope(const VisualFilesScope&) = delete;
  VisualFilesScope& operator=(const VisualFilesScope&) = delete;

 private:
  std::optional<VisualFiles> own_;
  VisualFiles* outer_;
};
VisualFiles* currentVisualFiles();

}  // namespace mortise
