#pragma once

#include <array>

#include "mortise/plugin/plugin.h"

namespace mortise {

/// JointPositionSensor, JointVelocitySensor, DriverTorqueSensor.
void declareJointSensors(PluginBuilder& plugin);
/// ContactSensor, ForceTorqueSensor.
void declareForceSensors(PluginBuilder& plugin);
/// Accelerometer, TiltSensor, GyroSensor, IMUSensor.
void declareInertialSensors(PluginBuilder& plugin);

/// The setting `link`.
void declareLink(ComponentBuilder& component);
/// Three switches, one an axis.
void declareAxes(ComponentBuilder& component, const char* name, std::array<bool, 3> defaults, const char* summary);
/// Three numbers, one an axis, all `value` by default; not negative.
void declareVector(ComponentBuilder& component, const char* name, double value, const char* summary,
                   const char* unit = "");
/// Twelve numbers, the identity by default.
void declareTsensor(ComponentBuilder& component, const char* meaning);

}  // namespace mortise
