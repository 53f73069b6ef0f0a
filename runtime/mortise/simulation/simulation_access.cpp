// What can be read from a simulation.

#include "mortise/base/expect.h"
#include "mortise/simulation/scene/overlaps.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

double Simulation::time() const { return state_->time(); }
std::int64_t Simulation::tick() const { return state_->tick; }
double Simulation::timeStep() const { return state_->dt; }
const World& Simulation::world() const { return state_->world; }
const std::string& Simulation::backend() const { return state_->backend; }
const VectorXd& Simulation::configuration(int robot) const {
  MORTISE_REQUIRE_INDEX(robot, state_->robots.size(), "robots");
  return state_->robots[robot].q;
}
const VectorXd& Simulation::velocity(int robot) const {
  MORTISE_REQUIRE_INDEX(robot, state_->robots.size(), "robots");
  return state_->robots[robot].dq;
}
const BodyState& Simulation::objectState(int object) const {
  MORTISE_REQUIRE_INDEX(object, state_->objects.size(), "rigid objects");
  return state_->objects[object];
}
std::span<const ContactForce> Simulation::contacts() const { return state_->contacts; }
SimulationView Simulation::view() { return state_->view(); }
StepStatus Simulation::status() const { return state_->status; }
StepStatus Simulation::worstStatus() const { return state_->worst; }
const std::array<std::int64_t, kNumStepStatuses>& Simulation::statusCounts() const { return state_->counts; }
int Simulation::maxContacts() const { return state_->maxContacts; }
const std::string& Simulation::fault() const { return state_->fault; }
Controller* Simulation::controller(int robot) {
  MORTISE_REQUIRE_INDEX(robot, state_->components.controllers.size(), "robots");
  return state_->components.controllers[robot]->component.get();
}
std::span<const SensorReading> Simulation::sensorReadings(int robot) const {
  MORTISE_REQUIRE_INDEX(robot, state_->readings.size(), "robots");
  return state_->readings[robot];
}
const std::vector<StatusSpan>& Simulation::statusHistory() const { return state_->statusSpans; }
ContactSource Simulation::contactSource() const { return state_->contactSource; }
std::span<const JointState> Simulation::jointStates() const { return state_->joints; }
const SimulationRecord* Simulation::record() const { return state_->record.get(); }
const SceneMap& Simulation::sceneMap() const { return state_->map; }

std::vector<JointState> Simulation::worldJointStates() const {
  std::vector<JointState> states(state_->map.description.constraints.size());
  state_->scene->readConstraints(states);
  return states;
}

ContactSummary Simulation::contactSummary(int idA, int idB) const {
  const State& s = *state_;
  const IdRange a = s.rangeOfId(idA), b = idB < 0 ? IdRange{} : s.rangeOfId(idB);
  ContactSummary summary = s.history.summary(a, b);
  RigidTransform X_BE;
  const bool wholeRobot = s.world.entity(idA).kind == World::Kind::robot;
  if (!wholeRobot) summary.origin = (s.bodies[s.bodyOfId(idA, X_BE)].X_WB * X_BE).p;
  summary.torque -= summary.origin.cross(summary.force);
  summary.meanTorque -= summary.origin.cross(summary.meanForce);
  return summary;
}

StartOverlaps Simulation::overlaps() const { return overlapsOf(state_->map.description, state_->bodies); }

Energy Simulation::energy() const {
  Energy energy;
  const State& s = *state_;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const SceneBody& body = s.map.description.bodies[i];
    if (body.motion != BodyMotion::dynamic) continue;
    energy.kinetic += kineticEnergy(body.inertia, s.bodies[i]);
    energy.potential -= body.inertia.mass * s.gravity.dot(s.bodies[i].X_WB * body.inertia.com);
  }
  return energy;
}

Value Simulation::effectiveSettings() const {
  const State& s = *state_;
  Value settings = Value::map();
  settings.set("backend", s.backend);
  settings.set("timeStep", s.dt);
  settings.set("gravity", std::vector<double>{s.gravity.x(), s.gravity.y(), s.gravity.z()});
  settings.set("seed", static_cast<std::int64_t>(s.options.seed));
  settings.set("contacts", s.layer ? "boundary_layer" : "engine");
  settings.set("adaptiveTimeStepping", s.adaptive);
  settings.set("actuatorLimits",
               actuatorLimitsText(s.capabilities.dynamics ? s.options.actuatorLimits : ActuatorLimits{}));
  if (!s.motorStarts.empty()) {
    Value motors = Value::list();
    for (const auto& [key, start] : s.motorStarts) {
      const WorldRobot& robot = s.world.robots[key.first];
      Value motor = Value::map();
      motor.set("robot", robot.name);
      motor.set("driver", robot.robot->driver(key.second).name);
      motor.set("model", s.actuators[key.first].motor(key.second)->type());
      motors.push_back(std::move(motor));
    }
    settings.set("motors", std::move(motors));
  }
  settings.set("engine", s.scene->effectiveSettings());
  if (!s.map.substitutions.empty()) settings.set("substitutions", s.map.substitutions);
  Value list = Value::list();
  const auto describe = [&](const char* kind, const auto& slot) {
    Value entry = Value::map();
    entry.set(kind, slot->type);
    entry.set("name", slot->name);
    entry.set("robot", s.world.robots[slot->robot].name);
    entry.set("rate", slot->declaredRate);
    if (slot->rate != slot->declaredRate) entry.set("rate_now", slot->rate);
    entry.set("settings_hash", formatHash(slot->settingsHash));
    list.push_back(std::move(entry));
  };
  for (const auto& slot : s.components.controllers) describe("controller", slot);
  for (const auto& slot : s.components.sensors) describe("sensor", slot);
  settings.set("components", std::move(list));
  return settings;
}

}  // namespace mortise
