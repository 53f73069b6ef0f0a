#include "ros/conversion/sensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/logs/foxglove_messages.h"
#include "ros/conversion/spatial.h"

namespace mortise::ros {

namespace {

constexpr float kNothing = std::numeric_limits<float>::infinity();

std::size_t numPixels(const CameraModel& camera) {
  return static_cast<std::size_t>(std::max(camera.width, 0)) * static_cast<std::size_t>(std::max(camera.height, 0));
}

void checkValues(const CameraModel& camera, std::span<const double> values) {
  const std::size_t expected = numPixels(camera) * ((camera.color ? 1u : 0u) + (camera.depth ? 1u : 0u));
  if (values.size() != expected)
    throw Error("a camera of " + std::to_string(camera.width) + " x " + std::to_string(camera.height) +
                " pixels: expected " + std::to_string(expected) + " values, found " + std::to_string(values.size()));
}

Image emptyImage(const CameraModel& camera, const Time& stamp, std::string frame, std::string encoding,
                 std::uint32_t pixelSize) {
  Image image;
  image.header = {0, stamp, std::move(frame)};
  image.width = static_cast<std::uint32_t>(camera.width);
  image.height = static_cast<std::uint32_t>(camera.height);
  image.encoding = std::move(encoding);
  image.step = pixelSize * image.width;
  image.data.resize(numPixels(camera) * pixelSize);
  return image;
}

/// The first channel of three that go by `name` and an axis each; -1 where there are none.
int vectorAt(std::span<const std::string> channels, const std::string& name) {
  for (std::size_t i = 0; i + 3 <= channels.size(); ++i)
    if (channels[i] == name + "x" && channels[i + 1] == name + "y" && channels[i + 2] == name + "z")
      return static_cast<int>(i);
  return -1;
}

int rotationAt(std::span<const std::string> channels) {
  const auto first = std::find(channels.begin(), channels.end(), "R_xx");
  if (channels.end() - first < 9 || first[8] != "R_zz") return -1;
  return static_cast<int>(first - channels.begin());
}

Vector3d vectorOf(std::span<const double> values, int first) {
  const double* v = values.data() + first;
  return {v[0], v[1], v[2]};
}

}  // namespace

Image colorImage(const CameraModel& camera, std::span<const double> values, const Time& stamp, std::string frame) {
  checkValues(camera, values);
  Image image = emptyImage(camera, stamp, std::move(frame), "rgb8", 3);
  for (std::size_t i = 0; i < numPixels(camera); ++i) {
    // Noise or a filter may have left a number that is no color: the nearest one.
    const auto color = static_cast<std::uint32_t>(values[i] > 0 ? std::min(values[i], 16777215.0) : 0.0);
    for (std::size_t k = 0; k < 3; ++k)
      image.data[3 * i + k] = static_cast<std::uint8_t>(color >> (16 - 8 * static_cast<unsigned>(k)) & 255u);
  }
  return image;
}

Image depthImage(const CameraModel& camera, std::span<const double> values, const Time& stamp, std::string frame) {
  checkValues(camera, values);
  Image image = emptyImage(camera, stamp, std::move(frame), "32FC1", 4);
  const std::span<const double> depths = values.last(numPixels(camera));
  for (std::size_t i = 0; i < depths.size(); ++i) {
    float depth = static_cast<float>(depths[i]);
    if (!(depths[i] < camera.maxDepth)) depth = kNothing;
    if (depths[i] < camera.minDepth) depth = -kNothing;
    std::memcpy(image.data.data() + 4 * i, &depth, 4);
  }
  return image;
}

CameraInfo cameraInfo(const CameraModel& camera, const Time& stamp, std::string frame) {
  CameraInfo info;
  info.header = {0, stamp, std::move(frame)};
  info.width = static_cast<std::uint32_t>(camera.width);
  info.height = static_cast<std::uint32_t>(camera.height);
  info.distortion_model = "plumb_bob";
  info.d.assign(5, 0.0);
  info.k = {camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1};
  info.r = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  info.p = {camera.fx, 0, camera.cx, 0, 0, camera.fy, camera.cy, 0, 0, 0, 1, 0};
  return info;
}

RigidTransform scanFrame() {
  // Columns are the scan's axes in the sensor's: z ahead, x to the left, y up.
  return {(Matrix3d() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished(), Vector3d::Zero()};
}

LaserScan laserScan(const ScanModel& scan, std::span<const double> values, const Time& stamp, std::string frame) {
  const auto angle = [](const Vector3d& direction) { return std::atan2(direction.x(), direction.z()); };
  LaserScan message;
  message.header = {0, stamp, std::move(frame)};
  const double first = angle(scan.directions.front()), last = angle(scan.directions.back());
  message.angle_min = static_cast<float>(first);
  message.angle_max = static_cast<float>(last);
  message.angle_increment = static_cast<float>((last - first) / static_cast<double>(scan.directions.size() - 1));
  message.range_min = static_cast<float>(scan.minimum);
  message.range_max = static_cast<float>(scan.maximum);
  message.ranges.reserve(values.size());
  for (const double range : values)
    message.ranges.push_back(range < scan.maximum ? static_cast<float>(range) : kNothing);
  return message;
}

SensorLayout sensorLayout(const SensorReading& reading) {
  using Kind = SensorLayout::Kind;
  SensorLayout layout;
  if (const CameraModel* camera = reading.camera) {
    layout.kind = !camera->depth ? Kind::color : camera->color ? Kind::colorAndDepth : Kind::depth;
    return layout;
  }
  layout.acceleration = vectorAt(reading.channels, "accel_");
  layout.angularVelocity = vectorAt(reading.channels, "angVel_");
  layout.rotation = rotationAt(reading.channels);
  layout.force = vectorAt(reading.channels, "force_");
  layout.torque = vectorAt(reading.channels, "torque_");
  if (layout.rotation >= 0 && layout.angularVelocity >= 0 && layout.acceleration >= 0) layout.kind = Kind::imu;
  if (layout.force >= 0 && layout.torque >= 0) layout.kind = Kind::wrench;
  return layout;
}

Imu imuMessage(const SensorLayout& layout, std::span<const double> values, const Vector3d& gravity, const Time& stamp,
               std::string frame) {
  Matrix3d R;
  const double* rows = values.data() + layout.rotation;
  R << rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], rows[8];
  Imu message;
  message.header = {0, stamp, std::move(frame)};
  message.orientation = quaternionMessage(R);
  message.angular_velocity = vectorMessage(R.transpose() * vectorOf(values, layout.angularVelocity));
  message.linear_acceleration = vectorMessage(R.transpose() * (vectorOf(values, layout.acceleration) - gravity));
  return message;
}

WrenchStamped wrenchMessage(const SensorLayout& layout, std::span<const double> values, const Time& stamp,
                            std::string frame) {
  return {{0, stamp, std::move(frame)},
          {vectorMessage(vectorOf(values, layout.force)), vectorMessage(vectorOf(values, layout.torque))}};
}

Float32MultiArray numbersMessage(std::span<const std::string> channels, std::span<const double> values) {
  Float32MultiArray message;
  std::string label;
  for (const std::string& channel : channels) label += (label.empty() ? "" : ",") + channel;
  const auto size = static_cast<std::uint32_t>(values.size());
  message.layout.dim.push_back({std::move(label), size, size});
  message.data.reserve(values.size());
  for (const double value : values) message.data.push_back(static_cast<float>(value));
  return message;
}

}  // namespace mortise::ros
