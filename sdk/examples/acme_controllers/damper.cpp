// A controller outside Mortise's tree: every driver as a spring with a damper,
//
//   torque = -stiffness (position - rest) - damping velocity.
//
// It sees sensor readings and a robot model, never a physics engine.

#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace acme {

struct SpringDamperSettings {
  double stiffness = 4;      // N*m/rad
  double damping = 1;        // N*m*s/rad
  std::vector<double> rest;  // rad, one a driver

  void bind(mortise::SettingBinder& b) {
    b.add("stiffness", stiffness, "Torque for each radian away from rest.",
          {.min = 0, .unit = "N*m/rad", .changeable = true});
    b.add("damping", damping, "Torque for each radian a second.", {.min = 0, .unit = "N*m*s/rad", .changeable = true});
    b.add("rest", rest, "Rest position of each driver, rad; empty: all 0.", {.changeable = true});
  }
};

// `Configured` reads the settings, changes them while the simulation runs, and saves and restores them.
class SpringDamper final : public mortise::Configured<mortise::Controller, SpringDamperSettings> {
 public:
  using Configured::Configured;

  void start(const mortise::ControllerSetup& setup) override {
    robot_ = &setup.robot;
    settings_.reset();
    settings_.setCheck([this](const SpringDamperSettings& settings) {
      if (settings.rest.empty() || settings.rest.size() == static_cast<std::size_t>(robot_->numDrivers())) return;
      throw mortise::Error("'rest' has " + std::to_string(settings.rest.size()) + " values, but robot '" +
                               robot_->name() + "' has " + std::to_string(robot_->numDrivers()) + " drivers",
                           mortise::settingPosition("rest"));
    });
    q_ = setup.q;  // Memory is taken here: `update` must not allocate.
    dq_ = mortise::VectorXd::Zero(q_.size());
  }

  void update(const mortise::ControllerInput& input, double, std::span<mortise::ActuatorCommand> commands) override {
    read(input.byRole(mortise::role::kJointPositions), q_);
    read(input.byRole(mortise::role::kJointVelocities), dq_);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const int driver = static_cast<int>(i);
      commands[i].mode = mortise::ActuatorCommand::Mode::torque;
      const double rest = settings_->rest.empty() ? 0 : settings_->rest[i];
      commands[i].torque = -settings_->stiffness * (mortise::driverValue(*robot_, driver, q_) - rest) -
                           settings_->damping * mortise::driverVelocity(*robot_, driver, dq_);
    }
  }

 private:
  /// Joint sensors have one channel a link, unless they were told to measure only some.
  static void read(const mortise::SensorReading* reading, mortise::VectorXd& values) {
    if (reading == nullptr || reading->values.size() != static_cast<std::size_t>(values.size())) return;
    for (std::size_t i = 0; i < reading->values.size(); ++i) values[static_cast<Eigen::Index>(i)] = reading->values[i];
  }

  const mortise::Robot* robot_ = nullptr;
  mortise::VectorXd q_, dq_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_controllers", "1.0.0") {
  plugin.controller<acme::SpringDamper>("acme.SpringDamper")
      .summary("Pulls every driver to a rest position and opposes its motion.")
      .settings<acme::SpringDamperSettings>();
}
