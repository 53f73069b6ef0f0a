#include "mortise/calibration/recorded_motion.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise {

namespace {

constexpr std::size_t kFewestSamples = 8;

void checkList(const char* what, const std::vector<VectorXd>& list, std::size_t samples, Eigen::Index links) {
  if (list.size() != samples)
    throw Error("there are " + std::to_string(list.size()) + " " + what + " for " + std::to_string(samples) + " times");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].size() != links)
      throw Error("sample " + std::to_string(i) + " of " + what + " has " + std::to_string(list[i].size()) +
                  " numbers, and the robot has " + std::to_string(links) + " links");
    if (!list[i].allFinite()) throw Error("sample " + std::to_string(i) + " of " + what + " is not finite");
  }
}

/// Value, rate and acceleration at a sample of the parabola that fits the samples around it best.
Eigen::Vector3d parabola(const std::vector<double>& times, const std::vector<double>& values, std::size_t at,
                         std::size_t reach) {
  const std::size_t first = at > reach ? at - reach : 0, last = std::min(at + reach, times.size() - 1);
  const auto count = static_cast<Eigen::Index>(last - first + 1);
  const double width = times[last] - times[first];
  Eigen::MatrixX3d A(count, 3);
  VectorXd b(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double t = (times[first + static_cast<std::size_t>(k)] - times[at]) / width;
    A.row(k) << 1, t, t * t;
    b[k] = values[first + static_cast<std::size_t>(k)];
  }
  const Eigen::Vector3d c = A.colPivHouseholderQr().solve(b);
  return {c[0], c[1] / width, 2 * c[2] / (width * width)};
}

/// Angles of links that turn all the way around, without jumps from one turn to the next.
std::vector<VectorXd> unwound(const Robot& robot, std::vector<VectorXd> configurations) {
  for (int link = 0; link < robot.numLinks(); ++link) {
    const Link& l = robot.link(link);
    if (l.motion != LinkMotion::revolute || l.qMax - l.qMin < kTurn) continue;
    for (std::size_t i = 1; i < configurations.size(); ++i) {
      const double before = configurations[i - 1][link];
      configurations[i][link] = before + std::remainder(configurations[i][link] - before, kTurn);
    }
  }
  return configurations;
}

struct Derivatives {
  std::vector<VectorXd> rates, accelerations;
};

Derivatives derivativesOf(const RecordedMotion& motion, const std::vector<VectorXd>& sensed, int smoothing) {
  const std::size_t samples = motion.times.size();
  const Eigen::Index links = sensed[0].size();
  Derivatives result;
  result.rates.assign(samples, VectorXd::Zero(links));
  result.accelerations = result.rates;
  const auto reach = static_cast<std::size_t>(std::max(smoothing, 1));
  std::vector<double> values(samples);
  for (Eigen::Index link = 0; link < links; ++link) {
    const bool given = !motion.sensedRates.empty();
    for (std::size_t i = 0; i < samples; ++i) values[i] = given ? motion.sensedRates[i][link] : sensed[i][link];
    for (std::size_t i = 0; i < samples; ++i) {
      const Eigen::Vector3d c = parabola(motion.times, values, i, reach);
      result.rates[i][link] = given ? values[i] : c[1];
      result.accelerations[i][link] = given ? c[1] : c[2];
    }
  }
  return result;
}

/// Returns the motion of all links for a unit of the driver's value, while all other drivers stand: with a link that is
/// fixed to the ground, the base moves along.
VectorXd motionOfDriver(const RobotDynamics& dynamics, const Driver& driver, const std::vector<int>& fixedLinks) {
  const Robot& robot = dynamics.robot();
  VectorXd direction = VectorXd::Zero(robot.numLinks());
  for (std::size_t k = 0; k < driver.links.size(); ++k)
    direction[driver.links[k]] = driver.type == DriverType::affine ? driver.scale[k] : 1;
  if (fixedLinks.empty() || robot.floatingBaseLink() < 0) return direction;
  const auto rows = static_cast<Eigen::Index>(6 * fixedLinks.size());
  Eigen::MatrixXd J(rows, robot.numLinks());
  for (std::size_t k = 0; k < fixedLinks.size(); ++k) {
    Matrix6X own(6, robot.numLinks());
    dynamics.jacobian(fixedLinks[k], Vector3d::Zero(), own);
    J.middleRows(static_cast<Eigen::Index>(6 * k), 6) = own;
  }
  direction.head(6) = -J.leftCols(6).completeOrthogonalDecomposition().solve(J * direction);
  return direction;
}

double rateOfDriver(const Driver& driver, const VectorXd& x) {
  if (driver.type != DriverType::affine) return x[driver.links[0]];
  double sum = 0;
  for (std::size_t k = 0; k < driver.links.size(); ++k) sum += x[driver.links[k]] / driver.scale[k];
  return sum / static_cast<double>(driver.links.size());
}

/// Returns the position that the driver is asked for, on the turn on which it is.
double nearTarget(const Robot& robot, int driver, const VectorXd& target, double position) {
  const double value = driverValue(robot, driver, target);
  const Driver& d = robot.driver(driver);
  const Link& link = robot.link(d.links[0]);
  const bool turns =
      d.type == DriverType::normal && link.motion == LinkMotion::revolute && link.qMax - link.qMin >= kTurn;
  return turns ? position + std::remainder(value - position, kTurn) : value;
}

std::vector<VectorXd> commandedRatesOf(const RecordedMotion& motion) {
  if (!motion.commandedRates.empty()) return motion.commandedRates;
  std::vector<VectorXd> rates(motion.times.size(), VectorXd::Zero(motion.commanded[0].size()));
  for (std::size_t i = 0; !motion.held && i + 1 < rates.size(); ++i)
    rates[i] = (motion.commanded[i + 1] - motion.commanded[i]) / (motion.times[i + 1] - motion.times[i]);
  return rates;
}

}  // namespace

void checkMotion(const Robot& robot, const RecordedMotion& motion) {
  const std::size_t samples = motion.times.size();
  if (samples < kFewestSamples)
    throw Error("a recorded motion has " + std::to_string(kFewestSamples) + " samples at least, not " +
                std::to_string(samples));
  for (std::size_t i = 0; i < samples; ++i)
    if (!std::isfinite(motion.times[i]) || (i > 0 && !(motion.times[i] > motion.times[i - 1])))
      throw Error("the times of a recorded motion increase; sample " + std::to_string(i) +
                  " does not come after the one before");
  checkList("sensed configurations", motion.sensed, samples, robot.numLinks());
  checkList("commanded configurations", motion.commanded, samples, robot.numLinks());
  if (!motion.sensedRates.empty()) checkList("sensed velocities", motion.sensedRates, samples, robot.numLinks());
  if (!motion.commandedRates.empty())
    checkList("commanded velocities", motion.commandedRates, samples, robot.numLinks());
}

std::vector<ServoTrack> driverTracks(const RobotPtr& robot, const RecordedMotion& motion,
                                     const std::vector<int>& drivers, const DriverTrackOptions& options) {
  checkMotion(*robot, motion);
  const std::vector<VectorXd> sensed = unwound(*robot, motion.sensed);
  const Derivatives derivatives = derivativesOf(motion, sensed, options.smoothing);
  const std::vector<VectorXd> targetRates = commandedRatesOf(motion);
  std::vector<ServoTrack> tracks(drivers.size());
  RobotDynamics dynamics(robot);
  VectorXd torques(robot->numLinks()), weight(robot->numLinks());
  Eigen::MatrixXd B(robot->numLinks(), robot->numLinks());
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    dynamics.setState(sensed[i], derivatives.rates[i]);
    dynamics.massMatrix(B);
    dynamics.inverseDynamics(derivatives.accelerations[i], options.gravity, torques);
    if (options.gravityCompensated) {
      dynamics.gravityForces(options.gravity, weight);
      torques -= weight;
    }
    for (std::size_t d = 0; d < drivers.size(); ++d) {
      const Driver& driver = robot->driver(drivers[d]);
      const VectorXd direction = motionOfDriver(dynamics, driver, options.fixedLinks);
      ServoTrack& track = tracks[d];
      const double position = driverValue(*robot, drivers[d], sensed[i]);
      // A torque t of the driver is t * scale on each link.
      double fraction = 1;
      if (driver.type == DriverType::affine)
        fraction = Eigen::Map<const VectorXd>(driver.scale.data(), static_cast<Eigen::Index>(driver.scale.size()))
                       .squaredNorm();
      const double inertia = direction.dot(B * direction) / fraction;
      const double acceleration = rateOfDriver(driver, derivatives.accelerations[i]);
      track.position.push_back(position);
      track.rate.push_back(rateOfDriver(driver, derivatives.rates[i]));
      track.acceleration.push_back(acceleration);
      track.inertia.push_back(inertia);
      track.bias.push_back(direction.dot(torques) / fraction - inertia * acceleration);
      track.target.push_back(nearTarget(*robot, drivers[d], motion.commanded[i], position));
      track.targetRate.push_back(rateOfDriver(driver, targetRates[i]));
    }
  }
  for (std::size_t d = 0; d < drivers.size(); ++d) {
    tracks[d].times = motion.times;
    tracks[d].held = motion.held;
    tracks[d].torqueMin = robot->driver(drivers[d]).torqueMin;
    tracks[d].torqueMax = robot->driver(drivers[d]).torqueMax;
  }
  return tracks;
}

}  // namespace mortise
