#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "mortise/appearance/visual_library.h"
#include "mortise/component/file_format.h"

namespace mortise::io {

/// A color out of three or four numbers: whole numbers count to 255, others to 1.
Rgba colorFromNumbers(std::span<const double> numbers, bool integers);

/// Finds the image that a mesh refers to from `where` in `context`, whose place is `reference` as written. What is
/// missing is warned of, and empty.
std::string findTexture(const std::string& reference, const std::string& referringFile, const SourcePosition& where,
                        ReadContext& context);

/// Puts corners together to triangles; corners that agree in everything share a vertex.
class AppearanceBuilder {
 public:
  struct Corner {
    int place = 0;        ///< Of the list of places.
    int coordinate = -1;  ///< Of the list of texture coordinates; -1: none.
    int color = -1;       ///< Of the list of colors; -1: none.
    auto operator<=>(const Corner&) const = default;
  };

  std::vector<Vector3d> places;
  std::vector<Eigen::Vector2f> coordinates;
  std::vector<Rgba> colors;

  /// Adds a polygon as a fan around its first corner.
  void addPolygon(std::span<const Corner> corners);
  /// Returns all that was added since the last time.
  VisualMeshData take();

 private:
  int vertex(const Corner& corner);

  VisualMeshData data_;
  std::map<Corner, int> known_;
  bool textured_ = false, colored_ = false;
};

}  // namespace mortise::io
