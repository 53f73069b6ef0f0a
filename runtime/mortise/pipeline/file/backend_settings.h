#pragma once

/// The settings of a pipeline's backend, complete.

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Changes that a stage may make to the pipeline's `simulation`.
struct BackendChoice {
  std::string name;         ///< Empty: the pipeline's.
  SourcePosition position;  ///< Position of the name.
  Value settings;           ///< Map or null: override the pipeline's, key by key.
};

/// Settings of a backend, complete. Later ones win: the backend's defaults; the world's, when the world names this
/// backend or none is named anywhere; `simulation.settings` of the pipeline, when this is the pipeline's backend; those
/// of the choice. Errors go to `diagnostics`, an unknown backend included.
Value completeBackendSettings(const Registry& registry, const World& world, const Value& simulation,
                              const BackendChoice& choice, Diagnostics& diagnostics);

}  // namespace mortise
