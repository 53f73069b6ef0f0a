#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "forces/contact_sensor.h"
#include "forces/force_torque_sensor.h"
#include "inertial/accelerometer.h"
#include "inertial/gyro_sensor.h"
#include "inertial/imu_sensor.h"
#include "inertial/tilt_sensor.h"
#include "joints/joint_sensor.h"
#include "wrappers/corrupted_sensor.h"
#include "wrappers/filtered_sensor.h"
#include "wrappers/time_delayed_sensor.h"
#include "wrappers/transformed_sensor.h"

namespace mortise::sensors {

namespace {

/// `name`: as Klamp't has it.
template <typename T, typename S>
ComponentBuilder declareSensor(PluginBuilder& plugin, const std::string& name, const char* summary,
                               const char* documentation, S defaults = S()) {
  ComponentBuilder sensor = plugin.sensor<T>("mortise." + name);
  return sensor.alias(name).summary(summary).documentation(documentation).settings(defaults);
}

void declareJointSensors(PluginBuilder& plugin) {
  declareSensor<JointPositionSensor>(plugin, "JointPositionSensor",
                                     "Positions of links, rad or m: what joint encoders report.",
                                     documentation::joint_position_sensor, JointPositionSensor::defaults())
      .role(role::kJointPositions)
      .role(role::kDefaultPositions);
  declareSensor<JointVelocitySensor>(plugin, "JointVelocitySensor",
                                     "Velocities of links, rad/s or m/s: what tachometers report.",
                                     documentation::joint_velocity_sensor, JointVelocitySensor::defaults())
      .role(role::kJointVelocities)
      .role(role::kDefaultVelocities);
  declareSensor<DriverTorqueSensor>(plugin, "DriverTorqueSensor",
                                    "Torques of a robot's drivers, N*m or N: what motor amplifiers report.",
                                    documentation::driver_torque_sensor, DriverTorqueSensor::defaults())
      .role(role::kDriverTorques)
      .role(role::kDefaultTorques);
}

void declareForceSensors(PluginBuilder& plugin) {
  declareSensor<ContactSensor, ContactSettings>(
      plugin, "ContactSensor",
      "A rectangular tactile patch on a link: whether something touches it, and with what force.",
      documentation::contact_sensor);
  declareSensor<ForceTorqueSensor, ForceTorqueSettings>(
      plugin, "ForceTorqueSensor",
      "Force and torque between a link and its parent, up to six axes: a load cell in the joint.",
      documentation::force_torque_sensor);
}

void declareInertialSensors(PluginBuilder& plugin) {
  declareSensor<Accelerometer, AccelerometerSettings>(plugin, "Accelerometer",
                                                      "Proper acceleration of a point of a link, up to three axes.",
                                                      documentation::accelerometer);
  declareSensor<TiltSensor, TiltSettings>(plugin, "TiltSensor",
                                          "Inclination against a direction of the world, and how fast it changes.",
                                          documentation::tilt_sensor);
  declareSensor<GyroSensor, GyroSensorSettings>(plugin, "GyroSensor",
                                                "Orientation, angular velocity and angular acceleration of a link.",
                                                documentation::gyro_sensor);
  declareSensor<ImuSensor, ImuSettings>(
      plugin, "IMUSensor", "Inertial measurement unit: an Accelerometer and a GyroSensor, and what follows from them.",
      documentation::imu_sensor);
}

void declareWrapperSensors(PluginBuilder& plugin) {
  declareSensor<TransformedSensor, TransformedSettings>(plugin, "TransformedSensor",
                                                        "Another sensor's values, scaled, shifted and limited.",
                                                        documentation::transformed_sensor);
  declareSensor<CorruptedSensor, CorruptedSettings>(plugin, "CorruptedSensor",
                                                    "Another sensor's values with Gaussian noise, then rounded.",
                                                    documentation::corrupted_sensor);
  declareSensor<FilteredSensor, FilteredSettings>(
      plugin, "FilteredSensor", "Another sensor's values, exponentially smoothed.", documentation::filtered_sensor);
  declareSensor<TimeDelayedSensor, TimeDelayedSettings>(plugin, "TimeDelayedSensor",
                                                        "Another sensor's values, as they arrive after a delay.",
                                                        documentation::time_delayed_sensor);
}

}  // namespace

}  // namespace mortise::sensors

MORTISE_PLUGIN("mortise_sensors", "0.1.0") {
  mortise::sensors::declareJointSensors(plugin);
  mortise::sensors::declareForceSensors(plugin);
  mortise::sensors::declareInertialSensors(plugin);
  mortise::sensors::declareWrapperSensors(plugin);
}
