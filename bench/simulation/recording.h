#pragma once

/// A record of what the runtime hands a backend, step by step.

#include <memory>
#include <vector>

#include "mortise/component/physics.h"
#include "simulation/bench.h"

namespace mortise::bench {

/// One step: the state before it and what it was given. A step that the runtime took back is not in a recording.
struct RecordedStep {
  double h = 0;
  std::int64_t tick = 0;
  std::vector<BodyState> bodies;
  std::vector<JointState> joints;
  std::vector<JointDrive> drives;
  std::vector<SceneContact> contacts;
  double load = 0;  ///< Sum of the sizes of the vertical contact forces that the backend found, N.
};

struct Recording {
  SceneDescription scene;
  std::vector<RecordedStep> steps;
  std::int64_t stepsTakenBack = 0;
};

/// Runs the world for `seconds` and notes what crosses the interface of the backend.
Recording record(const Options& options, const std::string& file, const std::string& backend, double seconds);

/// Thread CPU seconds of `ticks` steps. `finding` is the time from when the runtime has read the bodies after a step
/// until it calls the backend again: it looks for contacts then, and checks that nothing has blown up.
struct RunTime {
  double full = 0, finding = 0;
};
RunTime timeRun(const Options& options, const std::string& file, const std::string& backend, std::int64_t ticks);

/// Thread CPU seconds of the same steps in a bare loop over the backend's `Scene`: motors, contacts, step, state and
/// forces, nothing else. Throws `Error` when it does not end where the recording does, bit for bit.
double timeScene(const Options& options, const std::string& file, const std::string& backend,
                 const Recording& recording);

/// Somebody's own loop on one engine.
class HandLoop {
 public:
  virtual ~HandLoop() = default;
  /// Puts the engine's bodies where the recording has them; not timed.
  virtual void place(const RecordedStep& step) = 0;
  /// Makes the engine's contacts, applies the motors, steps, and reads poses and contact forces; timed.
  virtual void step(const RecordedStep& step) = 0;
  /// Returns the load of `RecordedStep`: whether it does the same work.
  virtual double load() const = 0;
};
std::unique_ptr<HandLoop> makeOdeLoop(const SceneDescription& scene, int exactLimit, int iterations);
std::unique_ptr<HandLoop> makeBulletLoop(const SceneDescription& scene, int iterations);

/// The torque of a drive as a plain explicit motor has it.
double explicitEffort(const JointDrive& drive, const JointState& joint);

}  // namespace mortise::bench
