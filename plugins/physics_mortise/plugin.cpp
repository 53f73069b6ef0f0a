#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "native_physics.h"

MORTISE_PLUGIN("mortise_physics_mortise", "0.1.0") {
  plugin.physics<mortise::native::NativePhysics>("mortise.NativePhysics")
      .alias("mortise")
      .summary("Mortise's own engine: trees in reduced coordinates, implicit drives and stops, exact friction cones.")
      .documentation(documentation::native_physics)
      .settings<mortise::native::NativeSettings>();
}
