#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "ode_convert.h"
#include "ode_scene.h"

// A step, and ODE's two solvers.

namespace mortise::ode {

namespace {

// Disturbances of contact velocities that break ties for the exact solver, m/s: 1e-8, 1e-7, 1e-6.
constexpr double kLeastDisturbance = 1e-8;
constexpr int kDisturbances = 3;
constexpr int kRescueIterations = 200;

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
  if (description_.contactSource == ContactSource::engine) findContacts();
  prepareContacts(dt);
  if (direct_) ++directSteps_;
  const bool done = direct_ ? stepDirectly(dt) : stepWithOde(dt);
  touches_.clear();  // They hold for one step.
  dJointGroupEmpty(contactGroup());
  if (!done) throw Error("ODE ran out of memory");
  ++steps_;
}

bool OdeScene::stepWithOde(double h) {
  for (OdeJoint& joint : joints_) joint.prepare(h, errorReduction_);
  for (OdeJoint& joint : constraintJoints_) joint.prepare(h, errorReduction_);
  createContacts();
  bool exact = settings_.solver == OdeSettings::Solver::exact;
  if (settings_.solver == OdeSettings::Solver::automatic) exact = countRowsOfLargestIsland() <= settings_.exactLimit;
  ++(exact ? exactSteps_ : quickSteps_);
  if (!(exact ? stepExactly(h) : stepQuickly(h, settings_.iterations))) return false;
  readContactForces();
  for (OdeJoint& joint : joints_) joint.finish(h);
  for (OdeJoint& joint : constraintJoints_) joint.finish(h);
  return true;
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

bool OdeScene::stepQuickly(double h, int iterations) {
  // QuickStep shuffles its rows with a generator that all scenes of the process share.
  dRandSetSeed(static_cast<unsigned long>(hashBytes(&steps_, sizeof(steps_)) & 0xffffffffu));
  dWorldSetQuickStepNumIterations(worldId(), iterations);
  return dWorldQuickStep(worldId(), h) != 0;
}

/// Attempts without the joints' idle limits, then with those that turned out to act, then with all. When the solver
/// gets stuck ("LCP internal error": it takes a step of length zero where contacts tie, and leaves all other forces at
/// zero), ties are broken by disturbing the contacts by less than matters; if even that fails, QuickStep does the step.
bool OdeScene::stepExactly(double h) {
  const auto forJoints = [&](auto&& action) {
    for (OdeJoint& joint : joints_) action(joint);
    for (OdeJoint& joint : constraintJoints_) action(joint);
  };
  rememberBodies();
  forJoints([](OdeJoint& joint) { joint.leaveLimitsOut(); });
  int stuck = 0;
  for (int attempt = 0;;) {
    const std::uint64_t errors = messages_.lcpErrors;
    if (dWorldStep(worldId(), h) == 0) return false;
    const bool solved = messages_.lcpErrors == errors;
    bool kept = true;
    if (solved) forJoints([&](OdeJoint& joint) { kept = joint.limitsKept() && kept; });
    if (solved && kept) return true;
    ++repeatedSteps_;
    rewindBodies();
    if (solved) {
      forJoints([&](OdeJoint& joint) { joint.putLimitsBack(attempt > 0); });
      ++attempt;
    } else if (stuck < kDisturbances && !touches_.empty()) {
      createContacts(kLeastDisturbance * std::pow(10.0, stuck++));
    } else {
      ++failedExactSteps_;
      forJoints([&](OdeJoint& joint) { joint.putLimitsBack(true); });
      if (!stepQuickly(h, std::max(settings_.iterations, kRescueIterations))) return false;
      forJoints([](OdeJoint& joint) { joint.limitsKept(); });
      return true;
    }
  }
}

int OdeScene::countRows() const {
  int rows = 6 * static_cast<int>(welds_.size());
  for (const OdeJoint& joint : joints_) rows += joint.rows();
  for (const OdeJoint& joint : constraintJoints_) rows += joint.rows();
  return rows + 3 * static_cast<int>(touches_.size());
}

/// ODE solves bodies that are connected by joints or contacts together, and others apart.
int OdeScene::countRowsOfLargestIsland() {
  if (countRows() <= settings_.exactLimit) return countRows();
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
    for (const Weld& weld : welds_) visit(weld.a, weld.b, 6);
    for (const SceneContact& touch : touches_) visit(touch.bodyA, touch.bodyB, 3);
  };
  each([&](int a, int b, int) {
    if (mobile(a) && mobile(b)) island_[root(a)] = root(b);
  });
  islandRows_.assign(n, 0);
  int largest = 0;
  each([&](int a, int b, int rows) {
    const int body = mobile(a) ? a : b;
    if (mobile(body)) largest = std::max(largest, islandRows_[root(body)] += rows);
  });
  return largest;
}

}  // namespace mortise::ode
