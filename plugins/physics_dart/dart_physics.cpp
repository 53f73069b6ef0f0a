#include "dart_physics.h"

#include "dart_scene.h"

namespace mortise::dart {

PhysicsCapabilities DartPhysics::capabilities() const {
  PhysicsCapabilities can;
  can.externalContacts = true;
  can.ownContacts = true;
  can.movingMeshes = true;
  can.implicitDrives = true;
  can.kinematicBodies = true;
  can.motionChanges = true;
  can.collisionChanges = true;
  can.worldJoints = true;
  can.contactSoftness = false;
  // With contacts from outside. FCL keeps trees of its own: `effectiveSettings` says `approximate` then.
  can.restore = PhysicsCapabilities::Restore::bitwise;
  can.friction = PhysicsCapabilities::Friction::pyramid;
  can.limits = {
      {"grips of flat surfaces",
       "With lcp_solver: pgs DART leaves the load of a flat contact to the first of its points that can carry it: a "
       "box "
       "between two fingers turns about that point and slips. With constraint_force_mixing: 1e-3 the points share the "
       "load; Dantzig's method holds the box in any case."},
      {"momentum of bodies that turn",
       "DART turns free bodies by a truncated series while they are within some 0.001 rad of the axes of the world: "
       "the "
       "momentum of one that begins to turn changes meanwhile, by less than 1e-6 of it."},
      {"energy of its own contacts",
       "Contacts that DART finds where a fast body has sunk in within a step have points and normals that can give "
       "energy (40 % for a ball of 1 kg at 20 m/s on a rod of 1 g, at a step of 5 ms), and so can friction at the "
       "facets "
       "of balls (18 %)."},
      {"restitution of its own contacts",
       "To DART balls are meshes with facets, as fcl_primitive_shape says, whose normals are not those of balls: balls "
       "that meet head on may part sideways."},
      {"friction off its two axes",
       "DART limits friction along two axes of a contact each by itself: between them it is up to 41 % too strong, and "
       "a body that slides at 45 degrees stops after 71 % of its way. With friction_direction: sliding the axes follow "
       "the slip of each contact."},
      {"stiffness and damping of contacts",
       "DART's contacts are rigid: kStiffness and kDamping of surfaces have no effect."}};
  return can;
}

std::unique_ptr<Scene> DartPhysics::build(const SceneDescription& description) {
  return std::make_unique<DartScene>(description, *settings_);
}

}  // namespace mortise::dart
