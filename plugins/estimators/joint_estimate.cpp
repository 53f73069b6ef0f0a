#include "joint_estimate.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"
#include "sensor_channels.h"
#include "state_bytes.h"

namespace mortise::estimators {

namespace {

enum : std::uint8_t { kNoCommand = 0, kPositionCommand = 1, kVelocityCommand = 2 };

/// The links that six or three virtual degrees of freedom of a base on the world consist of.
std::vector<bool> baseLinks(const Robot& robot) {
  std::vector<bool> base(robot.numLinks(), false);
  for (const Joint& joint : robot.joints()) {
    if (joint.base != -1 || (joint.type != JointType::floating && joint.type != JointType::floatingPlanar)) continue;
    for (int link = joint.link; link >= 0; link = robot.link(link).parent) base[link] = true;
  }
  return base;
}

/// The link that channel k of a sensor is about: "q[elbow]" or "q[3]".
int linkOfChannel(const Robot& robot, const SensorReading& sensor, std::size_t k) {
  // All links in their order: names may repeat.
  if (static_cast<int>(sensor.channels.size()) == robot.numLinks()) return static_cast<int>(k);
  const std::string& channel = sensor.channels[k];
  const auto open = channel.find('['), close = channel.rfind(']');
  if (open == std::string::npos || close == std::string::npos || close < open)
    throw Error("channel '" + channel + "' of sensor '" + std::string(sensor.name) + "' does not say which link it is",
                {}, "a channel of a joint sensor is called q[link] or dq[link]");
  const std::string name = channel.substr(open + 1, close - open - 1);
  int found = -1;
  for (int i = 0; i < robot.numLinks(); ++i) {
    if (robot.link(i).name != name) continue;
    if (found >= 0)
      throw Error("channel '" + channel + "' of sensor '" + std::string(sensor.name) + "' may be link " +
                      std::to_string(found) + " or link " + std::to_string(i) + " of robot '" + robot.name() +
                      "', both called '" + name + "'",
                  {}, "let the sensor measure all links");
    found = i;
  }
  if (found >= 0) return found;
  const Value index = Value::fromText(name);
  if (index.isInteger() && index.asInteger() >= 0 && index.asInteger() < robot.numLinks())
    return static_cast<int>(index.asInteger());
  throw Error("channel '" + channel + "' of sensor '" + std::string(sensor.name) + "' is about a link that robot '" +
              robot.name() + "' does not have");
}

}  // namespace

void LinkReadings::assign(const Robot& robot, std::span<const SensorReading> sensors, std::string_view role,
                          std::string_view type, const std::string& sensorName) {
  places_.assign(robot.numLinks(), {});
  any_ = false;
  if (!sensorName.empty()) requireSensor(sensors, sensorName);
  for (int s = 0; s < static_cast<int>(sensors.size()); ++s) {
    const SensorReading& sensor = sensors[s];
    const bool measures = sensor.hasRole(role) || isOfType(sensor, type);
    if (sensorName.empty() ? !measures : sensor.name != sensorName) continue;
    for (std::size_t k = 0; k < sensor.channels.size(); ++k) {
      Place& place = places_[linkOfChannel(robot, sensor, k)];
      if (place.sensor < 0) place = {s, static_cast<int>(k)};
      any_ = true;
    }
  }
}

bool LinkReadings::read(std::span<const SensorReading> sensors, int link, double& value) const {
  const Place place = places_[link];
  if (place.sensor < 0 || place.sensor >= static_cast<int>(sensors.size())) return false;
  const std::span<const double> values = sensors[place.sensor].values;
  if (place.value >= static_cast<int>(values.size()) || !std::isfinite(values[place.value])) return false;
  value = values[place.value];
  return true;
}

void JointEstimate::start(const EstimatorSetup& setup) {
  robot_ = &setup.robot;
  const int n = robot_->numLinks(), m = robot_->numDrivers();
  positions_.assign(*robot_, setup.sensors, role::kJointPositions, "JointPositionSensor", settings_.positionSensor);
  velocities_.assign(*robot_, setup.sensors, role::kJointVelocities, "JointVelocitySensor", settings_.velocitySensor);
  const std::vector<bool> base = baseLinks(*robot_);
  sources_.assign(n, Source::none);
  for (int i = 0; i < n; ++i) {
    if (base[i] && !settings_.baseFromJointSensors) {
      positions_.forget(i);
      velocities_.forget(i);
    }
    if (positions_.measures(i) || velocities_.measures(i)) sources_[i] = Source::sensors;
  }
  for (int d = 0; d < m; ++d) {
    const Driver& driver = robot_->driver(d);
    if (driver.type != DriverType::normal && driver.type != DriverType::affine) continue;
    bool measured = false;
    for (const int link : driver.links) measured = measured || sources_[link] == Source::sensors;
    for (const int link : driver.links)
      if (sources_[link] == Source::none) sources_[link] = measured ? Source::driver : Source::command;
  }
  q_ = setup.q;
  qLast_ = setup.q;
  dq_ = dqLast_ = VectorXd::Zero(n);
  hasPosition_.assign(n, 0);
  hasSlope_.assign(n, 0);
  raw_ = setup.q;
  timings_.assign(setup.sensors.size(), {});
  commandPosition_ = commandVelocity_ = VectorXd::Zero(m);
  commandMode_.assign(m, kNoCommand);
}

std::vector<int> JointEstimate::unmeasured() const {
  std::vector<int> links;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i] == Source::command) links.push_back(static_cast<int>(i));
  return links;
}

void JointEstimate::updateTimings(std::span<const SensorReading> sensors, double dt) {
  for (SensorTiming& pace : timings_) {
    pace.age += dt;
    pace.elapsed = 0;
  }
  for (int i = 0; i < robot_->numLinks(); ++i) {
    double position = 0;
    if (sources_[i] != Source::sensors || !positions_.read(sensors, i, position)) continue;
    if (position != raw_[i] && hasPosition_[i]) timings_[positions_.sensorOf(i)].elapsed = -1;  // New; how long, below.
    raw_[i] = position;
  }
  // How much later than usual a reading may come before that means that nothing has moved.
  constexpr double kPatience = 2.5, kSmoothing = 0.2;
  for (SensorTiming& pace : timings_) {
    const bool late = pace.interval > 0 && pace.age > kPatience * pace.interval;
    if (pace.elapsed < 0) {
      const double before = pace.interval, seen = late ? kPatience * before : pace.age;
      pace.interval += (before > 0 ? kSmoothing : 1) * (seen - before);
      // After a rest, the change happened within the last interval. A sensor that is slower than the controller is not
      // read when it measures; its mean interval tells better what the difference is over.
      pace.elapsed = late ? before : pace.interval > 1.2 * dt ? pace.interval : pace.age;
      pace.age = 0;
      pace.resting = false;
    } else {
      pace.resting = late;
    }
  }
}

void JointEstimate::differentiate(int link, double position, double dt) {
  const SensorTiming& pace = timings_[positions_.sensorOf(link)];
  if (pace.elapsed <= 0 && !pace.resting) return;
  const double elapsed = pace.resting ? dt : pace.elapsed;
  double difference = pace.resting ? 0 : position - qLast_[link];
  const int joint = robot_->jointOfLink(link);
  if (joint >= 0 && robot_->joints()[joint].type == JointType::spin) difference = unwrapNear(difference, 0);
  const double slope = difference / elapsed;
  // The first difference is all there is to know; the filter starts from it.
  const double fraction =
      hasSlope_[link] && settings_.velocityFilter > 0 ? -std::expm1(-elapsed / settings_.velocityFilter) : 1;
  dq_[link] = hasSlope_[link] ? dq_[link] + fraction * (slope - dq_[link]) : slope;
  hasSlope_[link] = 1;
}

void JointEstimate::readSensors(std::span<const SensorReading> sensors, double dt) {
  updateTimings(sensors, dt);
  for (int i = 0; i < robot_->numLinks(); ++i)
    if (sources_[i] == Source::sensors) readLink(sensors, i, dt);
  readDrivers();
}

void JointEstimate::readLink(std::span<const SensorReading> sensors, int link, double dt) {
  double position = 0, velocity = 0;
  const bool hasPosition = positions_.read(sensors, link, position);
  const bool hasVelocity = velocities_.read(sensors, link, velocity);
  if (hasVelocity) {
    dq_[link] = velocity;
  } else if (hasPosition && !velocities_.measures(link) && hasPosition_[link] && dt > 0) {
    differentiate(link, position, dt);
  }
  // A difference across a reading that was missing would be over more than one period.
  hasPosition_[link] = hasPosition ? 1 : 0;
  if (hasPosition) {
    q_[link] = position;
  } else if (hasVelocity && dt > 0) {
    q_[link] = qLast_[link] + 0.5 * (dqLast_[link] + velocity) * dt;
  }
  if (hasPosition || hasVelocity) qLast_[link] = q_[link];
  dqLast_[link] = dq_[link];
}

void JointEstimate::readDrivers() {
  for (const Driver& driver : robot_->drivers()) {
    if (driver.type != DriverType::affine) continue;
    double value = 0, rate = 0;
    int count = 0;
    bool wanted = false;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      const int link = driver.links[k];
      wanted = wanted || sources_[link] == Source::driver;
      if (sources_[link] != Source::sensors || driver.scale[k] == 0) continue;
      value += (q_[link] - driver.offset[k]) / driver.scale[k];
      rate += dq_[link] / driver.scale[k];
      ++count;
    }
    if (!wanted || count == 0) continue;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      const int link = driver.links[k];
      if (sources_[link] != Source::driver) continue;
      q_[link] = driver.offset[k] + driver.scale[k] * value / count;
      dq_[link] = driver.scale[k] * rate / count;
    }
  }
}

void JointEstimate::readCommand(std::span<const ActuatorCommand> commands) {
  for (int d = 0; d < robot_->numDrivers() && d < static_cast<int>(commands.size()); ++d) {
    const ActuatorCommand& command = commands[d];
    commandMode_[d] = kNoCommand;
    if (command.mode == ActuatorCommand::Mode::pid && std::isfinite(command.position) &&
        std::isfinite(command.velocity)) {
      commandMode_[d] = kPositionCommand;
      commandPosition_[d] = command.position;
      commandVelocity_[d] = command.velocity;
    } else if (command.mode == ActuatorCommand::Mode::velocity && std::isfinite(command.velocity)) {
      commandMode_[d] = kVelocityCommand;
      commandVelocity_[d] = command.velocity;
    }
  }
}

void JointEstimate::advance(double period) {
  for (int i = 0; i < robot_->numLinks(); ++i)
    if (sources_[i] == Source::sensors) q_[i] = qLast_[i] + dq_[i] * period;
  for (int d = 0; d < robot_->numDrivers(); ++d) {
    const Driver& driver = robot_->driver(d);
    if (driver.type != DriverType::normal && driver.type != DriverType::affine) continue;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      const int link = driver.links[k];
      if (sources_[link] != Source::command) continue;
      const bool affine = driver.type == DriverType::affine;
      const double scale = affine ? driver.scale[k] : 1, offset = affine ? driver.offset[k] : 0;
      switch (commandMode_[d]) {
        case kPositionCommand:
          q_[link] = offset + scale * commandPosition_[d];
          dq_[link] = scale * commandVelocity_[d];
          break;
        case kVelocityCommand:
          dq_[link] = scale * commandVelocity_[d];
          q_[link] += dq_[link] * period;
          break;
        default:
          dq_[link] = 0;
      }
    }
  }
}

void JointEstimate::save(ByteWriter& out) const {
  for (const VectorXd* v : {&q_, &dq_, &qLast_, &dqLast_, &commandPosition_, &commandVelocity_}) putVector(out, *v);
  putVector(out, raw_);
  for (const SensorTiming& pace : timings_) {
    out.put(pace.age);
    out.put(pace.interval);
  }
  for (const auto* flags : {&hasPosition_, &hasSlope_, &commandMode_})
    for (const std::uint8_t flag : *flags) out.put(flag);
}

void JointEstimate::restore(ByteReader& in) {
  for (VectorXd* v : {&q_, &dq_, &qLast_, &dqLast_, &commandPosition_, &commandVelocity_}) getFiniteVector(in, *v);
  getFiniteVector(in, raw_);
  for (SensorTiming& pace : timings_) {
    pace.age = getFinite(in);
    pace.interval = getFinite(in);
    if (pace.age < 0 || pace.interval < 0) throw Error("snapshot of an estimator holds a negative time");
  }
  for (auto* flags : {&hasPosition_, &hasSlope_})
    for (std::uint8_t& flag : *flags) flag = getFlag(in) ? 1 : 0;
  for (std::uint8_t& mode : commandMode_) {
    in.get(mode);
    if (mode > kVelocityCommand) throw Error("snapshot of an estimator holds an unknown mode of a motor");
  }
}

}  // namespace mortise::estimators
