#pragma once

#include <cstdint>
#include <vector>

#include "mortise/component/estimator.h"

namespace mortise::estimators {

/// Which of a robot's links its sensors with one role measure: entry (sensor, value) a link, the first sensor that
/// measures it.
class LinkReadings {
 public:
  /// `sensorName`: only this one; empty: all that have the role, or are of the type (without vendor). Throws `Error`
  /// when the name is not one of `sensors`, and for a channel that no link, or more than one, answers to.
  void assign(const Robot& robot, std::span<const SensorReading> sensors, std::string_view role, std::string_view type,
              const std::string& sensorName);
  bool any() const { return any_; }
  bool measures(int link) const { return places_[link].sensor >= 0; }
  int sensorOf(int link) const { return places_[link].sensor; }
  void forget(int link) { places_[link].sensor = -1; }
  /// The value of a link that is measured; false for one that is not finite (a sensor out of its range).
  bool read(std::span<const SensorReading> sensors, int link, double& value) const;

 private:
  struct Place {
    int sensor = -1, value = -1;
  };
  std::vector<Place> places_;
  bool any_ = false;
};

struct JointEstimateSettings {
  std::string positionSensor, velocitySensor;  ///< Names; empty: by type.
  double velocityFilter = 0.02;                ///< Time constant of differenced velocities, s; 0: none.
  bool baseFromJointSensors = false;
};

/// Positions and velocities of links, one by one: measured where a sensor measures them; velocities else from
/// differences of positions over the time since the sensor's last new reading (it may be slower than the controller),
/// positions else from velocities (trapezoidal rule), then from other links of the same driver, then from what was
/// asked of the driver; what nobody knows stays where it was.
class JointEstimate {
 public:
  /// `settings` outlives this object.
  explicit JointEstimate(const JointEstimateSettings& settings) : settings_(settings) {}

  void start(const EstimatorSetup& setup);
  void readSensors(std::span<const SensorReading> sensors, double dt);
  void readCommand(std::span<const ActuatorCommand> commands);
  void advance(double period);

  /// Links of motors that no sensor says anything about: what is asked of the motors stands for them.
  std::vector<int> unmeasured() const;

  VectorXd& q() { return q_; }
  VectorXd& dq() { return dq_; }
  const VectorXd& q() const { return q_; }
  const VectorXd& dq() const { return dq_; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  enum class Source : std::uint8_t { none, sensors, driver, command };

  /// The times at which one position sensor measures, as its readings tell: one is new when any of its values changed.
  struct SensorTiming {
    double age = 0;        ///< Since the last new reading, s.
    double interval = 0;   ///< Between new readings, smoothed, s; 0: there were none yet.
    double elapsed = 0;    ///< Time that differences are over now, s; 0: there is nothing new.
    bool resting = false;  ///< Nothing new for so long that nothing moves.
  };

  void updateTimings(std::span<const SensorReading> sensors, double dt);
  void differentiate(int link, double position, double dt);
  void readLink(std::span<const SensorReading> sensors, int link, double dt);
  void readDrivers();

  const JointEstimateSettings& settings_;
  const Robot* robot_ = nullptr;
  LinkReadings positions_, velocities_;
  std::vector<Source> sources_;
  VectorXd q_, dq_;
  VectorXd qLast_, dqLast_;                           ///< At the last reading.
  std::vector<std::uint8_t> hasPosition_, hasSlope_;  ///< One a link: whether qLast_ was read, dq_ was differenced.
  std::vector<SensorTiming> timings_;                 ///< By sensor.
  VectorXd raw_;                                      ///< Last position reading of each link.
  VectorXd commandPosition_, commandVelocity_;        ///< One a driver.
  std::vector<std::uint8_t> commandMode_;             ///< 0: nothing, 1: position, 2: velocity.
};

}  // namespace mortise::estimators
