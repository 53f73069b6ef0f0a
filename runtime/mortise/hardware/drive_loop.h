#pragma once

/// Runs a controller plugin, and its estimator, against a robot behind a hardware plugin: reads, estimates, updates,
/// keeps limits, writes. The controller cannot distinguish it from a simulation.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "mortise/base/log.h"
#include "mortise/component/file_format.h"
#include "mortise/hardware/drive_clock.h"
#include "mortise/model/robot.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"

namespace mortise {

struct DriveOptions {
  std::string hardware;                   ///< Empty: the one with the role `default_hardware`.
  Value hardwareSettings = Value::map();  ///< Not yet completed.
  std::string controller;
  Value settings = Value::map();  ///< Settings of the controller; not yet completed.
  std::string estimator;          ///< Empty: what the controller's declaration asks for.
  /// Hz: of hardware that sets the pace itself, updates of the controller by its time, at most one a state; of other
  /// hardware, how often it is read and written. 0: as the hardware wants it.
  double rate = 0;
  double duration = std::numeric_limits<double>::infinity();  ///< s of the robot's time.
  /// s without a new state, after which hardware that does not set the pace itself counts as lost; and s that the
  /// controller may take for a command, while the robot goes on with its last one.
  double timeout = 10;
  std::string log;  ///< CSV file with a row an update; empty: none.
  /// Types of sensors by name, on top of what the hardware and the robot's file say.
  std::map<std::string, std::string> sensorTypes;
  std::uint64_t seed = 0;
  /// The world around the robot, and the index of the robot in it; null: unknown. Outlives the drive.
  const World* world = nullptr;
  int robotIndex = -1;
  /// Called with every state of the robot that is used: its time (s) and configuration. May be empty.
  std::function<void(double time, const VectorXd& q)> observe;
  DriveClock* clock = nullptr;  ///< Clock of hardware that does not set the pace itself; null: the computer's.
  /// Says that the user wants the emergency stop, now: asked about 20 times a second, also while the controller is
  /// busy. May be empty.
  std::function<bool()> emergencyRequested;
};

struct DriveResult {
  std::int64_t states = 0;           ///< States of the robot that were used.
  std::int64_t updates = 0;          ///< Updates of the controller.
  std::int64_t skipped = 0;          ///< States that were not used, because newer ones were there already.
  std::int64_t refused = 0;          ///< Commands that the robot refused.
  std::int64_t limited = 0;          ///< Commands of a driver that were changed so that they keep its limits.
  std::int64_t overruns = 0;         ///< Cycles that took longer than their period.
  std::int64_t skippedCycles = 0;    ///< Cycles that were left out after those.
  double startTime = 0, time = 0;    ///< s, by the robot's clock.
  std::string hardware, controller;  ///< Registered names.
  std::string ended;                 ///< Why it is over.
  bool emergencyStop = false;        ///< The hardware's was called, because the user wanted it.
};

/// Connects and drives until the duration is over, the robot leaves, or `stopRequested` (may be empty) says so; then
/// the robot is stopped. Its emergency stop takes the place of that, or follows, where `emergencyRequested` says so.
/// The hardware is called by this thread alone; the controller and its estimator are updated by another one, so that
/// the robot can be stopped while they are busy. Throws `Error` when names or settings are wrong, the hardware cannot
/// be connected to or does not fit the robot, the controller fails or asks for what the hardware does not take (the
/// robot is stopped before), and for faults of the hardware and a controller that takes longer than `timeout` (the
/// hardware's emergency stop is called before).
DriveResult drive(const Robot& robot, Registry& registry, ResourceLoader* loader, LogSink& log,
                  const DriveOptions& options, const std::function<bool()>& stopRequested = {});

}  // namespace mortise
