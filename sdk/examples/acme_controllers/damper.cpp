// A controller outside Mortise's tree: every driver as a spring with a damper,
//
//   torque = -stiffness (position - rest) - damping velocity.
//
// It sees sensor readings and a robot model, never a physics engine.

#include "mortise/plugin/plugin.h"

namespace acme {

class SpringDamper final : public mortise::Controller {
 public:
  explicit SpringDamper(const mortise::ComponentContext& context)
      : stiffness_(context.settings.at("stiffness").asReal()),
        damping_(context.settings.at("damping").asReal()),
        rest_(context.settings.at("rest").asReals()) {}

  void start(const mortise::ControllerSetup& setup) override {
    robot_ = &setup.robot;
    const auto numDrivers = static_cast<std::size_t>(robot_->numDrivers());
    if (!rest_.empty() && rest_.size() != numDrivers)
      throw mortise::Error("'rest' has " + std::to_string(rest_.size()) + " values, but robot '" + robot_->name() +
                           "' has " + std::to_string(numDrivers) + " drivers");
    rest_.resize(numDrivers, 0.0);
    q_ = setup.q;  // Memory is taken here: `update` must not allocate.
    dq_ = mortise::VectorXd::Zero(q_.size());
  }

  void update(const mortise::ControllerInput& input, double, std::span<mortise::ActuatorCommand> commands) override {
    read(input.byType("JointPositionSensor"), q_);
    read(input.byType("JointVelocitySensor"), dq_);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const int driver = static_cast<int>(i);
      commands[i].mode = mortise::ActuatorCommand::Mode::torque;
      commands[i].torque = -stiffness_ * (mortise::driverValue(*robot_, driver, q_) - rest_[i]) -
                           damping_ * mortise::driverVelocity(*robot_, driver, dq_);
    }
  }

 private:
  /// Joint sensors have one channel a link, unless they were told to measure only some.
  static void read(const mortise::SensorReading* reading, mortise::VectorXd& values) {
    if (reading == nullptr || reading->values.size() != static_cast<std::size_t>(values.size())) return;
    for (std::size_t i = 0; i < reading->values.size(); ++i) values[static_cast<Eigen::Index>(i)] = reading->values[i];
  }

  double stiffness_, damping_;
  std::vector<double> rest_;
  const mortise::Robot* robot_ = nullptr;
  mortise::VectorXd q_, dq_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_controllers", "1.0.0") {
  plugin.controller<acme::SpringDamper>("acme.SpringDamper")
      .summary("Pulls every driver to a rest position and opposes its motion.")
      .parameter("stiffness", 4.0, "Torque for each radian away from rest.", {.min = 0, .unit = "N*m/rad"})
      .parameter("damping", 1.0, "Torque for each radian a second.", {.min = 0, .unit = "N*m*s/rad"})
      .parameter("rest", std::vector<double>{}, "Rest position of each driver; empty: all 0.");
}
