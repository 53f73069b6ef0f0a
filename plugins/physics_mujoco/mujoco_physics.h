#pragma once

#include "mortise/component/physics.h"
#include "mortise/settings/settings.h"
#include "mujoco_settings.h"

namespace mortise::mujoco {

/// The component `mortise.MujocoPhysics`.
class MujocoPhysics final : public Physics {
 public:
  explicit MujocoPhysics(const ComponentContext& context) : settings_(context.settings), host_(context.host) {}
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  Settings<MujocoSettings> settings_;
  Host& host_;
};

}  // namespace mortise::mujoco
