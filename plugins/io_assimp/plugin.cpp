#include "mortise/plugin/plugin.h"

#include "assimp_format.h"

MORTISE_PLUGIN("mortise_io_assimp", "0.1.0") {
  using namespace mortise::io_assimp;

  plugin.format<AssimpFormat>("mortise.Assimp")
      .alias("assimp")
      .summary("Meshes through Assimp: COLLADA (.dae), glTF (.gltf, .glb), FBX, 3DS, X3D, Blender and more.")
      .extensions({"dae", "gltf", "glb", "fbx", "3ds", "x3d", "blend", "dxf", "3mf", "amf", "ase", "ac", "lwo", "x",
                   "ms3d", "b3d", "cob", "q3o", "nff"})
      .attribute("extensions_on_request", mortise::Value(unsafeExtensions()))
      .reads({mortise::FileContent::geometry, mortise::FileContent::library});
}
