#pragma once

/// Choices with which a simulation is built: backend, components, motors and everything else that a caller chooses.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/kind.h"
#include "mortise/component/physics.h"
#include "mortise/model/world.h"
#include "mortise/simulation/actuation/drive_limits.h"
#include "mortise/simulation/actuation/motor_model.h"

namespace mortise {

class Controller;

/// Consequences of a component that throws or returns numbers that are not finite.
enum class OnError { stop, hold, disable };

/// A controller or sensor to run, as a pipeline or world names it.
struct ComponentOptions {
  Kind kind = Kind::controller;    ///< controller or sensor.
  int robot = 0;                   ///< Index in the world.
  std::string type;                ///< Registered name or alias.
  std::string name;                ///< Name in the run; empty: the type.
  std::vector<std::string> roles;  ///< Besides those of its type (`role.h`), for a type that stands for many classes.
  double rate = 0;                 ///< Hz; 0: the default (controllers: the control rate; sensors: every control step).
  OnError onError = OnError::stop;
  bool optional = false;  ///< Skipped with a notice when no such component is registered.
  bool enabled = true;    ///< A sensor that is not keeps its last values until it is switched on.
  /// The estimator that a controller gets, and its settings; empty: those of its declaration.
  std::string estimator;
  Value estimatorSettings = Value::map();
  std::string
      file;  ///< References in its settings are relative to this file; empty: `SimulationOptions::referringFile`.
  Value settings = Value::map();  ///< Against the component's schema; not yet completed.
  /// A controller of the caller's, in place of one that is created: `type` is what it goes by. It outlives the
  /// simulation. Null: none.
  Controller* instance = nullptr;
  SourcePosition position;
};

struct SimulationOptions {
  std::string backend;                   ///< Empty: what the world names, else the default one.
  SourcePosition backendPosition;        ///< For messages.
  Value backendSettings = Value::map();  ///< Override the world's.
  std::optional<double> timeStep;        ///< s; absent: the world's.
  /// Absent: `external` (the toolbox's boundary layer) when the world asks for it, as it does by default, and the
  /// backend can; else the engine's own.
  std::optional<ContactSource> contacts;
  std::optional<bool> adaptiveTimeStepping;  ///< Absent: the world's.
  std::optional<OnUnstable> onUnstable;      ///< Absent: the world's.
  double controlRate = 100;                  ///< Hz, of controllers and sensors that name no rate.
  ActuatorLimits actuatorLimits;             ///< Which limits motors keep; for backends with dynamics.
  std::vector<MotorOptions> motors;          ///< Models of motors; for backends with dynamics.
  std::uint64_t seed = 0;
  /// A controller or sensor that a world or a robot names and no plugin has is an error; else a warning.
  bool strict = false;
  /// Replace what the world and robot files name for the robots mentioned here. A robot without controller gets the one
  /// with the role `default_controller`, and one that has no sensor of positions, or of velocities, one called "q", or
  /// "dq".
  std::vector<ComponentOptions> components;
  std::string referringFile;  ///< References in component settings are relative to it.
  std::string runDirectory;
  std::function<bool()> stopRequested;  ///< Called by components that wait for something; may be empty.
};

}  // namespace mortise
