#include "mortise/plugin/plugin.h"

#include "mesh/geometry_formats.h"
#include "resource/motion_formats.h"
#include "rob/rob_format.h"
#include "urdf/urdf_format.h"
#include "world/rigid_object_format.h"
#include "world/world_format.h"

MORTISE_PLUGIN("mortise_io", "0.1.0") {
  using namespace mortise::io;
  using enum mortise::FileContent;

  plugin.format<WorldFormat>("mortise.World")
      .alias("world")
      .summary("Klamp't's world files (.xml).")
      .extensions({"xml"})
      .reads({world})
      .writes({world});
  plugin.format<RobFormat>("mortise.Rob")
      .alias("rob")
      .summary("Klamp't's robot files (.rob).")
      .extensions({"rob"})
      .reads({robot})
      .writes({robot});
  plugin.format<UrdfFormat>("mortise.Urdf")
      .alias("urdf")
      .summary("URDF robots (.urdf), with Klamp't's <klampt> element.")
      .settings<UrdfSettings>()
      .extensions({"urdf"})
      .reads({robot})
      .writes({robot});
  plugin.format<RigidObjectFormat>("mortise.RigidObject")
      .summary("Klamp't's rigid objects (.obj that is not a Wavefront mesh).")
      .extensions({"obj"})
      .reads({rigidObject})
      .writes({rigidObject});
  plugin.format<TerrainFormat>("mortise.Terrain")
      .summary("Klamp't's terrains (.env).")
      .extensions({"env"})
      .reads({terrain})
      .writes({terrain});

  declareGeometryFormats(plugin);

  declareResourceFormats(plugin);
}
