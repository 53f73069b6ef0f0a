#pragma once

#include <vector>

#include "mortise/pipeline/pipeline_context.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// What recorders are asked to record must exist, output files lie below the run's folder, and each has one writer.
/// Everything wrong goes to `diagnostics`.
void checkRecorders(StageContext& context, Diagnostics& diagnostics);

/// Starts sensors, which look for their links and indices then. What is wrong goes to `diagnostics`. Returns the
/// readings of each robot's sensors; they last as long as `set`.
std::vector<std::vector<SensorReading>> startSensors(const ComponentSet& set, const World& world,
                                                     const SimulationOptions& options, Diagnostics& diagnostics);

/// Leaves out what a library that is kept closed would have to make, which `log` tells.
void leaveOutClosed(const Registry& registry, SimulationOptions& options, LogSink& log);

/// Makes the components of a pipeline that is right so far, and starts its sensors, to find what their settings alone
/// cannot tell: files that are missing, links that do not exist. Everything wrong goes to `diagnostics`. Components of
/// libraries that are kept closed (`Library::keepClosed`) are left out, which `log` tells.
void checkPipelineComponents(PipelineContext& context, Registry& registry, FormatLoader& loader, LogSink& log,
                             Diagnostics& diagnostics);

/// Each name of a `record` list that nothing has, at its own place. `fallback`: where the list was written.
void checkRecordNames(StageContext& context, const Value& record, const SourcePosition& fallback,
                      Diagnostics& diagnostics);

}  // namespace mortise
