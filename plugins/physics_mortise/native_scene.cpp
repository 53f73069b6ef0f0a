#include "native_scene.h"

#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::native {

namespace {

/// Beyond these speeds, in m/s or rad/s, rounding is all that is left of the inertia.
constexpr double kFastest = 1e10;

const SceneDescription& checked(const SceneDescription& description) {
  if (description.contactSource != ContactSource::external)
    throw Error("the backend 'mortise' takes contacts from the common generator only", {},
                "use contacts: boundary_layer, or a backend that detects collisions itself, such as bullet");
  return withCheckedIndices(description);
}

RigidTransform cleaned(const RigidTransform& X) { return {orthonormalized(X.R), X.p}; }

}  // namespace

NativeScene::NativeScene(const SceneDescription& description, const NativeSettings& settings)
    : description_(checked(description)),
      settings_(settings),
      gravity_(description.gravity),
      frames_(massFrames(description_)),
      contacts_(description_, settings_) {
  const std::size_t numBodies = description_.bodies.size();
  for (const SceneBody& body : description_.bodies) motions_.push_back(body.motion);
  freeBodies_.resize(numBodies);
  freeMovers_.assign(numBodies, -1);
  ends_.resize(numBodies);
  held_.resize(numBodies);
  places_.resize(description_.joints.size());
  for (const rigid::TreePlan& plan : rigid::planTrees(description_)) addTree(plan);
  for (const SceneJoint& joint : description_.joints) {
    held_[joint.child] = true;
    if (joint.parent >= 0 && description_.bodies[joint.parent].motion == BodyMotion::dynamic)
      held_[joint.parent] = true;
  }
  constrained_.resize(numBodies);
  for (const SceneConstraint& constraint : description_.constraints)
    for (const int body : {constraint.a, constraint.b})
      if (body >= 0) constrained_[body] = true;
  for (std::size_t i = 0; i < numBodies; ++i)
    if (ends_[i].articulation == nullptr) addFreeBody(static_cast<int>(i));
  joints_ = std::make_unique<rigid::JointsBetweenBodies>(description_, ends_);
}

void NativeScene::addTree(const rigid::TreePlan& plan) {
  trees_.push_back(std::make_unique<rigid::ArticulatedBody>(description_, plan, frames_));
  rigid::ArticulatedBody& tree = *trees_.back();
  const int mover = solver_.addMover(tree);
  if (!tree.fixedBase()) ends_[plan.base] = {nullptr, &tree, -1, mover};
  for (int i = 0; i < tree.numLinks(); ++i) {
    ends_[tree.linkBody(i)] = {nullptr, &tree, i, mover};
    places_[tree.linkJoint(i)] = {&tree, i};
  }
}

void NativeScene::addFreeBody(int index) {
  const SceneBody& from = description_.bodies[index];
  const MassFrame& frame = frames_[index];
  rigid::FreeBody& body = freeBodies_[index];
  const RigidTransform X_WB = cleaned(from.X_WB);
  body.setMass(frame.mass, frame.moments);
  body.X_WC = X_WB * frame.X_BC;
  ends_[index].rigid = &body;
  freeIndices_.push_back(index);
  if (from.motion == BodyMotion::fixed) return;
  body.v = from.v_WB + from.w_WB.cross(X_WB.R * frame.X_BC.p);
  body.w = from.w_WB;
  if (frame.mass > 0) freeMovers_[index] = solver_.addMover(body);
  ends_[index].mover = from.motion == BodyMotion::dynamic ? freeMovers_[index] : -1;
}

int NativeScene::checkedBody(int body) const {
  if (body < 0 || body >= static_cast<int>(description_.bodies.size()))
    throw Error("there is no body " + std::to_string(body) + "; the scene has " +
                std::to_string(description_.bodies.size()));
  return body;
}

void NativeScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != places_.size())
    throw Error("the scene has " + std::to_string(places_.size()) + " joints but got " + std::to_string(drives.size()) +
                " drives");
  for (std::size_t i = 0; i < drives.size(); ++i) places_[i].tree->setDrive(places_[i].link, drives[i]);
}

void NativeScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  if (motions_[checkedBody(body)] == BodyMotion::dynamic) wrenches_.push_back({body, force, torque, point});
}

void NativeScene::applyForce(const Wrench& wrench) {
  const rigid::SolverBody& end = ends_[wrench.body];
  if (end.rigid != nullptr) {
    end.rigid->force += wrench.force;
    end.rigid->torque += wrench.torque + (wrench.point - end.rigid->X_WC.p).cross(wrench.force);
    return;
  }
  const Vector3d arm = wrench.point - end.articulation->pose(end.link).p;
  end.articulation->addForce(end.link, wrench.force, wrench.torque + arm.cross(wrench.force));
}

void NativeScene::setBodyState(int body, const BodyState& state) {
  const rigid::SolverBody& end = ends_[checkedBody(body)];
  const RigidTransform X_WC = cleaned(state.X_WB) * frames_[body].X_BC;
  const Vector3d v_WC = state.v_WB + state.w_WB.cross(X_WC.p - state.X_WB.p);
  if (end.articulation != nullptr) {
    if (end.link >= 0)
      throw Error("body '" + description_.bodies[body].name + "' hangs on a joint and cannot be placed freely", {},
                  "set the state of its joint");
    end.articulation->setBase(X_WC, v_WC, state.w_WB);
    end.articulation->update();
    return;
  }
  end.rigid->X_WC = X_WC;
  if (motions_[body] != BodyMotion::fixed) {
    end.rigid->v = v_WC;
    end.rigid->w = state.w_WB;
  }
  moveBases();
}

void NativeScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(places_.size())) throw Error("there is no joint " + std::to_string(joint));
  places_[joint].tree->setJoint(places_[joint].link, position, velocity);
  places_[joint].tree->update();
}

void NativeScene::setBodyMotion(int body, BodyMotion motion) {
  const std::string name = "body '" + description_.bodies[checkedBody(body)].name + "'";
  if (held_[body]) throw Error(name + " is held by a joint, so how it moves cannot change");
  if (motions_[body] == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error(name + " cannot change between fixed and moving", {}, "use kinematic with velocity 0");
  setMotion(body, motion);
}

void NativeScene::setMotion(int body, BodyMotion motion) {
  if (motions_[body] == motion) return;
  if (motion == BodyMotion::dynamic && !(frames_[body].mass > 0))
    throw Error("body '" + description_.bodies[body].name + "' has no usable mass or inertia", {},
                "give it a positive mass and a positive definite inertia");
  motions_[body] = motion;
  ends_[body].mover = motion == BodyMotion::dynamic ? freeMovers_[body] : -1;
}

void NativeScene::setCollision(int, int, bool) {
  throw Error("the backend 'mortise' detects no collisions of its own, so there are none to switch");
}

void NativeScene::moveBases() {
  for (const auto& tree : trees_) {
    const int base = tree->plan().base;
    if (!tree->fixedBase() || base < 0 || ends_[base].rigid == nullptr) continue;
    tree->setBase(ends_[base].rigid->X_WC, ends_[base].rigid->v, ends_[base].rigid->w);
    tree->update();
  }
}

void NativeScene::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("a time step must be positive and finite");
  for (const Wrench& wrench : wrenches_) applyForce(wrench);
  wrenches_.clear();
  solver_.begin();
  restrained_ = constrained_;
  contacts_.markBodies(restrained_);
  substitutions_.clear();
  for (const auto& tree : trees_) {
    tree->beginStep(gravity_, dt, *settings_.erp, settings_.maxCorrectionSpeed);
    if (tree->corrected()) noteCorrection(*tree);
  }
  for (const int i : freeIndices_) {
    if (ends_[i].mover < 0) {
      freeBodies_[i].turning.setZero();
      continue;
    }
    rigid::FreeBody& body = freeBodies_[i];
    const Vector3d gyroscopic = restrained_[i] ? body.heldGyroscopicChange(dt) : body.freeGyroscopicChange(dt);
    solver_.setFree(freeMovers_[i], body.v + dt * (gravity_ + body.inverseMass * body.force),
                    body.w + dt * body.angularAcceleration() + gyroscopic);
  }
  joints_->addTo(solver_, dt, *settings_.erp, settings_.maxCorrectionSpeed);
  contacts_.addTo(solver_, ends_, dt);
  solver_.solve({settings_.iterations, settings_.tolerance});
  joints_->finish(solver_, dt);
  contacts_.finish(solver_, dt);
  for (const int i : freeIndices_) {
    freeBodies_[i].force = freeBodies_[i].torque = Vector3d::Zero();
    if (motions_[i] != BodyMotion::fixed) freeBodies_[i].integrate(dt);
  }
  moveBases();
  for (const auto& tree : trees_) {
    tree->integrate(dt);
    requireBounded(*tree);
  }
}

void NativeScene::noteCorrection(const rigid::ArticulatedBody& tree) {
  int fastest = 0;
  for (int link = 1; link < tree.numLinks(); ++link)
    if (tree.angularVelocity(link).squaredNorm() > tree.angularVelocity(fastest).squaredNorm()) fastest = link;
  substitutions_.push_back({tree.linkBody(fastest),
                            "it turns farther in a step than the engine can follow, and the rates of its robot's "
                            "joints are brought to the energy that drives, gravity and contacts left them; the motion "
                            "is wrong unless steps are shorter"});
}

void NativeScene::requireBounded(const rigid::ArticulatedBody& tree) const {
  for (int link = tree.fixedBase() ? 0 : -1; link < tree.numLinks(); ++link) {
    // Also false for numbers that are not numbers.
    if (tree.linearVelocity(link).squaredNorm() < kFastest * kFastest &&
        tree.angularVelocity(link).squaredNorm() < kFastest * kFastest)
      continue;
    const int body = link < 0 ? tree.plan().base : tree.linkBody(link);
    throw Error(
        "the simulation came apart: body '" + description_.bodies[body].name + "' is faster than 1e10 m/s or rad/s", {},
        "use a shorter step or lower gains, or bound the drives' efforts");
  }
}

BodyState NativeScene::bodyState(int body) const {
  const rigid::SolverBody& end = ends_[body];
  const RigidTransform& X_BC = frames_[body].X_BC;
  const bool inTree = end.articulation != nullptr;
  const RigidTransform& X_WC = inTree ? end.articulation->pose(end.link) : end.rigid->X_WC;
  BodyState state;
  state.w_WB = inTree ? end.articulation->angularVelocity(end.link) : end.rigid->w;
  state.X_WB.R = X_WC.R * X_BC.R.transpose();
  state.X_WB.p = X_WC.p - state.X_WB.R * X_BC.p;
  state.v_WB =
      (inTree ? end.articulation->linearVelocity(end.link) : end.rigid->v) + state.w_WB.cross(state.X_WB.p - X_WC.p);
  return state;
}

void NativeScene::readBodies(std::span<BodyState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = bodyState(static_cast<int>(i));
}

void NativeScene::readJoints(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& [tree, link] = places_[i];
    out[i] = {tree->position(link), tree->velocity(link), tree->effort(link), tree->stop(link)};
  }
}

StepBounds NativeScene::boundsHit() const {
  return {.sweeps = solver_.ranOutOfSweeps(), .directSolve = solver_.gaveUpNewton(), .contacts = false};
}

Value NativeScene::effectiveSettings() const {
  Value out = Value::map();
  out.set("engine", "Mortise, double precision");
  out.set("articulation", "reduced");
  out.set("solver", "Newton's method, then projected Gauss-Seidel, by islands, friction cone");
  out.set("contacts", "external");
  out.set("restore", "bitwise");
  out.set("iterations", settings_.iterations);
  out.set("tolerance", settings_.tolerance);
  out.set("erp", *settings_.erp);
  out.set("contact_erp", *settings_.contactErp);
  out.set("cfm", *settings_.cfm);
  out.set("warm_start", settings_.warmStart);
  out.set("bounce_speed", settings_.bounceSpeed);
  out.set("max_correction_speed", settings_.maxCorrectionSpeed);
  const rigid::RowSolver::Statistics& counts = solver_.statistics();
  out.set("steps", static_cast<std::int64_t>(counts.steps));
  out.set("sweeps", static_cast<std::int64_t>(counts.sweeps));
  out.set("unsettled_islands", static_cast<std::int64_t>(counts.unsettled));
  out.set("relinearized_drives", static_cast<std::int64_t>(counts.relinearized));
  out.set("newton_passes", static_cast<std::int64_t>(counts.newtonPasses));
  out.set("newton_failures", static_cast<std::int64_t>(counts.newtonFailed));
  out.set("newton_pauses", static_cast<std::int64_t>(counts.newtonPaused));
  out.set("lessened_bounces", static_cast<std::int64_t>(counts.lessenedBounces));
  return out;
}

}  // namespace mortise::native
