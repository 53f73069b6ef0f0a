#pragma once

/// The `<display>` of worlds: Klamp't's colors, textures, edges and points.

#include <optional>
#include <string>
#include <vector>

#include "mortise/appearance/display_color.h"
#include "mortise/appearance/texture.h"
#include "mortise/appearance/visual_mesh.h"

namespace mortise {

struct DisplayStyle {
  std::optional<Rgba> color;  ///< Of surfaces, with opacity; absent: nothing is said.
  std::optional<Rgba> pointColor;
  double pointSize = 0;  ///< Pixels; 0: nothing is said.
  double edges = 0;      ///< Width of the edges, pixels; 0: none.
  Rgba edgeColor = {0, 0, 0, 1};
  double silhouette = 0;  ///< Width of the outline, pixels; 0: none.
  Rgba silhouetteColor = {0, 0, 0, 1};
  std::string texture;  ///< A name of Klamp't's, or a file as written; empty: none.
  TextureProjection projection = TextureProjection::xy;
  bool fitTexture = false;  ///< The texture is laid over the shape once, however large that is.
  SourcePosition texturePosition;
};

/// Takes in everything that `display` says, later entries after earlier ones; those of other links are passed over when
/// `robot` and `link` are given. What cannot be read or drawn is passed over, and `warn`, if there is one, is told.
DisplayStyle displayStyle(const std::vector<Value>& display, const std::function<void(const std::string&)>& warn,
                          const Robot* robot = nullptr, int link = -1);

/// Says whether an entry of `display` is for this link; true for one that names none.
bool concernsLink(const Value& attributes, const Robot* robot, int link);
/// One to four numbers and more, as a list or as text; empty for anything else.
std::vector<double> displayNumbers(const Value& value);

}  // namespace mortise
