// Saving, restoring and hashing a simulation.

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

}  // namespace

std::vector<std::byte> Simulation::save() const {
  const State& s = *state_;
  ByteWriter out;
  out.put(std::string_view("mortise snapshot 2"));
  out.put(s.backend);
  out.put(static_cast<std::uint64_t>(s.bodies.size()));
  out.put(static_cast<std::uint64_t>(s.joints.size()));
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
    out.put(slot->host->random().state());
    out.put(std::span<const double>(slot->values));
    slot->component->save(out);
  }
  for (const auto& slot : s.components.controllers) {
    out.put(slot->disabled);
    out.put(slot->host->random().state());
    slot->component->save(out);
  }
  out.put(static_cast<std::uint64_t>(s.wrenches.size()));
  for (const State::Wrench& wrench : s.wrenches) {
    out.put(wrench.body);
    for (const Vector3d* v : {&wrench.force, &wrench.torque, &wrench.p_BP}) out.append(v->data(), 3 * sizeof(double));
  }
  out.put(s.layer != nullptr);
  out.put(s.layerStale);
  if (s.layer) s.layer->save(out);
  s.scene->save(out);
  return std::move(out.bytes());
}

void Simulation::restore(std::span<const std::byte> snapshot) {
  State& s = *state_;
  ByteReader in(snapshot);
  if (in.getString() != "mortise snapshot 2") throw Error("these bytes are not a snapshot of a simulation");
  const std::string backend = in.getString();
  if (backend != s.backend)
    throw Error("the snapshot was made with backend '" + backend + "', this simulation runs '" + s.backend + "'");
  if (in.get<std::uint64_t>() != s.bodies.size() || in.get<std::uint64_t>() != s.joints.size())
    throw Error("the snapshot was made in another world: bodies or joints differ in number");
  in.get(s.tick);
  in.get(s.dt);
  in.get(s.timeBase);
  in.get(s.tickBase);
  for (int i = 0; i < 3; ++i) in.get(s.gravity[i]);
  s.status = static_cast<StepStatus>(in.get<int>());
  if (s.status != StepStatus::error) s.fault.clear();
  for (RobotState& robot : s.robots) {
    in.get(std::span<double>(robot.q.data(), robot.q.size()));
    in.get(std::span<double>(robot.dq.data(), robot.dq.size()));
  }
  for (ActuatorBank& bank : s.actuators) bank.restore(in);
  s.stability->restore(in);
  const auto stream = [&](ComponentHost& host) { host.random().setState(in.get<RandomStream::State>()); };
  for (auto& slot : s.components.sensors) {
    in.get(slot->disabled);
    stream(*slot->host);
    in.get(std::span<double>(slot->values));
    slot->component->restore(in);
  }
  for (auto& slot : s.components.controllers) {
    in.get(slot->disabled);
    stream(*slot->host);
    slot->component->restore(in);
  }
  s.wrenches.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    State::Wrench wrench = {};
    in.get(wrench.body);
    if (wrench.body < 0 || wrench.body >= static_cast<int>(s.bodies.size()))
      throw Error("the snapshot names a body that is not there");
    for (Vector3d* v : {&wrench.force, &wrench.torque, &wrench.p_BP})
      for (int i = 0; i < 3; ++i) in.get((*v)[i]);
    s.wrenches.push_back(wrench);
  }
  if (in.get<bool>() != (s.layer != nullptr))
    throw Error("the snapshot was made with other contacts: " + std::string(s.layer ? "engine" : "boundary_layer"), {},
                std::string("set contacts: ") + (s.layer ? "engine" : "boundary_layer"));
  in.get(s.layerStale);
  if (s.layer) s.layer->restore(in);
  s.scene->setGravity(s.gravity);
  s.scene->restore(in);
  s.scene->readBodies(s.bodies);
  s.scene->readJoints(s.joints);
  for (std::size_t i = 0; i < s.objects.size(); ++i) s.objects[i] = s.bodies[s.map.objectBodies[i]];
  s.framesFresh = false;
  s.history.begin();
  s.statusSpans.clear();
  s.contacts.clear();
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
  for (const auto& slot : s.components.sensors) {
    out.put(slot->host->random().state());
    out.put(std::span<const double>(slot->values));
    slot->component->save(out);
  }
  for (const auto& slot : s.components.controllers) {
    out.put(slot->host->random().state());
    slot->component->save(out);
  }
  return hashBytes(out.bytes().data(), out.bytes().size());
}

}  // namespace mortise
