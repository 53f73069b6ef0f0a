#include "joint_limits.h"

#include <algorithm>

#include "messages/message.h"
#include "mortise/text/suggest.h"

namespace mortise::io_moveit {

namespace {

/// The driver of a link that it moves alone or leads; null when there is none.
Driver* driverOf(RobotDescription& robot, int link) {
  for (Driver& driver : robot.drivers)
    if (!driver.links.empty() && driver.links.front() == link) return &driver;
  return nullptr;
}

}  // namespace

std::vector<JointLimits> readJointLimits(const Value& value, Diagnostics& diagnostics) {
  std::vector<JointLimits> out;
  const Value* list = value.isMap() ? value.find("joint_limits") : nullptr;
  // robowflex and launch files put them below the robot's name.
  if (list == nullptr && value.isMap())
    for (const Value::Entry& entry : value.entries())
      if (list == nullptr && entry.value.isMap()) list = entry.value.find("joint_limits");
  if (list == nullptr || (!list->isMap() && !list->isNull())) {
    diagnostics.error("expected 'joint_limits:' with an entry for each joint", value.position());
    return out;
  }
  MessageNotes notes(diagnostics);
  for (const Value::Entry& entry : list->entries()) {
    JointLimits limits;
    limits.joint = entry.key;
    limits.position = entry.keyPosition;
    Message message(notes, entry.value, "joint limit");
    const auto limit = [&](const std::string& flag, const std::string& field) -> std::optional<double> {
      const bool has = message.flag(flag, message.has(field));
      const double number = message.real(field);
      if (!has) return message.has(flag) ? std::optional<double>(kInfinity) : std::nullopt;
      if (!message.has(field)) message.error(flag, "is true, but there is no '" + field + "'");
      if (number < 0) message.error(field, "must not be negative");
      return number;
    };
    limits.velocity = limit("has_velocity_limits", "max_velocity");
    limits.acceleration = limit("has_acceleration_limits", "max_acceleration");
    if (message.flag("has_position_limits", true)) {
      if (message.has("min_position")) limits.lower = message.real("min_position");
      if (message.has("max_position")) limits.upper = message.real("max_position");
    }
    if (limits.lower && limits.upper && *limits.lower > *limits.upper)
      message.error("min_position", "is above max_position");
    message.ignore({"has_jerk_limits", "max_jerk", "has_effort_limits", "max_effort", "has_deceleration_limits",
                    "max_deceleration", "min_position", "max_position", "angle_wraparound"});
    message.finish();
    out.push_back(std::move(limits));
  }
  return out;
}

void narrowPosition(RobotDescription& robot, int link, double lower, double upper) {
  Link& each = robot.links[static_cast<std::size_t>(link)];
  each.qMin = std::max(each.qMin, lower);
  each.qMax = std::min(each.qMax, upper);
  if (Driver* driver = driverOf(robot, link)) {
    driver->qMin = std::max(driver->qMin, lower);
    driver->qMax = std::min(driver->qMax, upper);
  }
}

void applyJointLimits(const std::vector<JointLimits>& limits, const NamedJoints& joints, RobotDescription& robot,
                      Diagnostics& diagnostics) {
  for (const JointLimits& each : limits) {
    const int joint = joints.find(each.joint);
    const int link = joint < 0 ? -1 : robot.findLink(joints.joints[static_cast<std::size_t>(joint)].child);
    if (link < 0) {
      diagnostics.warning("the robot has no joint '" + each.joint + "'; its limits are ignored", each.position,
                          didYouMean(each.joint, joints.names()));
      continue;
    }
    Link& target = robot.links[static_cast<std::size_t>(link)];
    if (each.lower) target.qMin = *each.lower;
    if (each.upper) target.qMax = *each.upper;
    if (each.velocity) {
      target.velocityMax = *each.velocity;
      target.velocityMin = -*each.velocity;
    }
    if (each.acceleration) target.accelerationMax = *each.acceleration;
    if (Driver* driver = driverOf(robot, link)) {
      if (each.lower) driver->qMin = *each.lower;
      if (each.upper) driver->qMax = *each.upper;
      if (each.velocity) {
        driver->velocityMax = *each.velocity;
        driver->velocityMin = -*each.velocity;
      }
      if (each.acceleration) {
        driver->accelerationMax = *each.acceleration;
        driver->accelerationMin = -*each.acceleration;
      }
    }
  }
}

}  // namespace mortise::io_moveit
