#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/simulation/components/component_runner.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/context/simulation_context.h"
#include "mortise/simulation/context/step_status.h"
#include "mortise/simulation/stepping/physics_engine.h"
#include "mortise/simulation/stepping/physics_stepper.h"

namespace mortise {

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
  };
  /// The state now is the initial one.
  explicit SimulationSnapshots(const Parts& parts) : parts_(parts), initial_(save()) {}

  std::vector<std::byte> save() const;
  /// Throws `Error` for bytes of another simulation or damaged ones, after which the state is as before.
  void restore(std::span<const std::byte> snapshot);
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
