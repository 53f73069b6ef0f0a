#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "contact_friction.h"
#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "ode_convert.h"
#include "ode_scene.h"

// The solver "direct": joints and drives by elimination along their trees, contacts by iteration on what is left. It
// finds the velocities at the end of the step; ODE gets them as forces and moves its bodies, with its joints switched
// off.

namespace mortise::ode {

namespace {

// Rounds until the pieces of drives, friction and stops fit the velocities, first alone, then with the contacts.
constexpr int kRounds = 12;
constexpr int kContactRounds = 5;
// Slipping contacts are done when a pass changes no speed by more than this.
constexpr double kContactTolerance = 1e-6;  // m/s
// Contacts of a free body give way by at least this, over its mass, for each N, so that mixing and inverse masses stay
// within the range of numbers. Below a gram that is more than the mixing of others, and still nothing against the
// body's weight.
constexpr double kLeastMassMixing = 1e-11;  // m/s kg / N

/// Momentum that a free body spins on with: (I - h L x) w = L is Euler's equation with w of the end of the step, as ODE
/// has it in its gyroscopic mode.
Vector3d freeSpin(const Matrix3d& inertia, const Vector3d& momentum, double h) {
  const Matrix3d system = inertia - h * crossMatrix(momentum);
  return inertia * (system.inverse() * momentum);
}

}  // namespace

/// Whether the scene's joints make trees; if so, prepares for them.
bool OdeScene::buildForest() {
  std::vector<bool> mobile;
  for (const Body& body : bodies_)
    mobile.push_back(body.motion == BodyMotion::dynamic ||
                     (body.motion == BodyMotion::kinematic && body.hasInertia && !body.jointed));
  std::vector<ArticulatedForest::Edge> edges;
  for (const SceneJoint& joint : description_.joints) edges.push_back({joint.parent, joint.child});
  for (const auto& [a, b] : constraintBodies_) edges.push_back({b, a});
  for (const Weld& weld : welds_) edges.push_back({weld.b, weld.a});
  if (!forest_.build(mobile, edges)) return false;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].motion == BodyMotion::kinematic) forest_.setActive(static_cast<int>(i), false);
  return true;
}

/// ODE's joints would act a second time, and so would its gyroscopic torques.
void OdeScene::switchOdeJointsOff() {
  for (OdeJoint& joint : joints_) joint.switchOff();
  for (OdeJoint& joint : constraintJoints_) joint.switchOff();
  for (const Weld& weld : welds_) dJointDisable(weld.joint);
  for (const Body& body : bodies_)
    if (body.body != nullptr) dBodySetGyroscopicMode(body.body, 0);
}

void OdeScene::prepareForest(double h) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const int index = static_cast<int>(i);
    if (body.body == nullptr) continue;
    const Vector3d com = vectorFrom(dBodyGetPosition(body.body));
    const Vector3d w = vectorFrom(dBodyGetAngularVel(body.body)), v = vectorFrom(dBodyGetLinearVel(body.body));
    if (body.motion == BodyMotion::kinematic) {
      forest_.setBoundary(index, com, w, v);
      continue;
    }
    const Matrix3d R = rotationFrom(dBodyGetRotation(body.body));
    const Matrix3d inertia = R * body.inertia * R.transpose();
    const Vector3d force = vectorFrom(dBodyGetForce(body.body)), torque = vectorFrom(dBodyGetTorque(body.body));
    forest_.setBody(index, com, body.mass, inertia, freeSpin(inertia, inertia * w, h) + h * torque,
                    body.mass * (v + h * gravity_) + h * force);
  }
  int edge = 0;
  for (const auto* joints : {&joints_, &constraintJoints_})
    for (const OdeJoint& joint : *joints) {
      forest_.setJoint(edge, joint.now(h, errorReduction_));
      joint.setLaw(h, errorReduction_, forest_.law(edge));
      ++edge;
    }
  for (const Weld& weld : welds_) forest_.setJoint(edge++, weld.now(h, errorReduction_));
  forest_.begin(h);
}

/// Contacts of the step, starting from the forces that they had in the last one.
void OdeScene::prepareImpulses(double h) {
  impulses_.clear();
  impulseOf_.assign(touches_.size(), -1);
  std::size_t pair = 0, next = 0;  // In the contacts of the last step: first of the pair, and where to look first.
  const auto order = [](const auto& a, const auto& b) { return a.idA != b.idA ? a.idA - b.idA : a.idB - b.idB; };
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const SceneContact& touch = touches_[i];
    if (!terms_[i].used || (forest_.treeOf(touch.bodyA) < 0 && forest_.treeOf(touch.bodyB) < 0)) continue;
    impulseOf_[i] = static_cast<int>(impulses_.size());
    ImpulseContact& contact = impulses_.emplace_back();
    contact.bodyA = touch.bodyA;
    contact.bodyB = touch.bodyB;
    contact.point = touch.point;
    contact.directions[0] = touch.normal;
    contact.directions[1] = settings_.klamptFriction() ? touch.normal.unitOrthogonal() : slip_[i];
    contact.directions[2] = touch.normal.cross(contact.directions[1]);
    contact.speed = terms_[i].speed;
    contact.friction = frictionCoefficient(touch.material, settings_.friction);
    double least = 0;
    for (const int side : {1, -1}) {
      const Body& body = bodies_[side > 0 ? touch.bodyA : touch.bodyB];
      if (body.motion == BodyMotion::dynamic && !body.jointed) least = std::max(least, kLeastMassMixing / body.mass);
      if (body.motion != BodyMotion::kinematic) continue;
      const Vector3d arm = touch.point - vectorFrom(dBodyGetPosition(body.body));
      const Vector3d v =
          vectorFrom(dBodyGetLinearVel(body.body)) + vectorFrom(dBodyGetAngularVel(body.body)).cross(arm);
      for (int d = 0; d < 3; ++d) contact.drift[d] += side * v.dot(contact.directions[d]);
    }
    contact.mixing = std::max(least, terms_[i].mixing) / h;
    contact.frictionMixing = std::max(least, frictionMixing(mixing_)) / h;
    // Both lists go up by pairs of ids, and within a pair the order hardly changes.
    while (pair < contacts_.size() && order(contacts_[pair], touch) < 0) next = ++pair;
    std::size_t found = contacts_.size();
    if (next < contacts_.size() && keys_[next] == touch.key) found = next;
    for (std::size_t k = pair; found == contacts_.size() && k < found && order(contacts_[k], touch) == 0; ++k)
      if (keys_[k] == touch.key) found = k;
    if (found == contacts_.size()) continue;
    next = found + 1;
    const Vector3d impulse = h * contacts_[found].force;
    for (int d = 0; d < 3; ++d) contact.impulse[d] = impulse.dot(contact.directions[d]);
    contact.impulse[0] = std::max(0.0, contact.impulse[0]);
    const double size = contact.impulse.tail<2>().norm(), limit = contact.friction * contact.impulse[0];
    if (size > limit) contact.impulse.tail<2>() *= limit / size;
  }
}

void OdeScene::addImpulses(const ImpulseContact& contact, const Vector3d& change) {
  Vector3d force = Vector3d::Zero();
  for (int d = 0; d < 3; ++d) force += change[d] * contact.directions[d];
  for (const int side : {1, -1}) {
    const int body = side > 0 ? contact.bodyA : contact.bodyB;
    if (forest_.treeOf(body) < 0) continue;
    Vector6 impulse;
    impulse << (contact.point - forest_.reference(body)).cross(force), force;
    forest_.addImpulse(body, side * impulse);
  }
}

bool OdeScene::stepDirectly(double h) {
  prepareForest(h);
  prepareImpulses(h);
  for (const ImpulseContact& contact : impulses_) addImpulses(contact, contact.impulse);
  for (int tree = 0; tree < forest_.numTrees(); ++tree)
    for (int round = 0; round < kRounds && forest_.active(tree); ++round) {
      forest_.factor(tree);
      forest_.solve(tree);
      if (round + 1 == kRounds || !forest_.followLaws(tree)) break;  // Laws and factors must fit.
    }
  const ImpulseSettings settings = {settings_.iterations, kContactTolerance, settings_.klamptFriction()};
  for (int round = 0; round < kContactRounds && !impulses_.empty(); ++round) {
    applied_.clear();
    for (const ImpulseContact& contact : impulses_) applied_.push_back(contact.impulse);
    impulseSolver_.prepare(forest_, impulses_);
    impulseSolver_.solve(forest_, impulses_, settings);
    passes_ += static_cast<std::uint64_t>(impulseSolver_.passes());
    unsettled_ += static_cast<std::uint64_t>(impulseSolver_.unsettled());
    for (std::size_t i = 0; i < impulses_.size(); ++i) addImpulses(impulses_[i], impulses_[i].impulse - applied_[i]);
    bool changed = false;
    for (const int tree : impulseSolver_.touchedTrees()) {
      forest_.solve(tree);
      if (round + 1 == kContactRounds || !forest_.followLaws(tree)) continue;
      changed = true;
      forest_.factor(tree);
      forest_.solve(tree);
    }
    if (!changed) break;
    ++repeatedSteps_;
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    if (body.motion != BodyMotion::dynamic) continue;
    const int index = static_cast<int>(i);
    const Matrix3d R = rotationFrom(dBodyGetRotation(body.body));
    const Vector3d w = vectorFrom(dBodyGetAngularVel(body.body)), v = vectorFrom(dBodyGetLinearVel(body.body));
    const Vector3d force = body.mass * ((forest_.comVelocity(index) - v) / h - gravity_);
    const Vector3d spin = forest_.velocity(index).head<3>() - w;
    const Vector3d torque = R * (body.inertia * (R.transpose() * spin)) / h;
    dBodySetForce(body.body, force.x(), force.y(), force.z());
    dBodySetTorque(body.body, torque.x(), torque.y(), torque.z());
  }
  if (dWorldQuickStep(worldId(), h) == 0) return false;
  readImpulses(h);
  int edge = 0;
  for (auto* joints : {&joints_, &constraintJoints_})
    for (OdeJoint& joint : *joints) {
      joint.finish(forest_.law(edge), forest_.speed(edge));
      ++edge;
    }
  return true;
}

void OdeScene::readImpulses(double h) {
  startContactForces();
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    if (impulseOf_[i] < 0) continue;
    const ImpulseContact& contact = impulses_[impulseOf_[i]];
    for (int d = 0; d < 3; ++d) contacts_[i].force += contact.impulse[d] / h * contact.directions[d];
  }
}

}  // namespace mortise::ode
