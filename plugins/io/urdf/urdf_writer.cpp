#include "urdf/urdf_writer.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tinyxml2.h>

#include "common/component_xml.h"
#include "common/pose_xml.h"
#include "common/self_collisions.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/joint_names.h"
#include "text/text_file.h"
#include "urdf/urdf_differences.h"
#include "urdf/urdf_file.h"
#include "urdf/urdf_format.h"
#include "urdf/urdf_shape_writer.h"

namespace mortise::io {

namespace {

using tinyxml2::XMLElement;

std::string realList(std::initializer_list<double> values) {
  std::string joined;
  for (const double value : values) joined += (joined.empty() ? "" : " ") + formatReal(value);
  return joined;
}

bool isChain(const Joint& joint) {
  return joint.type == JointType::floating || joint.type == JointType::floatingPlanar;
}

/// Puts links together that one joint of URDF stands for, names everything, and writes it from the root down.
class UrdfTextWriter {
 public:
  UrdfTextWriter(const RobotDescription& robot, WriteContext& context)
      : robot_(robot), context_(context), shapes_(robot, context) {
    where_.file = context.path;
  }

  void write() {
    Robot::compile(robot_);  // Indices out of range would end in a crash, not in a file.
    nameLinks();
    findJoints();
    nameJoints();
    leadDrivers();
    root_ = document_.NewElement("robot");
    root_->SetAttribute("name", robot_.name.empty() ? "robot" : robot_.name.c_str());
    document_.InsertEndChild(document_.NewDeclaration());
    document_.InsertEndChild(root_);
    if (!floatingRoot_) child(*root_, "link").SetAttribute("name", world_.c_str());
    for (const int i : childrenOf(-1)) writeBelow(i);
    writeKlampt();
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    writeFile(context_.path, printer.CStr());
    compare();
  }

 private:
  /// The joint of URDF that moves a link.
  struct Above {
    const char* type = "revolute";
    int parent = -1;                ///< The link it hangs on, past virtual links.
    RigidTransform X_PL0;           ///< Its pose there.
    std::vector<int> virtualLinks;  ///< Those that the joint brings along.
    std::string name;
  };

  static XMLElement& child(XMLElement& parent, const char* name) { return *parent.InsertNewChildElement(name); }
  static void origin(XMLElement& parent, const RigidTransform& X) {
    if (X == RigidTransform()) return;
    XMLElement& element = child(parent, "origin");
    const Vector3d zyx = eulerZyxFromRotation(X.R);
    element.SetAttribute("xyz", vectorText(X.p).c_str());
    element.SetAttribute("rpy", realList({zyx[2], zyx[1], zyx[0]}).c_str());
  }

  /// A name of URDF is there and is unique.
  void nameLinks() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      std::string name = robot_.links[i].name.empty() ? "link_" + std::to_string(i) : robot_.links[i].name;
      const std::string base = name;
      for (int number = 2; !taken.insert(name).second; ++number) name = base + "_" + std::to_string(number);
      names_.push_back(std::move(name));
    }
    while (taken.count(world_) > 0) world_ += "_frame";
  }

  void findJoints() {
    const std::size_t n = robot_.links.size();
    above_.resize(n);
    virtual_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const Link& link = robot_.links[i];
      above_[i].parent = link.parent;
      above_[i].X_PL0 = link.X_PL0;
      above_[i].type = link.motion == LinkMotion::revolute ? "revolute" : "prismatic";
    }
    for (const Joint& joint : robot_.joints) {
      Above& above = above_[joint.link];
      if (joint.type == JointType::weld) above.type = "fixed";
      if (joint.type == JointType::spin && robot_.links[joint.link].motion == LinkMotion::revolute)
        above.type = "continuous";
      if (isChain(joint)) joinChain(joint);
    }
    findFloatingRoot();
  }

  /// The links of a chain but the last one become part of the joint, where nothing else hangs on them.
  void joinChain(const Joint& joint) {
    std::vector<int> chain;
    for (int i = joint.link; i != joint.base; i = robot_.links[i].parent) chain.push_back(i);
    std::reverse(chain.begin(), chain.end());
    for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
      if (!bare(chain[k])) return;
      for (std::size_t i = 0; i < robot_.links.size(); ++i)
        if (robot_.links[i].parent == chain[k] && static_cast<int>(i) != chain[k + 1]) return;
    }
    for (std::size_t k = 0; k < chain.size(); ++k) {
      const Link& link = robot_.links[chain[k]];
      const bool turns = joint.type == JointType::floating ? k >= 3 : k >= 2;
      if ((link.motion == LinkMotion::revolute) != turns || (k > 0 && !(link.X_PL0 == RigidTransform()))) return;
      if (joint.type == JointType::floating && link.axis != Vector3d::Unit(k < 3 ? k : 5 - k)) return;
    }
    Above& above = above_[joint.link];
    above.type = joint.type == JointType::floating ? "floating" : "planar";
    above.parent = joint.base;
    above.X_PL0 = robot_.links[chain[0]].X_PL0;
    above.virtualLinks.assign(chain.begin(), chain.end() - 1);
    for (const int i : above.virtualLinks) virtual_[i] = 1;
  }

  /// No matter and no shape: nothing of it would be lost.
  bool bare(int i) const {
    const Link& link = robot_.links[i];
    return link.inertia.mass == 0 && link.inertia.inertia.isZero(0) && !hasGeometry(link);
  }

  /// A robot without a fixed root is free in URDF, which is what a floating base called base0 to base4 comes from; or
  /// six welds, with `freeze_root_link`.
  void findFloatingRoot() {
    if (robot_.links.size() < 6 || childrenBare() != 1) return;
    for (int i = 0; i < 5; ++i)
      if (robot_.links[i].name != "base" + std::to_string(i) || !bare(i)) return;
    for (int i = 0; i < 6; ++i) {
      const Link& link = robot_.links[i];
      if (link.parent != i - 1 || !(link.X_PL0 == RigidTransform()) || link.torqueMax != 0 ||
          link.axis != Vector3d::Unit(i < 3 ? i : 5 - i) ||
          link.motion != (i < 3 ? LinkMotion::prismatic : LinkMotion::revolute))
        return;
    }
    int welds = 0;
    bool floating = false;
    for (const Joint& joint : robot_.joints) {
      if (joint.type == JointType::weld && joint.link < 6) ++welds;
      floating = floating || (joint.type == JointType::floating && joint.link == 5 && joint.base == -1);
    }
    freeze_ = welds == 6;
    if (!freeze_ && !floating) return;
    for (std::size_t i = 6; i < robot_.links.size(); ++i)
      if (robot_.links[i].parent < 5) return;
    floatingRoot_ = true;
    above_[5].parent = -1;
    above_[5].virtualLinks = {0, 1, 2, 3, 4};
    for (int i = 0; i < 5; ++i) virtual_[i] = 1;
  }

  int childrenBare() const {
    return static_cast<int>(
        std::count_if(robot_.links.begin(), robot_.links.end(), [](const Link& link) { return link.parent < 0; }));
  }

  std::vector<int> childrenOf(int parent) const {
    std::vector<int> children;
    for (std::size_t i = 0; i < above_.size(); ++i)
      if (!virtual_[i] && above_[i].parent == parent) children.push_back(static_cast<int>(i));
    return children;
  }

  /// Children are numbered in the order of their joints' names, so these must sort as the links do.
  void nameJoints() {
    given_ = jointNames(robot_);
    std::set<std::string> taken;
    bool sorted = true;
    for (int parent = -1; parent < static_cast<int>(above_.size()); ++parent) {
      std::string last;
      for (const int i : childrenOf(parent)) {
        above_[i].name = jointName(i);
        sorted = sorted && last < above_[i].name && taken.insert(above_[i].name).second;
        last = above_[i].name;
      }
    }
    if (sorted) return;
    const std::size_t digits = std::to_string(above_.size()).size();
    for (std::size_t i = 0; i < above_.size(); ++i) {
      std::string number = std::to_string(i);
      number.insert(0, digits - number.size(), '0');
      above_[i].name = "j" + number + "_" + names_[i];
    }
  }

  /// The name that the robot brings along. Virtual links are called after their joint, with a number.
  std::string jointName(int i) const {
    const std::vector<int>& links = above_[i].virtualLinks;
    const std::string own = given_[i].empty() ? names_[i] + "_joint" : given_[i];
    if (links.empty() || floatingRoot_) return own;
    const std::string& first = robot_.links[links[0]].name;
    return first.size() > 1 && first.back() == '0' ? first.substr(0, first.size() - 1) : own;
  }

  /// The link that the others of an affine driver follow: the first one whose value is the driver's.
  void leadDrivers() {
    for (std::size_t d = 0; d < robot_.drivers.size(); ++d) {
      const Driver& driver = robot_.drivers[d];
      if (driver.type == DriverType::translation || driver.type == DriverType::rotation) continue;
      std::size_t lead = 0;
      for (std::size_t k = driver.links.size(); driver.type == DriverType::affine && k-- > 0;)
        if (driver.scale[k] == 1 && driver.offset[k] == 0) lead = k;
      driverOf_[driver.links[lead]] = &driver;
      if (driver.type != DriverType::affine) continue;
      for (std::size_t k = 0; k < driver.links.size(); ++k) {
        if (k == lead) continue;
        const double scale = driver.scale[k] / driver.scale[lead];
        mimics_[driver.links[k]] = {driver.links[lead], scale, driver.offset[k] - scale * driver.offset[lead]};
      }
    }
  }

  void writeBelow(int i) {
    if (!(floatingRoot_ && above_[i].parent < 0)) writeJoint(i);
    writeLink(i);
    for (const int virtualLink : above_[i].virtualLinks) written_.push_back(virtualLink);
    written_.push_back(i);
    for (const int below : childrenOf(i)) writeBelow(below);
  }

  void writeLink(int i) {
    const Link& link = robot_.links[i];
    XMLElement& element = child(*root_, "link");
    element.SetAttribute("name", names_[i].c_str());
    const BodyInertia& body = link.inertia;
    XMLElement& inertial = child(element, "inertial");
    origin(inertial, RigidTransform::translation(body.com));
    child(inertial, "mass").SetAttribute("value", formatReal(body.mass).c_str());
    XMLElement& inertia = child(inertial, "inertia");
    static constexpr const char* kEntries[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    int next = 0;
    for (int row = 0; row < 3; ++row)
      for (int column = row; column < 3; ++column)
        inertia.SetAttribute(kEntries[next++], formatReal(body.inertia(row, column)).c_str());
    const bool apart = hasLinkVisuals(robot_);
    if (apart)
      for (const UrdfWrittenShape& shape : shapes_.visuals(i)) writeShape("visual", shape, element);
    for (const UrdfWrittenShape& shape : shapes_.write(link)) {
      if (!apart) writeShape("visual", shape, element);
      writeShape("collision", shape, element);
    }
  }

  static void writeShape(const char* kind, const UrdfWrittenShape& shape, XMLElement& link) {
    XMLElement& holder = child(link, kind);
    origin(holder, shape.X_LS);
    XMLElement& kindOfShape = child(child(holder, "geometry"), shape.kind);
    for (const auto& [attribute, value] : shape.attributes) kindOfShape.SetAttribute(attribute, value.c_str());
    if (!shape.color && shape.texture.empty()) return;
    XMLElement& material = child(holder, "material");
    material.SetAttribute("name", "");
    if (const auto& rgba = shape.color)
      child(material, "color").SetAttribute("rgba", realList({(*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]}).c_str());
    if (!shape.texture.empty()) child(material, "texture").SetAttribute("filename", shape.texture.c_str());
  }

  void writeJoint(int i) {
    const Link& link = robot_.links[i];
    const Above& above = above_[i];
    const std::string_view type = above.type;
    XMLElement& element = child(*root_, "joint");
    element.SetAttribute("name", above.name.c_str());
    element.SetAttribute("type", above.type);
    origin(element, above.X_PL0);
    child(element, "parent").SetAttribute("link", above.parent < 0 ? world_.c_str() : names_[above.parent].c_str());
    child(element, "child").SetAttribute("link", names_[i].c_str());
    if (type == "floating") return;
    if (type != "fixed") child(element, "axis").SetAttribute("xyz", vectorText(link.axis).c_str());
    if (type == "planar") return;
    if (type == "fixed") {
      if (!std::isinf(link.torqueMax))
        child(element, "limit").SetAttribute("effort", formatReal(link.torqueMax).c_str());
      return;
    }
    XMLElement& limit = child(element, "limit");
    if (type != "continuous") {
      limit.SetAttribute("lower", formatReal(link.qMin).c_str());
      limit.SetAttribute("upper", formatReal(link.qMax).c_str());
    }
    limit.SetAttribute("effort", formatReal(link.torqueMax).c_str());
    limit.SetAttribute("velocity", formatReal(link.velocityMax).c_str());
    const auto driver = driverOf_.find(i);
    if (driver != driverOf_.end() && (driver->second->viscousFriction != 0 || driver->second->dryFriction != 0)) {
      XMLElement& dynamics = child(element, "dynamics");
      dynamics.SetAttribute("damping", formatReal(driver->second->viscousFriction).c_str());
      dynamics.SetAttribute("friction", formatReal(driver->second->dryFriction).c_str());
    }
    if (const auto mimic = mimics_.find(i); mimic != mimics_.end()) {
      XMLElement& follow = child(element, "mimic");
      follow.SetAttribute("joint", above_[mimic->second.leader].name.c_str());
      follow.SetAttribute("multiplier", formatReal(mimic->second.scale).c_str());
      if (mimic->second.offset != 0) follow.SetAttribute("offset", formatReal(mimic->second.offset).c_str());
    }
  }

  void writeKlampt() {
    XMLElement& klampt = child(*root_, "klampt");
    // For other readers, who take another name for the link that stands for the world.
    if (!floatingRoot_) klampt.SetAttribute("world_frame", world_.c_str());
    if (freeze_ && floatingRoot_) klampt.SetAttribute("freeze_root_link", "1");
    const double acceleration = commonAcceleration();
    klampt.SetAttribute("default_acc_max", formatReal(acceleration).c_str());
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (virtual_[i]) continue;
      const Link& link = robot_.links[i];
      std::vector<std::pair<const char*, double>> settings;
      if (jointed(i) && link.accelerationMax != acceleration) settings.emplace_back("accMax", link.accelerationMax);
      if (const auto driver = driverOf_.find(static_cast<int>(i)); driver != driverOf_.end()) {
        const Driver& d = *driver->second;
        if (d.servoP != kServoP) settings.emplace_back("servoP", d.servoP);
        if (d.servoI != kServoI) settings.emplace_back("servoI", d.servoI);
        if (d.servoD != kServoD) settings.emplace_back("servoD", d.servoD);
      }
      if (settings.empty()) continue;
      XMLElement& element = child(klampt, "link");
      element.SetAttribute("name", names_[i].c_str());
      for (const auto& [attribute, value] : settings) element.SetAttribute(attribute, formatReal(value).c_str());
    }
    writeSelfCollisions(klampt);
    if (robot_.sensors.isList()) {
      XMLElement& sensors = child(klampt, "sensors");
      for (const Value& sensor : robot_.sensors.items())
        setAttributes(child(sensors, sensor.string("type", "").c_str()), renumbered(sensor), "type");
    }
    if (robot_.controller.isMap()) {
      XMLElement& controller = child(klampt, "controller");
      controller.SetAttribute("type", robot_.controller.string("type", "").c_str());
      setAttributes(controller, robot_.controller, "type");
    }
  }

  /// Sensors name links by number where the format does; numbers may have changed.
  Value renumbered(const Value& sensor) const {
    Value result = sensor;
    const Value* link = sensor.find("link");
    if (link != nullptr && link->isInteger()) {
      const auto index = link->asInteger();
      if (index >= 0 && index < static_cast<std::int64_t>(robot_.links.size()))
        result.set("link", Value(order()[static_cast<std::size_t>(index)]));
    }
    return result;
  }

  bool jointed(std::size_t i) const {
    const std::string_view type = above_[i].type;
    return type == "revolute" || type == "prismatic" || type == "continuous";
  }

  /// The limit that most joints have, so that few links need a line of their own.
  double commonAcceleration() const {
    std::map<double, int> votes;
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (!virtual_[i] && jointed(i)) ++votes[robot_.links[i].accelerationMax];
    double best = 10;
    int maximum = 0;
    for (const auto& [value, count] : votes)
      if (count > maximum) {
        best = value;
        maximum = count;
      }
    return best;
  }

  /// Returns the places of the links in the order in which URDF numbers them.
  std::vector<int> order() const {
    std::vector<int> order(robot_.links.size(), -1);
    for (std::size_t k = 0; k < written_.size(); ++k) order[written_[k]] = static_cast<int>(k);
    return order;
  }

  void writeSelfCollisions(XMLElement& klampt) {
    const std::vector<int> place = order();
    const auto moved = [&place](const std::vector<std::pair<int, int>>& list) {
      std::vector<std::pair<int, int>> pairs;
      for (const auto& [a, b] : list) pairs.emplace_back(std::min(place[a], place[b]), std::max(place[a], place[b]));
      std::sort(pairs.begin(), pairs.end());
      return pairs;
    };
    // Numbers cannot be mistaken; names of digits would be taken for numbers.
    const auto put = [&klampt](const char* kind, const std::vector<std::pair<int, int>>& pairs) {
      std::string list;
      for (const auto& [a, b] : pairs) list += (list.empty() ? "" : " ") + std::to_string(a) + " " + std::to_string(b);
      child(klampt, kind).SetAttribute("pairs", list.c_str());
    };
    const std::vector<std::pair<int, int>> wanted = moved(robot_.selfCollisionPairs),
                                           all = moved(defaultSelfCollisions(robot_));
    if (wanted == all) return;
    if (wanted.empty()) {
      // An empty list would mean all pairs; one pair that is taken out again means none.
      put("selfcollision", {all.front()});
      put("noselfcollision", {all.front()});
      return;
    }
    std::vector<std::pair<int, int>> left;
    std::set_difference(all.begin(), all.end(), wanted.begin(), wanted.end(), std::back_inserter(left));
    const bool subset = std::includes(all.begin(), all.end(), wanted.begin(), wanted.end());
    if (subset && left.size() <= wanted.size())
      put("noselfcollision", left);
    else
      put("selfcollision", wanted);
  }

  /// Reads the file back; whatever is not as it was is what the format cannot hold.
  void compare() {
    Diagnostics found;
    ReadContext context{context_.path, context_.loader, found};
    const RobotDescription back = readUrdf(context);
    if (found.hasErrors()) {
      for (const Diagnostic& entry : found.all()) context_.diagnostics.add(entry);
      return;
    }
    const std::vector<int> place = order();
    if (!std::is_sorted(place.begin(), place.end())) cannotHold("the order of the links: it numbers them depth first");
    for (const std::string& phrase : urdfDifferences(robot_, back, place)) cannotHold(phrase);
  }

  void cannotHold(const std::string& what) { context_.diagnostics.warning("a URDF file cannot hold " + what, where_); }

  struct Mimic {
    int leader = -1;
    double scale = 1, offset = 0;
  };

  const RobotDescription& robot_;
  WriteContext& context_;
  UrdfShapeWriter shapes_;
  SourcePosition where_;
  tinyxml2::XMLDocument document_;
  XMLElement* root_ = nullptr;
  std::string world_ = "world";
  std::vector<std::string> names_;
  std::vector<std::string> given_;  ///< Names of joints, one a link; empty where the robot has none.
  std::vector<Above> above_;
  std::vector<char> virtual_;  ///< Part of the joint of another link.
  std::map<int, const Driver*> driverOf_;
  std::map<int, Mimic> mimics_;
  bool floatingRoot_ = false, freeze_ = false;
  std::vector<int> written_;  ///< Links in the order in which URDF numbers them.
};

}  // namespace

void writeUrdf(const RobotDescription& robot, WriteContext& context) { UrdfTextWriter(robot, context).write(); }

}  // namespace mortise::io
