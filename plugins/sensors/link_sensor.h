#pragma once

#include <array>
#include <string>
#include <vector>

#include "changeable_settings.h"
#include "mortise/component/sensor.h"

namespace mortise {

/// What sensors on a link have in common: the setting `link`, channels, settings that change, and their state.
class LinkSensor : public Sensor {
 public:
  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  Value settings() const override { return settings_.values(); }
  bool changeSetting(std::string_view name, const Value& value) override { return settings_.change(name, value); }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  explicit LinkSensor(const ComponentContext& context) : host_(context.host), settings_(context.settings) {}

  /// At the end of `start`, with the robot and link known: back to the state before the first reading.
  virtual void begin(const SensorSetup& setup) = 0;
  virtual void saveState(ByteWriter&) const {}
  virtual void restoreState(ByteReader&) {}

  /// Adds channels prefix_x, prefix_y, prefix_z.
  void addAxes(const std::string& prefix);

  const RobotState& state(const SimulationView& view) const { return *view.robots[robot_].state; }
  const RigidTransform& linkFrame(const SimulationView& view) const { return state(view).X_WL[link_]; }
  const LinkTwist& linkTwist(const SimulationView& view) const { return view.robots[robot_].twists[link_]; }

  Host& host_;
  ChangeableSettings settings_;
  std::vector<std::string> channels_;
  int robot_ = 0;
  int link_ = 0;
};

/// Zero where an axis is not measured.
inline Vector3d onAxes(const std::array<bool, 3>& axes, const Vector3d& v) {
  return {axes[0] ? v[0] : 0.0, axes[1] ? v[1] : 0.0, axes[2] ? v[2] : 0.0};
}

inline void putVector(const Vector3d& v, std::span<double> out, std::size_t at) {
  for (int i = 0; i < 3; ++i) out[at + i] = v[i];
}

}  // namespace mortise
