#include "mortise/inspect/robot_check.h"

#include <cmath>
#include <map>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

class Checker {
 public:
  Checker(const Robot& robot, Diagnostics& diagnostics) : robot_(robot), diagnostics_(diagnostics) {}

  void run() {
    std::map<std::string, int> names;
    for (int i = 0; i < robot_.numLinks(); ++i) {
      checkInertia(i);
      checkRotation(i);
      checkRange(i);
      const std::string& name = robot_.link(i).name;
      const auto [first, isNew] = names.emplace(name, i);
      if (!isNew) warn(i, "has the name of link " + std::to_string(first->second) + "; only its index is unambiguous");
    }
    for (int i = 0; i < robot_.numDrivers(); ++i) checkDriver(i);
    if (!(robot_.totalMass() > 0))
      diagnostics_.warning("the robot has no mass", place("mass"), "give links a mass, or use automass");
  }

 private:
  SourcePosition place(std::string path) const { return {robot_.description().file, 0, 0, std::move(path)}; }
  std::string linkName(int i) const { return "link " + std::to_string(i) + " '" + robot_.link(i).name + "'"; }
  void warn(int i, const std::string& text, const std::string& hint = {}) {
    diagnostics_.warning(linkName(i) + " " + text, place("links." + std::to_string(i)), hint);
  }

  void checkInertia(int i) {
    const BodyInertia& inertia = robot_.link(i).inertia;
    if (inertia.mass < 0) {
      diagnostics_.error(linkName(i) + " has the negative mass " + formatReal(inertia.mass), place("mass"));
      return;
    }
    if (!inertia.physical())
      warn(i,
           "has an inertia that no body can have: not symmetric, not positive, or one moment larger than the other two "
           "together",
           "check the order of the numbers and the point they refer to: the centre of mass");
    if (inertia.mass > 0 && inertia.inertia.isZero())
      diagnostics_.note(
          linkName(i) + " is a point mass of " + formatReal(inertia.mass) + " kg: simulation gives it 0.001 kg m^2",
          place("inertia"));
    if (inertia.mass == 0 && robot_.children(i).empty() && !welded(i))
      diagnostics_.note(linkName(i) + " moves, but has no mass: simulation gives it 1 g", place("mass"));
  }

  void checkRotation(int i) {
    const Matrix3d& R = robot_.link(i).X_PL0.R;
    const double error = (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff();
    if (error > 1e-4)
      diagnostics_.error(linkName(i) + " has a parent transform whose rotation is off by " + formatReal(error),
                         place("TParent"), "its rows must be orthogonal and of length 1");
    else if (error > 1e-6)
      warn(i, "has a parent transform whose rotation is off by " + formatReal(error) + "; it is used as it is");
    if (R.determinant() < 0) diagnostics_.error(linkName(i) + " is mirrored by its parent transform", place("TParent"));
    const double length = robot_.link(i).axis.norm();
    if (std::abs(length - 1) > 1e-3)
      warn(i, "has an axis of length " + formatReal(length) + ", which scales its motion");
  }

  bool welded(int i) const {
    const int joint = robot_.jointOfLink(i);
    return joint >= 0 && robot_.joints()[joint].type == JointType::weld;
  }

  void checkRange(int i) {
    const Link& link = robot_.link(i);
    if (link.qMin > link.qMax)
      diagnostics_.error(linkName(i) + " has its lower limit " + formatReal(link.qMin) + " above its upper one " +
                             formatReal(link.qMax),
                         place("qMin"));
    else if (link.qMin == link.qMax && !welded(i))
      warn(i, "has no range: both limits are " + formatReal(link.qMin), "weld it if it is not to move");
    else if (link.q < link.qMin - 1e-9 || link.q > link.qMax + 1e-9)
      warn(i, "starts at " + formatReal(link.q) + ", outside its limits " + formatReal(link.qMin) + " to " +
                  formatReal(link.qMax));
  }

  void checkDriver(int i) {
    const Driver& driver = robot_.driver(i);
    const auto say = [&](const std::string& text) {
      diagnostics_.warning("driver " + std::to_string(i) + " '" + driver.name + "' " + text,
                           place("drivers." + std::to_string(i)));
    };
    if (driver.torqueMax <= 0) say("has no torque");
    if (driver.servoP == 0)
      diagnostics_.note("driver " + std::to_string(i) + " '" + driver.name + "' has no position gain", place("servoP"));
    for (int link : driver.links)
      if (welded(link)) say("moves link '" + robot_.link(link).name + "', which is welded");
    if (driver.type == DriverType::affine)
      for (double scale : driver.scale)
        if (scale == 0) say("moves a link with scale 0");
  }

  const Robot& robot_;
  Diagnostics& diagnostics_;
};

}  // namespace

void checkRobot(const Robot& robot, Diagnostics& diagnostics) { Checker(robot, diagnostics).run(); }

}  // namespace mortise
