// One step of the engine: in parts where a whole one would go wrong.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

namespace {

// A step is divided in halves, and these again, at most so often: 1 ms down to 1e-6 s.
constexpr int kMostHalvings = 10;
constexpr int kWhole = 1 << kMostHalvings;

/// Steps of `dt` in a time; throws `Error` for what is no time or holds more steps than can be counted.
std::int64_t stepsIn(double seconds, double dt) {
  const double steps = seconds / dt;
  if (!(seconds >= 0) || !(steps < 9e15))
    throw Error("a simulation cannot go on for " + formatReal(seconds) + " s in steps of " + formatReal(dt) + " s", {},
                "give a time from zero up to 9e15 steps");
  return std::llround(steps);
}

}  // namespace

void Simulation::State::rememberStep() {
  sceneMemory.bytes().clear();
  scene->save(sceneMemory);
  layer->remember();
}

void Simulation::State::rewindStep() {
  ByteReader in(sceneMemory.bytes());
  scene->restore(in);
  layer->rewind();
  scene->readBodies(bodies);
}

void Simulation::State::applyWrenches() {
  appliedWrenches.clear();
  for (const Wrench& wrench : wrenches) {
    const Vector3d point = bodies[wrench.body].X_WB * wrench.p_BP;
    scene->applyWrench(wrench.body, wrench.force, wrench.torque, point);
    appliedWrenches.push_back({wrench.id, wrench.force, wrench.torque, point});
  }
}

void Simulation::State::collectContacts(double h) {
  contacts.clear();
  for (const ContactForce& contact : scene->contacts())
    if (contact.depth >= 0 || !contact.force.isZero(0)) contacts.push_back(contact);
  crossing.clear();
  if (layer)
    for (const ContactPairReport& pair : layer->pairs())
      if (pair.crossing) crossing.emplace_back(pair.a, pair.b);
  history.add(contacts, crossing, h);
  const double share = h / dt;
  for (const ContactForce& contact : contacts) {
    contactShares.push_back(contact);
    contactShares.back().force *= share;
  }
}

/// Slows an object or a robot down, all its bodies alike.
void Simulation::State::slowDown(const StabilityGuard::Unstable& found) {
  const int robot = map.description.bodies[found.body].robot;
  const auto slowBody = [&](int body) {
    BodyState state = bodies[body];
    state.v_WB *= found.slow;
    state.w_WB *= found.slow;
    scene->setBodyState(body, state);
  };
  if (robot < 0) {
    slowBody(found.body);
  } else {
    const RobotScene& place = map.robots[robot];
    if (place.floatingBody >= 0) slowBody(place.floatingBody);
    scene->readJoints(joints);
    for (const RobotScene::LinkPlace& link : place.links)
      if (link.joint >= 0)
        scene->setJointState(link.joint, joints[link.joint].position, found.slow * joints[link.joint].velocity);
  }
  stability->slowed(found);
}

/// A step that ends with bare surfaces newly inside each other, or with an energy out of nowhere, or with numbers that
/// are not finite, is taken back and made in two halves, each of which is treated alike.
StepStatus Simulation::State::stepWithSubdivision() {
  StepStatus result = StepStatus::normal;
  history.beginStep();
  contactShares.clear();
  bool dividing = adaptive;  // Until a part that cannot be divided any more goes wrong.
  for (int at = 0, part = kWhole; at < kWhole;) {
    const double h = dt * part / kWhole;
    if (adaptive) rememberStep();
    applyWrenches();
    if (layer) scene->setContacts(layer->contacts());
    scene->step(h);
    scene->readBodies(bodies);
    const StabilityGuard::Result found = stability->check(bodies);
    if (found.finite() && layer) layer->update(bodies, tick);
    if (dividing && part > 1 && (!found.finite() || !found.stable() || layer->crossesAnew())) {
      rewindStep();
      stability->undo();
      part /= 2;
      result = std::max(result, StepStatus::adaptive);
      continue;
    }
    if (!found.finite()) {
      fault = "'" + map.description.bodies[found.notFinite].name +
              "' has a pose or velocity that is not a finite number at t = " + formatReal(time()) + " s";
      if (adaptive) rewindStep();
      return StepStatus::error;
    }
    if (!found.stable()) {
      result = std::max(result, StepStatus::unstable);
      for (const StabilityGuard::Unstable& group : found.unstable) slowDown(group);
      scene->readBodies(bodies);
      dividing = false;
    } else if (layer && capabilities.dynamics && layer->crossesAnew()) {  // Commands may lead through things.
      result = std::max(result, StepStatus::contactUnreliable);
    }
    collectContacts(h);
    at += part;
    while (part < kWhole && at % (2 * part) == 0 && at + 2 * part <= kWhole) part *= 2;
  }
  return result;
}

StepStatus Simulation::State::stepPhysics() {
  std::string message;
  StepStatus result = StepStatus::normal;
  if (guarded(backend, "step", message, [&] {
        if (!drives.empty()) scene->setJointDrives(drives);
        if (layerStale) updateLayer();
        result = stepWithSubdivision();
        readBack();
      }) == ComponentStatus::ok)
    return result;
  fault = message;
  return StepStatus::error;
}

void Simulation::State::updateLayer() {
  layerStale = false;
  if (layer) layer->update(bodies, tick);
}

StepStatus Simulation::State::step(Simulation& simulation) {
  if (status == StepStatus::error) return status;
  for (const auto& hook : hooksBefore) hook(simulation);
  if (!runSensors() || !runControllers()) {
    finishStep(StepStatus::error, tick);
    return status;
  }
  std::string message;
  if (guarded("motor", "answer", message, [&] {
        for (std::size_t r = 0; r < robots.size(); ++r) actuators[r].update(robots[r].q, robots[r].dq, dt, drives);
      }) != ComponentStatus::ok) {
    fault = message;
    finishStep(StepStatus::error, tick);
    return status;
  }
  StepStatus result = stepPhysics();
  const std::int64_t number = tick++;
  for (std::size_t r = 0; record && r < robots.size(); ++r)
    record->addTorques(static_cast<int>(r), actuators[r].torques(), time());
  maxContacts = std::max(maxContacts, static_cast<int>(contacts.size()));
  if (result != StepStatus::error && !observeStep()) result = StepStatus::error;
  for (auto& slot : recorders) {
    if (tick % slot.interval != 0 && result != StepStatus::error) continue;
    if (guarded("recorder", "write", message, [&] { slot.recorder->write(view()); }) == ComponentStatus::ok) continue;
    if (fault.empty()) fault = message;
    result = StepStatus::error;
  }
  finishStep(result, number);
  for (const auto& hook : hooksAfter) hook(simulation);
  return status;
}

void Simulation::State::finishStep(StepStatus result, std::int64_t number) {
  status = result;
  worst = std::max(worst, result);
  ++counts[static_cast<int>(result)];
  if (statusSpans.empty() || statusSpans.back().status != result) statusSpans.push_back({result, number, 0});
  ++statusSpans.back().count;
}

StepStatus Simulation::step() {
  State& s = *state_;
  s.history.begin();
  const StepStatus result = s.step(*this);
  s.wrenches.clear();
  return result;
}

StepStatus Simulation::advance(double seconds, const std::function<bool()>& keepGoing) {
  State& s = *state_;
  const auto steps = stepsIn(seconds, s.dt);
  StepStatus worst = StepStatus::normal;
  s.history.begin();
  for (std::int64_t i = 0; i < steps; ++i) {
    if (keepGoing && !keepGoing()) break;
    worst = std::max(worst, s.step(*this));
    if (worst == StepStatus::error) break;
  }
  s.wrenches.clear();
  return worst;
}

bool Simulation::settle(double maxSeconds, double speed, const std::function<bool()>& keepGoing) {
  constexpr double kRest = 0.1;  // s
  State& s = *state_;
  const auto steps = stepsIn(maxSeconds, s.dt);
  double still = 0;
  s.history.begin();
  for (std::int64_t i = 0; i < steps && still < kRest; ++i) {
    if ((keepGoing && !keepGoing()) || s.step(*this) == StepStatus::error) break;
    const bool moves = std::any_of(s.bodies.begin(), s.bodies.end(), [&](const BodyState& body) {
      return body.v_WB.norm() > speed || body.w_WB.norm() > speed;
    });
    still = moves ? 0 : still + s.dt;
  }
  s.wrenches.clear();
  return still >= kRest;
}

}  // namespace mortise
