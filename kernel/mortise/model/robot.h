#pragma once

/// A robot is a tree of links, each with one revolute or prismatic degree of freedom (Klamp't's convention). A
/// `RobotDescription` is what people edit and save; it compiles to an immutable `Robot` that threads share.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/constants.h"
#include "mortise/math/inertia.h"
#include "mortise/math/transform.h"
#include "mortise/model/material.h"

namespace mortise {

enum class LinkMotion { revolute, prismatic };

struct Link {
  std::string name;
  int parent = -1;  ///< Index of the parent link; -1: the world.
  LinkMotion motion = LinkMotion::revolute;
  Vector3d axis = Vector3d::UnitZ();  ///< In the link's frame; not necessarily of unit length, it scales the motion.
  RigidTransform X_PL0;               ///< Pose in the parent's frame at q = 0.
  BodyInertia inertia;
  GeometryPtr geometry;      ///< In the link's frame; null when there is none.
  std::string geometryFile;  ///< Path in the robot file.
  // Changes of the file's shape, for formats that write the robot: scaled evenly, then mapped.
  double geometryScale = 1;
  AffineMap geometryTransform;
  double qMin = -kInfinity, qMax = kInfinity;
  double velocityMin = -kInfinity, velocityMax = kInfinity;
  double accelerationMax = kInfinity;
  double torqueMax = kInfinity;
  double powerMax = kInfinity;
  double q = 0;  ///< Initial position.
};

/// Kinds of joints, which group links. Floating, floating planar and ball-and-socket joints are chains of links.
enum class JointType { weld, normal, spin, floating, floatingPlanar, ballAndSocket };
std::string_view jointTypeName(JointType type);  ///< "Weld", "Normal", ... as Klamp't prints them.

struct Joint {
  JointType type = JointType::normal;
  int link = 0;   ///< The link; for a chain, its last link.
  int base = -1;  ///< For a chain: the link before its first link.
};

enum class DriverType { normal, affine, translation, rotation };
std::string_view driverTypeName(DriverType type);

/// A motor: moves one link, several links together (affine: q_link = offset + scale * value), or pushes a floating
/// link (translation, rotation).
struct Driver {
  std::string name;
  DriverType type = DriverType::normal;
  std::vector<int> links;  ///< Normal: one. Affine: the driven links. Translation/rotation: virtual link, pushed link.
  std::vector<double> scale;   ///< Affine only, one a link.
  std::vector<double> offset;  ///< Affine only, one a link.
  double qMin = -kInfinity, qMax = kInfinity;
  double velocityMin = -kInfinity, velocityMax = kInfinity;
  double accelerationMin = -kInfinity, accelerationMax = kInfinity;
  double torqueMin = -kInfinity, torqueMax = kInfinity;
  double servoP = 0, servoI = 0, servoD = 0;
  double dryFriction = 0, viscousFriction = 0;
};

struct RobotDescription {
  std::string name;
  std::string file;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Driver> drivers;
  /// Pairs (a < b) of links that are checked against each other.
  std::vector<std::pair<int, int>> selfCollisionPairs;
  /// `property` lines other than sensors and controller, in file order.
  std::vector<std::pair<std::string, std::string>> properties;
  /// Sensors and controller as lists of maps {type: class name, attributes...}; null when the file names none.
  Value sensors;
  Value controller;

  /// Index of a link by name; -1 when there is none.
  int findLink(std::string_view name) const;
};

class Robot;
using RobotPtr = std::shared_ptr<const Robot>;

/// Immutable after construction; share it between threads freely.
class Robot {
 public:
  /// Checks the description (parents before children, lengths, finite numbers) and derives the tables below.
  /// Throws `Error` for a description no algorithm could use.
  static RobotPtr compile(RobotDescription description);

  const RobotDescription& description() const { return description_; }
  const std::string& name() const { return description_.name; }
  int numLinks() const { return static_cast<int>(description_.links.size()); }
  int numDrivers() const { return static_cast<int>(description_.drivers.size()); }
  const Link& link(int i) const { return description_.links[i]; }
  const std::vector<Link>& links() const { return description_.links; }
  const std::vector<Joint>& joints() const { return description_.joints; }
  const std::vector<Driver>& drivers() const { return description_.drivers; }
  const Driver& driver(int i) const { return description_.drivers[i]; }

  /// Joint that moves link i (index into `joints()`), and -1 where no joint names it.
  int jointOfLink(int i) const { return jointOfLink_[i]; }
  /// Driver that moves link i, or -1.
  int driverOfLink(int i) const { return driverOfLink_[i]; }
  const std::vector<int>& children(int i) const { return children_[i]; }
  /// True when `ancestor` is `link` or lies between `link` and the root.
  bool isAncestor(int ancestor, int link) const;
  /// The chain of a floating base (first six links, joint 0 floating on the world): index of its last link, else -1.
  int floatingBaseLink() const { return floatingBaseLink_; }

  double totalMass() const { return totalMass_; }
  VectorXd initialConfiguration() const;

 private:
  explicit Robot(RobotDescription description);
  RobotDescription description_;
  std::vector<int> jointOfLink_, driverOfLink_;
  std::vector<std::vector<int>> children_;
  int floatingBaseLink_ = -1;
  double totalMass_ = 0;
};

/// Driver value and rate from link coordinates: the mean over its links of (q - offset) / scale.
double driverValue(const Robot& robot, int driver, const VectorXd& q);
double driverVelocity(const Robot& robot, int driver, const VectorXd& dq);
/// Sets the links of a driver from its value.
void setDriverValue(const Robot& robot, int driver, double value, VectorXd& q);

}  // namespace mortise
