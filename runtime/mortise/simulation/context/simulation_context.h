#pragma once

#include "mortise/base/log.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/context/simulation_options.h"
#include "mortise/simulation/scene/substitution.h"

namespace mortise {

/// Things that all parts of one simulation work with.
struct SimulationContext {
  const World* world;  ///< The initial one, or what edits made of it.
  Registry& registry;
  ResourceLoader* loader;  ///< Null: components get no files.
  LogSink& log;
  SimulationOptions options;
  ChannelTable channels = {};
  SubstitutionRecord said{log, options.strict};  ///< The log of all components.
};

}  // namespace mortise
