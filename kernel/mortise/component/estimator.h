#pragma once

/// The interface of a state estimator: what a robot's sensors, and what was asked of its motors, say about its
/// configuration and velocity. A controller that asks for one by name finds its result in `ControllerInput::estimate`.

#include <span>

#include "mortise/base/bytes.h"
#include "mortise/component/controller.h"
#include "mortise/component/host.h"
#include "mortise/model/robot_state.h"

namespace mortise {

struct EstimatorSetup {
  const Robot& robot;  ///< Outlives the estimator.
  double period;       ///< Seconds between updates of the controller.
  const VectorXd& q;   ///< Configuration at the start.
  std::span<const SensorReading> sensors;
  bool simulated;  ///< True if `EstimatorInput::truth` will be there.
};

struct EstimatorInput {
  double time = 0;        ///< Seconds.
  std::int64_t tick = 0;  ///< Physics steps since the start.
  std::span<const SensorReading> sensors;
  const RobotState* truth = nullptr;  ///< State in the simulator; null on a robot.
};

class Estimator {
 public:
  virtual ~Estimator();

  /// Once before the first reading, and again after a reset. Allocate here. May throw `Error` (a sensor that it needs
  /// is not there).
  virtual void start(const EstimatorSetup& setup) = 0;
  /// Before each update of the controller.
  virtual void readSensors(const EstimatorInput& input) = 0;
  /// The estimate now; both have numLinks entries. Must not allocate.
  virtual void estimate(VectorXd& q, VectorXd& dq) const = 0;
  /// After each update of the controller: what it asked of the drivers.
  virtual void readCommand(std::span<const ActuatorCommand> commands);
  /// After `readCommand`: predicts the state after `period` seconds.
  virtual void advance(double period);

  /// Everything that later estimates depend on.
  virtual void save(ByteWriter& out) const;
  virtual void restore(ByteReader& in);
};

}  // namespace mortise
