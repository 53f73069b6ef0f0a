#include "integrated.h"

#include "mortise/base/error.h"
#include "state_bytes.h"

namespace mortise::estimators {

void IntegratedSettings::bind(SettingBinder& b) {
  b.add("position_sensor", joints.positionSensor,
        "Sensor that measures positions, by name; empty: all JointPositionSensors.", {.aliases = {"positionSensor"}});
  b.add("velocity_sensor", joints.velocitySensor,
        "Sensor that measures velocities, by name; empty: all JointVelocitySensors.", {.aliases = {"velocitySensor"}});
  b.add("velocity_filter", joints.velocityFilter,
        "Time constant of the filter on velocities that are differences of positions; 0: none.",
        {.min = 0, .unit = "s", .aliases = {"velocityFilter"}});
  b.add("base_from_joint_sensors", joints.baseFromJointSensors,
        "Believe joint sensors, and no inertial ones, about the coordinates of a base on the world.",
        {.aliases = {"baseFromJointSensors"}});
  b.add("gyro_sensor", base.gyroSensor,
        "Sensor with R_* or angVel_*, by name; empty: the first GyroSensor or IMUSensor.", {.aliases = {"gyroSensor"}});
  b.add("tilt_sensor", base.tiltSensor, "Sensor with a_x, a_y, by name; empty: the first TiltSensor.",
        {.aliases = {"tiltSensor"}});
  b.add("imu_sensor", base.imuSensor, "Sensor with trans_* and vel_*, by name; empty: the first IMUSensor.",
        {.aliases = {"imuSensor"}});
  b.add("inertial_link", base.link, "Link that carries these three, by name or index; absent: the floating base.",
        {.aliases = {"inertialLink"}});
  b.choice("angular_velocity_frame", base.velocityInLink, {{"world", false}, {"link", true}},
           "Frame in which angVel_* is expressed.", {.aliases = {"angularVelocityFrame"}});
  b.add("r_sensor", base.rotation, "Rotation of the tilt sensor in its link, row by row.", {.aliases = {"Rsensor"}});
  b.add("reference_dir", base.reference, "Direction that the tilt sensor measures against, world frame.",
        {.aliases = {"referenceDir"}});
  b.add("tilt_time", base.tiltTime, "Time constant of the correction by the tilt sensor; 0: at once.",
        {.min = 0, .unit = "s", .aliases = {"tiltTime"}});
  b.add("imu_translation", base.imuTranslation,
        "Take the base's position and velocity from what an IMUSensor has integrated.",
        {.aliases = {"imuTranslation"}});
}

void IntegratedSettings::check() const {
  if (!(base.reference.norm() > 1e-9))
    throw Error("'reference_dir' has no direction", settingPosition("reference_dir"), "[0, 0, 1] is up");
}

IntegratedStateEstimator::IntegratedStateEstimator(const ComponentContext& context)
    : host_(context.host), settings_(context.settings), joints_(settings_->joints), base_(settings_->base) {}

void IntegratedStateEstimator::start(const EstimatorSetup& setup) {
  joints_.start(setup);
  if (const std::vector<int> links = joints_.unmeasured(); !links.empty())
    host_.log(LogLevel::warning, "no sensor measures link '" + setup.robot.link(links.front()).name + "'" +
                                     (links.size() > 1 ? " (and " + std::to_string(links.size() - 1) + " more)" : "") +
                                     ": what is asked of its motor is taken for what it does");
  base_.start(setup, !settings_->joints.baseFromJointSensors);
  hasTime_ = false;
  time_ = 0;
}

void IntegratedStateEstimator::readSensors(const EstimatorInput& input) {
  const double dt = hasTime_ ? input.time - time_ : 0;
  joints_.readSensors(input.sensors, dt);
  base_.readSensors(input.sensors, dt, joints_.q(), joints_.dq());
  time_ = input.time;
  hasTime_ = true;
}

void IntegratedStateEstimator::estimate(VectorXd& q, VectorXd& dq) const {
  q = joints_.q();
  dq = joints_.dq();
}

void IntegratedStateEstimator::readCommand(std::span<const ActuatorCommand> commands) { joints_.readCommand(commands); }

void IntegratedStateEstimator::advance(double period) { joints_.advance(period); }

void IntegratedStateEstimator::save(ByteWriter& out) const {
  joints_.save(out);
  base_.save(out);
  out.put<std::uint8_t>(hasTime_ ? 1 : 0);
  out.put(time_);
}

void IntegratedStateEstimator::restore(ByteReader& in) {
  joints_.restore(in);
  base_.restore(in);
  hasTime_ = getFlag(in);
  time_ = getFinite(in);
}

}  // namespace mortise::estimators
