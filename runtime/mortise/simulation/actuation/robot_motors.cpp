#include "mortise/simulation/actuation/robot_motors.h"

#include "mortise/base/error.h"

namespace mortise {

namespace {

std::string bytesOf(const MotorModel& model) {
  ByteWriter out;
  model.save(out);
  return {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
}

/// Throws `Error` unless the robot and driver that the options name exist.
void requireDriver(const MotorOptions& motor, const World& world) {
  if (motor.robot < 0 || motor.robot >= static_cast<int>(world.robots.size()))
    throw Error("a motor is for robot " + std::to_string(motor.robot) + ", but the world has " +
                std::to_string(world.robots.size()) + " robots");
  const Robot& robot = *world.robots[motor.robot].robot;
  if (motor.driver < 0 || motor.driver >= robot.numDrivers())
    throw Error("a motor is for driver " + std::to_string(motor.driver) + " of robot '" + robot.name() +
                "', which has " + std::to_string(robot.numDrivers()) + " drivers");
}

}  // namespace

RobotMotors::RobotMotors(const World& world, const SceneMap& map, const ActuatorLimits& limits)
    : world_(world), drives_(map.description.joints.size()) {
  banks_.reserve(world.robots.size());
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    banks_.emplace_back(*world.robots[r].robot, map.robots[r], limits);
}

void RobotMotors::addModels(std::span<const MotorOptions> options, bool use, Diagnostics& diagnostics) {
  for (const MotorOptions& motor : options) {
    try {
      requireDriver(motor, world_);
      std::unique_ptr<MotorModel> model = makeMotorModel(motor);
      if (use) setModel(motor.robot, motor.driver, std::move(model));
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list()) diagnostics.add(problem);
    } catch (const Error& error) {
      diagnostics.error(error.message(), error.where().known() ? error.where() : motor.position, error.hint());
    }
  }
}

void RobotMotors::setModel(int robot, int driver, std::unique_ptr<MotorModel> model) {
  const std::pair<int, int> key(robot, driver);
  initialModels_.erase(key);
  if (model != nullptr) initialModels_[key] = bytesOf(*model);
  banks_[robot].setMotor(driver, std::move(model));
}

Value RobotMotors::describeModels() const {
  Value motors = Value::list();
  for (const auto& [key, start] : initialModels_) {
    const WorldRobot& robot = world_.robots[key.first];
    Value motor = Value::map();
    motor.set("robot", robot.name);
    motor.set("driver", robot.robot->driver(key.second).name);
    motor.set("model", model(key.first, key.second)->type());
    motors.push_back(std::move(motor));
  }
  return motors;
}

void RobotMotors::update(std::span<const RobotState> robots, double dt) {
  for (std::size_t r = 0; r < robots.size(); ++r) banks_[r].update(robots[r].q, robots[r].dq, dt, drives_);
}

void RobotMotors::readTorques(std::span<const JointState> joints) {
  for (ActuatorBank& bank : banks_) bank.readTorques(joints);
}

void RobotMotors::save(ByteWriter& out) const {
  for (const ActuatorBank& bank : banks_) bank.save(out);
}

void RobotMotors::restore(ByteReader& in) {
  for (ActuatorBank& bank : banks_) bank.restore(in);
}

void RobotMotors::saveModels(ByteWriter& out, ModelState which) const {
  out.put(static_cast<std::uint64_t>(initialModels_.size()));
  for (const auto& [key, initial] : initialModels_) {
    const MotorModel& motor = *model(key.first, key.second);
    out.put(key.first);
    out.put(key.second);
    out.put(motor.type());
    out.put(std::string_view(which == ModelState::initial ? initial : bytesOf(motor)));
  }
}

void RobotMotors::restoreModels(ByteReader& in) {
  const auto require = [](bool same) {
    if (!same) throw Error("the snapshot was made with other models of motors", {}, "set the same models first");
  };
  require(in.get<std::uint64_t>() == initialModels_.size());
  for (const auto& [key, initial] : initialModels_) {
    MotorModel& motor = *banks_[key.first].motor(key.second);
    require(in.get<int>() == key.first);
    require(in.get<int>() == key.second);
    require(in.getString() == motor.type());
    const std::string bytes = in.getString();
    ByteReader state(std::as_bytes(std::span<const char>(bytes.data(), bytes.size())));
    motor.restore(state);
    if (!state.atEnd()) throw Error("the snapshot holds more of a motor than its model reads");
  }
}

}  // namespace mortise
