#include "mortise/simulation/stepping/physics_stepper.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/model/on_unstable.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/context/snapshot_bytes.h"

namespace mortise {

namespace {

// A step is halved, and its halves again, at most this often: 1 ms down to 1e-6 s.
constexpr int kMaxHalvings = 10;
constexpr int kFullStep = 1 << kMaxHalvings;
// Parts of one step that may be taken back, all in all.
constexpr int kMaxRetries = 60;

SceneMap mapOf(const World& world, double timeStep, const PhysicsEngine& engine) {
  SceneMap map = buildScene(world);
  map.description.timeStep = timeStep;
  map.description.contactSource = engine.contactSource();
  if (engine.exactShapes()) {
    for (Surface& surface : map.description.surfaces) surface.padding = 0;
    std::erase_if(map.substitutions, [](const Substitution& s) { return s.kind == SubstitutionKind::padding; });
  }
  return map;
}

/// The first body whose state is not finite; -1: none.
int notFinite(std::span<const BodyState> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].X_WB.allFinite() || !bodies[i].v_WB.allFinite() || !bodies[i].w_WB.allFinite())
      return static_cast<int>(i);
  return -1;
}

bool touches(const ContactForce& contact) { return contact.depth >= 0 || !contact.force.isZero(0); }

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Building

PhysicsStepper::PhysicsStepper(SimulationContext& context, PhysicsEngine& engine, double timeStep)
    : PhysicsStepper(context, engine, timeStep, nullptr) {}

PhysicsStepper::PhysicsStepper(SimulationContext& context, PhysicsEngine& engine, double timeStep,
                               const PhysicsStepper* before)
    : world_(*context.world),
      engine_(engine),
      limits_(engine.capabilities().dynamics ? context.options.actuatorLimits : ActuatorLimits{}),
      map_(mapOf(*context.world, timeStep, engine)),
      signature_(signatureOf(map_.description)),
      gravity_(map_.description.gravity),
      scene_(engine.build(map_.description)),
      state_(world_, map_),
      motors_(world_, map_, limits_),
      onUnstable_(context.options.onUnstable.value_or(context.world->simulation.onUnstable)) {
  const SimulationOptions& options = context.options;
  const PhysicsCapabilities& can = engine.capabilities();
  for (std::size_t r = 0; r < motors_.size(); ++r)
    for (const std::string& text : motors_[static_cast<int>(r)].unsupported())
      map_.substitutions.push_back({SubstitutionKind::motors, world_.robots[r].name, text});
  map_.substitutions.insert(map_.substitutions.end(), engine.substitutions().begin(), engine.substitutions().end());
  std::vector<Substitution> fresh = map_.substitutions;
  if (before != nullptr) std::erase_if(fresh, [&](const Substitution& each) { return before->hasSubstituted(each); });
  if (can.dynamics) {
    strict_ = options.strict;
    context.said.begin(fresh);
  } else {
    context.said.keep(fresh);
  }
  Diagnostics problems;
  motors_.addModels(options.motors, can.dynamics, problems);
  problems.throwIfErrors("the simulation cannot start");
  if (before == nullptr && !can.dynamics && (!options.motors.empty() || options.actuatorLimits != ActuatorLimits{}))
    context.said.add(
        {SubstitutionKind::motors, "",
         "backend '" + engine.name() + "' has no dynamics: models of motors and their limits have no effect"});
  state_.read(*scene_);
  motors_.readTorques(state_.joints());
  stability_ = std::make_unique<KlamptStabilityGuard>(map_.description, state_.bodies());
  watch_ = std::make_unique<EnergyWatch>(map_.description);
  depth_ = std::make_unique<SunkenPairs>(map_.description);
  if (engine.contactSource() == ContactSource::external) {
    layer_ = std::make_unique<BoundaryLayer>(map_.description);
    layer_->update(state_.bodies(), 0, BoundaryLayer::Poses::placed);
  }
  adaptive_ = options.adaptiveTimeStepping.value_or(world_.simulation.adaptiveTimeStepping) && layer_ != nullptr &&
              can.dynamics && !can.errorReductionPerStep && can.restore == PhysicsCapabilities::Restore::bitwise;
}

// ---------------------------------------------------------------------------------------------------------------------
// One step

bool PhysicsStepper::updateDrives(double timeStep, std::string& fault) {
  return guarded("motor", "answer", fault, [&] { motors_.update(state_.robots(), timeStep); }) == ComponentStatus::ok;
}

StepStatus PhysicsStepper::step(const SimulationClock& clock, std::string& fault) {
  gains_.clear();
  sunken_.clear();
  substituted_.clear();
  recorded_.clear();
  StepStatus result = StepStatus::normal;
  const ComponentStatus engine = guarded(engine_.name(), "step", fault, [&] {
    if (!motors_.drives().empty()) scene_->setJointDrives(motors_.drives());
    if (std::exchange(layerStale_, false) && layer_)
      layer_->update(state_.bodies(), clock.tick(), BoundaryLayer::Poses::placed);
    result = stepWithSubdivision(clock, fault);
    state_.read(*scene_);
    motors_.readTorques(state_.joints());
  });
  wrenches_.endStep();
  return engine == ComponentStatus::ok ? result : StepStatus::error;
}

void PhysicsStepper::rememberStep() {
  sceneMemory_.bytes().clear();
  scene_->save(sceneMemory_);
  layer_->remember();
}

void PhysicsStepper::rewindStep() {
  ByteReader in(sceneMemory_.bytes());
  scene_->restore(in);
  layer_->rewind();
  state_.readBodies(*scene_);
}

/// A part that ends with bare surfaces newly inside each other, or with numbers that are not finite, or, by Klamp't's
/// rule, with too much energy, is taken back and made in two halves, each of which is treated alike.
StepStatus PhysicsStepper::stepWithSubdivision(const SimulationClock& clock, std::string& fault) {
  StepStatus result = StepStatus::normal;
  history_.beginStep();
  weightedContacts_.clear();
  const bool scales = onUnstable_ == OnUnstable::scale;
  boundsHit_ = {};
  int takenBack = 0;
  bool dividing = adaptive_;  // Until a part that cannot be divided any more goes wrong.
  for (int at = 0, part = kFullStep; at < kFullStep;) {
    const double h = clock.stepSize() * part / kFullStep;
    if (adaptive_) rememberStep();
    if (!scales) watch_->begin(state_.bodies(), state_.joints());
    wrenches_.apply(*scene_, state_.bodies());
    if (layer_)
      depth_->begin(layer_->contacts());
    else
      depth_->begin(scene_->contacts());
    if (layer_) scene_->setContacts(layer_->contacts());
    scene_->step(h);
    state_.readBodies(*scene_);
    const int bad = notFinite(state_.bodies());
    std::span<const KlamptStabilityGuard::Unstable> unstable;
    if (scales && bad < 0) unstable = stability_->check(state_.bodies());
    if (bad < 0 && layer_) layer_->update(state_.bodies(), clock.tick());
    const bool wrong = bad >= 0 || !unstable.empty() || (layer_ && layer_->crossesAnew());
    if (dividing && part > 1 && wrong && takenBack == kMaxRetries) {
      boundsHit_.set(static_cast<std::size_t>(StepBound::halvings));
      dividing = false;
    }
    if (dividing && part > 1 && wrong) {
      ++takenBack;
      rewindStep();
      if (scales && bad < 0) stability_->undo();
      part /= 2;
      result = std::max(result, StepStatus::adaptive);
      continue;
    }
    if (bad >= 0) {
      fault = "'" + map_.description.bodies[bad].name +
              "' has a pose or velocity that is not a finite number at t = " + formatReal(clock.time()) + " s";
      if (adaptive_) rewindStep();
      return StepStatus::error;
    }
    if (!scales && !watchEnergy(h)) {
      result = std::max(result, StepStatus::unstable);
      if (onUnstable_ == OnUnstable::stop) {
        const EnergyGain& gain = gains_.back();
        fault = gainText(map_.description.bodies[gain.body].name, gain, clock.time() + clock.stepSize());
        collectContacts(h, clock.stepSize());
        return StepStatus::error;
      }
    }
    watchDepth();
    if (!sunken_.empty()) result = std::max(result, StepStatus::contactUnreliable);
    if (!unstable.empty()) {
      result = std::max(result, StepStatus::unstable);
      for (const KlamptStabilityGuard::Unstable& group : unstable) slowDown(group);
      state_.readBodies(*scene_);
      dividing = false;
    } else if (layer_ && engine_.capabilities().dynamics && layer_->crossesAnew()) {
      result = std::max(result, StepStatus::contactUnreliable);  // Without dynamics, commands may lead through things.
    }
    collectContacts(h, clock.stepSize());
    collectBounds();
    if (!noteSubstitutions()) {
      fault = "strict: '" + substituted_.front().subject + "': " + substituted_.front().text +
              ", at t = " + formatReal(clock.time()) + " s";
      return StepStatus::error;
    }
    at += part;
    while (part < kFullStep && at % (2 * part) == 0 && at + 2 * part <= kFullStep) part *= 2;
  }
  return result;
}

/// After a part of `h` seconds. Whether nothing gained energy from nowhere.
bool PhysicsStepper::watchEnergy(double h) {
  if (!engine_.capabilities().dynamics) return true;
  state_.readJoints(*scene_);
  const std::span<const EnergyGain> found = watch_->check({h, state_.bodies(), state_.joints(), scene_->contacts(),
                                                           wrenches_.applied(), wrenches_.appliedBodies(), gravity_});
  gains_.insert(gains_.end(), found.begin(), found.end());
  return found.empty();
}

/// After a part of a step. Engines that find contacts themselves report those of its beginning, which right after
/// bodies were placed say nothing of the step.
void PhysicsStepper::watchDepth() {
  const bool placed = std::exchange(placed_, false);
  if (!engine_.capabilities().dynamics || (placed && !layer_)) return;
  const std::span<const SunkenPair> found = layer_ ? depth_->end(layer_->contacts()) : depth_->end(scene_->contacts());
  sunken_.insert(sunken_.end(), found.begin(), found.end());
}

void PhysicsStepper::collectBounds() {
  const StepBounds engine = scene_->boundsHit();
  if (engine.sweeps) boundsHit_.set(static_cast<std::size_t>(StepBound::sweeps));
  if (engine.directSolve) boundsHit_.set(static_cast<std::size_t>(StepBound::directSolve));
  if (engine.contacts) boundsHit_.set(static_cast<std::size_t>(StepBound::contacts));
}

/// After a part of a step. Of each body the record has the first time; what the first such step substituted is told.
/// False: `strict` refuses it.
bool PhysicsStepper::noteSubstitutions() {
  const auto isMotion = [](const Substitution& each) { return each.kind == SubstitutionKind::motion; };
  std::vector<Substitution>& all = map_.substitutions;
  const bool first = !substituted_.empty() || std::none_of(all.begin(), all.end(), isMotion);
  for (const StepSubstitution& each : scene_->substitutions()) {
    const std::string& name = map_.description.bodies.at(each.body).name;
    if (std::any_of(all.begin(), all.end(), [&](const Substitution& s) { return isMotion(s) && s.subject == name; }))
      continue;
    all.push_back({SubstitutionKind::motion, name, each.text});
    recorded_.push_back(all.back());
    if (first) substituted_.push_back(all.back());
  }
  return !strict_ || substituted_.empty();
}

void PhysicsStepper::collectTouching() {
  contacts_.clear();
  for (const ContactForce& contact : scene_->contacts())
    if (touches(contact)) contacts_.push_back(contact);
}

/// Collects the contacts of a part of `h` seconds.
void PhysicsStepper::collectContacts(double h, double timeStep) {
  collectTouching();
  crossing_.clear();
  if (layer_)
    for (const ContactPairReport& pair : layer_->pairs())
      if (pair.crossing) crossing_.emplace_back(pair.a, pair.b);
  history_.add(contacts_, crossing_, h);
  const double fraction = h / timeStep;
  for (const ContactForce& contact : contacts_) {
    weightedContacts_.push_back(contact);
    weightedContacts_.back().force *= fraction;
  }
}

/// Slows an object or a robot down, all its bodies alike.
void PhysicsStepper::slowDown(const KlamptStabilityGuard::Unstable& found) {
  gains_.push_back({found.body, found.energy, "scaled down by Klamp't's rule"});
  const int robot = map_.description.bodies[found.body].robot;
  const auto slowBody = [&](int body) {
    BodyState state = state_.bodies()[body];
    state.v_WB *= found.factor;
    state.w_WB *= found.factor;
    scene_->setBodyState(body, state);
  };
  if (robot < 0) {
    slowBody(found.body);
  } else {
    const RobotScene& place = map_.robots[robot];
    if (place.floatingBody >= 0) slowBody(place.floatingBody);
    state_.readJoints(*scene_);
    for (const RobotScene::LinkPlace& link : place.links)
      if (link.joint >= 0) {
        const JointState& joint = state_.joints()[link.joint];
        scene_->setJointState(link.joint, joint.position, found.factor * joint.velocity);
      }
  }
  stability_->slowed(found);
}

// ---------------------------------------------------------------------------------------------------------------------
// What can be read

PhysicsStepper::Body PhysicsStepper::bodyOfId(int id) const {
  const World::Entity entity = world_.entity(id);
  switch (entity.kind) {
    case World::Kind::terrain:
      return {map_.terrainBodies[entity.index], {}};
    case World::Kind::object:
      return {map_.objectBodies[entity.index], {}};
    case World::Kind::link: {
      const RobotScene::LinkPlace& link = map_.robots[entity.index].links[entity.link];
      return {link.body, link.X_BL};
    }
    case World::Kind::robot:
      break;
  }
  const int base = map_.robots[entity.index].floatingBody;
  if (base < 0)
    throw Error("robot '" + world_.robots[entity.index].name + "' has no floating base", {}, "name one of its links");
  return {base, {}};
}

IdRange PhysicsStepper::rangeOfId(int id) const {
  const World::Entity entity = world_.entity(id);
  if (entity.kind != World::Kind::robot) return {id, 1};
  return {id, 1 + world_.robots[entity.index].robot->numLinks()};
}

ContactSummary PhysicsStepper::contactSummary(int idA, int idB) const {
  const IdRange a = rangeOfId(idA), b = idB < 0 ? IdRange{} : rangeOfId(idB);
  ContactSummary summary = history_.summary(a, b);
  if (world_.entity(idA).kind != World::Kind::robot) {
    const Body body = bodyOfId(idA);
    summary.origin = (state_.bodies()[body.index].X_WB * body.X_BE).p;
  }
  summary.torque -= summary.origin.cross(summary.force);
  summary.meanTorque -= summary.origin.cross(summary.meanForce);
  return summary;
}

std::vector<JointState> PhysicsStepper::worldJointStates() const {
  std::vector<JointState> states(map_.description.constraints.size());
  scene_->readConstraints(states);
  return states;
}

void PhysicsStepper::describe(Value& settings) const {
  if (!engine_.capabilities().dynamics) settings.set("dynamics", false);
  settings.set("contacts", layer_ ? "boundary_layer" : "engine");
  if (engine_.exactShapes()) settings.set("padding", "none");
  settings.set("adaptiveTimeStepping", adaptive_);
  settings.set("onUnstable", onUnstableText(onUnstable_));
  settings.set("actuatorLimits", actuatorLimitsText(limits_));
  if (motors_.hasModels()) settings.set("motors", motors_.describeModels());
  settings.set("engine", scene_->effectiveSettings());
}

// ---------------------------------------------------------------------------------------------------------------------
// Changes between steps

void PhysicsStepper::movedByHand() {
  state_.read(*scene_);
  motors_.readTorques(state_.joints());
  stability_->startFrom(state_.bodies());
  layerStale_ = true;
  placed_ = true;
}

void PhysicsStepper::setGravity(const Vector3d& gravity) {
  gravity_ = gravity;
  scene_->setGravity(gravity);
}

void PhysicsStepper::applyWrench(int id, const Vector3d& force, const Vector3d& torque, const Vector3d& point,
                                 ExternalWrenches::Lasts lasts) {
  const int body = bodyOfId(id).index;
  if (!force.allFinite() || !torque.allFinite() || !point.allFinite())
    throw Error("the force, torque or point given for '" + world_.nameOf(id) + "' is not finite");
  wrenches_.add(body, id, force, torque, state_.bodies()[body].X_WB.inverse() * point, lasts);
}

void PhysicsStepper::setObjectState(int object, const BodyState& state) {
  scene_->setBodyState(map_.objectBodies[object], state);
  movedByHand();
}

void PhysicsStepper::setRobotState(int robot, const VectorXd& q, const VectorXd& dq) {
  const Robot& model = *world_.robots[robot].robot;
  const RobotScene& place = map_.robots[robot];
  RobotState state(model);
  state.q = q;
  state.dq = dq;
  updateFrames(model, state);
  if (place.floatingBody >= 0) {
    std::vector<Vector3d> v(model.numLinks()), w(model.numLinks());
    linkVelocities(model, state, v, w);
    const int base = model.floatingBaseLink();
    scene_->setBodyState(place.floatingBody, {state.X_WL[base], v[base], w[base]});
  }
  for (int i = 0; i < model.numLinks(); ++i) {
    const RobotScene::LinkPlace& at = place.links[i];
    if (at.joint >= 0) scene_->setJointState(at.joint, q[i] * at.axisScale, dq[i] * at.axisScale);
  }
  state_.setCoordinates(robot, q, dq);
  movedByHand();
}

void PhysicsStepper::setDynamics(int object, bool on) {
  setByHand_ = true;
  scene_->setBodyMotion(map_.objectBodies[object], on ? BodyMotion::dynamic : BodyMotion::kinematic);
  watch_->setKinematic(map_.objectBodies[object], !on);
}

void PhysicsStepper::setCollision(int idA, int idB, bool on) {
  setByHand_ = true;
  const IdRange a = rangeOfId(idA), b = idB < 0 ? IdRange{} : rangeOfId(idB);
  const auto change = [&](int i, int j) {
    if (layer_)
      layer_->setCollision(i, j, on);
    else
      scene_->setCollision(i, j, on);
  };
  for (int i = a.first; i < a.first + a.count; ++i) {
    if (idB < 0) change(i, -1);
    for (int j = b.first; j < b.first + b.count; ++j)
      if (i != j) change(i, j);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Snapshots

void PhysicsStepper::saveRobots(ByteWriter& out) const {
  state_.saveRobots(out);
  motors_.save(out);
  // Their energies are kept up to date for `scale` alone.
  if (onUnstable_ != OnUnstable::scale) stability_->startFrom(state_.bodies());
  stability_->save(out);
  watch_->save(out);
}

void PhysicsStepper::restoreRobots(ByteReader& in) {
  state_.restoreRobots(in);
  motors_.restore(in);
  stability_->restore(in);
  watch_->restore(in);
}

void PhysicsStepper::saveScene(ByteWriter& out) const {
  wrenches_.save(out);
  out.put(layerStale_);
  if (layer_) layer_->save(out);
  scene_->save(out);
  motors_.saveModels(out, RobotMotors::ModelState::now);
}

void PhysicsStepper::restoreScene(ByteReader& in) {
  wrenches_.restore(in, state_.bodies().size(), world_.numIds());
  layerStale_ = getFlag(in);
  if (layer_) layer_->restore(in);
  scene_->restore(in);
  motors_.restoreModels(in);
  state_.readScene(*scene_);
}

void PhysicsStepper::requireSound() const {
  state_.requireSound();
  wrenches_.requireSound();
}

void PhysicsStepper::clearHistory() {
  history_.begin();
  weightedContacts_.clear();
  wrenches_.clearApplied();
  collectTouching();
}

}  // namespace mortise
