#pragma once

#include "mortise/component/host.h"
#include "mortise/component/sensor.h"

namespace mortise::sensors_embree {

/// Where a sensor sits: on a link of its robot, or fixed in the world (link -1).
class SensorMount {
 public:
  /// Reads `Tsensor`. Throws `Error` where its first nine numbers are no rotation.
  explicit SensorMount(const Value& settings);
  /// Reads `link`. Throws `Error` where there is no such link.
  void start(const SensorSetup& setup, const Value& settings);

  int robot() const { return robot_; }
  int link() const { return link_; }
  const RigidTransform& X_LS() const { return X_LS_; }
  /// X_WS. Throws `Error` when it is not finite.
  RigidTransform pose(const SimulationView& view) const;

 private:
  int robot_ = 0, link_ = -1;
  RigidTransform X_LS_;
};

/// Noise, then rounding, as Klamp't does it to depths: the variance is `linear * depth + constant`.
struct DepthNoise {
  double linear = 0, constant = 0;
  double resolution = 0;  ///< m; 0: none.

  bool none() const { return linear == 0 && constant == 0 && resolution == 0; }
  double apply(double depth, RandomStream& random) const;

  void save(ByteWriter& out) const;
  /// Throws `Error` for numbers that a setting would not take.
  void restore(ByteReader& in);
};

/// Settings are no larger than this, in their own units.
inline constexpr double kLargestSetting = 1e6;
/// A number from a setting that is changed while running, from `min` to `kLargestSetting`. Throws `Error`.
double changedNumber(std::string_view name, const Value& value, double min);
/// The same of what is on or off.
bool changedSwitch(std::string_view name, const Value& value);
/// What a snapshot holds must be in the same bounds. Throws `Error`.
void checkRestored(double value, double min);

}  // namespace mortise::sensors_embree
