#pragma once

/// The interface of a simulated sensor.

#include <span>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/host.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/component/simulation_view.h"
#include "mortise/model/world.h"

namespace mortise {

struct SensorSetup {
  const World& world;
  int robot;      ///< Index of the robot that carries the sensor; -1: none, it is fixed in the world.
  double period;  ///< Seconds between readings.
  /// Sensors of the same robot that stand before this one: what a sensor that changes another one's values finds it
  /// by. The spans hold the latest values as long as the sensors run.
  std::span<const SensorReading> sensors = {};
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

  /// True: `observe` is called after every physics step, for sensors that measure means over their period.
  virtual bool observesSteps() const;
  /// After a physics step of `dt` seconds; the view shows its end. Must not allocate.
  virtual void observe(const SimulationView& view, double dt);

  /// Not null when the values are an image; fixed after `start`.
  virtual const CameraModel* camera() const;

  /// Settings as they are now, by name.
  virtual Value settings() const;
  /// Says whether `settings` has this one, under this name or an alias.
  virtual bool hasSetting(std::string_view name) const;
  /// Changes a setting while running. Returns false for one that this sensor does not have or does not change; throws
  /// `Error` for a wrong value.
  virtual bool changeSetting(std::string_view name, const Value& value);

  /// Everything that later readings depend on, changed settings included.
  virtual void save(ByteWriter& out) const;
  virtual void restore(ByteReader& in);

  /// Not null when the values are distances along beams; as of the last reading.
  virtual const ScanModel* scan() const;
};

}  // namespace mortise
