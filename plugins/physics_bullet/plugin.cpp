#include "mortise/plugin/plugin.h"

#include "bullet_scene.h"
#include "documentation.h"
#include "mortise/contacts/stated_softness.h"
#include "mortise/settings/settings.h"

namespace mortise::bullet {

class BulletPhysics final : public Physics {
 public:
  explicit BulletPhysics(const ComponentContext& context) : settings_(context.settings), host_(context.host) {}

  PhysicsCapabilities capabilities() const override {
    PhysicsCapabilities can;
    can.externalContacts = can.ownContacts = can.movingMeshes = true;
    can.kinematicBodies = can.motionChanges = can.collisionChanges = true;
    can.worldJoints = can.contactSoftness = true;
    // The solver of mixed linear complementarity problems leaves those rows out.
    can.rollingFriction = settings_->solver == SolverChoice::sequentialImpulse;
    can.implicitDrives = true;  // Each joint by itself; see DriveMotor.
    // With contacts from outside. Those that Bullet finds live in its caches: `effectiveSettings` says `approximate`.
    can.restore = PhysicsCapabilities::Restore::bitwise;
    // `erp2` of the depth in each step, at whatever speed that takes.
    can.errorReductionPerStep = true;
    can.limits = {
        {"energy of collisions",
         "Bullet adds the correction of a penetration to the velocity of a bounce: bodies that meet with restitution 1 "
         "part up to erp2, 8 %, too fast, which is up to 17 % of their energy, and bodies that do not bounce are "
         "pushed "
         "apart at up to 8 % of the speed at which they met. With erp2: 0 neither happens."},
        {"restitution of its own contacts",
         "Bullet takes the gap of a contact that it finds before surfaces touch off the bounce: fast bodies hardly "
         "bounce at short steps."},
        {"angular momentum in its own contacts",
         "Friction of a contact that Bullet finds acts on each body at the body's own surface: the two points "
         "are as far apart as the bodies have sunk in, so that friction between two bodies changes their "
         "angular momentum by percents at steps of 10 ms."},
        {"energy of bodies that tumble",
         "Bullet takes gyroscopic torque from the end of a step, which loses energy: a body with three different "
         "moments "
         "of inertia that turns about the middle one at 50 rad/s loses two thirds of it in 10 s at a step of 1 ms."},
        {"damping of robots",
         "Bullet takes 4 % of a robot's velocities a second unless linear_damping and angular_damping say "
         "otherwise; the profile normalized takes none."}};
    // Contacts of robots have a cone; those between rigid bodies two directions, the first along the slip.
    can.friction = PhysicsCapabilities::Friction::pyramid;
    can.limits.push_back({"grips of flat surfaces",
                          "Bullet's solvers leave the load of a flat contact to the first of its points that can carry "
                          "it: a box between two fingers turns about that point and slips. With global_cfm: 1e-4 the "
                          "points share the load, and the box stays. Without it Dantzig's method fails in most steps "
                          "of such a grip, and where the box turns to depends on the last digits of numbers."});
    return can;
  }

  std::unique_ptr<Scene> build(const SceneDescription& description) override {
    warnOfIdleSoftness(host_, description, "bullet");
    warnOfIdleSettings(host_, "bullet", idleSettings(description), "joints between bodies or robots");
    return std::make_unique<BulletScene>(description, settings_->resolved(description));
  }

 private:
  /// Settings that were given and that only rigid contacts, joints between bodies and robots have a use for.
  std::vector<std::string> idleSettings(const SceneDescription& description) const {
    std::vector<std::string> idle;
    if (hasRigidContacts(description)) return idle;
    const bool jointless = description.constraints.empty() && description.joints.empty();
    if (settings_->erp && jointless) idle.emplace_back("erp");
    if (settings_->erp2) idle.emplace_back("erp2");
    if (settings_->globalCfm) idle.emplace_back("global_cfm");
    if (settings_->splitImpulse != BulletSettings().splitImpulse) idle.emplace_back("split_impulse");
    return idle;
  }

  mortise::Settings<BulletSettings> settings_;
  Host& host_;
};

}  // namespace mortise::bullet

MORTISE_PLUGIN("mortise_physics_bullet", "0.1.0") {
  plugin.physics<mortise::bullet::BulletPhysics>("mortise.BulletPhysics")
      .alias("bullet")
      .summary("Bullet 3.24 in double precision with its own solvers: rigid bodies, and robots in reduced coordinates.")
      .documentation(documentation::bullet_physics)
      .settings<mortise::bullet::BulletSettings>();
}
