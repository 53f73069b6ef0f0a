#pragma once

/// One engine at one step, on which cases put up their scenes.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "mortise/closed_forms/hand_contacts.h"
#include "mortise/closed_forms/scene_builder.h"
#include "mortise/component/physics.h"

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
  ~Trial();

  Physics& physics() { return physics_; }
  const PhysicsCapabilities& capabilities() const { return capabilities_; }
  double step() const { return step_; }
  /// Steps in so many seconds.
  int stepsIn(double seconds) const;

  /// Mean processor time (s) of a step of all scenes that have been put up and are gone, of `Scene::setContacts` and
  /// `Scene::step` alone: finding contacts and reading states are not the engine's. Where steps are so short that
  /// asking the clock would be most of what is measured, the scenes are run once more, and blocks of steps are timed.
  /// 0 before the first step.
  double cost();
  std::int64_t steps() const { return steps_; }

 private:
  friend class Rig;
  /// The description of a scene, and how far it went.
  struct Run;
  /// Advances the scene, and measures some of its steps.
  void advance(Scene& scene, std::optional<std::span<const SceneContact>> contacts);
  /// Processor time (s) of all steps of a run, which is made once more.
  double secondsInBlocks(Run& run);

  Physics& physics_;
  PhysicsCapabilities capabilities_;
  double step_;
  std::function<bool()> stopRequested_;
  std::int64_t steps_ = 0, timed_ = 0;
  double seconds_ = 0;
  std::vector<std::unique_ptr<Run>> runs_;
};

/// One scene: bodies are added to `builder`, what may touch is declared, then `start` builds it on the trial's engine.
/// Contacts are made by hand, the same for all engines, where the engine takes them from outside; else it finds them
/// itself, from the same shapes. Every read throws `Error` once a state is not finite.
class Rig {
 public:
  explicit Rig(Trial& trial);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

 private:
  std::unique_ptr<Trial::Run> run_;

 public:
  SceneBuilder& builder;

  /// A large fixed box with the plane z = 0 of its frame on top; body 0, so before all others.
  void addGround(const Matrix3d& R_WG = Matrix3d::Identity());
  /// Adds contacts as `HandContacts` does.
  void touchBox(int box, const Vector3d& size, int support = 0, const Vector3d& normal = Vector3d::UnitZ(),
                const Vector3d& at = Vector3d::Zero());
  void touchBall(int ball, double radius, int support = 0);
  void touchBalls(int a, double radiusA, int b, double radiusB);

  void start();
  /// Once, before the first step.
  void setDrives(std::span<const JointDrive> drives);
  void step();
  void advance(double seconds);

  double time() const { return static_cast<double>(ticks()) * trial_.step(); }
  std::span<const BodyState> bodies();
  const BodyState& body(int index) { return bodies()[static_cast<std::size_t>(index)]; }
  JointState joint(int index);
  /// Sum of the contact forces on a body in the last step.
  Vector3d contactForce(int body) const { return contactForceOn(*scene_, body); }

 private:
  HandContacts& contacts();
  std::int64_t ticks() const;

  Trial& trial_;
  std::unique_ptr<Scene> scene_;
  std::vector<BodyState> bodies_;
  std::vector<JointState> joints_;
};

}  // namespace mortise::truth
