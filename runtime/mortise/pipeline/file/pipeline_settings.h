#pragma once

/// Settings of a pipeline file: the file itself, its `simulation` and the entries of `components`.

#include <optional>
#include <string>

#include "mortise/component/kind.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/context/component_entry.h"
#include "mortise/simulation/context/simulation_request.h"

namespace mortise {

constexpr int kPipelineVersion = 1;

/// Keys of a pipeline file. What is a `Value` here is read by what it is for.
struct PipelineSettings {
  Placed<std::int64_t> version = {kPipelineVersion};
  std::optional<std::string> name;
  std::int64_t seed = 0;
  std::optional<std::string> relativeTo;
  Value world, variables, plugins, simulation, components, stages, locked;
  void bind(SettingBinder& b);
};

const Schema& pipelineSchema();
const Schema& simulationSchema();
/// Returns the schema of an entry of `components`: `ComponentEntry`, followed by the component's own settings.
/// `component` may be null when it is not known; then all further keys are allowed.
Schema componentSchema(Kind kind, const Schema* component);

}  // namespace mortise
