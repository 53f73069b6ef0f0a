#pragma once

#include <string>
#include <vector>

#include "mortise/component/file_format.h"

namespace mortise::io_assimp {

/// Extensions of the formats that are refused unless MORTISE_ASSIMP_ALLOW names them.
std::vector<std::string> unsafeExtensions();

/// Meshes that have no reader of our own, through Assimp: COLLADA, glTF, FBX, 3DS and so on. One mesh gives a triangle
/// mesh, several a group, in the order of the scene; the transforms of the nodes are applied, and equal vertices become
/// one. Read as a library, each mesh keeps its material, texture coordinates and colors. Points, lines, bones and
/// animations are passed over.
///
/// Axes and units, so that robots load as in Klamp't and ROS:
/// - COLLADA: the coordinates as they stand in the file, whatever `up_axis` says, times its `unit`;
/// - glTF (.gltf, .glb): Y is up in the file by its definition and becomes Z: (x, y, z) -> (x, -z, y); meters;
/// - everything else: the numbers as they stand in the file. Where an FBX file declares another unit than meters or
///   another axis up than Z, a note says so.
///
/// Assimp reads in a child process with limits of memory and time, since damaged files make it crash or take all
/// memory. Formats on which it crashes even when they are in order are refused: `unsafeExtensions`.
class AssimpFormat final : public FileFormat {
 public:
  Resource read(FileContent content, ReadContext& context) override;
};

}  // namespace mortise::io_assimp
