#include "mortise/plugin/plugin.h"

#include "bullet_physics.h"

MORTISE_PLUGIN("mortise_physics_bullet", "0.1.0") {
  plugin.physics<mortise::bullet::BulletPhysics>("mortise.BulletPhysics")
      .alias("bullet")
      .summary("Bullet 3 in double precision: rigid bodies, and robots in reduced coordinates with implicit drives.")
      .documentation(
          "Robots are Featherstone multibodies: joints cannot drift apart. Their drives (PD, effort limits, dry and "
          "viscous friction) are solved implicitly and exactly, apart from the contact iterations, and contacts feel "
          "them. Contacts come from outside (boundary layers) or from Bullet: at most four a pair of shapes, with the "
          "padding of surfaces as solid, closed meshes as boxes or hulls, flat terrain as a slab. Snapshots continue "
          "bit for bit with contacts from outside.")
      .parameter("articulation", "reduced",
                 "How robots are modelled: by joint positions (reduced), or as rigid bodies with joints that the "
                 "solver holds together (maximal).",
                 {.choices = {"reduced", "maximal"}})
      .parameter("iterations", 200, "Most sweeps of the contact solver a step.", {.min = 1, .max = 100000})
      .parameter("erp", 0.2, "Share of a joint's or joint stop's position error corrected in a step.",
                 {.min = 0, .max = 1})
      .parameter("contactErp", 0.2, "Share of a rigid contact's penetration corrected in a step.", {.min = 0, .max = 1})
      .parameter("cfm", mortise::ParameterType::real,
                 "Constraint force mixing of rigid contacts and of joints between free bodies. Absent: the world's.",
                 {.min = 0})
      .parameter("tolerance", 1e-6, "The solver is done when no contact changes its velocity by more in a sweep.",
                 {.min = 0, .unit = "m/s"})
      .parameter("warmStart", 1.0, "Share of the last step's contact impulses that the solver starts from.",
                 {.min = 0, .max = 1})
      .parameter("bounceSpeed", 0.05, "Contacts that close slower than this do not bounce.", {.min = 0, .unit = "m/s"})
      .parameter("maxCorrectionSpeed", 0.1, "Fastest speed at which penetration is pushed out.",
                 {.min = 0, .unit = "m/s"})
      .parameter("margin", 1e-4,
                 "Layer around convex hulls and triangle meshes that Bullet's distance queries need; counts as solid "
                 "against round shapes and meshes, not between boxes and hulls.",
                 {.min = 0, .max = 0.1, .unit = "m"})
      .parameter("movingMeshes", "hull", "Non-convex meshes of objects that move.", {.choices = {"hull", "gimpact"}})
      .parameter("robotMeshes", "hull", "Non-convex meshes of robot links.", {.choices = {"hull", "gimpact"}});
}
