#pragma once

/// The parts of a simulation, for the files that implement it.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mortise/simulation/components/component_runner.h"
#include "mortise/simulation/components/recorder_set.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/context/simulation_context.h"
#include "mortise/simulation/context/simulation_record.h"
#include "mortise/simulation/editing/recorded_view.h"
#include "mortise/simulation/simulation.h"
#include "mortise/simulation/simulation_snapshots.h"
#include "mortise/simulation/stepping/physics_engine.h"
#include "mortise/simulation/stepping/physics_stepper.h"

namespace mortise {

/// A world that a simulation has or had.
struct WorldVersion {
  const World* world = nullptr;
  std::unique_ptr<const World> own;  ///< Null: the caller's.
  std::vector<int> objects;          ///< Numbers as of `EditedWorld`.
  int nextObject = 0;
  std::vector<std::string> edits;  ///< That made it of the initial one, as `editsOf` returns them.
};

/// The parts of a simulation. What is declared first is destroyed last.
struct Simulation::State {
  State(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log, SimulationOptions options)
      : context{&world, registry, loader, log, std::move(options)} {}

  SimulationContext context;
  SimulationClock clock;
  StepLog steps;
  std::unique_ptr<PhysicsEngine> engine;
  std::unique_ptr<PhysicsStepper> physics;
  std::unique_ptr<ComponentRunner> components;
  std::unique_ptr<SimulationSnapshots> snapshots;
  std::vector<std::function<void(Simulation&)>> hooksBefore, hooksAfter;
  RecorderSet recorders;
  std::function<std::string(const Simulation&)> writeState;  ///< Writer of states for recorders; may be absent.
  std::unique_ptr<SimulationRecord> record;                  ///< Null before `beginRecord`.
  /// The initial world, and those that edits made; `now` is the one in use. All live as long as the simulation, since
  /// components and recorders may hold them.
  std::deque<WorldVersion> worlds;
  std::size_t now = 0;
  std::map<int, BodyState> gone;  ///< States of objects that went, by their number in `WorldVersion::objects`.
  std::map<const World*, RecordedView> recordedViews = {};  ///< Only looked up.
  Value endingMore = Value::map();                          ///< Further keys of what recorders are told at the end.
  bool inHook = false;                                      ///< True in a hook: what it applies lasts for one step.
  std::vector<std::pair<int, int>> reportedPairs = {};      ///< Ids of pairs of which it was told how deep they sank.

  void build();
  void callHooks(const std::vector<std::function<void(Simulation&)>>& hooks, Simulation& simulation);
  StepStatus step(Simulation& simulation);
  StepStatus stepOf(double seconds, Simulation& simulation);
  StepStatus step(std::int64_t i, const StepCount& count, Simulation& simulation) {
    return i < count.full ? step(simulation) : stepOf(count.last, simulation);
  }
  StepStatus stop() {
    steps.addStep(StepStatus::error, clock.tick());
    return steps.status();
  }
  bool runComponents();
  StepStatus stepPhysics();
  void noteGains(bool stopped);
  void noteSunken();
  StepStatus saveForRecorders(const Simulation& simulation);
  void noteChange(StepStatus result);
  void noteBounds(StepBoundSet bounds);
  std::vector<std::string> closeRecorders();
  SimulationView view() { return components->view(clock, *physics); }
  SimulationView viewFor(const World* world);
  std::size_t versionOf(const World* world) const;
  std::size_t versionWith(const std::vector<std::string>& edits);
  void use(std::size_t version);
  SimulationSnapshots::Parts parts() {
    return {context, clock, steps, *engine, *physics, *components, worlds[now].edits};
  }
};

}  // namespace mortise
