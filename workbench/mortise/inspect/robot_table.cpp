#include <algorithm>
#include <iomanip>
#include <sstream>

#include "mortise/inspect/robot_info.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/text/normalize.h"

namespace mortise {

namespace {

std::string shortNumber(double value) {
  std::ostringstream out;
  out << std::setprecision(4) << value;
  return out.str();
}

/// "-1 to 2"; "2" where it goes as far to both sides.
std::string range(double low, double high) { return shortNumber(low) + " to " + shortNumber(high); }
std::string symmetric(double low, double high) { return low == -high ? shortNumber(high) : range(low, high); }

/// Columns as wide as what is in them; the first is to the left, and so are those of text.
class Table {
 public:
  explicit Table(std::vector<std::string> head, std::string left) : left_(std::move(left)) { add(std::move(head)); }
  void add(std::vector<std::string> row) {
    if (widths_.size() < row.size()) widths_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  std::string text() const {
    std::string all;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string blanks(widths_[i] - row[i].size(), ' ');
        line += "  " + (left_[i] == 'l' ? row[i] + blanks : blanks + row[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      all += line + "\n";
    }
    return all;
  }

 private:
  std::string left_;  ///< A letter a column: l (left) or r (right).
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

std::string linksTable(const Robot& robot) {
  const std::vector<std::string> joints = jointNames(robot.description());
  const bool named = std::any_of(joints.begin(), joints.end(), [](const std::string& name) { return !name.empty(); });
  std::vector<std::string> head = {"",         "link",         "parent", "joint", "",        "range",
                                   "velocity", "acceleration", "torque", "mass",  "geometry"};
  if (named) head.insert(head.begin() + 5, "called");
  Table table(std::move(head), named ? "rlrlllrrrrrl" : "rlrllrrrrrl");
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    const int joint = robot.jointOfLink(i);
    std::vector<std::string> row = {
        std::to_string(i),
        link.name,
        std::to_string(link.parent),
        joint >= 0 ? std::string(jointTypeName(robot.joints()[static_cast<std::size_t>(joint)].type)) : "-",
        link.motion == LinkMotion::revolute ? "r" : "p",
        range(link.qMin, link.qMax),
        symmetric(link.velocityMin, link.velocityMax),
        shortNumber(link.accelerationMax),
        shortNumber(link.torqueMax),
        shortNumber(link.inertia.mass),
        link.geometryFile};
    if (named) row.insert(row.begin() + 5, joints[static_cast<std::size_t>(i)]);
    table.add(std::move(row));
  }
  return table.text();
}

std::string driversTable(const Robot& robot) {
  Table table({"", "driver", "type", "links", "range", "velocity", "acceleration", "torque", "kP", "kI", "kD"},
              "rlllrrrrrrr");
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    std::string links;
    for (const int link : driver.links) links += (links.empty() ? "" : ",") + std::to_string(link);
    std::string type = lowerCase(driverTypeName(driver.type));
    table.add({std::to_string(d), driver.name, std::move(type), std::move(links), range(driver.qMin, driver.qMax),
               symmetric(driver.velocityMin, driver.velocityMax),
               symmetric(driver.accelerationMin, driver.accelerationMax), symmetric(driver.torqueMin, driver.torqueMax),
               shortNumber(driver.servoP), shortNumber(driver.servoI), shortNumber(driver.servoD)});
  }
  return table.text();
}

}  // namespace

std::string robotTable(const Robot& robot) {
  std::ostringstream out;
  out << robot.name() << ": " << robot.numLinks() << " links, " << robot.numDrivers() << " drivers, "
      << robot.totalMass() << " kg, " << robot.description().selfCollisionPairs.size()
      << " pairs checked for self-collision\n"
      << linksTable(robot);
  if (robot.numDrivers() > 0) out << driversTable(robot);
  return out.str();
}

}  // namespace mortise
