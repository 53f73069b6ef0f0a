#pragma once

#include <array>
#include <map>
#include <memory>

#include "mortise/appearance/display_color.h"
#include "mortise/appearance/visual_mesh.h"
#include "mortise/images/image_reader.h"

namespace mortise::sensors_embree {

/// The decoded images of textures, each once; null for those that cannot be read.
class TextureImages {
 public:
  using Image = std::shared_ptr<const ColorImage>;
  /// `problem` is what was wrong with an image that is asked for the first time.
  Image of(const TexturePtr& texture, std::string& problem);

 private:
  std::map<TexturePtr, Image> images_;  ///< Looked up, never walked through.
};

/// The colors of a mesh, point by point: its material's, times those of its vertices and of its texture.
class SurfaceColors {
 public:
  SurfaceColors() = default;
  SurfaceColors(const VisualMesh& mesh, TextureImages::Image image);

  /// At barycentric coordinates of a triangle.
  Color at(std::size_t triangle, const std::array<double, 3>& weights) const;

 private:
  VisualMeshDataPtr data_;
  Color base_ = {1, 1, 1};
  TextureImages::Image image_;
};

}  // namespace mortise::sensors_embree
