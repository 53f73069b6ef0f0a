// Models of motors in a simulation and in its snapshots.

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/suggest.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

namespace {

std::string bytesOf(const MotorModel& model) {
  ByteWriter out;
  model.save(out);
  return {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
}

}  // namespace

/// What the options ask for.
void Simulation::State::makeMotors(Diagnostics& diagnostics) {
  for (const MotorOptions& motor : options.motors) {
    try {
      if (motor.robot < 0 || motor.robot >= static_cast<int>(world.robots.size()))
        throw Error("a motor is for robot " + std::to_string(motor.robot) + ", but the world has " +
                    std::to_string(world.robots.size()) + " robots");
      const Robot& robot = *world.robots[motor.robot].robot;
      if (motor.driver < 0 || motor.driver >= robot.numDrivers())
        throw Error("a motor is for driver " + std::to_string(motor.driver) + " of robot '" + robot.name() +
                    "', which has " + std::to_string(robot.numDrivers()) + " drivers");
      std::unique_ptr<MotorModel> model = makeMotorModel(motor);
      if (capabilities.dynamics) setMotor(motor.robot, motor.driver, std::move(model));
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list()) diagnostics.add(problem);
    } catch (const Error& error) {
      diagnostics.error(error.message(), error.where().known() ? error.where() : motor.position, error.hint());
    }
  }
}

void Simulation::State::setMotor(int robot, int driver, std::unique_ptr<MotorModel> model) {
  const std::pair<int, int> key(robot, driver);
  motorStarts.erase(key);
  if (model != nullptr) motorStarts[key] = bytesOf(*model);
  actuators[robot].setMotor(driver, std::move(model));
}

/// As they are now, or as they were when they were set.
void Simulation::State::saveMotors(ByteWriter& out, bool atStart) const {
  out.put(static_cast<std::uint64_t>(motorStarts.size()));
  for (const auto& [key, start] : motorStarts) {
    const MotorModel& model = *actuators[key.first].motor(key.second);
    out.put(key.first);
    out.put(key.second);
    out.put(model.type());
    out.put(std::string_view(atStart ? start : bytesOf(model)));
  }
}

void Simulation::State::restoreMotors(ByteReader& in) {
  const auto require = [](bool same) {
    if (!same) throw Error("the snapshot was made with other models of motors", {}, "set the same models first");
  };
  require(in.get<std::uint64_t>() == motorStarts.size());
  for (const auto& [key, start] : motorStarts) {
    MotorModel& model = *actuators[key.first].motor(key.second);
    require(in.get<int>() == key.first);
    require(in.get<int>() == key.second);
    require(in.getString() == model.type());
    const std::string bytes = in.getString();
    ByteReader state(std::as_bytes(std::span<const char>(bytes.data(), bytes.size())));
    model.restore(state);
    if (!state.atEnd()) throw Error("the snapshot holds more of a motor than there is");
  }
}

void Simulation::setMotorModel(int robot, int driver, std::unique_ptr<MotorModel> model) {
  State& s = *state_;
  MORTISE_REQUIRE_INDEX(robot, s.world.robots.size(), "robots");
  MORTISE_REQUIRE_INDEX(driver, s.world.robots[robot].robot->numDrivers(), "drivers");
  if (!s.capabilities.dynamics)
    throw Error("backend '" + s.backend + "' has no dynamics: its robots follow their commands, whatever their motors",
                {}, "choose a backend with dynamics, such as ode");
  ByteWriter before, after;
  s.saveMotors(before, true);
  s.setMotor(robot, driver, std::move(model));
  s.saveMotors(after, true);
  s.initial.resize(s.initial.size() - before.bytes().size());  // They are a snapshot's end.
  s.initial.insert(s.initial.end(), after.bytes().begin(), after.bytes().end());
}

const MotorModel* Simulation::motorModel(int robot, int driver) const {
  MORTISE_REQUIRE_INDEX(robot, state_->actuators.size(), "robots");
  MORTISE_REQUIRE_INDEX(driver, state_->world.robots[robot].robot->numDrivers(), "drivers");
  return state_->actuators[robot].motor(driver);
}

}  // namespace mortise
