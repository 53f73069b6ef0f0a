// Saving, restoring and hashing a simulation.

#include <cmath>

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

namespace {

void putState(ByteWriter& out, const BodyState& body) {
  double rows[12];
  body.X_WB.toRows(rows);
  out.append(rows, sizeof(rows));
  out.append(body.v_WB.data(), 3 * sizeof(double));
  out.append(body.w_WB.data(), 3 * sizeof(double));
}

constexpr std::string_view kSnapshotTag = "mortise snapshot 4";
constexpr std::int64_t kMaxTick = std::int64_t{1} << 53;  // Beyond, times of ticks would no longer be exact.
constexpr double kRotationTolerance = 1e-3;

/// Any other byte than 0 and 1 would be no `bool`.
bool getFlag(ByteReader& in) {
  const auto flag = in.get<std::uint8_t>();
  if (flag > 1) throw Error("the snapshot is damaged: " + std::to_string(flag) + " where yes or no was expected");
  return flag == 1;
}

/// Which controllers and sensors there are, with their rates and settings.
template <typename State>
std::uint64_t componentsHash(const State& s) {
  ByteWriter out;
  const auto add = [&](const auto& slots) {
    for (const auto& slot : slots) {
      for (const std::string* text : {&slot->type, &slot->name}) out.put(std::string_view(*text));
      out.put(slot->robot);
      out.put(slot->declaredRate);
      out.put(slot->settingsHash);
    }
  };
  add(s.components.controllers);
  add(s.components.sensors);
  for (const auto& slot : s.components.controllers)
    out.put(slot->estimator ? std::string_view(slot->estimator->type) : std::string_view());
  return hashBytes(out.bytes().data(), out.bytes().size());
}

}  // namespace

std::vector<std::byte> Simulation::save() const {
  const State& s = *state_;
  ByteWriter out;
  out.put(kSnapshotTag);
  out.put(s.backend);
  out.put(static_cast<std::uint64_t>(s.bodies.size()));
  out.put(static_cast<std::uint64_t>(s.joints.size()));
  out.put(s.signature);
  out.put(componentsHash(s));
  out.put(s.layer != nullptr);
  out.put(s.options.seed);
  out.put(s.tick);
  out.put(s.dt);
  out.put(s.timeBase);
  out.put(s.tickBase);
  for (int i = 0; i < 3; ++i) out.put(s.gravity[i]);
  out.put(static_cast<int>(s.status));
  for (const RobotState& robot : s.robots) {
    out.put(std::span<const double>(robot.q.data(), robot.q.size()));
    out.put(std::span<const double>(robot.dq.data(), robot.dq.size()));
  }
  for (const ActuatorBank& bank : s.actuators) bank.save(out);
  s.stability->save(out);
  for (const auto& slot : s.components.sensors) {
    out.put(slot->disabled);
    slot->host->save(out);
    out.put(slot->enabled);
    out.put(slot->rate);
    out.put(std::span<const double>(slot->values));
    slot->component->save(out);
  }
  for (const auto& slot : s.components.controllers) {
    out.put(slot->disabled);
    slot->host->save(out);
    slot->component->save(out);
    if (!slot->estimator) continue;
    slot->estimator->host->save(out);
    slot->estimator->component->save(out);
  }
  out.put(static_cast<std::uint64_t>(s.wrenches.size()));
  for (const State::Wrench& wrench : s.wrenches) {
    out.put(wrench.body);
    out.put(wrench.id);
    for (const Vector3d* v : {&wrench.force, &wrench.torque, &wrench.p_BP}) out.append(v->data(), 3 * sizeof(double));
  }
  out.put(s.layerStale);
  if (s.layer) s.layer->save(out);
  s.scene->save(out);
  s.saveMotors(out, false);
  return std::move(out.bytes());
}

/// Everything after the head, which says whose snapshot this is.
void Simulation::State::take(ByteReader& in) {
  in.get(options.seed);
  in.get(tick);
  in.get(dt);
  in.get(timeBase);
  in.get(tickBase);
  for (int i = 0; i < 3; ++i) in.get(gravity[i]);
  const int value = in.get<int>();
  if (value < 0 || value >= kNumStepStatuses)
    throw Error("the snapshot has status " + std::to_string(value) + ", which there is not");
  status = static_cast<StepStatus>(value);
  for (RobotState& robot : robots) {
    in.get(std::span<double>(robot.q.data(), robot.q.size()));
    in.get(std::span<double>(robot.dq.data(), robot.dq.size()));
  }
  for (ActuatorBank& bank : actuators) bank.restore(in);
  stability->restore(in);
  const auto begin = [&](auto& slot) {
    slot.disabled = getFlag(in);
    slot.host->restore(in);
  };
  for (auto& slot : components.sensors) {
    begin(*slot);
    slot->enabled = getFlag(in);
    in.get(slot->rate);
    if (!(slot->rate > 0) || !std::isfinite(slot->rate))
      throw Error("the snapshot has a sensor with an impossible rate");
    in.get(std::span<double>(slot->values));
    slot->component->restore(in);
  }
  for (auto& slot : components.controllers) {
    begin(*slot);
    slot->component->restore(in);
    if (!slot->estimator) continue;
    slot->estimator->host->restore(in);
    slot->estimator->component->restore(in);
  }
  wrenches.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Wrench wrench = {};
    in.get(wrench.body);
    if (wrench.body < 0 || wrench.body >= static_cast<int>(bodies.size()))
      throw Error("the snapshot names a body that is not there");
    in.get(wrench.id);
    if (wrench.id < 0 || wrench.id >= world.numIds()) throw Error("the snapshot names an id that is not there");
    for (Vector3d* v : {&wrench.force, &wrench.torque, &wrench.p_BP})
      for (int i = 0; i < 3; ++i) in.get((*v)[i]);
    wrenches.push_back(wrench);
  }
  layerStale = getFlag(in);
  if (layer) layer->restore(in);
  scene->setGravity(gravity);
  scene->restore(in);
  restoreMotors(in);
  if (!in.atEnd()) throw Error("the snapshot goes on after its end");
  scene->readBodies(bodies);
  scene->readJoints(joints);
  for (std::size_t i = 0; i < objects.size(); ++i) objects[i] = bodies[map.objectBodies[i]];
  framesFresh = false;
}

/// Throws `Error` for a state in which no step could be made, unless it is that of a run that stands still for it.
void Simulation::State::requireSound() const {
  const auto require = [](bool sound, const std::string& what) {
    if (!sound) throw Error("the snapshot is damaged: " + what);
  };
  require(dt > 0 && std::isfinite(dt) && std::isfinite(timeBase), "its time is not a positive, finite number");
  require(tick >= 0 && tickBase >= 0 && tickBase <= tick && tick < kMaxTick, "its ticks are impossible");
  require(gravity.allFinite(), "its gravity is not finite");
  if (status == StepStatus::error) return;
  for (const RobotState& robot : robots)
    require(robot.q.allFinite() && robot.dq.allFinite(), "coordinates of a robot are not finite");
  for (const JointState& joint : joints)
    require(std::isfinite(joint.position) && std::isfinite(joint.velocity), "a joint's state is not finite");
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyState& body = bodies[b];
    const std::string& name = map.description.bodies[b].name;
    require(body.X_WB.allFinite() && body.v_WB.allFinite() && body.w_WB.allFinite(),
            "the state of '" + name + "' is not finite");
    const Matrix3d& R = body.X_WB.R;
    require((R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kRotationTolerance,
            "the orientation of '" + name + "' is not a rotation");
  }
  for (const Wrench& wrench : wrenches)
    require(wrench.force.allFinite() && wrench.torque.allFinite() && wrench.p_BP.allFinite(), "a force is not finite");
}

void Simulation::restore(std::span<const std::byte> snapshot) {
  State& s = *state_;
  ByteReader in(snapshot);
  if (in.getString() != kSnapshotTag) throw Error("these bytes are not a snapshot of a simulation");
  const std::string backend = in.getString();
  if (backend != s.backend)
    throw Error("the snapshot was made with backend '" + backend + "', this simulation runs '" + s.backend + "'");
  if (in.get<std::uint64_t>() != s.bodies.size() || in.get<std::uint64_t>() != s.joints.size())
    throw Error("the snapshot was made in another world: bodies or joints differ in number");
  if (const std::string part = differingPart(in.get<SceneSignature>(), s.signature); !part.empty())
    throw Error("the snapshot was made in another world: it has other " + part);
  if (in.get<std::uint64_t>() != componentsHash(s))
    throw Error("the snapshot was made with other controllers or sensors, or other settings of them");
  if (getFlag(in) != (s.layer != nullptr))
    throw Error("the snapshot was made with other contacts: " + std::string(s.layer ? "engine" : "boundary_layer"), {},
                std::string("set contacts: ") + (s.layer ? "engine" : "boundary_layer"));
  // From here on parts of the simulation change. Whatever goes wrong, it goes back to where it was.
  const std::size_t head = in.position();
  const std::vector<std::byte> before = save();
  const std::vector<BodyState> bodies = s.bodies;  // With rounding as it was read, not as it would be read again.
  const std::vector<JointState> joints = s.joints;
  const auto goBack = [&] {
    try {
      ByteReader back(std::span<const std::byte>(before).subspan(head));
      s.take(back);
      s.bodies = bodies;
      s.joints = joints;
      for (std::size_t i = 0; i < s.objects.size(); ++i) s.objects[i] = s.bodies[s.map.objectBodies[i]];
    } catch (const std::exception& error) {
      s.status = StepStatus::error;
      s.fault = std::string("the state could not be put back after a snapshot was refused: ") + error.what();
    }
  };
  try {
    s.take(in);
    s.requireSound();
  } catch (const Error&) {
    goBack();
    throw;
  } catch (const std::exception& error) {  // Of plugins, and where damaged sizes ask for too much memory.
    goBack();
    throw Error(std::string("the snapshot cannot be restored: ") + error.what());
  }
  if (s.status != StepStatus::error)
    s.fault.clear();
  else if (s.fault.empty())
    s.fault = "the snapshot was made after an error";
  s.history.begin();
  s.statusSpans.clear();
  s.contacts.clear();
  s.contactShares.clear();
  s.appliedWrenches.clear();
  for (const ContactForce& contact : s.scene->contacts())
    if (contact.depth >= 0 || !contact.force.isZero(0)) s.contacts.push_back(contact);
}

void Simulation::reset() {
  State& s = *state_;
  for (std::size_t r = 0; r < s.robots.size(); ++r) {
    s.robots[r].q = s.world.robots[r].q;
    s.robots[r].dq = s.world.robots[r].dq;
  }
  s.startComponents();
  restore(s.initial);
  s.worst = s.status;
  s.counts = {};
  s.maxContacts = 0;
}

std::uint64_t Simulation::stateHash() const {
  const State& s = *state_;
  ByteWriter out;
  out.put(s.tick);
  for (const BodyState& body : s.bodies) putState(out, body);
  for (const JointState& joint : s.joints) {
    out.put(joint.position);
    out.put(joint.velocity);
  }
  for (const ActuatorBank& bank : s.actuators) bank.save(out);
  if (!s.motorStarts.empty()) s.saveMotors(out, false);
  for (const auto& slot : s.components.sensors) {
    slot->host->save(out);
    out.put(std::span<const double>(slot->values));
    slot->component->save(out);
  }
  for (const auto& slot : s.components.controllers) {
    slot->host->save(out);
    slot->component->save(out);
    if (slot->estimator) slot->estimator->component->save(out);
  }
  return hashBytes(out.bytes().data(), out.bytes().size());
}

}  // namespace mortise
