#pragma once

#include <vector>

#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/settings/placed.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Checks that everything to record exists, that output files lie below the run's folder, and that each file has one
/// writer. Everything that is wrong goes to `diagnostics`.
void checkRecorders(StageContext& context, Diagnostics& diagnostics);

/// Starts sensors, which resolves their links and indices. What is wrong goes to `diagnostics`. Returns the
/// readings of each robot's sensors; they last as long as `set`.
std::vector<std::vector<SensorReading>> startSensors(const ComponentSet& set, const World& world,
                                                     const SimulationOptions& options, Diagnostics& diagnostics);

/// Starts a controller of a pipeline or world, which shows what its settings say of this robot. What it refuses goes to
/// `diagnostics`, at its own place or where the controller is named.
void tryStart(const ControllerSlot& slot, const World& world, const SimulationOptions& options,
              const std::vector<SensorReading>& readings, Diagnostics& diagnostics);

/// Leaves out components of libraries that are kept closed, with a message in `log`. A robot whose controller is left
/// out has the one that robots have where none is named, of a library that may be opened. Says whether anything is left
/// out.
bool leaveOutClosed(const Registry& registry, SimulationOptions& options, LogSink& log);

/// Reports what a recorder that writes the motion of one robot alone, as its description says, is asked to record
/// besides.
void checkOneRobot(const Registry& registry, const PlacedText& recorder, const std::vector<std::string>& record,
                   const World& world, const SourcePosition& where, Diagnostics& diagnostics);

/// Makes the components of a pipeline without errors so far, and starts its sensors, to find errors beyond the
/// settings: files that are missing, links that do not exist. Everything that is wrong goes to `diagnostics`.
/// Components of libraries that are kept closed (`Library::keepClosed`) are left out, with a message in `log`.
void checkPipelineComponents(PipelineContext& context, Registry& registry, FormatLoader& loader, LogSink& log,
                             Diagnostics& diagnostics);

/// The same for a world by itself, and its commands: what `mortise sim` would refuse before the first step. Nothing
/// that files of Python hold is run: robots that name some are left out.
void checkWorldComponents(const World& world, Registry& registry, ResourceLoader* loader, Diagnostics& diagnostics);

/// Reports each unknown name of a `record` list at its position. `fallback`: the position of the list.
void checkRecordNames(StageContext& context, const PlacedTexts& record, const SourcePosition& fallback,
                      Diagnostics& diagnostics);

}  // namespace mortise
