// Edits of a simulation's world while it runs.

#include <algorithm>
#include <exception>

#include "mortise/base/error.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/json/json_reader.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/body_reference.h"
#include "mortise/math/rotation.h"
#include "mortise/simulation/editing/world_edit.h"
#include "mortise/simulation/simulation_state.h"

namespace mortise {

namespace {

/// Returns the index of each object in the world of `before`; -1: it was not there.
std::vector<int> placesIn(const WorldVersion& before, const WorldVersion& now) {
  std::vector<int> places;
  for (const int number : now.objects) {
    const auto found = std::find(before.objects.begin(), before.objects.end(), number);
    places.push_back(found == before.objects.end() ? -1 : static_cast<int>(found - before.objects.begin()));
  }
  return places;
}

RecordedView::Version viewOf(const WorldVersion& version) { return {*version.world, version.objects}; }

void place(BodyState& state, const WorldEdit& edit) {
  if (edit.position) state.X_WB.p = *edit.position;
  if (edit.rotation) state.X_WB.R = rotationFromRollPitchYaw(*edit.rotation);
  if (edit.velocity) state.v_WB = *edit.velocity;
  if (edit.angularVelocity) state.w_WB = *edit.angularVelocity;
}

void placeRobot(Simulation& simulation, int index, const WorldEdit& edit) {
  const Robot& robot = *simulation.world().robots[static_cast<std::size_t>(index)].robot;
  VectorXd q = simulation.configuration(index), dq = simulation.velocity(index);
  if (!edit.configuration.isNull()) {
    q = ConfigurationReader(robot).read(edit.configuration, q);
    simulation.setRobotState(index, q, VectorXd::Zero(q.size()));
    return;
  }
  const int base = robot.floatingBaseLink();
  const RobotView view = simulation.view().robots[static_cast<std::size_t>(index)];
  const auto link = static_cast<std::size_t>(base);
  BodyState state;
  state.X_WB = view.state->X_WL[link];
  state.v_WB = view.twists[link].v_WL;
  state.w_WB = view.twists[link].w_WL;
  place(state, edit);
  setFloatingBasePose(robot, state.X_WB, q);
  setFloatingBaseVelocity(robot, state.v_WB, state.w_WB, q, dq);
  simulation.setRobotState(index, q, dq);
}

/// Puts a thing that is there somewhere else.
void placeBody(Simulation& simulation, const WorldEdit& edit) {
  const World& world = simulation.world();
  const int id = findBody(world, edit.body);
  const World::Entity entity = world.entity(id);
  if (entity.kind == World::Kind::robot) {
    placeRobot(simulation, entity.index, edit);
    return;
  }
  BodyState state = simulation.objectState(entity.index);
  place(state, edit);
  simulation.setObjectState(entity.index, state);
}

}  // namespace

std::size_t Simulation::State::versionOf(const World* world) const {
  for (std::size_t i = 0; i < worlds.size(); ++i)
    if (worlds[i].world == world) return i;
  return 0;
}

SimulationView Simulation::State::viewFor(const World* world) {
  if (world == context.world) return view();
  return recordedViews[world].of(view(), viewOf(worlds[now]), viewOf(worlds[versionOf(world)]), gone);
}

/// Returns the version that edits make of the initial world.
std::size_t Simulation::State::versionWith(const std::vector<std::string>& edits) {
  for (std::size_t i = 0; i < worlds.size(); ++i)
    if (worlds[i].edits == edits) return i;
  EditedWorld edited{*worlds[0].world, worlds[0].objects, worlds[0].nextObject};
  for (const std::string& edit : edits)
    edited = editedWorld(std::move(edited), worldEditFrom(JsonReader(edit).value()), context.loader,
                         context.options.referringFile);
  WorldVersion version;
  version.own = std::make_unique<const World>(std::move(edited.world));
  version.world = version.own.get();
  version.objects = std::move(edited.objects);
  version.nextObject = edited.nextObject;
  version.edits = edits;
  worlds.push_back(std::move(version));
  return worlds.size() - 1;
}

/// Goes on in another version of the world. Where that cannot be, everything is as before.
void Simulation::State::use(std::size_t version) {
  if (version == now) return;
  const std::size_t before = now;
  const std::vector<int> places = placesIn(worlds[before], worlds[version]);
  const bool sameObjects = worlds[before].objects == worlds[version].objects;
  std::unique_ptr<PhysicsStepper> fresh;
  context.world = worlds[version].world;
  try {
    fresh = std::make_unique<PhysicsStepper>(context, *physics, places);
    if (!sameObjects) components->meetWorld();
  } catch (...) {
    context.world = worlds[before].world;
    if (!sameObjects && fresh) components->meetWorld();
    throw;
  }
  for (std::size_t i = 0; i < worlds[before].objects.size(); ++i)
    gone[worlds[before].objects[i]] = physics->state().objects()[i];
  now = version;
  std::swap(physics, fresh);
  physics->beginCall();
  std::vector<std::byte> initial = snapshots->initial();
  snapshots = std::make_unique<SimulationSnapshots>(parts(), std::move(initial));
}

void Simulation::edit(const WorldEdit& edit) {
  State& s = *state_;
  if (s.inHook) throw Error("a hook cannot edit the world of the step that it is called in", {}, "edit between steps");
  if (s.steps.status() == StepStatus::error)
    throw Error("the simulation stands still after an error, and takes no edits", {}, "go back, or start anew");
  const std::size_t before = s.now;
  if (!edit.changesWorld()) (void)tryEdit(edit);
  if (edit.changesWorld()) {
    std::vector<std::string> edits = s.worlds[s.now].edits;
    edits.push_back(toJson(edit.record(), -1));
    s.use(s.versionWith(edits));
  }
  if (edit.add || !edit.remove.isNull() || !edit.places()) return;
  try {
    placeBody(*this, edit);
  } catch (...) {
    s.use(before);
    throw;
  }
}

EditedWorld Simulation::tryEdit(const WorldEdit& edit, const EditedWorld* before) const {
  const State& s = *state_;
  const WorldVersion& now = s.worlds[s.now];
  return editedWorld(before != nullptr ? *before : EditedWorld{*now.world, now.objects, now.nextObject}, edit,
                     s.context.loader, s.context.options.referringFile);
}

const std::vector<std::string>& Simulation::edits() const { return state_->worlds[state_->now].edits; }

void Simulation::setEdits(const std::vector<std::string>& edits) { state_->use(state_->versionWith(edits)); }

const World& Simulation::initialWorld() const { return *state_->worlds[0].world; }

int Simulation::currentId(int initialId) const {
  const State& s = *state_;
  return s.now == 0 ? initialId : idIn(viewOf(s.worlds[s.now]), viewOf(s.worlds[0]), initialId);
}

void Simulation::restore(std::span<const std::byte> snapshot) {
  const std::vector<std::string> wanted = editsOf(snapshot);
  if (wanted == edits()) {
    state_->snapshots->restore(snapshot);
    return;
  }
  const std::size_t version = state_->now;
  const std::vector<std::byte> before = save();
  setEdits(wanted);
  try {
    state_->snapshots->restore(snapshot);
  } catch (...) {
    state_->use(version);
    state_->snapshots->restore(before);
    throw;
  }
}

}  // namespace mortise
