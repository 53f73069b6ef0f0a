#include "mortise/plugin/plugin.h"

#include "bullet_scene.h"
#include "documentation.h"
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
    can.implicitDrives = true;  // Each joint by itself; see DriveMotor.
    // With contacts from outside. Those that Bullet finds live in its caches: `effectiveSettings` says `approximate`.
    can.restore = PhysicsCapabilities::Restore::bitwise;
    // Contacts of robots have a cone; those between rigid bodies two directions, the first along the slip.
    can.friction = PhysicsCapabilities::Friction::pyramid;
    return can;
  }

  std::unique_ptr<Scene> build(const SceneDescription& description) override {
    warnOfIdleSoftness(host_, description, "bullet");
    return std::make_unique<BulletScene>(description, settings_->resolved(description));
  }

 private:
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
