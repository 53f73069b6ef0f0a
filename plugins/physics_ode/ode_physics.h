#pragma once

#include "ode_scene.h"

namespace mortise::ode {

/// The component `mortise.OdePhysics`.
class OdePhysics final : public Physics {
 public:
  explicit OdePhysics(const ComponentContext& context);
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  Settings settings_;
};

}  // namespace mortise::ode
