#pragma once

#include "mortise/settings/settings.h"
#include "ode_scene.h"

namespace mortise::ode {

/// The component `mortise.OdePhysics`.
class OdePhysics final : public Physics {
 public:
  explicit OdePhysics(const ComponentContext& context) : settings_(context.settings) {}
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  mortise::Settings<OdeSettings> settings_;
};

}  // namespace mortise::ode
