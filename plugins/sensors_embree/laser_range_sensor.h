#pragma once

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "depth_noise.h"
#include "mortise/math/constants.h"
#include "sensor_mount.h"
#include "visible_world.h"
#include "worker_threads.h"

namespace mortise::sensors_embree {

/// The motion of an angle: `magnitude * f(u)`, u growing by one each period.
struct Sweep {
  enum class Type { sinusoid, triangular, sawtooth };
  double magnitude = 0;  ///< rad
  double period = 0;     ///< s; 0: the whole sweep in each reading.
  double phase = 0;      ///< s
  Type type = Type::sinusoid;

  /// f(u), from -1 to 1: sin(2 pi u); up during one period and down during the next; 2 (u mod 1) - 1.
  static double pattern(Type type, double u);
  /// Returns the angle of beam `beam` out of `count` in a reading at `time` that covers the `duration` seconds before
  /// it.
  double angle(int beam, int count, double time, double duration) const;
};

}  // namespace mortise::sensors_embree

/// 0, 1 and 2 as in Klamp't's files, or the names.
template <>
struct mortise::SettingType<mortise::sensors_embree::Sweep::Type> {
  static constexpr ParameterType type = ParameterType::string;
  static constexpr int size = -1;
  static Value value(sensors_embree::Sweep::Type type);
  static sensors_embree::Sweep::Type from(const Value& value, std::string_view name);
};

namespace mortise::sensors_embree {

struct LaserSettings : MountSettings {
  int count = 180;
  double minimum = 0.1, maximum = kInfinity;  ///< m
  DepthNoise noise;
  Sweep x = {std::numbers::pi / 2, 0, 0, Sweep::Type::sawtooth}, y;
  void bind(SettingBinder& b);
  void check() const;
};

/// Distances along one or more beams that sweep about one or two axes: Klamp't's LaserRangeSensor.
class LaserRangeSensor final : public Configured<Sensor, LaserSettings> {
 public:
  explicit LaserRangeSensor(const ComponentContext& context);

  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  const ScanModel* scan() const override { return &scan_; }

 private:
  void aim(double time, double period);

  SensorMount mount_;
  ScanModel scan_;
  std::vector<std::string> channels_;
  VisibleWorld world_;
  WorkerThreads threads_;
};

}  // namespace mortise::sensors_embree
