#include "mesh/geometry_formats.h"

#include "cloud/heightmap_format.h"
#include "cloud/pcd_format.h"
#include "cloud/volume_format.h"
#include "mesh/geom_format.h"
#include "mesh/group_format.h"
#include "mesh/off_format.h"
#include "mesh/ply_format.h"
#include "mesh/stl_format.h"
#include "mesh/tri_format.h"
#include "mesh/wavefront_format.h"

namespace mortise::io {

namespace {

void declareCloudsAndGrids(PluginBuilder& plugin) {
  using enum FileContent;
  plugin.format<PcdFormat>("mortise.Pcd")
      .alias("pcd")
      .summary("Point Cloud Library point clouds (.pcd), text and binary.")
      .extensions({"pcd"})
      .reads({geometry})
      .writes({geometry});
  plugin.format<ImplicitSurfaceFormat>("mortise.ImplicitSurface")
      .alias("implicit_surface")
      .summary("Klamp't's implicit surfaces on a grid (.vol, .sdf).")
      .extensions({"vol", "sdf"})
      .reads({geometry})
      .writes({geometry});
  plugin.format<OccupancyGridFormat>("mortise.OccupancyGrid")
      .alias("occupancy_grid")
      .summary("Klamp't's occupancy grids (.occ).")
      .extensions({"occ"})
      .reads({geometry})
      .writes({geometry});
  plugin.format<HeightmapFormat>("mortise.Heightmap")
      .alias("heightmap")
      .summary("Klamp't's heightmaps (.json with an image of the heights).")
      .extensions({"json"})
      .reads({geometry})
      .writes({geometry});
}

}  // namespace

void declareGeometryFormats(PluginBuilder& plugin) {
  using enum FileContent;
  plugin.format<OffFormat>("mortise.Off")
      .alias("off")
      .summary("Object File Format triangle meshes (.off), with their colors.")
      .extensions({"off"})
      .reads({geometry, library})
      .writes({geometry});
  plugin.format<WavefrontFormat>("mortise.Wavefront")
      .alias("wavefront")
      .summary("Wavefront OBJ triangle meshes, with their materials (.mtl) and textures.")
      .extensions({"obj"})
      .reads({geometry, library})
      .writes({geometry});
  plugin.format<StlFormat>("mortise.Stl")
      .alias("stl")
      .summary("Stereolithography meshes (.stl), ASCII and binary.")
      .extensions({"stl"})
      .reads({geometry})
      .writes({geometry});
  plugin.format<PlyFormat>("mortise.Ply")
      .alias("ply")
      .summary("Polygon files (.ply), text and binary: meshes with their colors, and point clouds.")
      .extensions({"ply"})
      .reads({geometry, library})
      .writes({geometry});
  plugin.format<TriFormat>("mortise.Tri")
      .alias("tri")
      .summary("Klamp't's triangle meshes (.tri).")
      .extensions({"tri"})
      .reads({geometry})
      .writes({geometry});
  plugin.format<GeomFormat>("mortise.Geom")
      .alias("geom")
      .summary("Klamp't's geometric primitives (.geom).")
      .extensions({"geom"})
      .reads({geometry})
      .writes({geometry});
  plugin.format<GroupFormat>("mortise.Group")
      .alias("group")
      .summary("Klamp't's groups of shapes (.group).")
      .extensions({"group"})
      .reads({geometry})
      .writes({geometry});
  declareCloudsAndGrids(plugin);
}

}  // namespace mortise::io
