#include "mortise/plugin/plugin.h"

#include "geometry_formats.h"
#include "motion_formats.h"
#include "rigid_object_format.h"
#include "rob_format.h"
#include "urdf_format.h"
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
      .reads({"robot"})
      .writes({"robot"});
  plugin.format<UrdfFormat>("mortise.Urdf")
      .alias("urdf")
      .summary("URDF robots (.urdf), with Klamp't's <klampt> element.")
      .extensions({"urdf"})
      .reads({"robot"});
  plugin.format<RigidObjectFormat>("mortise.RigidObject")
      .summary("Klamp't's rigid objects (.obj that is not a Wavefront mesh).")
      .extensions({"obj"})
      .reads({"rigid_object"});
  plugin.format<TerrainFormat>("mortise.Terrain")
      .summary("Klamp't's terrains (.env).")
      .extensions({"env"})
      .reads({"terrain"});

  declareGeometryFormats(plugin);

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
