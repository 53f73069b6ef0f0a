#pragma once

#include <array>
#include <string>
#include <vector>

#include "sensor_mount.h"
#include "visible_world.h"
#include "worker_threads.h"

namespace mortise::sensors_embree {

/// How an angle moves: `magnitude * f(u)`, u growing by one each period.
struct Sweep {
  enum class Type { sinusoid, triangular, sawtooth };
  double magnitude = 0;  ///< rad
  double period = 0;     ///< s; 0: the whole sweep in each reading.
  double phase = 0;      ///< s
  Type type = Type::sinusoid;

  /// f(u), from -1 to 1: sin(2 pi u); up during one period and down during the next; 2 (u mod 1) - 1.
  static double pattern(Type type, double u);
  /// Of beam `beam` out of `count` in a reading at `time` that covers the `duration` seconds before it.
  double angle(int beam, int count, double time, double duration) const;
};

/// Distances along one or more beams that sweep about one or two axes: Klamp't's LaserRangeSensor.
class LaserRangeSensor final : public Sensor {
 public:
  explicit LaserRangeSensor(const ComponentContext& context);

  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  Value settings() const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  Host& host_;
  Value settings_;
  SensorMount mount_;
  int count_;
  double minimum_, maximum_;
  DepthNoise noise_;
  Sweep sweeps_[2];  ///< x, y.
  double pointRadius_;
  std::vector<std::string> channels_;
  VisibleWorld world_;
  WorkerThreads threads_;
};

}  // namespace mortise::sensors_embree
