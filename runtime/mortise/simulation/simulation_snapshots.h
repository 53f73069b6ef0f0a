#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/simulation/components/component_runner.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/context/simulation_context.h"
#include "mortise/simulation/context/step_status.h"
#include "mortise/simulation/stepping/physics_engine.h"
#include "mortise/simulation/stepping/physics_stepper.h"

namespace mortise {

/// Returns the edits of the world (`WorldEdit::record` as JSON) that a snapshot was made after. Throws `Error` for
/// bytes that are not a snapshot.
std::vector<std::string> editsOf(std::span<const std::byte> snapshot);

/// Saves and restores everything that the next steps of a simulation depend on.
class SimulationSnapshots {
 public:
  /// The parts of the simulation, which outlive this.
  struct Parts {
    SimulationContext& context;
    SimulationClock& clock;
    StepLog& steps;
    const PhysicsEngine& engine;
    PhysicsStepper& physics;
    ComponentRunner& components;
    const std::vector<std::string>& edits;  ///< That made the world of the initial one, as `editsOf` returns them.
  };
  /// The state now is the initial one.
  explicit SimulationSnapshots(const Parts& parts) : parts_(parts), initial_(save()) {}
  /// The same simulation in an edited world; the initial state stays what it was.
  SimulationSnapshots(const Parts& parts, std::vector<std::byte> initial)
      : parts_(parts), initial_(std::move(initial)) {}

  std::vector<std::byte> save() const;
  /// Throws `Error` for bytes of another simulation or damaged ones, after which the state is as before.
  void restore(std::span<const std::byte> snapshot);
  const std::vector<std::byte>& initial() const { return initial_; }
  /// Restores the initial state.
  void restoreInitial() { restore(initial_); }
  /// Sets the model of a motor, which is part of the initial state too.
  void setMotorModel(int robot, int driver, std::unique_ptr<MotorModel> model);
  /// 64 bits over the tick, raw poses and twists of all bodies, joint and component state.
  std::uint64_t hash() const;

 private:
  void requireSameSimulation(ByteReader& in) const;
  void readState(ByteReader& in);
  void putBack(std::span<const std::byte> state, const std::vector<BodyState>& bodies,
               const std::vector<JointState>& joints);
  void requireSound() const;

  Parts parts_;
  std::vector<std::byte> initial_;
};

}  // namespace mortise
