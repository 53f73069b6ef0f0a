#pragma once

/// One engine at one step, on which cases put up their scenes.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/truth/hand_contacts.h"
#include "mortise/truth/scene_builder.h"

namespace mortise::truth {

/// Thrown out of a case when the caller wants it to end.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

class Trial {
 public:
  /// `physics` outlives the trial. `step` in s.
  Trial(Physics& physics, double step, std::function<bool()> stopRequested = {});

  Physics& physics() { return physics_; }
  const PhysicsCapabilities& capabilities() const { return capabilities_; }
  double step() const { return step_; }
  /// Steps in so many seconds.
  int stepsIn(double seconds) const;

  /// Mean processor time (s) of a step of all scenes so far, of `Scene::setContacts` and `Scene::step` alone: finding
  /// contacts and reading states are not the engine's. 0 before the first step.
  double cost() const { return timed_ > 0 ? seconds_ / static_cast<double>(timed_) : 0; }
  std::int64_t steps() const { return steps_; }

 private:
  friend class Rig;
  /// Advances the scene, and measures some of its steps.
  void advance(Scene& scene, std::optional<std::span<const SceneContact>> contacts);

  Physics& physics_;
  PhysicsCapabilities capabilities_;
  double step_;
  std::function<bool()> stopRequested_;
  std::int64_t steps_ = 0, timed_ = 0;
  double seconds_ = 0;
};

/// One scene: bodies are added to `builder`, what may touch is declared, then `start` builds it on the trial's engine.
/// Contacts are made by hand, the same for all engines, where the engine takes them from outside; else it finds them
/// itself, from the same shapes. Every read throws `Error` once a state is not finite.
class Rig {
 public:
  explicit Rig(Trial& trial) : trial_(trial) { builder.scene.timeStep = trial.step(); }

  SceneBuilder builder;

  /// A large fixed box with the plane z = 0 of its frame on top; body 0, so before all others.
  void addGround(const Matrix3d& R_WG = Matrix3d::Identity());
  /// As of `HandContacts`.
  void touchBox(int box, const Vector3d& size, int support = 0, const Vector3d& normal = Vector3d::UnitZ(),
                const Vector3d& at = Vector3d::Zero());
  void touchBall(int ball, double radius, int support = 0);

  void start();
  void setDrives(std::span<const JointDrive> drives) { scene_->setJointDrives(drives); }
  void step();
  void advance(double seconds);

  double time() const { return static_cast<double>(ticks_) * trial_.step(); }
  std::span<const BodyState> bodies();
  const BodyState& body(int index) { return bodies()[static_cast<std::size_t>(index)]; }
  JointState joint(int index);

 private:
  HandContacts& contacts();

  Trial& trial_;
  std::optional<HandContacts> contacts_;
  std::unique_ptr<Scene> scene_;
  std::int64_t ticks_ = 0;
  std::vector<BodyState> bodies_;
  std::vector<JointState> joints_;
};

}  // namespace mortise::truth
