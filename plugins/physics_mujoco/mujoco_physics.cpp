#include "mujoco_physics.h"

#include "mortise/contacts/stated_softness.h"
#include "mujoco_scene.h"

namespace mortise::mujoco {

namespace {

/// Settings that were given and that only rigid contacts or joints have a use for.
std::vector<std::string> idleSettings(const MujocoSettings& settings, const SceneDescription& description) {
  std::vector<std::string> idle;
  const bool jointless = description.joints.empty() && description.constraints.empty();
  const bool soft = !hasRigidContacts(description);
  if (settings.normalized() && jointless && soft) idle.emplace_back("profile");
  if (settings.solref && soft) idle.emplace_back("solref");
  if (settings.solimp && soft) idle.emplace_back("solimp");
  if (settings.solrefFriction && jointless && soft) idle.emplace_back("solreffriction");
  if (settings.solimpFriction && jointless && soft) idle.emplace_back("solimpfriction");
  if (settings.solrefLimit && jointless && soft) idle.emplace_back("solreflimit");
  if (settings.solimpLimit && jointless && soft) idle.emplace_back("solimplimit");
  return idle;
}

}  // namespace

PhysicsCapabilities MujocoPhysics::capabilities() const {
  PhysicsCapabilities can;
  can.externalContacts = true;
  can.ownContacts = true;
  can.implicitDrives = true;
  can.kinematicBodies = true;
  can.motionChanges = true;
  can.collisionChanges = true;
  can.worldJoints = true;
  can.contactSoftness = true;
  can.restitution = false;
  can.rollingFriction = true;
  can.limits = {
      {"restitution",
       "MuJoCo's contacts are damped springs: bodies part at a speed that depends on solref and solimp, not on "
       "their materials, and fast ones sink into each other meanwhile."},
      {"energy of bodies that tumble",
       "MuJoCo takes gyroscopic torque from the start of a step: a body with three different moments of inertia that "
       "turns about the middle one at 50 rad/s has 13 times its energy after 10 s at a step of 1 ms."},
      {"rigid contacts that slide",
       "MuJoCo drives surfaces apart that slide on each other: with the profile recommended a cube of 0.2 m that "
       "slides "
       "at 10 m/s hops by 1 to 4 cm at a step of 1 ms, and by 10 cm where it starts 2.4 mm inside the floor, as a "
       "layer "
       "of padding does. Contacts with a stiffness of their own and the profile normalized do not."}};
  can.restore = PhysicsCapabilities::Restore::bitwise;
  using Friction = PhysicsCapabilities::Friction;
  can.friction = settings_->cone == MujocoSettings::Cone::elliptic ? Friction::cone : Friction::pyramid;
  return can;
}

std::unique_ptr<Scene> MujocoPhysics::build(const SceneDescription& description) {
  warnOfUnusedSoftness(host_, description, "mujoco", "its constraints are set by solref and solimp");
  warnOfIdleSettings(host_, "mujoco", idleSettings(*settings_, description), "joints");
  return std::make_unique<MujocoScene>(description, *settings_);
}

}  // namespace mortise::mujoco
