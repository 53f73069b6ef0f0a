#include "mortise/configuration/drivers.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"

namespace mortise {

namespace {

void expectSize(const VectorXd& v, int n, const char* what, const char* each) {
  if (v.size() != n)
    throw Error(std::string(what) + " has " + std::to_string(v.size()) + " numbers; the robot has " +
                std::to_string(n) + " " + each);
}

/// The links whose joint a driver moves, and by how much.
std::size_t numDriven(const Driver& driver) { return driver.type == DriverType::affine ? driver.links.size() : 1; }
double scaleOf(const Driver& driver, std::size_t k) {
  return driver.type == DriverType::affine ? driver.scale[k] : 1.0;
}

}  // namespace

void driverValues(const Robot& robot, const VectorXd& q, VectorXd& values) {
  expectSize(q, robot.numLinks(), "the configuration", "links");
  values.resize(robot.numDrivers());
  for (int d = 0; d < robot.numDrivers(); ++d) values[d] = driverValue(robot, d, q);
}

void driverVelocities(const Robot& robot, const VectorXd& dq, VectorXd& rates) {
  expectSize(dq, robot.numLinks(), "the velocity", "links");
  rates.resize(robot.numDrivers());
  for (int d = 0; d < robot.numDrivers(); ++d) rates[d] = driverVelocity(robot, d, dq);
}

void driverTorques(const Robot& robot, const VectorXd& tau, VectorXd& torques) {
  expectSize(tau, robot.numLinks(), "the torque", "links");
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
  expectSize(values, robot.numDrivers(), "the list of driver values", "drivers");
  expectSize(q, robot.numLinks(), "the configuration", "links");
  for (int d = 0; d < robot.numDrivers(); ++d) setDriverValue(robot, d, values[d], q);
}

void setDriverVelocities(const Robot& robot, const VectorXd& rates, VectorXd& dq) {
  expectSize(rates, robot.numDrivers(), "the list of driver velocities", "drivers");
  expectSize(dq, robot.numLinks(), "the velocity", "links");
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    for (std::size_t k = 0; k < numDriven(driver); ++k) dq[driver.links[k]] = scaleOf(driver, k) * rates[d];
  }
}

void setDriverTorques(const Robot& robot, const VectorXd& torques, VectorXd& tau) {
  expectSize(torques, robot.numDrivers(), "the list of driver torques", "drivers");
  tau.setZero(robot.numLinks());
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    for (std::size_t k = 0; k < numDriven(driver); ++k) tau[driver.links[k]] += scaleOf(driver, k) * torques[d];
  }
}

double driverMismatch(const Robot& robot, const VectorXd& q) {
  expectSize(q, robot.numLinks(), "the configuration", "links");
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
