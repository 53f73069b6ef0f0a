// Cameras, scanners, inertial units, load cells and clouds as messages and back.

#include "ros/conversion/sensors.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "ros/conversion/clouds.h"
#include "ros/conversion/spatial.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/error_text.h"

namespace mortise::ros {
namespace {

using test::errorText;

CameraModel smallCamera() {
  CameraModel camera;
  camera.width = 2;
  camera.height = 1;
  camera.fx = 5;
  camera.fy = 6;
  camera.cx = 0.5;
  camera.cy = 0.25;
  camera.color = camera.depth = true;
  camera.minDepth = 0.1;
  camera.maxDepth = 10;
  return camera;
}

TEST(RosSensors, CamerasAreColorsDepthsAndTheirPinhole) {
  const CameraModel camera = smallCamera();
  const std::vector<double> values = {0x102030, 0xffffff, 2.5, 11};
  const Image color = colorImage(camera, values, {1, 2}, "eye");
  EXPECT_EQ(color.encoding, "rgb8");
  EXPECT_EQ(color.step, 6u);
  EXPECT_EQ(color.data, (std::vector<std::uint8_t>{0x10, 0x20, 0x30, 255, 255, 255}));
  const Image depth = depthImage(camera, values, {1, 2}, "eye");
  EXPECT_EQ(depth.header.frame_id, "eye");
  std::array<float, 2> depths;
  ASSERT_EQ(depth.data.size(), sizeof depths);
  std::memcpy(depths.data(), depth.data.data(), sizeof depths);
  EXPECT_EQ(depths[0], 2.5f);
  EXPECT_EQ(depths[1], HUGE_VALF) << "too far to be seen";
  EXPECT_NE(errorText([&] { colorImage(camera, std::vector<double>(3), {}, ""); }).find("expected 4 values, found 3"),
            std::string::npos);

  // A point projects to the pixel that K says.
  const CameraInfo info = cameraInfo(camera, {}, "eye");
  const Vector3d p(0.3, -0.2, 2);
  Matrix3d K;
  K << info.k[0], info.k[1], info.k[2], info.k[3], info.k[4], info.k[5], info.k[6], info.k[7], info.k[8];
  const Vector3d pixel = K * p / p.z();
  EXPECT_DOUBLE_EQ(pixel.x(), 5 * 0.15 + 0.5);
  EXPECT_DOUBLE_EQ(pixel.y(), 6 * -0.1 + 0.25);
  EXPECT_EQ(info.p[2], camera.cx);
  EXPECT_EQ(info.p[6], camera.cy);
  EXPECT_EQ(info.d, std::vector<double>(5, 0.0));
}

TEST(RosSensors, ScansSayWhereBeamsEnd) {
  // Beams from the right to the left, which is the sensor's x.
  ScanModel scan;
  scan.minimum = 0.1;
  scan.maximum = 30;
  for (int i = -2; i <= 2; ++i) scan.directions.emplace_back(std::sin(0.3 * i), 0, std::cos(0.3 * i));
  const std::vector<double> values = {1, 2, 3, 30, 5};
  const LaserScan message = laserScan(scan, values, {}, "laser");
  EXPECT_EQ(message.ranges[3], HUGE_VALF);
  for (const std::size_t i : {0u, 1u, 2u, 4u}) {
    const double angle = message.angle_min + static_cast<double>(i) * message.angle_increment;
    const Vector3d p_F = message.ranges[i] * Vector3d(std::cos(angle), std::sin(angle), 0);
    EXPECT_LT((scanFrame() * p_F - values[i] * scan.directions[i]).norm(), 1e-5) << i;
  }
  const PointCloud cloud = cloudFrom(scan, values);
  ASSERT_EQ(cloud.points.size(), 4u) << "the beam that met nothing has no point";
  EXPECT_LT((cloud.points[3] - 5 * scan.directions[4]).norm(), 1e-15);
}

TEST(RosSensors, InertialUnitsFeelGravityInTheirOwnAxes) {
  std::vector<std::string> channels = {"accel_x",  "accel_y", "accel_z", "angVel_x", "angVel_y",
                                       "angVel_z", "R_xx",    "R_xy",    "R_xz",     "R_yx",
                                       "R_yy",     "R_yz",    "R_zx",    "R_zy",     "R_zz"};
  const Matrix3d R = rotationX(kPi / 2);  // The unit's y is up.
  std::vector<double> values = {0, 0, 0, 0, 0, 2};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) values.push_back(R(i, j));
  const SensorReading reading{"imu", "IMUSensor", channels, values};
  const SensorLayout layout = sensorLayout(reading);
  ASSERT_EQ(layout.kind, SensorLayout::Kind::imu);
  const Imu message = imuMessage(layout, values, Vector3d(0, 0, -9.8), {}, "imu");
  EXPECT_LT((vectorFrom(message.linear_acceleration) - Vector3d(0, 9.8, 0)).norm(), 1e-12);
  EXPECT_LT((vectorFrom(message.angular_velocity) - Vector3d(0, 2, 0)).norm(), 1e-12);
  EXPECT_LT((rotationFrom(message.orientation) - R).norm(), 1e-12);
}

TEST(RosSensors, ReadingsBecomeTheMessageThatFits) {
  const std::vector<std::string> wrench = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
  const std::vector<double> six = {1, 2, 3, 4, 5, 6};
  const SensorLayout layout = sensorLayout({"ft", "ForceTorqueSensor", wrench, six});
  ASSERT_EQ(layout.kind, SensorLayout::Kind::wrench);
  EXPECT_EQ(wrenchMessage(layout, six, {}, "f").wrench, (Wrench{{1, 2, 3}, {4, 5, 6}}));
  const std::vector<std::string> other = {"contact", "force_z"};
  const std::vector<double> two = {1, 0.5};
  EXPECT_EQ(sensorLayout({"touch", "ContactSensor", other, two}).kind, SensorLayout::Kind::numbers);
  const Float32MultiArray numbers = numbersMessage(other, two);
  EXPECT_EQ(numbers.data, (std::vector<float>{1, 0.5}));
  ASSERT_EQ(numbers.layout.dim.size(), 1u);
  EXPECT_EQ(numbers.layout.dim[0], (MultiArrayDimension{"contact,force_z", 2, 2}));
}

TEST(RosClouds, PropertiesColorsAndOrderRoundTrip) {
  RandomStream random(4, "cloud");
  PointCloud cloud;
  cloud.columns = 3;
  cloud.rows = 2;
  cloud.properties = {{"rgb", {}}, {"intensity", {}}};
  for (int i = 0; i < 6; ++i) {
    cloud.points.emplace_back(static_cast<float>(random.gaussian()), static_cast<float>(random.gaussian()), 0.5);
    cloud.properties[0].values.push_back(static_cast<double>(random.below(1u << 24)));
    cloud.properties[1].values.push_back(static_cast<float>(random.gaussian()));
  }
  const PointCloud2 message = cloudMessage(cloud, {}, "map");
  EXPECT_EQ(message.point_step, 20u);
  EXPECT_EQ(message.height, 2u);
  for (const PointField& field : message.fields) EXPECT_EQ(field.datatype, PointField::float32);
  const PointCloud back = cloudFrom(message);
  EXPECT_EQ(back.points, cloud.points);
  EXPECT_EQ(back.columns, 3);
  EXPECT_EQ(back.rows, 2);
  ASSERT_EQ(back.properties.size(), 2u);
  EXPECT_EQ(back.properties[0].values, cloud.properties[0].values);
  EXPECT_EQ(back.properties[1].values, cloud.properties[1].values);
}

TEST(RosClouds, OtherTypesPaddingAndByteOrderAreRead) {
  PointCloud2 message;
  message.height = 1;
  message.width = 2;
  message.point_step = 12;
  message.row_step = 24;
  message.is_bigendian = true;
  message.fields = {{"x", 0, PointField::int16, 1}, {"y", 2, PointField::uint8, 1}, {"z", 4, PointField::float32, 1}};
  message.data = {0xff, 0xfe, 7, 0, 0x3f, 0x80, 0, 0, 9, 9, 9, 9,   // -2, 7, 1
                  0x01, 0x00, 8, 0, 0x7f, 0xc0, 0, 0, 9, 9, 9, 9};  // z is not a number.
  const PointCloud cloud = cloudFrom(message);
  ASSERT_EQ(cloud.points.size(), 1u) << "a point that is not finite is left out";
  EXPECT_EQ(cloud.points[0], Vector3d(-2, 7, 1));
}

TEST(RosClouds, SizesThatDoNotFitAreRefusedWithoutMemory) {
  PointCloud2 good = cloudMessage(PointCloud{{Vector3d::Zero(), Vector3d::Ones()}}, {}, "map");
  const auto refusal = [&good](auto change) {
    PointCloud2 message = good;
    change(message);
    const std::size_t before = test::allocatedBytes;
    const std::string text = errorText([&message] { cloudFrom(message); });
    EXPECT_LT(test::allocatedBytes - before, 100000u);
    return text;
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_NE(refusal([](auto& m) { m.width = 1u << 31; }).find("row_step"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.height = 1u << 31; }).find("bytes of data"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.fields[2].offset = 4294967295u; }).find("leads out"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.fields[1].datatype = 9; }).find("types are 1 to 8"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.fields.pop_back(); }).find("x, y and z"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) {
              m.fields.clear();
              m.point_step = m.row_step = 0;
            }).find("point_step of 0"),
            std::string::npos);
  EXPECT_EQ(refusal([](auto& m) {
              m.width = m.row_step = 0;
              m.height = 4294967295u;
            }),
            "")
      << "nothing, four thousand million times, is nothing";
}

}  // namespace
}  // namespace mortise::ros
