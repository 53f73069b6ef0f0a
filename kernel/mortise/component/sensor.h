#pragma once

/// The interface of a simulated sensor.

#include <span>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/host.h"
#include "mortise/component/physics.h"
#include "mortise/model/robot.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"

namespace mortise {

/// A read-only look at the simulated world at one tick. Valid during the call only.
struct SimulationView {
  double time = 0;
  std::int64_t tick = 0;
  const World* world = nullptr;
  std::span<const RobotState> robots;                ///< Frames up to date, floating base included.
  std::span<const std::vector<double>> driverTorques;  ///< Per robot, last step's drive torques.
  std::span<const BodyState> objects;                ///< Poses and velocities of the rigid objects.
  std::span<const ContactForce> contacts;
};

struct SensorSetup {
  const World& world;
  int robot;  ///< Index of the robot that carries the sensor.
};

class Sensor {
 public:
  virtual ~Sensor();

  /// Once before the first reading, and after a reset. May throw `Error` (a link that does not exist).
  virtual void start(const SensorSetup& setup) = 0;
  /// Names of the measured values, fixed after `start`.
  virtual std::span<const std::string> channels() const = 0;
  /// Measures. `period` is the time since the last reading; `out` has one entry a channel. Must not allocate.
  virtual void simulate(const SimulationView& view, double period, std::span<double> out) = 0;

  virtual void save(ByteWriter& out) const;
  virtual void restore(ByteReader& in);
};

}  // namespace mortise
