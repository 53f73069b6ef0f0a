#include "mortise/inspect/robot_check.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "mortise/base/borrow.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/inspect/collisions.h"
#include "mortise/inspect/robot_notices.h"
#include "mortise/loading/script_host.h"
#include "mortise/simulation/components/component_names.h"
#include "mortise/text/article.h"

namespace mortise {

namespace {

/// Nine digits are enough for what was computed; limits are shown as the file has them.
std::string shortReal(double value) { return formatReal(value, 9); }

class Checker {
 public:
  Checker(const Robot& robot, Diagnostics& diagnostics)
      : robot_(robot), diagnostics_(diagnostics), drivenBy_(static_cast<std::size_t>(robot.numLinks())) {}

  void run() {
    for (int i = 0; i < robot_.numDrivers(); ++i)
      for (const int link : robot_.driver(i).links) drivenBy_[static_cast<std::size_t>(link)].push_back(i);
    std::map<std::string, int> names;
    for (int i = 0; i < robot_.numLinks(); ++i) {
      checkInertia(i);
      checkRotation(i);
      checkRange(i);
      checkMotor(i);
      const std::string& name = robot_.link(i).name;
      const auto [first, isNew] = names.emplace(name, i);
      if (!isNew) warn(i, "has the name of link " + std::to_string(first->second) + "; only its index is unambiguous");
    }
    for (int i = 0; i < robot_.numDrivers(); ++i) checkDriver(i);
    checkRoots();
    for (const int i : inspect::linksWithoutInertia(robot_))
      diagnostics_.note(linkName(i) + " has no inertia in the file: it weighs 0.1 g" +
                            (welded(i) ? " and is fixed to what carries it" : ""),
                        place("links." + std::to_string(i) + ".inertia"), welded(i) ? "" : "give it an <inertial>");
    if (!(robot_.totalMass() > 0))
      diagnostics_.warning("the robot has no mass", place("mass"), "give links a mass, or use automass");
    const bool shapes = std::any_of(robot_.links().begin(), robot_.links().end(),
                                    [](const Link& link) { return link.geometry && !link.geometry->empty(); });
    if (!shapes) diagnostics_.note("no link has a shape: nothing can be seen, and nothing collides", place("geometry"));
  }

 private:
  SourcePosition place(std::string path) const { return {robot_.description().file, 0, 0, std::move(path)}; }
  std::string linkName(int i) const { return "link " + std::to_string(i) + " '" + robot_.link(i).name + "'"; }
  std::string driverName(int i) const { return "driver " + std::to_string(i) + " '" + robot_.driver(i).name + "'"; }
  void warn(int i, const std::string& text, const std::string& hint = {}) {
    diagnostics_.warning(linkName(i) + " " + text, place("links." + std::to_string(i)), hint);
  }

  const Joint* jointOf(int i) const {
    const int joint = robot_.jointOfLink(i);
    return joint >= 0 ? &robot_.joints()[static_cast<std::size_t>(joint)] : nullptr;
  }
  bool welded(int i) const {
    const Joint* joint = jointOf(i);
    return joint != nullptr && joint->type == JointType::weld;
  }
  bool inChain(int i) const {
    const Joint* joint = jointOf(i);
    return joint != nullptr && joint->type != JointType::weld && joint->type != JointType::normal &&
           joint->type != JointType::spin;
  }

  void checkRoots() {
    const bool urdf = robot_.description().file.ends_with(".urdf");
    for (const int i : inspect::floatingRoots(robot_))
      diagnostics_.note(linkName(i) + " is a root that floats: nothing ties it to the world", place("joints"),
                        urdf ? "a fixed joint between a link 'world' and '" + robot_.link(i).name +
                                   "' holds it, and so does <klampt freeze_root_link=\"1\">"
                             : "");
  }

  void checkInertia(int i) {
    const BodyInertia& body = robot_.link(i).inertia;
    const SourcePosition where = place("links." + std::to_string(i) + ".inertia");
    if (body.mass == 0 && !body.inertia.isZero(0)) {
      warn(i, "has an inertia, but no mass", "give it a mass, or leave the inertia out");
    } else if (!body.physical()) {
      const Vector3d moments =
          Eigen::SelfAdjointEigenSolver<Matrix3d>(0.5 * (body.inertia + body.inertia.transpose())).eigenvalues();
      const std::string has = " has an inertia that no body can have: ";
      const std::string hint = "check the order of the numbers and the point they refer to: the center of mass";
      if ((body.inertia - body.inertia.transpose()).cwiseAbs().maxCoeff() > 1e-6 * body.inertia.cwiseAbs().maxCoeff())
        diagnostics_.warning(linkName(i) + has + "its matrix is not symmetric", where, hint);
      else if (moments[0] < 0)
        diagnostics_.warning(linkName(i) + has + "it has the negative moment " + shortReal(moments[0]), where, hint);
      else
        diagnostics_.warning(linkName(i) + has + "its largest moment " + shortReal(moments[2]) +
                                 " is more than the other two together (" + shortReal(moments[0]) + " and " +
                                 shortReal(moments[1]) + ")",
                             where, hint);
    } else {
      checkSpread(i);
    }
    if (body.mass > 0 && body.inertia.isZero(0))
      diagnostics_.note(
          linkName(i) + " is a point mass of " + shortReal(body.mass) + " kg: simulation gives it 0.001 kg m^2", where);
    if (body.mass == 0 && robot_.children(i).empty() && !welded(i) && !inChain(i))
      diagnostics_.note(linkName(i) + " moves, but has no mass: simulation gives it 1 g", place("mass"));
  }

  /// Matter must be where the shape is, give or take.
  void checkSpread(int i) {
    const Link& link = robot_.link(i);
    if (!link.geometry || link.geometry->empty() || link.inertia.mass == 0) return;
    const AxisAlignedBounds bounds = link.geometry->bounds();
    const double diagonal = (bounds.max - bounds.min).norm();
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return;
    const Vector3d outside =
        (bounds.min - link.inertia.com).cwiseMax(link.inertia.com - bounds.max).cwiseMax(Vector3d::Zero());
    if (outside.norm() > 0.1 * diagonal)
      warn(i, "has its center of mass " + shortReal(outside.norm()) + " m outside of its shape, which is " +
                  shortReal(diagonal) + " m large");
    // No body of this mass that fits into the shape's bounds has a moment beyond that of two halves at the corners.
    const double moment = link.inertia.inertia.trace() / 2, maximum = link.inertia.mass * diagonal * diagonal / 4;
    if (moment > 2 * maximum)
      warn(i,
           "has an inertia too large for its shape: radius of gyration " +
               shortReal(std::sqrt(moment / link.inertia.mass)) + " m in a shape " + shortReal(diagonal) + " m large",
           "check its units: kg m^2");
  }

  void checkRotation(int i) {
    const Matrix3d& R = robot_.link(i).X_PL0.R;
    const double error = (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff();
    if (error > 1e-4)
      diagnostics_.error(linkName(i) + " has a parent transform whose rotation is off by " + shortReal(error),
                         place("TParent"), "its rows must be orthogonal and of length 1");
    else if (error > 1e-5)
      warn(i, "has a parent transform whose rotation is off by " + shortReal(error) + "; it is used as it is");
    if (R.determinant() < 0) diagnostics_.error(linkName(i) + " is mirrored by its parent transform", place("TParent"));
    const double length = robot_.link(i).axis.norm();
    if (std::abs(length - 1) > 1e-3)
      warn(i, "has an axis of length " + shortReal(length) + ", which scales its motion");
  }

  void checkRange(int i) {
    const Link& link = robot_.link(i);
    if (link.qMin > link.qMax)
      diagnostics_.error(linkName(i) + " has its lower limit " + formatReal(link.qMin) + " above its upper one " +
                             formatReal(link.qMax),
                         place("qMin"), "swap the two");
    else if (link.qMin == link.qMax && !welded(i))
      warn(i, "has no range: both limits are " + formatReal(link.qMin), "weld it if it is not to move");
    else if (!welded(i) && (link.q < link.qMin - 1e-9 || link.q > link.qMax + 1e-9))
      warn(i, "starts at " + formatReal(link.q) + ", outside its limits " + formatReal(link.qMin) + " to " +
                  formatReal(link.qMax));
    if (link.velocityMin > link.velocityMax)
      diagnostics_.error(linkName(i) + " has its lowest velocity " + formatReal(link.velocityMin) +
                             " above its highest " + formatReal(link.velocityMax),
                         place("velMin"));
    else if (link.velocityMin == 0 && link.velocityMax == 0 && !welded(i) && !inChain(i))
      warn(i, "may not move: its velocity limits are 0", "weld it if it is not to move");
    for (const auto& [name, limit] : {std::pair("acceleration", link.accelerationMax),
                                      std::pair("torque", link.torqueMax), std::pair("power", link.powerMax)})
      if (limit < 0)
        diagnostics_.error(linkName(i) + " has the negative " + name + " limit " + formatReal(limit),
                           place("links." + std::to_string(i)));
    if (robot_.jointOfLink(i) < 0)
      warn(i, "belongs to no joint", "add a joint line; without any, each link would have one");
  }

  /// Says whether something moves it, and only one thing.
  void checkMotor(int i) {
    const std::vector<int>& drivers = drivenBy_[static_cast<std::size_t>(i)];
    if (drivers.empty() && !welded(i) && !inChain(i))
      diagnostics_.note(linkName(i) + " has no driver: it swings freely", place("drivers"));
    int moving = 0;
    for (const int d : drivers) {
      const Driver& driver = robot_.driver(d);
      // Translation and rotation drivers name the pushed body second.
      const bool pushed =
          (driver.type == DriverType::translation || driver.type == DriverType::rotation) && driver.links[0] != i;
      if (!pushed) ++moving;
    }
    if (moving > 1) warn(i, "is moved by " + std::to_string(moving) + " drivers");
  }

  void checkDriver(int i) {
    const Driver& driver = robot_.driver(i);
    const SourcePosition where = place("drivers." + std::to_string(i));
    const auto say = [&](const std::string& text, const std::string& hint = {}) {
      diagnostics_.warning(driverName(i) + " " + text, where, hint);
    };
    const auto remark = [&](const std::string& text) { diagnostics_.note(driverName(i) + " " + text, where); };
    if (driver.qMin > driver.qMax)
      diagnostics_.error(driverName(i) + " has its lower limit above its upper one", where);
    if (driver.torqueMin > driver.torqueMax)
      diagnostics_.error(driverName(i) + " has its lowest torque above its highest", where);
    else if (driver.torqueMin >= 0 && driver.torqueMax <= 0)
      say("has no torque: it cannot move anything",
          "give its links a torque limit (`torqueMax` or `autotorque` of .rob "
          "files, `effort` of URDF)");
    else if (std::isinf(driver.torqueMax) || std::isinf(driver.torqueMin))
      remark("has no torque limit");
    if (std::isinf(driver.velocityMax) || std::isinf(driver.velocityMin)) remark("has no velocity limit");
    if (driver.servoP == 0) remark("has no position gain: it holds nothing");
    for (const int link : driver.links)
      if (welded(link)) say("moves link '" + robot_.link(link).name + "', which is welded");
    if (driver.type == DriverType::affine) checkCoupling(i);
    for (int other = 0; other < i; ++other)
      if (robot_.driver(other).name == driver.name) {
        say("has the name of driver " + std::to_string(other) + "; only its index is unambiguous");
        break;
      }
  }

  /// The links of an affine driver must be able to go where it goes.
  void checkCoupling(int i) {
    const Driver& driver = robot_.driver(i);
    double low = -kInfinity, high = kInfinity;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      const Link& link = robot_.link(driver.links[k]);
      const double a = (link.qMin - driver.offset[k]) / driver.scale[k];
      const double b = (link.qMax - driver.offset[k]) / driver.scale[k];
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    }
    const SourcePosition where = place("drivers." + std::to_string(i));
    if (low > high + 1e-9)
      diagnostics_.warning(driverName(i) + " can nowhere keep all of its links within their limits", where,
                           "check scales and offsets");
    else if (driver.qMin < low - 1e-6 || driver.qMax > high + 1e-6)
      diagnostics_.note(driverName(i) + " goes from " + formatReal(driver.qMin) + " to " + formatReal(driver.qMax) +
                            "; its links stay within their limits from " + formatReal(low) + " to " + formatReal(high),
                        where);
  }

  const Robot& robot_;
  Diagnostics& diagnostics_;
  std::vector<std::vector<int>> drivenBy_;
};

}  // namespace

void checkRobot(const Robot& robot, Diagnostics& diagnostics) {
  Checker(robot, diagnostics).run();
  try {
    inspect::SelfCollisions collisions(borrow(robot));
    for (const IdPair& pair : collisions.at(robot.initialConfiguration())) {
      diagnostics.warning("links '" + robot.link(pair.a).name + "' and '" + robot.link(pair.b).name +
                              "' collide at the initial configuration",
                          inFile(robot.description().file),
                          "if they overlap by design, leave the pair out: mortise robot self-collisions FILE --search");
    }
  } catch (const Error& error) {  // A shape that nothing can collide with, or a configuration that is not finite.
    diagnostics.error(error);
  }
}

void checkComponents(const Robot& robot, const Registry& registry, Diagnostics& diagnostics) {
  const auto check = [&](Kind kind, const Value& item) {
    const Value* type = item.find("type");
    if (type == nullptr || type->text().empty()) return;
    if (namesScript(type->text()))
      return noteClosedScript(kind, type->text(), robot.description().file, item.position(), diagnostics);
    const ComponentInfo* info = registry.find(kind, type->text());
    if (info == nullptr) {
      diagnostics.warning("no plugin has " + withArticle(kindName(kind)) + " '" + type->text() + "'", item.position(),
                          componentNameHint(registry, kind, type->text()));
      return;
    }
    const Value* link = item.find("link");
    if (link == nullptr || info->schema.find("link") == nullptr) return;
    try {
      linkFromSetting(robot, *link, true);
    } catch (const Error& error) {
      diagnostics.error(type->text() + ": " + error.message(), error.where().known() ? error.where() : item.position(),
                        error.hint());
    }
  };
  const Value& sensors = robot.description().sensors;
  if (sensors.isList())
    for (const Value& item : sensors.items()) check(Kind::sensor, item);
  if (robot.description().controller.isMap()) check(Kind::controller, robot.description().controller);
}

}  // namespace mortise
