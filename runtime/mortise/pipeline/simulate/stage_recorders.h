#pragma once

/// Files that a simulation of a pipeline leaves in the run directory.

#include <memory>
#include <string>
#include <vector>

#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/pipeline/simulate/simulation_run.h"
#include "mortise/simulation/context/component_entry.h"

namespace mortise {

/// Recorders of one simulation, with what they refer to; it must outlive the simulation.
class StageRecorders {
 public:
  StageRecorders(StageContext& context, std::string prefix) : context_(context), prefix_(std::move(prefix)) {}

  /// Record of how the simulation was made; null where a log cannot say that.
  void setOrigin(Value origin) { origin_ = std::move(origin); }

  void addTo(Simulation& simulation, const SimulationPlan& plan);

 private:
  void add(Simulation& simulation, const std::string& type, const Value& settings, const std::string& name,
           const std::vector<std::string>& what, double rate, const SourcePosition& position);
  /// The same of an entry of `components`, which may be left out where it is optional and cannot begin.
  void addEntry(Simulation& simulation, const ComponentEntry& entry);

  StageContext& context_;
  std::string prefix_;
  Value origin_;
  ChannelTable channels_;
  std::vector<std::unique_ptr<ComponentHost>> hosts_;
};

/// Returns the name of a file of this simulation: stages and backends would overwrite each other's files under a single
/// name.
std::string prefixed(const std::string& name, const std::string& prefix);

/// Returns the names of the files in a folder that begin so, in alphabetical order.
std::vector<std::string> filesWithPrefix(const std::string& folder, const std::string& prefix);

/// Throws `Error` where a file that the stage saves is one that a recorder of it writes; `unopened`: what there was
/// before them.
void requireOwnNames(StageContext& context, const SimulationPlan& plan, const std::string& prefix,
                     const std::vector<std::string>& unopened);

/// Adds the logs that the run left to its report; `before`: files that were there.
void addLogs(StageContext& context, const SimulationPlan& plan, const std::string& prefix,
             const std::vector<std::string>& before, Value& result);

}  // namespace mortise
