#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/component/physics.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"

namespace mortise {

/// Velocity of a link.
struct LinkTwist {
  Vector3d v_WL = Vector3d::Zero();  ///< Velocity of the origin of the link's frame, m/s, world axes.
  Vector3d w_WL = Vector3d::Zero();  ///< rad/s, world axes.
};

/// A force and a torque that the caller of the simulation puts on an object or link.
struct AppliedWrench {
  int id = -1;  ///< World id; of a link, or of an object.
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  Vector3d point = Vector3d::Zero();  ///< Present point of attack, world frame.
};

/// View of one robot.
struct RobotView {
  const RobotState* state = nullptr;          ///< Frames up to date, floating base included.
  std::span<const double> driverTorques;      ///< Torques of the last step, one a driver.
  std::span<const ActuatorCommand> commands;  ///< One a driver.
  std::span<const SensorReading> sensors;     ///< Last readings.
  /// One a link, from the engine's own velocities: right also where the angles of a floating base are singular and
  /// `state->dq` is not.
  std::span<const LinkTwist> twists;
};

/// A read-only view of the simulated world at one tick. Valid during the call only.
struct SimulationView {
  double time = 0;
  std::int64_t tick = 0;
  const World* world = nullptr;
  std::span<const RobotView> robots;
  std::span<const BodyState> objects;
  std::span<const ContactForce> contacts;  ///< Contacts of the last step, or of its last part when it was divided.
  double timeStep = 0;                     ///< Duration of the last step, s.
  Vector3d gravity = Vector3d::Zero();     ///< m/s^2, world frame.
  /// Contacts like `contacts`, of all parts of the last step: forces are scaled by the part's fraction of the step, so
  /// that sums are means over the step. A contact stands here once a part.
  std::span<const ContactForce> weightedContacts;
  std::span<const AppliedWrench> wrenches;  ///< Put on in the last step.
};

}  // namespace mortise
