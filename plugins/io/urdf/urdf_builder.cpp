#include "urdf/urdf_builder.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "common/references.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/modeling/robot_edit.h"
#include "mortise/text/suggest.h"
#include "rob/rob_builder.h"
#include "urdf/urdf_shapes.h"
#include "urdf/urdf_tree.h"

namespace mortise::io {

namespace {

class UrdfBuilder {
 public:
  UrdfBuilder(const UrdfFile& urdf, ReadContext& context)
      : urdf_(urdf), klampt_(urdf.klampt), context_(context), out_(context.diagnostics) {}

  RobotDescription build() {
    robot_.name = stemOf(context_.path);
    robot_.file = context_.path;
    robot_.sensors = klampt_.sensors;
    robot_.controller = klampt_.controller;
    const std::vector<UrdfNode> nodes = urdfTree(urdf_, context_.path, out_);
    if (nodes.empty()) return robot_;
    addLinks(nodes);
    if (robot_.links.empty()) {
      out_.error("the robot has no links but '" + klampt_.worldFrame + "', which stands for the world",
                 urdf_.links.front().position);
      return robot_;
    }
    checkSettings();
    foldMimicJoints(urdf_, joints_, robot_, out_);
    mountMeshes();
    SelfCollisions selfCollisions(robot_, out_);
    selfCollisions.choose(klampt_.selfCollision, klampt_.noSelfCollision);
    mountRobots();
    selfCollisions.finish();
    return robot_;
  }

 private:
  void addLinks(const std::vector<UrdfNode>& nodes) {
    std::vector<int> linkOfNode;
    for (const UrdfNode& node : nodes) {
      const UrdfLink& urdf = urdf_.links[static_cast<std::size_t>(node.link)];
      if (node.joint < 0 && urdf.name == klampt_.worldFrame) {
        linkOfNode.push_back(-1);
        continue;
      }
      if (node.joint < 0)
        addFloatingRoot(urdf);
      else
        addJointed(urdf, urdf_.joints[static_cast<std::size_t>(node.joint)],
                   linkOfNode[static_cast<std::size_t>(node.parent)]);
      linkOfNode.push_back(static_cast<int>(robot_.links.size()) - 1);
    }
  }

  /// A link without mass, of a joint that needs several.
  Link& addVirtual(const std::string& name, int parent, LinkMotion motion, const Vector3d& axis) {
    Link link;
    link.name = name;
    link.parent = parent;
    link.motion = motion;
    link.axis = axis;
    link.torqueMax = 0;  // No motor.
    robot_.links.push_back(std::move(link));
    joints_.push_back(nullptr);
    return robot_.links.back();
  }

  /// Links that move along x, y, z and then turn about z, y, x; the last one is the caller's.
  void addFloatingChain(const std::string& name, int parent, const RigidTransform& X) {
    const int first = static_cast<int>(robot_.links.size());
    for (int i = 0; i < 5; ++i) {
      const LinkMotion motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
      Link& link = addVirtual(name + std::to_string(i), i == 0 ? parent : first + i - 1, motion,
                              Vector3d::Unit(i < 3 ? i : 5 - i));
      if (i == 0) link.X_PL0 = X;
    }
  }

  void addFloatingRoot(const UrdfLink& urdf) {
    addFloatingChain("base", -1, {});
    Link link = bodyOf(urdf);
    link.parent = 4;
    link.axis = Vector3d::UnitX();
    link.torqueMax = 0;
    link.powerMax = 0;
    robot_.links.push_back(std::move(link));
    joints_.push_back(nullptr);
    if (!klampt_.freezeRoot) {
      robot_.joints.push_back({JointType::floating, 5, -1});
      return;
    }
    for (int i = 0; i < 6; ++i) robot_.joints.push_back({JointType::weld, i, -1});
  }

  void addJointed(const UrdfLink& urdf, const UrdfJoint& joint, int parent) {
    Link link = bodyOf(urdf);
    const int base = parent;
    if (joint.type == UrdfJointType::floating) {
      addFloatingChain(joint.name, parent, joint.X_PC);
      link.axis = Vector3d::UnitX();
      link.parent = static_cast<int>(robot_.links.size()) - 1;
      link.torqueMax = 0;
    } else if (joint.type == UrdfJointType::planar) {
      addPlanarChain(joint, parent);
      link.axis = joint.axis.normalized();
      link.parent = static_cast<int>(robot_.links.size()) - 1;
      link.torqueMax = 0;
    } else if (joint.type == UrdfJointType::spherical) {
      addBallChain(joint, parent);
      link.axis = Vector3d::UnitX();
      link.parent = static_cast<int>(robot_.links.size()) - 1;
      link.torqueMax = 0;
    } else {
      link.parent = parent;
      link.X_PL0 = joint.X_PC;
      if (joint.type == UrdfJointType::prismatic) link.motion = LinkMotion::prismatic;
      if (joint.type != UrdfJointType::fixed) link.axis = joint.axis;
      setLimits(joint, link);
    }
    const int index = static_cast<int>(robot_.links.size());
    setJointName(robot_, link.name, joint.name);
    robot_.links.push_back(std::move(link));
    joints_.push_back(&joint);
    switch (joint.type) {
      case UrdfJointType::floating:
        robot_.joints.push_back({JointType::floating, index, base});
        break;
      case UrdfJointType::planar:
        robot_.joints.push_back({JointType::floatingPlanar, index, base});
        break;
      case UrdfJointType::spherical:
        robot_.joints.push_back({JointType::ballAndSocket, index, base});
        break;
      case UrdfJointType::fixed:
        robot_.joints.push_back({JointType::weld, index, -1});
        break;
      case UrdfJointType::continuous:
        robot_.joints.push_back({JointType::spin, index, -1});
        addDriver(joint, index);
        break;
      case UrdfJointType::revolute:
      case UrdfJointType::prismatic:
        robot_.joints.push_back({JointType::normal, index, -1});
        addDriver(joint, index);
        break;
    }
  }

  /// Two links that move in the plane across the joint's axis; the caller's turns about it.
  void addPlanarChain(const UrdfJoint& joint, int parent) {
    const Vector3d normal = joint.axis.normalized();
    int smallest = 0;
    normal.cwiseAbs().minCoeff(&smallest);
    const Vector3d u = (Vector3d::Unit(smallest) - normal * normal[smallest]).normalized();
    const Vector3d v = normal.cross(u);
    addVirtual(joint.name + "0", parent, LinkMotion::prismatic, u).X_PL0 = joint.X_PC;
    addVirtual(joint.name + "1", static_cast<int>(robot_.links.size()) - 1, LinkMotion::prismatic, v);
  }

  /// Two links that turn about z and y; the caller's turns about x.
  void addBallChain(const UrdfJoint& joint, int parent) {
    addVirtual(joint.name + "0", parent, LinkMotion::revolute, Vector3d::UnitZ()).X_PL0 = joint.X_PC;
    addVirtual(joint.name + "1", static_cast<int>(robot_.links.size()) - 1, LinkMotion::revolute, Vector3d::UnitY());
  }

  const UrdfLinkSettings* settings(const std::string& link) const {
    const auto at = klampt_.links.find(link);
    return at == klampt_.links.end() ? nullptr : &at->second;
  }

  /// Name, mass and shape.
  Link bodyOf(const UrdfLink& urdf) {
    Link link;
    link.name = urdf.name;
    const UrdfLinkSettings* own = settings(urdf.name);
    if (own != nullptr && !own->physical)
      link.inertia = {};
    else if (urdf.inertial)
      link.inertia = *urdf.inertial;
    else
      link.inertia = {klampt_.mass, Vector3d::Zero(), klampt_.inertia};
    setLinkVisuals(robot_, urdf.name, visualsOf(urdf, klampt_, context_.path));
    loadUrdfShapes(klampt_.useVisuals ? urdf.visuals : urdf.collisions, klampt_, context_, link);
    return link;
  }

  void setLimits(const UrdfJoint& joint, Link& link) const {
    if (joint.limited) {
      link.qMin = joint.lower;
      link.qMax = joint.upper;
      link.velocityMax = joint.velocity;
      link.velocityMin = -joint.velocity;
      link.torqueMax = joint.effort;
    }
    const UrdfLinkSettings* own = settings(link.name);
    link.accelerationMax = own != nullptr && own->accelerationMax ? *own->accelerationMax : klampt_.accelerationMax;
    if (joint.type == UrdfJointType::continuous) {
      link.qMin = -kInfinity;
      link.qMax = kInfinity;
    }
    if (joint.type == UrdfJointType::fixed)
      link.qMin = link.qMax = link.velocityMin = link.velocityMax = link.accelerationMax = 0;
  }

  void addDriver(const UrdfJoint& joint, int index) {
    const Link& link = robot_.links[static_cast<std::size_t>(index)];
    Driver driver;
    driver.name = link.name;
    driver.links = {index};
    takeLimits(driver, link);
    driver.servoP = kServoP;
    driver.servoI = kServoI;
    driver.servoD = kServoD;
    driver.dryFriction = joint.friction;
    driver.viscousFriction = joint.damping;
    if (const UrdfLinkSettings* own = settings(link.name)) {
      driver.servoP = own->servoP.value_or(driver.servoP);
      driver.servoI = own->servoI.value_or(driver.servoI);
      driver.servoD = own->servoD.value_or(driver.servoD);
      driver.dryFriction = own->dryFriction.value_or(driver.dryFriction);
      driver.viscousFriction = own->viscousFriction.value_or(driver.viscousFriction);
    }
    robot_.drivers.push_back(std::move(driver));
  }

  /// Klamp't ignores settings of links that do not exist, so they are no error.
  void checkSettings() {
    std::vector<std::string> names;
    for (const UrdfLink& link : urdf_.links) names.push_back(link.name);
    for (const auto& [name, own] : klampt_.links)
      if (std::find(names.begin(), names.end(), name) == names.end())
        out_.warning("there is no link '" + name + "'; these settings are ignored", own.position,
                     didYouMean(name, names));
  }

  void mountMeshes() {
    for (const UrdfMount& mount : klampt_.mounts) {
      const int link = linkIndex(robot_, mount.link);
      if (link < 0) {
        std::vector<std::string> names;
        for (const Link& each : robot_.links) names.push_back(each.name);
        out_.error("there is no link '" + mount.link + "' to mount on", mount.position, didYouMean(mount.link, names));
        continue;
      }
      if (isRobotFile(mount.file)) continue;
      loadReference(out_, mount.position, [&] {
        const GeometryPtr part = context_.loader.load<GeometryPtr>(mount.file, context_.path, out_);
        Link& target = robot_.links[static_cast<std::size_t>(link)];
        target.geometry = unionOf(target.geometry, transformed(*part, mount.X_LM));
        showMount(mount, link);
        return true;
      });
    }
  }

  /// A robot that is mounted on a link is seen as it collides.
  void showMount(const UrdfMount& mount, int link) {
    if (!hasLinkVisuals(robot_)) return;
    std::vector<LinkVisual> visuals = linkVisuals(robot_, link);
    LinkVisual visual;
    visual.mesh = mount.file;
    visual.map = mount.X_LM;
    visual.file = context_.path;
    visual.line = mount.position.line;
    visuals.push_back(std::move(visual));
    setLinkVisuals(robot_, robot_.links[static_cast<std::size_t>(link)].name, visuals);
  }

  void mountRobots() {
    for (const UrdfMount& mount : klampt_.mounts) {
      const int link = linkIndex(robot_, mount.link);
      if (!isRobotFile(mount.file) || link < 0) continue;
      auto part = loadReference(out_, mount.position, [&] {
        return context_.loader.load<RobotDescription>(mount.file, context_.path, out_);
      });
      if (part) mountRobot(robot_, link, mount.X_LM, mount.prefix, std::move(*part));
    }
  }

  const UrdfFile& urdf_;
  const UrdfKlampt& klampt_;
  ReadContext& context_;
  Diagnostics& out_;
  RobotDescription robot_;
  std::vector<const UrdfJoint*> joints_;  ///< The joint above each link; null where there is none.
};

}  // namespace

RobotDescription buildUrdfRobot(const UrdfFile& urdf, ReadContext& context) {
  return UrdfBuilder(urdf, context).build();
}

}  // namespace mortise::io
