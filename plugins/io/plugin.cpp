#include "mortise/plugin/plugin.h"

#include "geom_format.h"
#include "motion_formats.h"
#include "off_format.h"
#include "rigid_object_format.h"
#include "rob_format.h"
#include "stl_format.h"
#include "wavefront_format.h"
#include "world_format.h"

MORTISE_PLUGIN("mortise_io", "0.1.0") {
  using namespace mortise::io;

  plugin.format<WorldFormat>("mortise.World")
      .alias("world")
      .summary("Klamp't's world files (.xml).")
      .extensions({"xml"})
      .reads({"world"});
  plugin.format<RobFormat>("mortise.Rob")
      .alias("rob")
      .summary("Klamp't's robot files (.rob).")
      .extensions({"rob"})
      .reads({"robot"});
  plugin.format<RigidObjectFormat>("mortise.RigidObject")
      .summary("Klamp't's rigid objects (.obj that is not a Wavefront mesh).")
      .extensions({"obj"})
      .reads({"rigid_object"});
  plugin.format<TerrainFormat>("mortise.Terrain")
      .summary("Klamp't's terrains (.env).")
      .extensions({"env"})
      .reads({"terrain"});

  plugin.format<OffFormat>("mortise.Off")
      .alias("off")
      .summary("Object File Format triangle meshes (.off).")
      .extensions({"off"})
      .reads({"geometry"});
  plugin.format<WavefrontFormat>("mortise.Wavefront")
      .alias("wavefront")
      .summary("Wavefront OBJ triangle meshes.")
      .extensions({"obj"})
      .reads({"geometry"});
  plugin.format<StlFormat>("mortise.Stl")
      .alias("stl")
      .summary("Stereolithography meshes (.stl), ASCII and binary.")
      .extensions({"stl"})
      .reads({"geometry"});
  plugin.format<GeomFormat>("mortise.Geom")
      .alias("geom")
      .summary("Klamp't's geometric primitives (.geom).")
      .extensions({"geom"})
      .reads({"geometry"});

  plugin.format<ConfigurationFormat>("mortise.Configuration")
      .summary("One configuration (.config).")
      .extensions({"config"})
      .reads({"configuration"})
      .writes({"configuration"});
  plugin.format<PathFormat>("mortise.Path")
      .summary("Timed configurations (.path), also from .txt.")
      .extensions({"path", "txt"})
      .reads({"trajectory"})
      .writes({"trajectory"});
  plugin.format<ConfigurationListFormat>("mortise.Configurations")
      .summary("Configurations without times (.configs), read one second apart.")
      .extensions({"configs"})
      .reads({"trajectory"});
  plugin.format<MilestoneFormat>("mortise.Milestones")
      .summary("Configurations and velocities without times (.milestones), read one second apart.")
      .extensions({"milestones"})
      .reads({"trajectory"});
}
