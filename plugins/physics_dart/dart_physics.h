#pragma once

#include "dart_settings.h"
#include "mortise/component/host.h"
#include "mortise/component/physics.h"
#include "mortise/settings/settings.h"

namespace mortise::dart {

/// The component `mortise.DartPhysics`.
class DartPhysics final : public Physics {
 public:
  explicit DartPhysics(const ComponentContext& context) : settings_(context.settings) {}
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  Settings<DartSettings> settings_;
};

}  // namespace mortise::dart
