#include <algorithm>
#include <cmath>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "ode_scene.h"

// A step by one of ODE's two solvers.

namespace mortise::ode {

namespace {

constexpr int kDegreesOfFreedom = 6;

}  // namespace

/// ODE's colliders may not end on numbers that are not finite, so a scene that has blown up stops here.
void OdeScene::checkBodies() const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const dBodyID body = bodies_[i].body;
    if (body == nullptr) continue;
    if (!vectorFrom(dBodyGetPosition(body)).allFinite() || !vectorFrom(dBodyGetLinearVel(body)).allFinite() ||
        !vectorFrom(dBodyGetAngularVel(body)).allFinite())
      throw Error("the state of body '" + description_.bodies[i].name + "' is no longer finite", {},
                  "shorten the time step, or look for extreme gains, forces or masses");
  }
}

void OdeScene::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("a time step must be positive and finite");
  Session session(messages_);
  checkBodies();
  bounds_ = {};
  if (description_.contactSource == ContactSource::engine) findContacts();
  for (OdeJoint& joint : joints_) joint.prepare(dt);
  for (OdeJoint& joint : constraintJoints_) joint.prepare(dt);
  createContacts(dt);
  takeStep(dt);
  readContactForces();
  for (OdeJoint& joint : joints_) joint.finish(dt);
  for (OdeJoint& joint : constraintJoints_) joint.finish(dt);
  touches_.clear();  // They hold for one step.
  dJointGroupEmpty(contactGroup());
  ++steps_;
}

void OdeScene::rememberBodies() {
  memory_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].body != nullptr) memory_[i].read(bodies_[i].body);
}

void OdeScene::rewindBodies() {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].body != nullptr) memory_[i].write(bodies_[i].body);
}

/// Takes a step; where dWorldStep gives up ("LCP internal error", a bug of ODE 0.16: it takes a step of length zero
/// where contacts tie and leaves all other forces at zero), the step is taken back and dWorldQuickStep takes it.
void OdeScene::takeStep(double h) {
  using Solver = OdeSettings::Solver;
  const bool exact = settings_.solver == Solver::exact || (settings_.solver == Solver::automatic && exactFits());
  bounds_.directSolve = !exact && settings_.solver == Solver::automatic;
  if (exact) {
    rememberBodies();
    const std::uint64_t errors = messages_.lcpErrors;
    if (dWorldStep(worldId(), h) == 0) throw Error("ODE ran out of memory");
    if (messages_.lcpErrors == errors) {
      ++exactSteps_;
      return;
    }
    ++failedExactSteps_;
    bounds_.directSolve = true;
    rewindBodies();
  }
  // QuickStep shuffles its rows with a generator that all scenes of the process share.
  dRandSetSeed(static_cast<unsigned long>(hashBytes(&steps_, sizeof(steps_)) & 0xffffffffu));
  if (dWorldQuickStep(worldId(), h) == 0) throw Error("ODE ran out of memory");
  ++quickSteps_;
}

int OdeScene::countRows() const {
  int rows = 6 * static_cast<int>(welds_.size());
  for (const OdeJoint& joint : joints_) rows += joint.rows();
  for (const OdeJoint& joint : constraintJoints_) rows += joint.rows();
  return rows + 3 * static_cast<int>(touches_.size());
}

bool OdeScene::contactsOnly() const {
  return !settings_.exactLimit && description_.joints.empty() && description_.constraints.empty();
}

/// ODE solves bodies that are connected by joints or contacts together, and others apart. Where there are no joints
/// QuickStep is as good as contacts need, and Dantzig's method, which goes through sticking and slipping contacts one
/// by one, takes milliseconds from about a hundred independent rows on.
bool OdeScene::exactFits() {
  const bool contactsAlone = contactsOnly();
  const int limit = settings_.exactLimit.value_or(kExactRows);
  if (countRows() <= (contactsAlone ? kExactContactRows : limit)) return true;
  const int n = static_cast<int>(bodies_.size());
  island_.resize(n);
  for (int i = 0; i < n; ++i) island_[i] = i;
  const auto root = [&](int i) {
    while (island_[i] != i) i = island_[i] = island_[island_[i]];
    return i;
  };
  const auto mobile = [&](int body) { return body >= 0 && bodies_[body].motion == BodyMotion::dynamic; };
  const auto each = [&](auto&& visit) {  // visit(body, body, rows)
    for (std::size_t j = 0; j < joints_.size(); ++j)
      visit(description_.joints[j].parent, description_.joints[j].child, joints_[j].rows());
    for (std::size_t j = 0; j < constraintJoints_.size(); ++j)
      visit(constraintBodies_[j].first, constraintBodies_[j].second, constraintJoints_[j].rows());
    for (const auto& [a, b] : welds_) visit(a, b, 6);
    for (const SceneContact& touch : touches_) visit(touch.bodyA, touch.bodyB, 3);
  };
  each([&](int a, int b, int) {
    if (mobile(a) && mobile(b)) island_[root(a)] = root(b);
  });
  islandRows_.assign(n, 0);
  islandBodies_.assign(n, 0);
  each([&](int a, int b, int rows) {
    const int body = mobile(a) ? a : b;
    if (mobile(body)) islandRows_[root(body)] += rows;
  });
  for (int i = 0; i < n; ++i)
    if (mobile(i)) ++islandBodies_[root(i)];
  for (int i = 0; i < n; ++i) {
    const int independent = std::min(islandRows_[i], kDegreesOfFreedom * islandBodies_[i]);
    if (islandRows_[i] > limit || (contactsAlone && independent > kExactContactRows)) return false;
  }
  return true;
}

}  // namespace mortise::ode
