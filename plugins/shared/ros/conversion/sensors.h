#pragma once

/// Readings of sensors and clouds to messages and back.

#include <string>

#include "mortise/component/sensor_reading.h"
#include "mortise/geometry/geometry.h"
#include "ros/messages/sensors.h"

namespace mortise::ros {

/// All fields are float32: x, y, z and the cloud's properties under their names.
PointCloud2 cloudMessage(const PointCloud& cloud, const Time& stamp, std::string frame);
/// Reads fields of every type and byte order; a packed `rgb` stays the number that its bits are. Points that are not
/// finite are left out where the cloud has no order (one row). Throws `Error` for a cloud without x, y, z and for sizes
/// that do not fit the bytes.
PointCloud cloudFrom(const PointCloud2& message);

/// What a camera sees, rgb8. The values are those of a reading.
Image colorImage(const CameraModel& camera, std::span<const double> values, const Time& stamp, std::string frame);
/// Depths in meters, 32FC1; 0 where nothing is seen.
Image depthImage(const CameraModel& camera, std::span<const double> values, const Time& stamp, std::string frame);
CameraInfo cameraInfo(const CameraModel& camera, const Time& stamp, std::string frame);

/// Says whether the beams of a sensor lie in a plane at even angles, as a `LaserScan` has them.
bool isPlanarScan(const ScanModel& scan);
LaserScan laserScan(const ScanModel& scan, std::span<const double> values, double period, const Time& stamp,
                    std::string frame);

}  // namespace mortise::ros
