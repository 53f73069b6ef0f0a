#include "mortise/simulation/simulation_snapshots.h"

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/simulation/context/snapshot_bytes.h"

namespace mortise {

namespace {

/// The number is that of the layout. From 9 on the version of Mortise that wrote the snapshot follows.
constexpr std::string_view kSnapshotTag = "mortise snapshot 9", kTagWithoutVersion = "mortise snapshot 8",
                           kEditedTag = "mortise snapshot 9 of an edited world";

/// Reads the tag, the version and the edits of the world; returns words for who wrote a snapshot. Throws `Error` for
/// other bytes.
std::string writerOf(ByteReader& in, std::vector<std::string>& edits) {
  edits.clear();
  const std::string tag = in.getString();
  if (tag == kEditedTag) {
    std::string writer = "Mortise " + in.getString();
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) edits.push_back(in.getString());
    return writer;
  }
  if (tag == kSnapshotTag) return "Mortise " + in.getString();
  if (tag == kTagWithoutVersion)
    return "an earlier Mortise ('" + tag + "', where this one, " MORTISE_VERSION ", writes '" +
           std::string(kSnapshotTag) + "')";
  if (!tag.starts_with("mortise snapshot ")) throw Error("these bytes are not a snapshot of a simulation");
  throw Error("the snapshot was written by another version of Mortise: it is a '" + tag.substr(0, 40) +
                  "', and this one, " MORTISE_VERSION ", reads 8 and 9",
              {}, "restore it with the version that wrote it, or start anew and save the state again");
}

const char* contactsText(bool boundaryLayer) { return boundaryLayer ? "boundary_layer" : "engine"; }

}  // namespace

std::vector<std::string> editsOf(std::span<const std::byte> snapshot) {
  ByteReader in(snapshot);
  std::vector<std::string> edits;
  writerOf(in, edits);
  return edits;
}

std::vector<std::byte> SimulationSnapshots::save() const {
  const auto& [context, clock, steps, engine, physics, components, edits] = parts_;
  ByteWriter out;
  // The head says what this is a snapshot of: see `requireSameSimulation`.
  out.put(edits.empty() ? kSnapshotTag : kEditedTag);
  out.put(std::string_view(MORTISE_VERSION));
  if (!edits.empty()) out.put(static_cast<std::uint64_t>(edits.size()));
  for (const std::string& edit : edits) out.put(std::string_view(edit));
  out.put(engine.name());
  out.put(static_cast<std::uint64_t>(physics.state().bodies().size()));
  out.put(static_cast<std::uint64_t>(physics.state().joints().size()));
  out.put(physics.signature());
  out.put(components.signature());
  out.put(physics.hasBoundaryLayer());
  // The state: see `readState`.
  out.put(context.options.seed);
  clock.save(out);
  for (int i = 0; i < 3; ++i) out.put(physics.gravity()[i]);
  out.put(static_cast<int>(steps.status()));
  physics.saveRobots(out);
  components.save(out);
  physics.saveScene(out);
  return std::move(out.bytes());
}

/// Reads the head.
void SimulationSnapshots::requireSameSimulation(ByteReader& in) const {
  const PhysicsStepper& physics = parts_.physics;
  std::vector<std::string> edits;
  const std::string writer = writerOf(in, edits);
  const std::string backend = in.getString();
  if (backend != parts_.engine.name())
    throw Error("the snapshot was made with backend '" + backend + "', this simulation runs '" + parts_.engine.name() +
                "'");
  if (in.get<std::uint64_t>() != physics.state().bodies().size() ||
      in.get<std::uint64_t>() != physics.state().joints().size())
    throw Error("the snapshot was made in another world: bodies or joints differ in number");
  if (const std::string part = differingPart(in.get<SceneSignature>(), physics.signature()); !part.empty())
    throw Error("the snapshot was made in another world: it has other " + part);
  if (in.get<std::uint64_t>() != parts_.components.signature())
    throw Error("the snapshot was made with other controllers or sensors, or other settings of them, by " + writer, {},
                "make the simulation with the components that it was saved with; where these are the same, their "
                "settings have changed between the versions: restore it with the version that wrote it, or start anew "
                "and save the state again");
  if (const bool layer = getFlag(in); layer != physics.hasBoundaryLayer())
    throw Error("the snapshot was made with other contacts: " + std::string(contactsText(layer)), {},
                std::string("set contacts: ") + contactsText(layer));
}

/// Everything after the head.
void SimulationSnapshots::readState(ByteReader& in) {
  in.get(parts_.context.options.seed);
  parts_.clock.restore(in);
  Vector3d gravity;
  for (int i = 0; i < 3; ++i) in.get(gravity[i]);
  parts_.physics.setGravity(gravity);
  const int status = in.get<int>();
  if (status < 0 || status >= kNumStepStatuses)
    throw Error("the snapshot has status " + std::to_string(status) + ", which does not exist");
  parts_.steps.setStatus(static_cast<StepStatus>(status));
  parts_.physics.restoreRobots(in);
  parts_.components.restore(in);
  parts_.physics.restoreScene(in);
  if (!in.atEnd()) throw Error("the snapshot goes on after its end");
}

/// Throws `Error` for a state in which no step could be made, unless it is that of a run that stands still for it.
void SimulationSnapshots::requireSound() const {
  parts_.clock.requireSound();
  requireUndamaged(parts_.physics.gravity().allFinite(), "its gravity is not finite");
  if (parts_.steps.status() != StepStatus::error) parts_.physics.requireSound();
}

/// After a snapshot was refused half-way: `state`, and the bodies and joints with rounding as they were read then, not
/// as they would be read again.
void SimulationSnapshots::putBack(std::span<const std::byte> state, const std::vector<BodyState>& bodies,
                                  const std::vector<JointState>& joints) {
  try {
    ByteReader in(state);
    readState(in);
    parts_.physics.state().putBack(bodies, joints);
  } catch (const std::exception& error) {
    parts_.steps.setStatus(StepStatus::error);
    parts_.steps.setFault(std::string("the state could not be put back after a snapshot was refused: ") + error.what());
  }
}

void SimulationSnapshots::restore(std::span<const std::byte> snapshot) {
  ByteReader in(snapshot);
  requireSameSimulation(in);
  // From here on parts of the simulation change. Whatever goes wrong, they are put back.
  const std::vector<std::byte> before = save();
  ByteReader own(before);
  requireSameSimulation(own);
  const auto stateBefore = std::span<const std::byte>(before).subspan(own.position());
  const WorldState& world = parts_.physics.state();
  const std::vector<BodyState> bodies(world.bodies().begin(), world.bodies().end());
  const std::vector<JointState> joints(world.joints().begin(), world.joints().end());
  try {
    readState(in);
    requireSound();
  } catch (const Error&) {
    putBack(stateBefore, bodies, joints);
    throw;
  } catch (const std::exception& error) {  // Of plugins, and where damaged sizes ask for too much memory.
    putBack(stateBefore, bodies, joints);
    throw Error(std::string("the snapshot cannot be restored: ") + error.what());
  }
  if (parts_.steps.status() != StepStatus::error)
    parts_.steps.setFault({});
  else
    parts_.steps.addFault("the snapshot was made after an error");
  parts_.steps.clearHistory();
  parts_.physics.clearHistory();
}

void SimulationSnapshots::setMotorModel(int robot, int driver, std::unique_ptr<MotorModel> model) {
  RobotMotors& motors = parts_.physics.motors();
  ByteWriter before, after;
  motors.saveModels(before, RobotMotors::ModelState::initial);
  motors.setModel(robot, driver, std::move(model));
  motors.saveModels(after, RobotMotors::ModelState::initial);
  initial_.resize(initial_.size() - before.bytes().size());  // They are a snapshot's end.
  initial_.insert(initial_.end(), after.bytes().begin(), after.bytes().end());
}

std::uint64_t SimulationSnapshots::hash() const {
  ByteWriter out;
  out.put(parts_.clock.tick());
  const PhysicsStepper& physics = parts_.physics;
  physics.state().hash(out);
  physics.motors().save(out);
  if (physics.motors().hasModels()) physics.motors().saveModels(out, RobotMotors::ModelState::now);
  parts_.components.hash(out);
  return hashBytes(out.bytes().data(), out.bytes().size());
}

}  // namespace mortise
