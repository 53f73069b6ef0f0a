#include "mortise/configuration/driver_motion.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/configuration/drivers.h"

namespace mortise {

namespace {

/// Movements of a link that count as none.
constexpr double kStill = 1e-9;

/// Links that some driver moves, one entry a link.
std::vector<bool> drivenLinks(const Robot& robot) {
  std::vector<bool> driven(static_cast<std::size_t>(robot.numLinks()), false);
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    // The first link of a translation or rotation driver is the one whose own joint it moves.
    const std::size_t count = driver.type == DriverType::affine ? driver.links.size() : 1;
    for (std::size_t k = 0; k < count; ++k) driven[static_cast<std::size_t>(driver.links[k])] = true;
  }
  return driven;
}

DriverMotionLoss lossOf(const Robot& robot, const Trajectory& motion) {
  DriverMotionLoss loss;
  const std::vector<bool> driven = drivenLinks(robot);
  for (int i = 0; i < robot.numLinks(); ++i) {
    if (driven[static_cast<std::size_t>(i)]) continue;
    const bool moves = std::any_of(motion.configurations.begin(), motion.configurations.end(), [&](const VectorXd& q) {
      return std::abs(q[i] - motion.configurations.front()[i]) > kStill;
    });
    if (moves) loss.links.push_back(i);
  }
  for (const VectorXd& q : motion.configurations) loss.mismatch = std::max(loss.mismatch, driverMismatch(robot, q));
  return loss;
}

}  // namespace

Trajectory driverMotion(const Robot& robot, const Trajectory& motion, DriverMotionLoss* loss) {
  if (robot.numDrivers() == 0) throw Error("robot '" + robot.name() + "' has no drivers");
  Trajectory drivers;
  drivers.times = motion.times;
  for (const VectorXd& q : motion.configurations) {
    MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
    driverValues(robot, q, drivers.configurations.emplace_back());
  }
  if (loss != nullptr) *loss = lossOf(robot, motion);
  return drivers;
}

Trajectory linkMotionOf(const Robot& robot, const Trajectory& drivers, const VectorXd& q) {
  if (robot.numDrivers() == 0) throw Error("robot '" + robot.name() + "' has no drivers");
  MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
  Trajectory motion;
  motion.times = drivers.times;
  for (const VectorXd& values : drivers.configurations)
    setDriverValues(robot, values, motion.configurations.emplace_back(q));
  return motion;
}

}  // namespace mortise
