#pragma once

/// Messages of the package `sensor_msgs` about what sensors see; joints are in `joints.h`.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ros/messages/geometry.h"

namespace mortise::ros {

/// `sensor_msgs/PointField`.
struct PointField {
  enum Datatype : std::uint8_t { int8 = 1, uint8, int16, uint16, int32, uint32, float32, float64 };
  std::string name;
  std::uint32_t offset = 0;
  std::uint8_t datatype = 0;  ///< A `Datatype`.
  std::uint32_t count = 0;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "PointField";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.constant("uint8", "INT8", "1");
    v.constant("uint8", "UINT8", "2");
    v.constant("uint8", "INT16", "3");
    v.constant("uint8", "UINT16", "4");
    v.constant("uint8", "INT32", "5");
    v.constant("uint8", "UINT32", "6");
    v.constant("uint8", "FLOAT32", "7");
    v.constant("uint8", "FLOAT64", "8");
    v.field("name", m.name);
    v.field("offset", m.offset);
    v.field("datatype", m.datatype);
    v.field("count", m.count);
  }
  bool operator==(const PointField&) const = default;
};

/// `sensor_msgs/PointCloud2`.
struct PointCloud2 {
  Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<PointField> fields;
  bool is_bigendian = false;
  std::uint32_t point_step = 0;
  std::uint32_t row_step = 0;
  std::vector<std::uint8_t> data;
  bool is_dense = false;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "PointCloud2";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("height", m.height);
    v.field("width", m.width);
    v.field("fields", m.fields);
    v.field("is_bigendian", m.is_bigendian);
    v.field("point_step", m.point_step);
    v.field("row_step", m.row_step);
    v.field("data", m.data);
    v.field("is_dense", m.is_dense);
  }
  bool operator==(const PointCloud2&) const = default;
};

/// `sensor_msgs/Image`.
struct Image {
  Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string encoding;
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;
  std::vector<std::uint8_t> data;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "Image";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("height", m.height);
    v.field("width", m.width);
    v.field("encoding", m.encoding);
    v.field("is_bigendian", m.is_bigendian);
    v.field("step", m.step);
    v.field("data", m.data);
  }
  bool operator==(const Image&) const = default;
};

/// `sensor_msgs/RegionOfInterest`.
struct RegionOfInterest {
  std::uint32_t x_offset = 0;
  std::uint32_t y_offset = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  bool do_rectify = false;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "RegionOfInterest";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("x_offset", m.x_offset);
    v.field("y_offset", m.y_offset);
    v.field("height", m.height);
    v.field("width", m.width);
    v.field("do_rectify", m.do_rectify);
  }
  bool operator==(const RegionOfInterest&) const = default;
};

/// `sensor_msgs/CameraInfo`, whose matrices have upper-case names on ROS 1.
struct CameraInfo {
  Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string distortion_model;
  std::vector<double> d;
  std::array<double, 9> k = {};
  std::array<double, 9> r = {};
  std::array<double, 12> p = {};
  std::uint32_t binning_x = 0;
  std::uint32_t binning_y = 0;
  RegionOfInterest roi;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "CameraInfo";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("height", m.height);
    v.field("width", m.width);
    v.field("distortion_model", m.distortion_model);
    v.field("d", m.d, "D");
    v.field("k", m.k, "K");
    v.field("r", m.r, "R");
    v.field("p", m.p, "P");
    v.field("binning_x", m.binning_x);
    v.field("binning_y", m.binning_y);
    v.field("roi", m.roi);
  }
  bool operator==(const CameraInfo&) const = default;
};

/// `sensor_msgs/LaserScan`.
struct LaserScan {
  Header header;
  float angle_min = 0;
  float angle_max = 0;
  float angle_increment = 0;
  float time_increment = 0;
  float scan_time = 0;
  float range_min = 0;
  float range_max = 0;
  std::vector<float> ranges;
  std::vector<float> intensities;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "LaserScan";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("angle_min", m.angle_min);
    v.field("angle_max", m.angle_max);
    v.field("angle_increment", m.angle_increment);
    v.field("time_increment", m.time_increment);
    v.field("scan_time", m.scan_time);
    v.field("range_min", m.range_min);
    v.field("range_max", m.range_max);
    v.field("ranges", m.ranges);
    v.field("intensities", m.intensities);
  }
  bool operator==(const LaserScan&) const = default;
};

/// `sensor_msgs/Imu`; a covariance of zeros is unknown, one that begins with -1 says that the quantity is not measured.
struct Imu {
  Header header;
  Quaternion orientation;
  std::array<double, 9> orientation_covariance = {};
  Vector3 angular_velocity;
  std::array<double, 9> angular_velocity_covariance = {};
  Vector3 linear_acceleration;
  std::array<double, 9> linear_acceleration_covariance = {};
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "Imu";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("orientation", m.orientation);
    v.field("orientation_covariance", m.orientation_covariance);
    v.field("angular_velocity", m.angular_velocity);
    v.field("angular_velocity_covariance", m.angular_velocity_covariance);
    v.field("linear_acceleration", m.linear_acceleration);
    v.field("linear_acceleration_covariance", m.linear_acceleration_covariance);
  }
  bool operator==(const Imu&) const = default;
};

}  // namespace mortise::ros
