#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/component/host.h"
#include "mortise/component/physics.h"

namespace mortise {

/// The error reduction and constraint force mixing that a world asks for (ERP and CFM of `<globals>`). The values that
/// Klamp't has by default, 0.95 and 1e-6, ask for nothing: each engine keeps those that its authors advise.
struct StatedSoftness {
  std::optional<double> errorReduction, constraintForceMixing;

  explicit StatedSoftness(const SceneDescription& description);
  bool any() const { return errorReduction || constraintForceMixing; }
};

/// True when an engine's error reduction or constraint force mixing has something to act on whatever the bodies do:
/// surfaces of which two that are rigid may touch, or joints between bodies. Surfaces with a stiffness of their own
/// have their own springs; stops of joints are met or are not.
bool hasRigidConstraints(const SceneDescription& description);
/// True when two surfaces that are both rigid may touch.
bool hasRigidContacts(const SceneDescription& description);

/// One warning, of the backend `name`, where a world asks for what it does not have; `instead` says what to set there.
void warnOfUnusedSoftness(Host& host, const SceneDescription& description, std::string_view name,
                          std::string_view instead);
/// One warning where a world asks for what can only act on stops of joints in it, since all its surfaces have a
/// stiffness of their own.
void warnOfIdleSoftness(Host& host, const SceneDescription& description, std::string_view name);
/// One warning where settings of the backend were given that the scene has nothing for: neither rigid contacts nor, as
/// `otherwise` names them, other constraints that they act on. None for no settings.
void warnOfIdleSettings(Host& host, std::string_view name, const std::vector<std::string>& settings,
                        std::string_view otherwise);

}  // namespace mortise
