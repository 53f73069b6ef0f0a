#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/physics.h"
#include "mortise/simulation/context/simulation_context.h"
#include "mortise/simulation/scene/substitution.h"

namespace mortise {

/// The physics backend of a simulation: the one that its options name, else that of the world, with the settings of
/// both.
class PhysicsEngine {
 public:
  /// Everything that is wrong goes to `diagnostics`; with errors there, the engine is not usable. `context` outlives
  /// this.
  PhysicsEngine(SimulationContext& context, Diagnostics& diagnostics);

  const std::string& name() const { return name_; }  ///< Returns the name as registered.
  const PhysicsCapabilities& capabilities() const { return capabilities_; }
  /// The source that the options ask for; else the boundary layer where the world asks for it and the backend can, or
  /// where the backend finds no contacts by itself.
  ContactSource contactSource() const { return contactSource_; }
  /// Says whether the world wants no boundary layer and the backend finds no contacts by itself: then they come from
  /// outside, found between the exact shapes, without padding.
  bool exactShapes() const { return exactShapes_; }
  /// Returns where the engine is not what somebody asked for, or nobody asked.
  const std::vector<Substitution>& substitutions() const { return substitutions_; }
  /// Throws `Error` with what the backend says. The scene must not outlive this.
  std::unique_ptr<Scene> build(const SceneDescription& description);

 private:
  bool isWorldsOwn(const SimulationContext& context) const;
  Value settings(const SimulationContext& context) const;
  void noteSubstitutions(const SimulationContext& context);
  void checkCapabilities(const SimulationContext& context, Diagnostics& diagnostics) const;

  std::string name_;
  std::unique_ptr<ComponentHost> host_;
  ComponentPtr<Physics> physics_;
  PhysicsCapabilities capabilities_;
  ContactSource contactSource_ = ContactSource::engine;
  bool exactShapes_ = false;
  std::vector<Substitution> substitutions_;
};

}  // namespace mortise
