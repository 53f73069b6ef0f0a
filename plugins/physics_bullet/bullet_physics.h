#pragma once

#include "bullet_settings.h"
#include "mortise/component/host.h"
#include "mortise/component/physics.h"
#include "mortise/settings/settings.h"

namespace mortise::bullet {

class BulletPhysics final : public Physics {
 public:
  explicit BulletPhysics(const ComponentContext& context);
  ~BulletPhysics() override;
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  mortise::Settings<BulletSettings> settings_;
};

}  // namespace mortise::bullet
