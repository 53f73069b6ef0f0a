#pragma once

#include "mortise/component/host.h"
#include "mortise/component/physics.h"
#include "mortise/settings/settings.h"
#include "native_settings.h"

namespace mortise::native {

class NativePhysics final : public Physics {
 public:
  explicit NativePhysics(const ComponentContext& context) : settings_(context.settings), host_(context.host) {}
  PhysicsCapabilities capabilities() const override;
  std::unique_ptr<Scene> build(const SceneDescription& description) override;

 private:
  Settings<NativeSettings> settings_;
  Host& host_;
};

}  // namespace mortise::native
