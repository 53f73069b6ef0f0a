#include "mortise/configuration/drivers.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/expect.h"

namespace mortise {

namespace {

/// The links whose joint a driver moves, and by how much.
std::size_t numDriven(const Driver& driver) { return driver.type == DriverType::affine ? driver.links.size() : 1; }
double scaleOf(const Driver& driver, std::size_t k) {
  return driver.type == DriverType::affine ? driver.scale[k] : 1.0;
}

}  // namespace

void driverValues(const Robot& robot, const VectorXd& q, VectorXd& values) {
  MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
  values.resize(robot.numDrivers());
  for (int d = 0; d < robot.numDrivers(); ++d) values[d] = driverValue(robot, d, q);
}

void driverVelocities(const Robot& robot, const VectorXd& dq, VectorXd& rates) {
  MORTISE_REQUIRE_SIZE(dq, robot.numLinks(), "one for each link");
  rates.resize(robot.numDrivers());
  for (int d = 0; d < robot.numDrivers(); ++d) rates[d] = driverVelocity(robot, d, dq);
}

void driverTorques(const Robot& robot, const VectorXd& tau, VectorXd& torques) {
  MORTISE_REQUIRE_SIZE(tau, robot.numLinks(), "one for each link");
  torques.resize(robot.numDrivers());
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    double along = 0, squares = 0;
    for (std::size_t k = 0; k < numDriven(driver); ++k) {
      const double scale = scaleOf(driver, k);
      along += scale * tau[driver.links[k]];
      squares += scale * scale;
    }
    torques[d] = along / squares;
  }
}

void setDriverValues(const Robot& robot, const VectorXd& values, VectorXd& q) {
  MORTISE_REQUIRE_SIZE(values, robot.numDrivers(), "one for each driver");
  MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
  for (int d = 0; d < robot.numDrivers(); ++d) setDriverValue(robot, d, values[d], q);
}

void setDriverVelocities(const Robot& robot, const VectorXd& rates, VectorXd& dq) {
  MORTISE_REQUIRE_SIZE(rates, robot.numDrivers(), "one for each driver");
  MORTISE_REQUIRE_SIZE(dq, robot.numLinks(), "one for each link");
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    for (std::size_t k = 0; k < numDriven(driver); ++k) dq[driver.links[k]] = scaleOf(driver, k) * rates[d];
  }
}

void setDriverTorques(const Robot& robot, const VectorXd& torques, VectorXd& tau) {
  MORTISE_REQUIRE_SIZE(torques, robot.numDrivers(), "one for each driver");
  tau.setZero(robot.numLinks());
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    for (std::size_t k = 0; k < numDriven(driver); ++k) tau[driver.links[k]] += scaleOf(driver, k) * torques[d];
  }
}

double driverMismatch(const Robot& robot, const VectorXd& q) {
  MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
  double worst = 0;
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    if (driver.type != DriverType::affine) continue;
    const double value = driverValue(robot, d, q);
    for (std::size_t k = 0; k < driver.links.size(); ++k)
      worst = std::max(worst, std::abs(q[driver.links[k]] - (driver.offset[k] + driver.scale[k] * value)));
  }
  return worst;
}

}  // namespace mortise
