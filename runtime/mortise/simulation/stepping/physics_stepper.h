#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/simulation/actuation/robot_motors.h"
#include "mortise/simulation/context/energy_gain.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/context/simulation_context.h"
#include "mortise/simulation/context/step_status.h"
#include "mortise/simulation/scene/boundary_layer.h"
#include "mortise/simulation/scene/contact_history.h"
#include "mortise/simulation/scene/scene_builder.h"
#include "mortise/simulation/scene/scene_signature.h"
#include "mortise/simulation/scene/sunken_pairs.h"
#include "mortise/simulation/stepping/energy.h"
#include "mortise/simulation/stepping/energy_watch.h"
#include "mortise/simulation/stepping/external_wrenches.h"
#include "mortise/simulation/stepping/klampt_stability_guard.h"
#include "mortise/simulation/stepping/physics_engine.h"
#include "mortise/simulation/stepping/world_state.h"

namespace mortise {

/// The physics of a simulation: the engine's scene, its contacts and motors, and steps that are made in parts where a
/// whole one would go wrong.
class PhysicsStepper {
 public:
  /// Builds the scene of the world. Throws `Error` or `DiagnosticsError`. `context` and `engine` outlive this.
  PhysicsStepper(SimulationContext& context, PhysicsEngine& engine, double timeStep);
  /// The same of a world that an edit made of that of `before`, whose state it goes on from. `objects` has, for each
  /// rigid object, its index in the world before; -1: it comes. What `before` substituted is not said again. Throws
  /// `Error` where something was set by hand that the new one cannot know.
  PhysicsStepper(SimulationContext& context, const PhysicsStepper& before, std::span<const int> objects);

  /// A call of `step` or `advance` begins: contacts are collected anew.
  void beginCall() { history_.begin(); }
  /// Computes the drives of the next step from the motors' commands. False: a model of a motor failed, and `fault` says
  /// how.
  bool updateDrives(double timeStep, std::string& fault);
  /// One step of the engine. For `StepStatus::error`, `fault` says what went wrong.
  StepStatus step(const SimulationClock& clock, std::string& fault);
  void endCall() { wrenches_.endCall(); }
  /// Returns the bounds that the last step hit.
  StepBoundSet boundsHit() const { return boundsHit_; }

  const SceneMap& map() const { return map_; }
  const SceneSignature& signature() const { return signature_; }
  const WorldState& state() const { return state_; }
  WorldState& state() { return state_; }
  const RobotMotors& motors() const { return motors_; }
  RobotMotors& motors() { return motors_; }
  const Vector3d& gravity() const { return gravity_; }
  bool hasBoundaryLayer() const { return layer_ != nullptr; }
  /// Null where contacts are the engine's own.
  std::shared_ptr<const ContactScene> contactShapes() const { return layer_ ? layer_->shapes() : nullptr; }
  std::span<const ContactForce> contacts() const {
    return contacts_;
  }  ///< Returns the contacts of the last part of the last step.
  std::span<const ContactForce> weightedContacts() const {
    return weightedContacts_;
  }  ///< Returns the contacts of all its parts.
  OnUnstable onUnstable() const { return onUnstable_; }
  /// Energy from nowhere in the last step, one entry an island (or, with `scale`, an object or robot) and part.
  std::span<const EnergyGain> gains() const { return gains_; }
  /// That sank into each other by more than half of the thinner one in the last step.
  std::span<const SunkenPair> sunken() const { return sunken_; }
  /// Returns what the engine computed in the last step in place of what the scene says, if that is the first such step.
  std::span<const Substitution> substituted() const { return substituted_; }
  /// Returns what the last step added to the record: each body once.
  std::span<const Substitution> recorded() const { return recorded_; }
  std::span<const AppliedWrench> appliedWrenches() const { return wrenches_.applied(); }
  /// Returns the contacts as `Simulation::contactSummary` does.
  ContactSummary contactSummary(int idA, int idB) const;
  std::vector<JointState> worldJointStates() const;
  Energy energy() const { return energyOf(map_.description, state_.bodies(), gravity_); }
  /// Adds contacts, limits, motors and settings of the engine.
  void describe(Value& settings) const;

  // Changes between steps. Arguments are finite, and what they name exists, except for ids.

  void setGravity(const Vector3d& gravity);
  void applyWrench(int id, const Vector3d& force, const Vector3d& torque, const Vector3d& point,
                   ExternalWrenches::Lasts lasts);
  void setObjectState(int object, const BodyState& state);
  void setRobotState(int robot, const VectorXd& q, const VectorXd& dq);
  void setDynamics(int object, bool on);
  void setCollision(int idA, int idB, bool on);

  // A snapshot holds the components between the robots and the scene.

  void saveRobots(ByteWriter& out) const;
  void restoreRobots(ByteReader& in);
  void saveScene(ByteWriter& out) const;
  void restoreScene(ByteReader& in);
  /// Throws `Error` for numbers with which no step could be made.
  void requireSound() const;
  /// After a snapshot: contacts as the scene has them, and none of the steps before.
  void clearHistory();

 private:
  PhysicsStepper(SimulationContext& context, PhysicsEngine& engine, double timeStep, const PhysicsStepper* before);
  /// Says whether it substitutes the same.
  bool hasSubstituted(const Substitution& one) const;
  void takeStates(const PhysicsStepper& before, std::span<const int> objects);
  void takeMotors(const PhysicsStepper& before);
  struct Body {
    int index = -1;       ///< In the scene.
    RigidTransform X_BE;  ///< Pose of the link or object in the body's frame.
  };
  Body bodyOfId(int id) const;
  IdRange rangeOfId(int id) const;
  StepStatus stepWithSubdivision(const SimulationClock& clock, std::string& fault);
  void rememberStep();
  void rewindStep();
  void collectContacts(double h, double timeStep);
  void collectBounds();
  void collectTouching();
  void slowDown(const KlamptStabilityGuard::Unstable& found);
  bool watchEnergy(double h);
  void watchDepth();
  bool noteSubstitutions();
  void movedByHand();

  const World& world_;
  PhysicsEngine& engine_;
  ActuatorLimits limits_;
  SceneMap map_;
  SceneSignature signature_;
  Vector3d gravity_;
  std::unique_ptr<Scene> scene_;
  WorldState state_;
  RobotMotors motors_;
  OnUnstable onUnstable_;
  std::unique_ptr<KlamptStabilityGuard> stability_;  ///< For `scale`.
  std::unique_ptr<EnergyWatch> watch_;               ///< For `report` and `stop`.
  std::vector<EnergyGain> gains_;
  std::unique_ptr<SunkenPairs> depth_;
  std::vector<SunkenPair> sunken_;
  bool placed_ = true;                    ///< By hand or by the world's file, since the last step.
  std::unique_ptr<BoundaryLayer> layer_;  ///< Null: the engine's own contacts.
  bool layerStale_ = false;               ///< Something was moved by hand since the last update of the layer.
  bool adaptive_ = false;                 ///< Steps are divided where they go wrong.
  StepBoundSet boundsHit_;
  ByteWriter sceneMemory_;  ///< The scene before the part of a step that is being made.

  ExternalWrenches wrenches_;
  std::vector<ContactForce> contacts_;
  std::vector<ContactForce> weightedContacts_;
  ContactHistory history_;
  std::vector<std::pair<int, int>> crossing_;  ///< Scratch of `collectContacts`.
  bool strict_ = false;
  bool setByHand_ = false;  ///< Motions of bodies or collisions were switched, which only the scene knows.
  std::vector<Substitution> substituted_, recorded_;
};

}  // namespace mortise
