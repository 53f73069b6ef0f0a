#pragma once

/// Point clouds to messages and back.

#include <span>
#include <string>

#include "mortise/component/sensor_reading.h"
#include "mortise/geometry/geometry.h"
#include "ros/messages/sensors.h"

namespace mortise::ros {

/// All fields are float32: x, y, z and the cloud's properties under their names. `rgb` is packed as PCL packs it: the
/// bits of the number are 0xrrggbb.
PointCloud2 cloudMessage(const PointCloud& cloud, const Time& stamp, std::string frame);
/// Reads fields of every type and byte order. In a cloud of one row, points that are not finite are left out, in one of
/// several they stay in their places. Throws `Error` for a cloud without x, y, z and for sizes that do not fit the
/// bytes.
PointCloud cloudFrom(const PointCloud2& message);
/// The points that beams meet, in the sensor's frame (z ahead, x to the left, y up).
PointCloud cloudFrom(const ScanModel& scan, std::span<const double> values);

}  // namespace mortise::ros
