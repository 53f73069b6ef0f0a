#pragma once

/// The record of a run: how well robots followed their commands, how hard their motors worked, and when controllers
/// changed their states. No part of it enters snapshots or hashes.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/controller.h"
#include "mortise/model/world.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise {

/// The record of one robot, since it was begun.
struct RobotRecord {
  /// Largest distance of a driver from the position that its servo was commanded to, measured whenever the controller
  /// ran; rad or m. Driver -1: no servo had a position command.
  double trackingError = 0, trackingTime = 0;
  int trackingDriver = -1;
  /// The number of times that the controller ran. The first time, no motor has had a step to follow its command yet.
  int updates = 0;
  struct Peak {
    double torque = 0, time = 0;  ///< Largest magnitude, N*m or N, and when.
  };
  std::vector<Peak> peaks;  ///< By driver; empty where the backend has no motors.
};

/// A controller inside a robot's controller took over from another one, in a state machine or a sequence.
struct StateChange {
  double time = 0;         ///< s
  int robot = 0;           ///< Index in the world.
  std::string controller;  ///< Which part of the robot's controller changed, with dots; empty: the controller itself.
  std::string from, to;    ///< Names of the states or steps.
};

class SimulationRecord {
 public:
  SimulationRecord(const World& world, bool motors);

  /// After the controller of a robot ran: its commands, one a driver, and where the robot is.
  void addCommands(int robot, std::span<const ActuatorCommand> commands, const VectorXd& q, double time);
  /// After a step: torques of a robot's drivers.
  void addTorques(int robot, std::span<const double> torques, double time);
  /// Adds what the robot's controller, whose host is called `name`, published under `active`.
  void addStates(int robot, const std::string& name, const Controller& controller, const ChannelTable& channels,
                 double time);

  const std::vector<RobotRecord>& robots() const { return robots_; }
  const std::vector<StateChange>& changes() const { return changes_; }

 private:
  struct Watched {
    int robot;
    std::string part;                   ///< Part as in `StateChange::controller`.
    const std::vector<double>* number;  ///< Published number of the active child.
    double last;
    std::string state;
  };
  void watch(int robot, const std::string& name, const Controller& controller, const ChannelTable& channels);

  const World& world_;
  std::vector<RobotRecord> robots_;
  std::vector<StateChange> changes_;
  std::vector<std::size_t> channelsSeen_;  ///< By robot: the number of channels at the last `watch`.
  std::vector<Watched> watched_;
};

/// The driver whose peak counts as the worst: the largest fraction of its torque limit, or the largest torque where no
/// driver has a limit. -1: no motors. `fraction`: of the limit; 0 without limit.
int worstDriver(const Robot& robot, const RobotRecord& record, double& fraction);

}  // namespace mortise
