#pragma once

/// The interface of a simulated sensor.

#include <span>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/host.h"
#include "mortise/component/simulation_view.h"
#include "mortise/model/world.h"

namespace mortise {

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
