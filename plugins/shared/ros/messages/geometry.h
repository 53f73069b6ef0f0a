#pragma once

/// Messages of the package `geometry_msgs`, and of `tf2_msgs`.

#include <string>
#include <vector>

#include "ros/messages/primitives.h"

namespace mortise::ros {

/// `geometry_msgs/Vector3`.
struct Vector3 {
  double x = 0;
  double y = 0;
  double z = 0;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Vector3";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("x", m.x);
    v.field("y", m.y);
    v.field("z", m.z);
  }
  bool operator==(const Vector3&) const = default;
};

/// `geometry_msgs/Point`.
struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Point";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("x", m.x);
    v.field("y", m.y);
    v.field("z", m.z);
  }
  bool operator==(const Point&) const = default;
};

/// `geometry_msgs/Quaternion`.
struct Quaternion {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 1;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Quaternion";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("x", m.x);
    v.field("y", m.y);
    v.field("z", m.z);
    v.field("w", m.w);
  }
  bool operator==(const Quaternion&) const = default;
};

/// `geometry_msgs/Pose`.
struct Pose {
  Point position;
  Quaternion orientation;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Pose";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("position", m.position);
    v.field("orientation", m.orientation);
  }
  bool operator==(const Pose&) const = default;
};

/// `geometry_msgs/PoseStamped`.
struct PoseStamped {
  Header header;
  Pose pose;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "PoseStamped";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("pose", m.pose);
  }
  bool operator==(const PoseStamped&) const = default;
};

/// `geometry_msgs/Transform`.
struct Transform {
  Vector3 translation;
  Quaternion rotation;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Transform";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("translation", m.translation);
    v.field("rotation", m.rotation);
  }
  bool operator==(const Transform&) const = default;
};

/// The pose of the frame `child_frame_id` in that of the header (`geometry_msgs/TransformStamped`).
struct TransformStamped {
  Header header;
  std::string child_frame_id;
  Transform transform;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "TransformStamped";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("child_frame_id", m.child_frame_id);
    v.field("transform", m.transform);
  }
  bool operator==(const TransformStamped&) const = default;
};

/// `geometry_msgs/Twist`.
struct Twist {
  Vector3 linear;
  Vector3 angular;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Twist";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("linear", m.linear);
    v.field("angular", m.angular);
  }
  bool operator==(const Twist&) const = default;
};

/// `geometry_msgs/Wrench`.
struct Wrench {
  Vector3 force;
  Vector3 torque;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "Wrench";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("force", m.force);
    v.field("torque", m.torque);
  }
  bool operator==(const Wrench&) const = default;
};

/// `geometry_msgs/WrenchStamped`.
struct WrenchStamped {
  Header header;
  Wrench wrench;
  static constexpr const char* kPackage = "geometry_msgs";
  static constexpr const char* kName = "WrenchStamped";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("wrench", m.wrench);
  }
  bool operator==(const WrenchStamped&) const = default;
};

/// `tf2_msgs/TFMessage`.
struct TFMessage {
  std::vector<TransformStamped> transforms;
  static constexpr const char* kPackage = "tf2_msgs";
  static constexpr const char* kName = "TFMessage";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("transforms", m.transforms);
  }
  bool operator==(const TFMessage&) const = default;
};

}  // namespace mortise::ros
