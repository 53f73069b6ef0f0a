#pragma once

/// The mirror image of a SerialController: runs a controller plugin, and its estimator, against a robot behind the
/// protocol. The controller cannot tell it from a simulation.

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "mortise/component/file_format.h"
#include "mortise/model/robot.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/remote/address.h"

namespace mortise::remote {

struct DriveOptions {
  Address address;
  double wait = 0;      ///< s, to try to connect.
  double timeout = 10;  ///< s without a message, by the clock, after which the robot counts as lost.
  std::string controller;
  Value settings = Value::map();  ///< Of the controller; not yet completed.
  std::string estimator;          ///< Empty: what the controller's declaration asks for.
  /// Hz: updates by the robot's time, at most one a message; 0: one a message.
  double rate = 0;
  double duration = std::numeric_limits<double>::infinity();  ///< s of the robot's time.
  std::string log;                                            ///< CSV file with a row an update; empty: none.
  /// Types of sensors by name, on top of the robot file's own and of q, dq and torque.
  std::map<std::string, std::string> sensorTypes;
  std::uint64_t seed = 0;
  /// What is around the robot, and which of its robots it is; null: unknown. Outlives the drive.
  const World* world = nullptr;
  int robotIndex = -1;
  /// Told of every state of the robot that is used: its time (s) and configuration. May be empty.
  std::function<void(double time, const VectorXd& q)> observe;
};

struct DriveResult {
  std::int64_t messages = 0;       ///< States of the robot that came in.
  std::int64_t skipped = 0;        ///< Those that were not used, because a newer one was there already.
  std::int64_t updates = 0;        ///< Of the controller.
  std::int64_t refused = 0;        ///< Error messages from the robot.
  double startTime = 0, time = 0;  ///< s, by the robot's clock.
  std::string controller, ended;   ///< Name of the controller; why it is over.
};

/// Connects and drives until the duration is over, the other end leaves, or `stopRequested` says so. Throws `Error`
/// when nobody can be connected to, names or settings are wrong, the robot's messages do not fit the robot, the
/// controller fails or asks for what cannot be said, and when the robot falls silent.
DriveResult drive(const Robot& robot, Registry& registry, ResourceLoader* loader, LogSink& log,
                  const DriveOptions& options, const std::function<bool()>& stopRequested);

}  // namespace mortise::remote
