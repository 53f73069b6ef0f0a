#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/component/physics.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"

namespace mortise {

/// What a view shows of one robot.
struct RobotView {
  const RobotState* state = nullptr;          ///< Frames up to date, floating base included.
  std::span<const double> driverTorques;      ///< Of the last step, one a driver.
  std::span<const ActuatorCommand> commands;  ///< One a driver.
  std::span<const SensorReading> sensors;     ///< Last readings.
};

/// A read-only look at the simulated world at one tick. Valid during the call only.
struct SimulationView {
  double time = 0;
  std::int64_t tick = 0;
  const World* world = nullptr;
  std::span<const RobotView> robots;
  std::span<const BodyState> objects;
  std::span<const ContactForce> contacts;  ///< Of the last step.
};

}  // namespace mortise
