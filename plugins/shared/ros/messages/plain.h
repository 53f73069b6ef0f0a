#pragma once

/// Messages of the package `std_msgs`.

#include <cstdint>
#include <string>
#include <vector>

#include "ros/messages/primitives.h"

namespace mortise::ros {

/// `std_msgs/String`.
struct String {
  std::string data;
  static constexpr const char* kPackage = "std_msgs";
  static constexpr const char* kName = "String";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("data", m.data);
  }
  bool operator==(const String&) const = default;
};

/// `std_msgs/MultiArrayDimension`.
struct MultiArrayDimension {
  std::string label;
  std::uint32_t size = 0;
  std::uint32_t stride = 0;
  static constexpr const char* kPackage = "std_msgs";
  static constexpr const char* kName = "MultiArrayDimension";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("label", m.label);
    v.field("size", m.size);
    v.field("stride", m.stride);
  }
  bool operator==(const MultiArrayDimension&) const = default;
};

/// `std_msgs/MultiArrayLayout`.
struct MultiArrayLayout {
  std::vector<MultiArrayDimension> dim;
  std::uint32_t data_offset = 0;
  static constexpr const char* kPackage = "std_msgs";
  static constexpr const char* kName = "MultiArrayLayout";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("dim", m.dim);
    v.field("data_offset", m.data_offset);
  }
  bool operator==(const MultiArrayLayout&) const = default;
};

/// `std_msgs/Float32MultiArray`.
struct Float32MultiArray {
  MultiArrayLayout layout;
  std::vector<float> data;
  static constexpr const char* kPackage = "std_msgs";
  static constexpr const char* kName = "Float32MultiArray";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("layout", m.layout);
    v.field("data", m.data);
  }
  bool operator==(const Float32MultiArray&) const = default;
};

}  // namespace mortise::ros
