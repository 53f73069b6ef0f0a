#pragma once

/// The content of a URDF file, element by element, before it is put together.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/self_collisions.h"
#include "mortise/model/robot.h"
#include "mortise/modeling/placeholder_inertia.h"

namespace mortise::io {

/// Servo gains of drivers that the file says nothing about.
constexpr double kServoP = 100, kServoI = 0, kServoD = 10;

/// `<material>`: at the top of the file or in a `<visual>`.
struct UrdfMaterial {
  std::string name;                            ///< Empty: it has none.
  std::optional<std::array<double, 4>> color;  ///< Red, green, blue, opacity.
  std::string texture;                         ///< Reference as written; empty: none.
  SourcePosition position;
  bool defined() const { return color.has_value() || !texture.empty(); }
};

/// A mesh or a primitive of a link.
struct UrdfShape {
  RigidTransform X_LS;       ///< Pose in the link's frame.
  Geometry::Data primitive;  ///< In the shape's frame, centerd; none for a mesh.
  std::string mesh;          ///< Reference as written; empty for a primitive.
  Vector3d scale = Vector3d::Ones();
  std::optional<UrdfMaterial> material;  ///< As the shape has it; a name alone refers to another one.
  SourcePosition position;
};

struct UrdfLink {
  std::string name;
  std::optional<BodyInertia> inertial;  ///< In the axes of the link.
  std::vector<UrdfShape> visuals, collisions;
  SourcePosition position;
};

/// The URDF standard knows all but `spherical`, a ball joint, which Bullet and others add.
enum class UrdfJointType { revolute, continuous, prismatic, fixed, floating, planar, spherical };

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
  SourcePosition position;
};

struct UrdfJoint {
  std::string name, parent, child;
  UrdfJointType type = UrdfJointType::fixed;
  RigidTransform X_PC;
  Vector3d axis = Vector3d::UnitX();
  bool limited = false;  ///< Has a `<limit>`.
  double lower = 0, upper = 0, effort = kInfinity, velocity = kInfinity;
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;
  SourcePosition position, parentPosition, childPosition;
};

/// Settings that Klamp't adds for one link.
struct UrdfLinkSettings {
  bool physical = true;
  std::optional<double> accelerationMax, servoP, servoI, servoD, dryFriction, viscousFriction;
  SourcePosition position;
};

struct UrdfMount {
  std::string link, file, prefix;
  RigidTransform X_LM;
  SourcePosition position;
};

/// The `<klampt>` element.
struct UrdfKlampt {
  bool useVisuals = false;
  bool flipYz = false;
  bool freezeRoot = false;
  std::string worldFrame = "world";
  std::string packageRoot;
  double accelerationMax = 10;
  double mass = placeholderInertia().mass;  ///< Mass of links without `<inertial>`.
  Matrix3d inertia = placeholderInertia().inertia;
  std::map<std::string, UrdfLinkSettings> links;
  std::vector<LinkPair> selfCollision, noSelfCollision;
  std::vector<UrdfMount> mounts;
  Value sensors, controller;
};

struct UrdfFile {
  std::vector<UrdfLink> links;                    ///< In file order.
  std::vector<UrdfJoint> joints;                  ///< In file order.
  std::map<std::string, UrdfMaterial> materials;  ///< By name, wherever they are defined.
  UrdfKlampt klampt;
};

}  // namespace mortise::io
