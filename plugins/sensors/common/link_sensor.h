#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/sensor.h"
#include "mortise/settings/settings.h"

namespace mortise::sensors {

/// Settings that those of all sensors on a link begin with.
struct LinkSettings {
  Value link = 0;  ///< Name or index; null: 0.
  void bind(SettingBinder& b) { b.add("link", link, "Link that carries the sensor, by name or by index."); }
};

/// The link, the channels and the access to the state that sensors on a link share.
class LinkMount {
 protected:
  /// Throws `Error` for a link that does not exist.
  void attach(const SensorSetup& setup, const Value& link);
  /// Adds channels prefix_x, prefix_y, prefix_z.
  void addAxes(const std::string& prefix);

  const RobotState& state(const SimulationView& view) const { return *view.robots[robot_].state; }
  const RigidTransform& linkFrame(const SimulationView& view) const { return state(view).X_WL[link_]; }
  const LinkTwist& linkTwist(const SimulationView& view) const { return view.robots[robot_].twists[link_]; }

  std::vector<std::string> channels_;
  int robot_ = 0;
  int link_ = 0;
};

/// A sensor on a link; its settings `S` are derived from `LinkSettings`.
template <typename S>
class LinkSensor : public Configured<Sensor, S>, protected LinkMount {
 public:
  using Configured<Sensor, S>::Configured;

  void start(const SensorSetup& setup) final {
    attach(setup, settings_->link);
    begin(setup);
  }
  std::span<const std::string> channels() const final { return channels_; }
  void save(ByteWriter& out) const final {
    settings_.save(out);
    saveState(out);
  }
  void restore(ByteReader& in) final {
    settings_.restore(in);
    restoreState(in);
  }

 protected:
  /// At the end of `start`, with the robot and link known: back to the state before the first reading.
  virtual void begin(const SensorSetup& setup) = 0;
  virtual void saveState(ByteWriter&) const {}
  virtual void restoreState(ByteReader&) {}

  using Configured<Sensor, S>::host_;
  using Configured<Sensor, S>::settings_;
};

/// Zero where an axis is not measured.
inline Vector3d onAxes(const std::array<bool, 3>& axes, const Vector3d& v) {
  return {axes[0] ? v[0] : 0.0, axes[1] ? v[1] : 0.0, axes[2] ? v[2] : 0.0};
}

inline void putVector(const Vector3d& v, std::span<double> out, std::size_t at) {
  for (int i = 0; i < 3; ++i) out[at + i] = v[i];
}

}  // namespace mortise::sensors
