// What can be changed in a running simulation.

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/suggest.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

int Simulation::State::bodyOfId(int id, RigidTransform& X_BE) const {
  const World::Entity entity = world.entity(id);
  X_BE = RigidTransform();
  switch (entity.kind) {
    case World::Kind::terrain:
      return map.terrainBodies[entity.index];
    case World::Kind::object:
      return map.objectBodies[entity.index];
    case World::Kind::link:
      X_BE = map.robots[entity.index].links[entity.link].X_BL;
      return map.robots[entity.index].links[entity.link].body;
    case World::Kind::robot:
      break;
  }
  const int base = map.robots[entity.index].floatingBody;
  if (base < 0)
    throw Error("robot '" + world.robots[entity.index].name + "' has no floating base", {}, "name one of its links");
  return base;
}

IdRange Simulation::State::rangeOfId(int id) const {
  const World::Entity entity = world.entity(id);
  if (entity.kind != World::Kind::robot) return {id, 1};
  return {id, 1 + world.robots[entity.index].robot->numLinks()};
}

void Simulation::State::movedByHand() {
  readBack();
  stability->startFrom(bodies);
  layerStale = true;
}

void Simulation::beginRecord() {
  state_->record = std::make_unique<SimulationRecord>(state_->world, state_->capabilities.dynamics);
}

void Simulation::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity must be finite");
  state_->gravity = gravity;
  state_->scene->setGravity(gravity);
}

void Simulation::setTimeStep(double seconds) {
  State& s = *state_;
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw Error("the time step must be positive and finite, not " + formatReal(seconds));
  s.timeBase = s.time();
  s.tickBase = s.tick;
  s.dt = seconds;
}

void Simulation::applyWrench(int id, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  State& s = *state_;
  RigidTransform X_BE;
  const int body = s.bodyOfId(id, X_BE);
  if (!force.allFinite() || !torque.allFinite() || !point.allFinite())
    throw Error("the force, torque or point given for '" + s.world.nameOf(id) + "' is not finite");
  s.wrenches.push_back({body, id, force, torque, s.bodies[body].X_WB.inverse() * point});
}

void Simulation::setObjectState(int object, const BodyState& state) {
  State& s = *state_;
  MORTISE_REQUIRE_INDEX(object, s.map.objectBodies.size(), "rigid objects");
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state given to a rigid object is not finite");
  s.scene->setBodyState(s.map.objectBodies[object], state);
  s.movedByHand();
}

void Simulation::setRobotState(int robot, const VectorXd& q, const VectorXd& dq) {
  State& s = *state_;
  MORTISE_REQUIRE_INDEX(robot, s.world.robots.size(), "robots");
  const Robot& model = *s.world.robots[robot].robot;
  const RobotScene& place = s.map.robots[robot];
  MORTISE_REQUIRE_SIZE(q, model.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(dq, model.numLinks(), "one for each link");
  if (!q.allFinite() || !dq.allFinite()) throw Error("the state given to a robot is not finite");
  RobotState state(model);
  state.q = q;
  state.dq = dq;
  updateFrames(model, state);
  if (place.floatingBody >= 0) {
    std::vector<Vector3d> v(model.numLinks()), w(model.numLinks());
    linkVelocities(model, state, v, w);
    const int base = model.floatingBaseLink();
    s.scene->setBodyState(place.floatingBody, {state.X_WL[base], v[base], w[base]});
  }
  for (int i = 0; i < model.numLinks(); ++i) {
    const RobotScene::LinkPlace& at = place.links[i];
    if (at.joint >= 0) s.scene->setJointState(at.joint, q[i] * at.axisScale, dq[i] * at.axisScale);
  }
  s.robots[robot].q = q;
  s.robots[robot].dq = dq;
  s.movedByHand();
}

void Simulation::setDynamics(int object, bool on) {
  State& s = *state_;
  MORTISE_REQUIRE_INDEX(object, s.map.objectBodies.size(), "rigid objects");
  s.scene->setBodyMotion(s.map.objectBodies[object], on ? BodyMotion::dynamic : BodyMotion::kinematic);
}

void Simulation::setCollision(int idA, int idB, bool on) {
  State& s = *state_;
  const IdRange a = s.rangeOfId(idA), b = idB < 0 ? IdRange{} : s.rangeOfId(idB);
  for (int i = a.first; i < a.first + a.count; ++i) {
    const auto change = [&](int j) {
      if (s.layer)
        s.layer->setCollision(i, j, on);
      else
        s.scene->setCollision(i, j, on);
    };
    if (idB < 0) change(-1);
    for (int j = b.first; j < b.first + b.count; ++j)
      if (i != j) change(j);
  }
}

void Simulation::addHookBefore(std::function<void(Simulation&)> hook) {
  state_->hooksBefore.push_back(std::move(hook));
}
void Simulation::addHookAfter(std::function<void(Simulation&)> hook) { state_->hooksAfter.push_back(std::move(hook)); }

void Simulation::addRecorder(ComponentPtr<Recorder> recorder, int interval) {
  if (interval < 1) throw Error("a recorder writes at most once a step", {}, "use an interval of 1 or more");
  recorder->write(state_->view());
  state_->recorders.push_back({std::move(recorder), interval});
}

void Simulation::closeRecorders() {
  std::string first;
  for (auto& slot : state_->recorders) {
    std::string message;
    if (guarded("recorder", "close", message, [&] { slot.recorder->close(); }) != ComponentStatus::ok && first.empty())
      first = message;
  }
  state_->recorders.clear();
  if (!first.empty()) throw Error(first);
}

SensorSlot* Simulation::State::sensorSlot(int robot, std::string_view name) {
  for (auto& slot : components.sensors)
    if (slot->robot == robot && slot->name == name) return slot.get();
  return nullptr;
}

Sensor* Simulation::sensor(int robot, std::string_view name) {
  MORTISE_REQUIRE_INDEX(robot, state_->world.robots.size(), "robots");
  SensorSlot* slot = state_->sensorSlot(robot, name);
  return slot != nullptr ? slot->component.get() : nullptr;
}

namespace {

/// For a sensor that must be there.
[[noreturn]] void noSensor(const World& world, std::span<const SensorReading> sensors, int robot,
                           std::string_view name) {
  std::vector<std::string> names;
  for (const SensorReading& reading : sensors) names.emplace_back(reading.name);
  throw Error("robot '" + world.robots.at(robot).name + "' has no sensor '" + std::string(name) + "'", {},
              didYouMean(name, names));
}

}  // namespace

void Simulation::setSensorEnabled(int robot, std::string_view name, bool enabled) {
  MORTISE_REQUIRE_INDEX(robot, state_->world.robots.size(), "robots");
  SensorSlot* slot = state_->sensorSlot(robot, name);
  if (slot == nullptr) noSensor(state_->world, sensorReadings(robot), robot, name);
  slot->enabled = enabled;
}

void Simulation::setSensorRate(int robot, std::string_view name, double rate) {
  MORTISE_REQUIRE_INDEX(robot, state_->world.robots.size(), "robots");
  SensorSlot* slot = state_->sensorSlot(robot, name);
  if (slot == nullptr) noSensor(state_->world, sensorReadings(robot), robot, name);
  if (!(rate > 0) || !std::isfinite(rate)) throw Error("the rate of a sensor is positive, not " + formatReal(rate));
  slot->rate = rate;
}

}  // namespace mortise
