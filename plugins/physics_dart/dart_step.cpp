#include <algorithm>
#include <cmath>

#include "dart_scene.h"
#include "mortise/base/error.h"

namespace mortise::dart {

namespace {

/// Speeds beyond this, in m/s or rad/s, are those of a simulation that came apart. DART's assertions would end the
/// process some steps later.
constexpr double kFastest = 1e8;
/// Times that a step is made again in which drives may leave a limit.
constexpr int kReleasingPasses = 8;
/// Slower than this, m/s, a contact has no direction of sliding.
constexpr double kMinSlip = 1e-9;

Vector3d velocityAt(const BodyState& state, const Vector3d& point) {
  return state.v_WB + state.w_WB.cross(point - state.X_WB.p);
}

}  // namespace

void DartScene::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("a step must be positive and finite, not " + std::to_string(dt));
  const ParametersInForce parameters(parameters_);
  if (world_->getTimeStep() != dt) world_->setTimeStep(dt);
  solver_->clearConstraints();
  for (const Loop& loop : loops_) {
    if (loop.weld != nullptr) solver_->add(loop.weld);
    for (const auto& ball : loop.balls) solver_->add(ball);
  }
  bounds_ = {};
  applyWrenches();
  prepareKinematic(dt);
  addContacts(dt);
  solveStep(dt);
  ++steps_;
  solver_->clearConstraints();
  moveKinematic(dt);
  finishStep(dt);
  requireBounded();
}

void DartScene::applyWrenches() {
  for (Body& body : bodies_) {
    if (body.force.isZero(0) && body.torque.isZero(0)) continue;
    body.node->addExtForce(body.force, Vector3d::Zero(), false, true);
    body.node->addExtTorque(body.torque, false);
    body.force.setZero();
    body.torque.setZero();
  }
}

void DartScene::prepareKinematic(double dt) {
  for (Body& body : bodies_) {
    if (body.motion != BodyMotion::kinematic) continue;
    const Matrix3d R = body.node->getWorldTransform().linear();
    Eigen::Matrix<double, 6, 1> velocity;
    velocity << R.transpose() * body.w_W, R.transpose() * (body.v_W + body.w_W.cross(R * body.com));
    body.free->setCommands(velocity);
  }
}

/// The pose that follows from the velocity of the body's origin, which DART's step, at the center of mass, only comes
/// near.
void DartScene::moveKinematic(double dt) {
  for (Body& body : bodies_) {
    if (body.motion != BodyMotion::kinematic) continue;
    BodyState next{body.X_W, body.v_W, body.w_W};
    next.X_WB.p += dt * body.v_W;
    if (!body.w_W.isZero(0)) next.X_WB.R = orthonormalized(rotationFromMoment(dt * body.w_W) * next.X_WB.R);
    placeFree(body, next);
  }
}

/// DART's step, with drives as springs or, at a limit of their effort, as constant forces. Which of them are at a limit
/// depends on the velocities at the end of the step; where they turn out to be others than those of the last step, the
/// step is made again, until each drive ends on the piece of its law that it was taken to be on. No step stands in
/// which an effort is beyond its limit.
void DartScene::solveStep(double dt) {
  const bool limited = std::any_of(axes_.begin(), axes_.end(), [](const auto& axis) { return axis->limited(); });
  if (limited) rememberState();
  for (std::size_t pass = 0;; ++pass) {
    for (const auto& axis : axes_) axis->prepare(dt);
    world_->step(false);
    // The last passes only hold drives to their limits, so there are no more than drives.
    if (!limited || !followDrives(dt, pass < kReleasingPasses)) break;
    if (pass == kReleasingPasses) {
      ++unsettled_;
      bounds_.sweeps = true;
    }
    ++repeated_;
    rewindState();
  }
  for (const dyn::SkeletonPtr& skeleton : skeletons_) {
    skeleton->clearInternalForces();
    skeleton->clearExternalForces();
    skeleton->resetCommands();
  }
}

bool DartScene::followDrives(double dt, bool release) {
  bool changed = false;
  for (const auto& axis : axes_) changed = axis->follow(dt, release) || changed;
  return changed;
}

void DartScene::rememberState() {
  memory_.positions.resize(skeletons_.size());
  memory_.velocities.resize(skeletons_.size());
  for (std::size_t s = 0; s < skeletons_.size(); ++s) {
    memory_.positions[s] = skeletons_[s]->getPositions();
    memory_.velocities[s] = skeletons_[s]->getVelocities();
  }
  memory_.impulses.clear();
  for (const Loop& loop : loops_) {
    if (loop.weld != nullptr) memory_.impulses.push_back(loop.weld->impulses);
    for (const auto& ball : loop.balls) memory_.impulses.push_back(ball->impulses);
  }
}

void DartScene::rewindState() {
  for (std::size_t s = 0; s < skeletons_.size(); ++s) {
    skeletons_[s]->setPositions(memory_.positions[s]);
    skeletons_[s]->setVelocities(memory_.velocities[s]);
  }
  auto impulses = memory_.impulses.begin();
  for (Loop& loop : loops_) {
    if (loop.weld != nullptr) loop.weld->impulses = *impulses++;
    for (const auto& ball : loop.balls) ball->impulses = *impulses++;
  }
}

void DartScene::addContacts(double dt) {
  if (ownContacts_ != nullptr) bounds_.contacts = !ownContacts_->find(pending_);
  engineContacts_.resize(pending_.size());  // Constraints refer to its elements.
  engineContactOf_.assign(pending_.size(), -1);
  int next = 0;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const SceneContact& from = pending_[i];
    Body &a = bodies_[from.bodyA], &b = bodies_[from.bodyB];
    // DART leaves alone what does not penetrate.
    if (from.gap > 0 || (a.motion != BodyMotion::dynamic && b.motion != BodyMotion::dynamic)) continue;
    Vector3d slip = Vector3d::Zero();
    if (settings_.frictionDirection == DartSettings::FrictionDirection::sliding) {
      slip = velocityAt(stateOf(from.bodyA), from.point) - velocityAt(stateOf(from.bodyB), from.point);
      slip -= slip.dot(from.normal) * from.normal;
      const double speed = slip.norm();
      slip = speed > kMinSlip ? Vector3d(slip / speed) : Vector3d::Zero();
    }
    col::Contact& contact = engineContacts_[next];
    contact = col::Contact();
    contact.point = from.point;
    contact.normal = from.normal;
    contact.force.setZero();
    contact.penetrationDepth = -from.gap;
    contact.collisionObject1 = a.surface->first(from.material, slip);
    contact.collisionObject2 = b.surface->second();
    solver_->add(std::make_shared<Contact>(contact, dt));
    engineContactOf_[i] = next++;
  }
}

void DartScene::finishStep(double dt) {
  for (const auto& axis : axes_) {
    axis->finish(dt);
    if (axis->saturated()) ++saturated_;
  }
  for (Loop& loop : loops_)
    if (!loop.balls.empty()) loop.angle = angleOf(loop);
  forces_.clear();
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const SceneContact& from = pending_[i];
    ContactForce seen;
    seen.key = from.key;
    seen.idA = from.idA;
    seen.idB = from.idB;
    seen.bodyA = from.bodyA;
    seen.bodyB = from.bodyB;
    seen.point = from.point;
    seen.normal = from.normal;
    seen.depth = -from.gap;
    if (engineContactOf_[i] >= 0) seen.force = engineContacts_[engineContactOf_[i]].force;
    forces_.push_back(seen);
  }
  pending_.clear();
}

void DartScene::requireBounded() const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].weld != nullptr) continue;
    const Eigen::Matrix<double, 6, 1> v = bodies_[b].node->getSpatialVelocity();
    // Also false for numbers that are not numbers.
    if (v.cwiseAbs().maxCoeff() < kFastest && bodies_[b].node->getWorldTransform().matrix().allFinite()) continue;
    throw Error("the simulation came apart: body '" + description_.bodies[b].name + "' is faster than 1e8 m/s or rad/s",
                {}, "use a shorter step, lower gains, or another backend");
  }
}

}  // namespace mortise::dart
