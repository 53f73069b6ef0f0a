#include "urdf/urdf_parser.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"
#include "urdf/urdf_material.h"

namespace mortise::io {

namespace {

const std::vector<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed",
                                              "floating", "planar",     "spherical"};
const std::vector<std::string> kShapes = {"box", "cylinder", "sphere", "capsule", "mesh", "plane"};

/// Elements that simulators and tools put into URDF files. They hold nothing that a robot description could take.
const std::vector<std::string> kForeign = {"gazebo",    "transmission", "ros2_control", "sensor",
                                           "simulator", "mujoco",       "group",        "loop_joint"};

class UrdfParser {
 public:
  UrdfParser(const XmlFile& file, ReadContext& context, const UrdfKlampt& defaults)
      : file_(file), context_(context), out_(context.diagnostics) {
    urdf_.klampt = defaults;
  }

  UrdfFile parse() {
    const int errorsBefore = out_.errorCount();
    const auto& root = file_.root();
    if (reportExpressions(root)) return std::move(urdf_);
    if (std::string_view(root.Name()) != "robot") {
      out_.error("expected <robot>, found <" + std::string(root.Name()) + ">", file_.position(root),
                 "is this a URDF file? Macros (xacro) must be expanded first");
      return std::move(urdf_);
    }
    XmlElement robot(file_, root, out_);
    robot.expect({"name", "version", "xmlns"});
    finishUrdfElement(robot);
    bool klampt = false;
    for (const auto* child = root.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "link") {
        readLink(*child);
      } else if (name == "joint") {
        readJoint(*child);
      } else if (name == "klampt") {
        if (klampt) out_.warning("only the first <klampt> counts; this one is ignored", file_.position(*child));
        if (!klampt) urdf_.klampt = parseKlampt(file_, *child, context_, urdf_.klampt);
        klampt = true;
      } else if (name == "material") {
        define(parseUrdfMaterial(file_, *child, context_), true);
      } else {
        warnAboutSlip(*child, {"link", "joint", "material", "klampt", "gazebo", "transmission"});
      }
    }
    reportMacros(out_.errorCount() > errorsBefore);
    resolveUrdfMaterials(urdf_, out_);
    return std::move(urdf_);
  }

 private:
  XmlElement wrap(const tinyxml2::XMLElement& element) const {
    XmlElement wrapped(file_, element, out_);
    wrapped.allowCommas();
    return wrapped;
  }

  static bool isMacro(const tinyxml2::XMLElement& element) {
    return std::string_view(element.Name()).starts_with("xacro:");
  }

  /// The first element of xacro in what a robot is made of.
  static const tinyxml2::XMLElement* findMacro(const tinyxml2::XMLElement& parent) {
    for (const auto* child = parent.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      if (isMacro(*child)) return child;
      const std::string_view name = child->Name();
      if (name != "link" && name != "joint") continue;
      if (const auto* macro = findMacro(*child)) return macro;
    }
    return nullptr;
  }

  void reportTemplate(const SourcePosition& where) const {
    out_.error("this file is a xacro template: its macros must be expanded first", where,
               "run `xacro " + file_.path() + " > robot.urdf` and use the result");
  }

  /// Values such as "${width}" in links and joints, and in what they hold, are never right.
  bool reportExpressions(const tinyxml2::XMLElement& parent) const {
    for (const auto* child = parent.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (parent.Parent() == parent.GetDocument() && name != "link" && name != "joint") continue;
      for (const auto* attribute = child->FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
        const std::string_view value = attribute->Value();
        if (value.find("${") == std::string_view::npos) continue;
        const auto* macro = findMacro(file_.root());
        reportTemplate(macro != nullptr ? file_.position(*macro) : file_.position(*child, attribute->Name()));
        return true;
      }
      if (reportExpressions(*child)) return true;
    }
    return false;
  }

  /// A template that was never expanded looks like a robot full of mistakes, or like one with parts missing.
  void reportMacros(bool failed) const {
    const auto* macro = findMacro(file_.root());
    if (macro == nullptr) return;
    if (failed)
      reportTemplate(file_.position(*macro));
    else
      out_.warning("<" + std::string(macro->Name()) + "> is a macro of xacro and means nothing here; it is ignored",
                   file_.position(*macro), "run `xacro " + file_.path() + " > robot.urdf` and use the result");
  }

  /// Programs add elements of their own, so only what looks like a slip is worth a warning.
  void warnAboutSlip(const tinyxml2::XMLElement& element, const std::vector<std::string>& known) const {
    const std::string name = element.Name();
    if (name.find(':') != std::string::npos) return;
    for (const auto* list : {&known, &kForeign})
      if (std::find(list->begin(), list->end(), name) != list->end()) return;
    if (!nearestName(name, known).empty()) warnAboutElement(file_, element, known, out_);
  }

  /// `name` must be there and must not be empty.
  std::string required(XmlElement& element, const char* attribute) const {
    const auto text = element.text(attribute);
    if (!text || text->empty()) {
      const std::string hint = "write <" + std::string(element.name()) + " " + attribute + "=\"...\">";
      out_.error("<" + std::string(element.name()) + "> needs the attribute '" + attribute + "'", element.position(),
                 hint);
    }
    return text.value_or("");
  }

  RigidTransform origin(const tinyxml2::XMLElement& parent) const {
    RigidTransform X;
    const auto* child = parent.FirstChildElement("origin");
    if (child == nullptr) return X;
    XmlElement element = wrap(*child);
    if (const auto p = element.vector3("xyz")) X.p = *p;
    if (const auto rpy = element.vector3("rpy")) X.R = rotationFromRollPitchYaw(*rpy);
    finishUrdfElement(element);
    return X;
  }

  /// The first of a name counts; `alone`: it stands at the top of the file, where nothing else repeats it.
  void define(const UrdfMaterial& material, bool alone) {
    if (material.name.empty() || !material.defined()) return;
    const auto [known, isNew] = urdf_.materials.try_emplace(material.name, material);
    if (isNew || !alone) return;
    out_.warning("there are two materials '" + material.name + "'; the first one is taken", material.position,
                 "the first one is at " + known->second.position.describe());
  }

  void readLink(const tinyxml2::XMLElement& xml) {
    XmlElement element = wrap(xml);
    UrdfLink link;
    link.position = element.position();
    link.name = required(element, "name");
    element.expect({"type"});
    finishUrdfElement(element);
    bool inertial = false;
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "visual") {
        readShape(*child, link.visuals);
      } else if (name == "collision") {
        readShape(*child, link.collisions);
      } else if (name == "inertial") {
        if (inertial) out_.error("link '" + link.name + "' has a second <inertial>", file_.position(*child));
        inertial = true;
        link.inertial = readInertial(*child);
      } else {
        warnAboutSlip(*child, {"inertial", "visual", "collision"});
      }
    }
    urdf_.links.push_back(std::move(link));
  }

  BodyInertia readInertial(const tinyxml2::XMLElement& xml) const {
    BodyInertia body;
    const RigidTransform X_LI = origin(xml);
    if (const auto* child = xml.FirstChildElement("mass")) {
      XmlElement element = wrap(*child);
      required(element, "value");
      body.mass = element.nonNegative("value", false).value_or(0);
      finishUrdfElement(element);
    } else {
      out_.error("<inertial> needs <mass>", file_.position(xml));
    }
    if (const auto* child = xml.FirstChildElement("inertia")) {
      XmlElement element = wrap(*child);
      const auto diagonal = [&](const char* name) {
        required(element, name);
        return element.finite(name).value_or(0);
      };
      const auto product = [&](const char* name) {
        if (!element.has(name))
          out_.warning("<inertia> has no '" + std::string(name) + "'; it is taken as 0", element.position());
        return element.finite(name).value_or(0);
      };
      const double xx = diagonal("ixx"), xy = product("ixy"), xz = product("ixz");
      const double yy = diagonal("iyy"), yz = product("iyz"), zz = diagonal("izz");
      body.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      finishUrdfElement(element);
    } else {
      out_.error("<inertial> needs <inertia>", file_.position(xml));
    }
    body.com = X_LI.p;
    body.inertia = X_LI.R * body.inertia * X_LI.R.transpose();
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
      warnAboutSlip(*child, {"origin", "mass", "inertia"});
    return body;
  }

  /// The material of a shape, if it has one; others may refer to it by its name.
  std::optional<UrdfMaterial> readMaterial(const tinyxml2::XMLElement& shape) {
    const auto* xml = shape.FirstChildElement("material");
    if (xml == nullptr) return std::nullopt;
    UrdfMaterial material = parseUrdfMaterial(file_, *xml, context_);
    define(material, false);
    return material;
  }

  void readShape(const tinyxml2::XMLElement& xml, std::vector<UrdfShape>& shapes) {
    XmlElement element = wrap(xml);
    element.expect({"name", "group", "type", "concave", "class"});
    finishUrdfElement(element);
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
      warnAboutSlip(*child, {"origin", "geometry", "material"});
    const auto* geometry = xml.FirstChildElement("geometry");
    const auto* kind = geometry != nullptr ? geometry->FirstChildElement() : nullptr;
    if (kind == nullptr) {
      out_.error("<" + std::string(xml.Name()) + "> needs <geometry> with a shape in it",
                 file_.position(geometry != nullptr ? *geometry : xml), listNames(kShapes));
      return;
    }
    UrdfShape shape;
    shape.X_LS = origin(xml);
    shape.material = readMaterial(xml);
    XmlElement size = wrap(*kind);
    shape.position = size.position();
    const auto length = [&](const char* attribute) {
      required(size, attribute);
      return size.nonNegative(attribute, false).value_or(0);
    };
    const std::string_view name = kind->Name();
    if (name == "box") {
      required(size, "size");
      const Vector3d half = size.vector3("size").value_or(Vector3d::Zero()) / 2;
      if ((half.array() < 0).any()) size.error("size", "must not be negative");
      shape.primitive = AxisAlignedBoxShape{-half, half};
    } else if (name == "sphere") {
      shape.primitive = SphereShape{Vector3d::Zero(), length("radius")};
    } else if (name == "cylinder" || name == "capsule") {
      const double radius = length("radius"), along = length("length");
      const Vector3d end(0, 0, along / 2);
      if (name == "cylinder")
        shape.primitive = CylinderShape{-end, Vector3d::UnitZ(), radius, along};
      else
        shape.primitive = CapsuleShape{-end, end, radius};
    } else if (name == "mesh") {
      if (size.has("filename") && size.text("filename")->empty()) {
        out_.warning("<mesh> names no file; the shape is left out", size.position("filename"));
        return;
      }
      shape.mesh = required(size, "filename");
      shape.position = size.position("filename");
      readScale(size, shape);
    } else if (name == "plane") {
      shape.primitive = readPlane(size);
    } else if (name == "cdf" || name == "sdf") {
      out_.warning("<" + std::string(name) + "> holds a distance field for one engine alone; the shape is left out",
                   size.position(), "give the link's collision as a mesh, too");
      return;
    } else {
      out_.error("<" + std::string(name) + "> is not a shape", size.position(), suggestAndList(name, kShapes));
      return;
    }
    finishUrdfElement(size);
    shapes.push_back(std::move(shape));
  }

  /// The space below a plane through the origin, which some simulators know: the box of it that is near.
  Geometry::Data readPlane(XmlElement& plane) const {
    constexpr double kSide = 1000, kDepth = 1;
    Vector3d normal = plane.vector3("normal").value_or(Vector3d::UnitZ());
    if (!(normal.norm() > 0)) {
      plane.error("normal", "expected a vector other than 0");
      normal = Vector3d::UnitZ();
    }
    out_.warning(
        "a <plane> is read as a box below it, " + formatReal(kSide) + " m wide and " + formatReal(kDepth) + " m thick",
        plane.position(), "write a <box> as large as the ground that you need");
    BoxShape box;
    box.X.R = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal.normalized()).toRotationMatrix();
    box.X.p = box.X.R * Vector3d(-kSide / 2, -kSide / 2, -kDepth);
    box.size = Vector3d(kSide, kSide, kDepth);
    return box;
  }

  void readScale(XmlElement& mesh, UrdfShape& shape) const {
    const auto scale = mesh.reals("scale");
    if (!scale) return;
    if (scale->size() == 4) out_.warning("<mesh> scale: the last of four numbers is ignored", mesh.position("scale"));
    if (scale->size() == 3 || scale->size() == 4)
      shape.scale = Vector3d((*scale)[0], (*scale)[1], (*scale)[2]);
    else if (scale->size() == 1)
      shape.scale.setConstant((*scale)[0]);
    else
      mesh.error("scale", "expected three numbers, found " + std::to_string(scale->size()));
    if (!shape.scale.allFinite() || (shape.scale.array() == 0).any())
      mesh.error("scale", "expected finite numbers other than 0");
  }

  void readJoint(const tinyxml2::XMLElement& xml) {
    XmlElement element = wrap(xml);
    UrdfJoint joint;
    joint.position = element.position();
    joint.name = required(element, "name");
    const std::string type = required(element, "type");
    finishUrdfElement(element);
    const auto found = std::find(kJointTypes.begin(), kJointTypes.end(), type);
    if (found != kJointTypes.end())
      joint.type = static_cast<UrdfJointType>(found - kJointTypes.begin());
    else if (!type.empty())
      element.error("type", "'" + type.substr(0, 40) + "' is not a joint type", joinHints(type));
    joint.X_PC = origin(xml);
    joint.parent = readEnd(xml, "parent", joint.parentPosition);
    joint.child = readEnd(xml, "child", joint.childPosition);
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "axis")
        readAxis(*child, joint);
      else if (name == "limit")
        readLimit(*child, joint);
      else if (name == "dynamics")
        readDynamics(*child, joint);
      else if (name == "mimic")
        readMimic(*child, joint);
      else
        warnAboutSlip(*child, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration",
                               "safety_controller"});
    }
    if (joint.type == UrdfJointType::revolute && !joint.limited)
      out_.error("joint '" + joint.name + "' is " + type + " and needs <limit>", joint.position,
                 "give lower, upper, effort and velocity, or make it continuous");
    if (joint.type == UrdfJointType::prismatic && !joint.limited) {
      out_.warning("joint '" + joint.name + "' is prismatic and has no <limit>; it is unlimited", joint.position);
      joint.lower = -kInfinity;
      joint.upper = kInfinity;
      joint.limited = true;
    }
    const bool driven = joint.type == UrdfJointType::revolute || joint.type == UrdfJointType::continuous ||
                        joint.type == UrdfJointType::prismatic;
    if (driven && joint.mimic && joint.mimic->multiplier == 0) stopFollowing(joint);
    urdf_.joints.push_back(std::move(joint));
  }

  /// A joint that follows another one with the factor 0 stays where its offset is.
  void stopFollowing(UrdfJoint& joint) const {
    out_.warning("joint '" + joint.name + "' follows with the multiplier 0; it is fixed", joint.mimic->position);
    const double q = joint.mimic->offset;
    if (joint.type == UrdfJointType::prismatic)
      joint.X_PC.p += joint.X_PC.R * joint.axis * q;
    else
      joint.X_PC = joint.X_PC * RigidTransform::rotation(rotationFromMoment(joint.axis * q));
    joint.type = UrdfJointType::fixed;
    joint.mimic.reset();
  }

  static std::string joinHints(const std::string& type) { return suggestAndList(type, kJointTypes); }

  std::string readEnd(const tinyxml2::XMLElement& xml, const char* which, SourcePosition& position) const {
    const auto* child = xml.FirstChildElement(which);
    if (child == nullptr) {
      out_.error("<joint> needs <" + std::string(which) + " link=\"...\">", file_.position(xml));
      return {};
    }
    XmlElement element = wrap(*child);
    position = element.position("link");
    std::string link = required(element, "link");
    finishUrdfElement(element);
    return link;
  }

  void readAxis(const tinyxml2::XMLElement& xml, UrdfJoint& joint) const {
    XmlElement element = wrap(xml);
    if (const auto axis = element.vector3("xyz")) joint.axis = *axis;
    finishUrdfElement(element);
    // Files give fixed joints an axis of 0 0 0.
    const bool moves = joint.type != UrdfJointType::fixed && joint.type != UrdfJointType::floating &&
                       joint.type != UrdfJointType::spherical;
    if (!moves) return;
    if (joint.axis.isZero(0)) return element.error("xyz", "the axis must not be zero");
    // Rounded digits are none of a length.
    constexpr double kRounded = 1e-3;
    const double length = joint.axis.norm();
    if (std::abs(length - 1) <= kRounded) return;
    const Vector3d unit = joint.axis / length;
    out_.warning(
        "the axis of joint '" + joint.name + "' has the length " + formatReal(length, 4) +
            ": as in Klamp't, the joint moves by so much times its coordinate; other programs normalize the axis",
        element.position("xyz"),
        "write xyz=\"" + formatReal(unit.x(), 6) + " " + formatReal(unit.y(), 6) + " " + formatReal(unit.z(), 6) +
            "\"");
  }

  void readLimit(const tinyxml2::XMLElement& xml, UrdfJoint& joint) const {
    XmlElement element = wrap(xml);
    joint.limited = true;
    joint.lower = element.real("lower").value_or(0);
    joint.upper = element.real("upper").value_or(0);
    const bool moves = joint.type != UrdfJointType::fixed;
    for (const auto& [name, target] : {std::pair("effort", &joint.effort), std::pair("velocity", &joint.velocity)}) {
      if (element.has(name)) {
        *target = element.real(name).value_or(kInfinity);
        if (*target < 0) {
          out_.warning("<limit> " + std::string(name) + " is negative; it is taken as unlimited",
                       element.position(name));
          *target = kInfinity;
        }
      } else if (moves) {
        out_.warning("<limit> has no '" + std::string(name) + "'; it is unlimited", element.position());
      }
    }
    if (joint.lower > joint.upper) {
      const bool bounded = joint.type == UrdfJointType::revolute || joint.type == UrdfJointType::prismatic;
      out_.warning(std::string("the lower limit lies above the upper limit") +
                       (bounded ? "; the joint has no position limits, as in Bullet" : ""),
                   element.position("lower"), bounded ? "swap 'lower' and 'upper' if that is not meant" : "");
      joint.lower = -kInfinity;
      joint.upper = kInfinity;
    }
    finishUrdfElement(element);
  }

  void readDynamics(const tinyxml2::XMLElement& xml, UrdfJoint& joint) const {
    XmlElement element = wrap(xml);
    joint.damping = element.nonNegative("damping", false).value_or(0);
    joint.friction = element.nonNegative("friction", false).value_or(0);
    finishUrdfElement(element);
  }

  void readMimic(const tinyxml2::XMLElement& xml, UrdfJoint& joint) const {
    XmlElement element = wrap(xml);
    UrdfMimic mimic;
    mimic.joint = required(element, "joint");
    mimic.position = element.position("joint");
    mimic.multiplier = element.finite("multiplier").value_or(1);
    mimic.offset = element.finite("offset").value_or(0);
    finishUrdfElement(element);
    joint.mimic = std::move(mimic);
  }

  const XmlFile& file_;
  ReadContext& context_;
  Diagnostics& out_;
  UrdfFile urdf_;
};

}  // namespace

void finishUrdfElement(XmlElement& element) {
  for (const auto* attribute = element.raw().FirstAttribute(); attribute != nullptr; attribute = attribute->Next())
    if (std::string_view(attribute->Name()).find(':') != std::string_view::npos) element.expect({attribute->Name()});
  element.warnAboutOthers();
}

UrdfFile parseUrdf(const XmlFile& file, ReadContext& context, const UrdfKlampt& defaults) {
  return UrdfParser(file, context, defaults).parse();
}

}  // namespace mortise::io
