#pragma once

/// Meshes with their looks as a library of resources, which is how formats give them: a file of meshes that is read as
/// a library. Of each mesh a shape comes first, called `mesh`: triangles, or a cloud of points. What belongs to it
/// follows: `colors` (matrix: a row a vertex, red, green, blue and opacity from 0 to 1), `texture_coordinates` (matrix:
/// u and v a vertex, from the upper left corner), `color` (numbers: red, green, blue, opacity) and `texture`: a list of
/// the image's bytes, or nothing in it and the image's file as the file of the item. A file that says nothing but
/// shapes gives an empty library.

#include "mortise/appearance/visual_mesh.h"
#include "mortise/component/resource.h"

namespace mortise {

/// A mesh as its file has it: textures may stand in files of their own.
struct VisualPart {
  VisualMeshData data;
  std::optional<Rgba> color;
  std::string textureFile;   ///< Path as found; empty: none, or `textureBytes`.
  std::string textureBytes;  ///< Of an image within the file.
};

ResourceLibrary libraryOf(const std::vector<VisualPart>& parts);
/// Throws `Error` for a library that does not hold together: lists of other lengths, corners that do not exist.
std::vector<VisualPart> partsFrom(const ResourceLibrary& library);

}  // namespace mortise
