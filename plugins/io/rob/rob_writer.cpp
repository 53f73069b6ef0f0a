#include "rob/rob_writer.h"

#include <algorithm>

#include "common/component_xml.h"
#include "common/references.h"
#include "common/self_collisions.h"
#include "mesh/shape_reference.h"
#include "mortise/base/files.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/modeling/link_visuals.h"
#include "mortise/text/normalize.h"
#include "rob/rob_shapes.h"
#include "rob/rob_text.h"

namespace mortise::io {

namespace {

class RobTextWriter {
 public:
  RobTextWriter(const RobotDescription& robot, WriteContext& context)
      : robot_(robot), context_(context), out_(context.diagnostics) {
    where_.file = context.path;
  }

  void write() {
    Robot::compile(robot_);  // Indices out of range would end in a crash, not in a file.
    text_.comment("A robot of " + std::to_string(robot_.links.size()) + " links and " +
                  std::to_string(robot_.drivers.size()) + " drivers.");
    writeLinks();
    writeMasses();
    writeShapes();
    writeJoints();
    writeDrivers();
    writeSelfCollisions();
    writeProperties();
    writeFile(context_.path, text_.text());
  }

 private:
  void cannotHold(std::string message) { out_.warning("a .rob file cannot hold " + std::move(message), where_); }

  template <typename Get>
  void perLink(const char* keyword, Get get) {
    text_.keyword(keyword);
    for (const Link& link : robot_.links) text_.real(get(link));
    text_.endLine();
  }

  template <typename Put>
  void rows(const char* keyword, Put put) {
    text_.keyword(keyword);
    for (const Link& link : robot_.links) put(text_.breakLine(), link);
    text_.endLine();
  }

  void writeLinks() {
    text_.keyword("links");
    for (const Link& link : robot_.links) text_.name(link.name);
    text_.endLine().keyword("parents");
    for (const Link& link : robot_.links) text_.integer(link.parent);
    text_.endLine().keyword("jointtype");
    for (const Link& link : robot_.links) text_.word(link.motion == LinkMotion::revolute ? "r" : "p");
    text_.endLine();
    rows("axis", [](RobText& text, const Link& link) { text.vector(link.axis); });
    rows("TParent", [](RobText& text, const Link& link) { text.transform(link.X_PL0); });
    perLink("q", [](const Link& link) { return link.q; });
    perLink("qMin", [](const Link& link) { return link.qMin; });
    perLink("qMax", [](const Link& link) { return link.qMax; });
    perLink("velMin", [](const Link& link) { return link.velocityMin; });
    perLink("velMax", [](const Link& link) { return link.velocityMax; });
    perLink("accMax", [](const Link& link) { return link.accelerationMax; });
    perLink("torqueMax", [](const Link& link) { return link.torqueMax; });
    perLink("powerMax", [](const Link& link) { return link.powerMax; });
  }

  void writeMasses() {
    perLink("mass", [](const Link& link) { return link.inertia.mass; });
    rows("com", [](RobText& text, const Link& link) { text.vector(link.inertia.com); });
    // The one matrix of the format that stands column by column.
    rows("inertia", [](RobText& text, const Link& link) { text.matrix(link.inertia.inertia.transpose()); });
  }

  void writeShapes() {
    std::vector<WrittenShape> shapes;
    ShapeFiles files(robot_, context_);
    for (const Link& link : robot_.links) shapes.push_back(files.write(link));
    const auto any = [&](auto test) {
      for (std::size_t i = 0; i < shapes.size(); ++i)
        if (!shapes[i].reference.empty() && test(i)) return true;
      return false;
    };
    if (!any([](std::size_t) { return true; })) return;
    text_.keyword("geometry");
    for (const WrittenShape& shape : shapes) text_.name(shape.reference);
    text_.endLine();
    const auto scale = [&](std::size_t i) { return shapes[i].placed ? robot_.links[i].geometryScale : 1.0; };
    const auto margin = [&](std::size_t i) {
      return shapes[i].reference.empty() ? 0 : robot_.links[i].geometry->margin();
    };
    if (any([&](std::size_t i) { return scale(i) != 1; })) {
      text_.keyword("geomscale");
      for (std::size_t i = 0; i < shapes.size(); ++i) text_.real(scale(i));
      text_.endLine();
    }
    if (any([&](std::size_t i) { return margin(i) != 0; })) {
      text_.keyword("geommargin");
      for (std::size_t i = 0; i < shapes.size(); ++i) text_.real(margin(i));
      text_.endLine();
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const AffineMap& map = robot_.links[i].geometryTransform;
      if (!shapes[i].placed || map.isIdentity()) continue;
      text_.keyword("geomtransform").integer(static_cast<int>(i));
      for (int row = 0; row < 3; ++row) text_.vector(map.A.row(row)).real(map.t[row]);
      text_.word("0 0 0 1").endLine();
    }
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (const std::string& part : shapes[i].mounts)
        text_.keyword("mount").integer(static_cast<int>(i)).name(part).endLine();
  }

  void writeJoints() {
    if (robot_.joints.empty() && !robot_.links.empty())
      cannotHold("links without joints; reading it gives one joint a link");
    for (const Joint& joint : robot_.joints) {
      const std::string type = lowerCase(jointTypeName(joint.type));
      text_.keyword("joint").word(type).integer(joint.link);
      const bool chain = joint.type == JointType::floating || joint.type == JointType::floatingPlanar ||
                         joint.type == JointType::ballAndSocket;
      if (chain) text_.integer(joint.base);
      text_.endLine();
    }
  }

  void writeDrivers() {
    const bool moving = std::any_of(robot_.joints.begin(), robot_.joints.end(), [](const Joint& joint) {
      return joint.type == JointType::normal || joint.type == JointType::spin;
    });
    if (robot_.drivers.empty()) {
      if (moving) cannotHold("moving joints without any driver; reading it gives each a driver");
      return;
    }
    for (const Driver& driver : robot_.drivers) writeDriver(driver);
    text_.keyword("drivers");
    for (const Driver& driver : robot_.drivers) text_.name(driver.name);
    text_.endLine();
    perDriver("servoP", &Driver::servoP);
    perDriver("servoI", &Driver::servoI);
    perDriver("servoD", &Driver::servoD);
    perDriver("dryFriction", &Driver::dryFriction);
    perDriver("viscousFriction", &Driver::viscousFriction);
  }

  void perDriver(const char* keyword, double Driver::*member) {
    text_.keyword(keyword);
    for (const Driver& driver : robot_.drivers) text_.real(driver.*member);
    text_.endLine();
  }

  static bool limitsOfLink(const Driver& driver, const Link& link) {
    return driver.qMin == link.qMin && driver.qMax == link.qMax && driver.velocityMin == link.velocityMin &&
           driver.velocityMax == link.velocityMax && driver.torqueMin == -link.torqueMax &&
           driver.torqueMax == link.torqueMax;
  }

  void writeDriver(const Driver& driver) {
    const Link& first = robot_.links[static_cast<std::size_t>(driver.links[0])];
    double accelerationMax = first.accelerationMax;
    if (driver.type == DriverType::affine) {
      accelerationMax = kInfinity;
      for (std::size_t k = 0; k < driver.links.size(); ++k)
        accelerationMax =
            std::min(accelerationMax, robot_.links[static_cast<std::size_t>(driver.links[k])].accelerationMax /
                                          std::abs(driver.scale[k]));
      writeAffine(driver, driver.scale, driver.offset);
    } else if (limitsOfLink(driver, first)) {
      text_.keyword("driver").word(driverTypeName(driver.type));
      for (const int link : driver.links) text_.integer(link);
      text_.endLine();
    } else if (driver.type == DriverType::normal) {
      cannotHold("limits of driver '" + driver.name + "' that are not its link's; it becomes an affine driver");
      writeAffine(driver, {1}, {0});
    } else {
      cannotHold("limits of driver '" + driver.name + "' that are not its link's");
      text_.keyword("driver").word(driverTypeName(driver.type)).integer(driver.links[0]).integer(driver.links[1]);
      text_.endLine();
    }
    if (driver.accelerationMax != accelerationMax || driver.accelerationMin != -accelerationMax)
      cannotHold("acceleration limits of driver '" + driver.name + "' that do not follow from its links'");
  }

  void writeAffine(const Driver& driver, const std::vector<double>& scale, const std::vector<double>& offset) {
    text_.keyword("driver affine").integer(static_cast<int>(driver.links.size()));
    for (const int link : driver.links) text_.integer(link);
    for (const double value : scale) text_.real(value);
    for (const double value : offset) text_.real(value);
    for (const double limit :
         {driver.qMin, driver.qMax, driver.velocityMin, driver.velocityMax, driver.torqueMin, driver.torqueMax})
      text_.real(limit);
    text_.endLine();
  }

  void pairs(const char* keyword, const std::vector<std::pair<int, int>>& list) {
    if (list.empty()) return;
    text_.keyword(keyword);
    for (const auto& [a, b] : list) text_.word(std::to_string(a) + " " + std::to_string(b));
    text_.endLine();
  }

  void writeSelfCollisions() {
    std::vector<std::pair<int, int>> wanted = robot_.selfCollisionPairs;
    std::sort(wanted.begin(), wanted.end());
    const std::vector<std::pair<int, int>> all = defaultSelfCollisions(robot_);
    if (wanted == all) return;
    if (wanted.empty()) {
      // An empty list would mean all pairs; one pair that is taken out again means none.
      pairs("selfCollision", {all.front()});
      pairs("noSelfCollision", {all.front()});
      return;
    }
    std::vector<std::pair<int, int>> left;
    std::set_difference(all.begin(), all.end(), wanted.begin(), wanted.end(), std::back_inserter(left));
    const bool subset = std::includes(all.begin(), all.end(), wanted.begin(), wanted.end());
    if (subset && left.size() <= wanted.size())
      pairs("noSelfCollision", left);
    else
      pairs("selfCollision", wanted);
  }

  /// Files name their robots, but for those that are called otherwise.
  void writeName() {
    if (robot_.name.empty() || robot_.name == stemOf(context_.path)) return;
    if (fitsRob(robot_.name))
      text_.keyword("property").word(kNameProperty).name(robot_.name).endLine();
    else
      cannotHold("the robot's name '" + robot_.name + "': '#' begins a comment; the robot will be called '" +
                 stemOf(context_.path) + "', as its file is");
  }

  void writeProperties() {
    writeName();
    for (const auto& property : robot_.properties) {
      const auto& [name, value] = property;
      if (name == kNameProperty) {
        cannotHold("a property 'name': it is the robot's own name");
        continue;
      }
      if (isLinkVisual(property)) {
        writeVisuals(property);
        continue;
      }
      if (isJointName(property) && !(fitsRob(name) && fitsRob(value)))
        out_.warning("a .rob file cannot hold the joint name '" + value + "': '#' begins a comment", where_);
      else
        text_.keyword("property").name(name).name(value).endLine();
    }
    if (!robot_.sensors.isNull()) writeXml("sensors", sensorsXml(robot_.sensors));
    if (!robot_.controller.isNull()) writeXml("controller", controllerXml(robot_.controller));
  }

  /// Visual shapes of links, with references from this file.
  void writeVisuals(const std::pair<std::string, std::string>& property) {
    try {
      std::vector<LinkVisual> visuals = linkVisualsFromText(property.second);
      for (LinkVisual& visual : visuals) {
        for (std::string* reference : {&visual.mesh, &visual.texture})
          if (!reference->empty()) *reference = visualReference(*reference, visual, context_.path, context_.loader);
        visual.file.clear();
        visual.packageRoot.clear();
        visual.line = 0;
      }
      text_.keyword("property").name(property.first).name(linkVisualText(visuals)).endLine();
    } catch (const Error& error) {
      out_.warning("a .rob file cannot hold '" + property.first + "': " + error.message(), where_);
    }
  }

  void writeXml(const char* property, const std::string& xml) {
    if (fitsRob(xml)) {
      text_.keyword("property").word(property).name(xml).endLine();
      return;
    }
    const std::string file = stemOf(context_.path) + "_" + property + ".xml";
    const std::size_t slash = context_.path.find_last_of('/');
    writeFile((slash == std::string::npos ? "" : context_.path.substr(0, slash + 1)) + file, xml + "\n");
    text_.keyword("property").word(property).name(file).endLine();
  }

  const RobotDescription& robot_;
  WriteContext& context_;
  Diagnostics& out_;
  SourcePosition where_;
  RobText text_;
};

}  // namespace

void writeRob(const RobotDescription& robot, WriteContext& context) { RobTextWriter(robot, context).write(); }

}  // namespace mortise::io
