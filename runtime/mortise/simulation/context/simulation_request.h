#pragma once

/// Settings of a simulation, under the same names in pipelines (`simulation`), on the command line (`mortise sim`) and
/// in Python.

#include <optional>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/model/world.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/context/simulation_options.h"

namespace mortise {

struct SimulationRequest {
  PlacedText backend;
  std::optional<double> step;  ///< s
  std::optional<ContactSource> contacts;
  std::optional<bool> adaptive;
  std::optional<OnUnstable> onUnstable;
  double controlRate = 100;  ///< Hz
  double realtime = 0;
  bool lockstep = false;
  Value actuatorLimits, motors;
  Value settings;  ///< Settings of the backend.
  void bind(SettingBinder& b);
};

/// A model of a motor, as `motors` lists them.
struct MotorEntry {
  Value robot, driver, model;
  Value settings;  ///< Settings of the model.
  void bind(SettingBinder& b);
};

/// Sets what the settings say: all but the backend's own settings, components, seed and files. What is wrong goes to
/// `diagnostics`.
void applyRequest(const SimulationRequest& settings, const World& world, SimulationOptions& options,
                  Diagnostics& diagnostics);

/// Returns the request that `applyRequest` makes these options of, with the backend's own settings; robots and drivers
/// of motors by their indices.
SimulationRequest requestOf(const SimulationOptions& options);

/// Models of motors as `motors` names them. What is wrong goes to `diagnostics`.
std::vector<MotorOptions> motorOptionsFrom(const Value& motors, const World& world, Diagnostics& diagnostics);

}  // namespace mortise
