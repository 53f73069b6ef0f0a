#pragma once

/// Readings of sensors to messages.

#include <optional>
#include <span>
#include <string>

#include "mortise/component/sensor_reading.h"
#include "ros/messages/plain.h"
#include "ros/messages/sensors.h"

namespace mortise::ros {

/// What a camera sees, rgb8. The values are those of a reading; throws `Error` where they are not as many as the camera
/// has.
Image colorImage(const CameraModel& camera, std::span<const double> values, const Time& stamp, std::string frame);
/// Depths in meters, 32FC1; what is nearer than the camera sees is -inf, and what is farther inf (REP 117).
Image depthImage(const CameraModel& camera, std::span<const double> values, const Time& stamp, std::string frame);
CameraInfo cameraInfo(const CameraModel& camera, const Time& stamp, std::string frame);

/// The frame of a `LaserScan` in the sensor's: x ahead, y to the left, z up.
RigidTransform scanFrame();
/// A scan whose beams lie in a plane (`logs::isPlanarScan`), in the frame above. Beams that met nothing are infinite.
LaserScan laserScan(const ScanModel& scan, std::span<const double> values, const Time& stamp, std::string frame);

/// Where in a reading the numbers stand that make up an `Imu` or a `WrenchStamped`.
struct SensorLayout {
  enum class Kind { color, depth, colorAndDepth, scan, cloud, imu, wrench, numbers } kind = Kind::numbers;
  int acceleration = -1, angularVelocity = -1, rotation = -1;  ///< First channels of an IMU; -1: not measured.
  int force = -1, torque = -1;
};
/// Chooses the message for a reading from what its sensor is and from the names of its channels.
SensorLayout sensorLayout(const SensorReading& reading);

/// An IMU's reading, which is in world axes and free of gravity, as REP 145 wants it: in the axes of its link, and the
/// acceleration as the device feels it.
Imu imuMessage(const SensorLayout& layout, std::span<const double> values, const Vector3d& gravity, const Time& stamp,
               std::string frame);
WrenchStamped wrenchMessage(const SensorLayout& layout, std::span<const double> values, const Time& stamp,
                            std::string frame);
/// Numbers of any sensor, one dimension whose label is the channels' names with commas between them.
Float32MultiArray numbersMessage(std::span<const std::string> channels, std::span<const double> values);

}  // namespace mortise::ros
