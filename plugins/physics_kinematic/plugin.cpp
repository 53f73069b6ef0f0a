#include "mortise/plugin/plugin.h"

#include "kinematic_physics.h"

MORTISE_PLUGIN("mortise_physics_kinematic", "0.1.0") {
  plugin.physics<mortise::kinematic::KinematicPhysics>("mortise.KinematicPhysics")
      .alias("kinematic")
      .summary("No physics: robots follow their commands exactly, objects stay where they are.")
      .documentation(
          "For looking at motions before anything is simulated (Klamp't's fakeSimulate). A joint with a position drive "
          "is at its target after the step, one with a velocity drive moves at that velocity, any other holds; stops "
          "are kept, efforts, gravity and contacts have no effect. Contacts that are handed over are reported without "
          "force. Bodies set to be kinematic go on with their velocity. See docs/physics.md.")
      .parameter("maxSpeed", mortise::ParameterType::real,
                 "No joint moves faster than this on its way to a target, rad/s or m/s; absent: a joint is at its "
                 "target at once.",
                 {.min = 0});
}
