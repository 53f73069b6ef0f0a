// A sensor: how far the terrain is below a link, in meters.

#include "mortise/base/borrow.h"
#include "mortise/collision/world_collider.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace acme {

struct HeightSettings {
  mortise::Value link;
  double range = 10;  // m

  void bind(mortise::SettingBinder& b) {
    b.add("link", link, "Name or index of the link.", {.required = true});
    b.add("range", range, "What it reads where nothing is that near.", {.min = 0, .unit = "m", .changeable = true});
  }
};

// `Configured` reads the settings, changes them while the simulation runs, and saves and restores them.
class HeightSensor final : public mortise::Configured<mortise::Sensor, HeightSettings> {
 public:
  using Configured::Configured;

  void start(const mortise::SensorSetup& setup) override {
    robot_ = setup.robot;
    link_ = mortise::linkFromSetting(*setup.world.robots.at(static_cast<std::size_t>(robot_)).robot, settings_->link);
    // The world outlives the sensor.
    auto collider = std::make_shared<const mortise::WorldCollider>(mortise::borrow(setup.world));
    state_ = std::make_unique<mortise::WorldCollisionState>(std::move(collider));
  }

  std::span<const std::string> channels() const override { return channels_; }

  void simulate(const mortise::SimulationView& view, double, std::span<double> out) override {
    const auto& frames = view.robots[static_cast<std::size_t>(robot_)].state->X_WL;
    mortise::Ray ray;
    ray.origin = frames[static_cast<std::size_t>(link_)].p;
    ray.direction = -mortise::Vector3d::UnitZ();
    const mortise::WorldRayHit found = state_->rayCast(ray, mortise::IdFilter::terrains());
    out[0] = found.id >= 0 && found.hit.t < settings_->range ? found.hit.t : settings_->range;
  }

 private:
  int robot_ = 0, link_ = 0;
  std::vector<std::string> channels_ = {"height"};
  std::unique_ptr<mortise::WorldCollisionState> state_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_sensor", "1.0.0") {
  plugin.sensor<acme::HeightSensor>("acme.HeightSensor")
      .summary("How far the terrain is below a link.")
      .settings<acme::HeightSettings>();
}
