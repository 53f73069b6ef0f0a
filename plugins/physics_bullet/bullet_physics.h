#pragma once

#include "mortise/component/host.h"
#include "mortise/component/physics.h"
#include "settings.h"

namespace mortise::bullet {

class BulletPhysics final : public Physics {
 public:
  explicit BulletPhysics(const ComponentContext& context);
  ~BulletPhysics() override;
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  Settings settings_;
  bool worldCfm_ = true;
};

}  // namespace mortise::bullet
