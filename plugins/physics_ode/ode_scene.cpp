#include "ode_scene.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/rotation.h"
#include "ode_convert.h"

namespace mortise::ode {

namespace {

// Below this the exact solver fails on redundant contacts ("LCP internal error").
constexpr double kLeastMixing = 1e-8;
// Contact friction that holds may creep by this much for each N.
constexpr double kFrictionMixing = 1e-7;
// Beyond this a friction coefficient changes nothing but the numbers' range.
constexpr double kMostFriction = 1e3;
constexpr double kLeastBounceSpeed = 0.01;  // m/s
constexpr double kPushOutSpeed = 0.1;       // m/s
// Up to this mixing, m/s for each N, a contact counts as rigid.
constexpr double kMostRigidMixing = 1e-5;

// Disturbances of contact velocities that break ties for the exact solver, m/s: 1e-8, 1e-7, 1e-6.
constexpr double kLeastDisturbance = 1e-8;
constexpr int kDisturbances = 3;
constexpr int kRescueIterations = 200;

/// Penetration that is left alone, so that a resting contact does not come and go: more than gravity makes in a step.
double contactLayer(double gravity, double h) { return std::clamp(4 * gravity * h * h, 1e-4, 1e-3); }

/// Slower approach is rest: faster than gravity makes a resting body in a step.
double bounceSpeed(double gravity, double h) { return std::max(kLeastBounceSpeed, 5 * gravity * h); }

bool positiveDefinite(const Matrix3d& inertia) {
  return inertia.allFinite() && Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia).eigenvalues().minCoeff() > 0;
}

}  // namespace

struct OdeScene::World {
  dWorldID world = dWorldCreate();
  dJointGroupID contactGroup = dJointGroupCreate(0);
  ~World() {
    dJointGroupDestroy(contactGroup);
    dWorldDestroy(world);
  }
};

OdeScene::OdeScene(const SceneDescription& description, const Settings& settings)
    : description_(description), settings_(settings) {
  Session session(messages_);
  world_ = std::make_unique<World>();
  errorReduction_ = settings.errorReduction >= 0 ? settings.errorReduction : description.errorReduction;
  mixing_ = std::max(kLeastMixing, settings.constraintForceMixing >= 0 ? settings.constraintForceMixing
                                                                       : description.constraintForceMixing);
  if (!(errorReduction_ >= 0 && errorReduction_ <= 1) || !std::isfinite(mixing_))
    throw Error("error reduction must lie in [0, 1] and constraint force mixing must be finite");
  const dWorldID world = world_->world;
  dWorldSetERP(world, errorReduction_);
  dWorldSetCFM(world, mixing_);
  dWorldSetAutoDisableFlag(world, 0);
  dWorldSetContactMaxCorrectingVel(world, dInfinity);
  dWorldSetQuickStepNumIterations(world, settings.iterations);
  dWorldSetStepIslandsProcessingMaxThreadCount(world, 1);
  setGravity(description.gravity);
  addBodies();
  addJoints();
  addConstraints();
  colliders_.finish();
  finder_ = std::make_unique<ContactFinder>(description_);
}

OdeScene::~OdeScene() = default;

void OdeScene::addBodies() {
  for (std::size_t i = 0; i < description_.bodies.size(); ++i) {
    const SceneBody& from = description_.bodies[i];
    Body body;
    body.motion = from.motion;
    body.com = from.inertia.com;
    body.mass = from.inertia.mass;
    body.X_WB = RigidTransform(orthonormalized(from.X_WB.R), from.X_WB.p);
    if (!body.X_WB.allFinite() || !from.v_WB.allFinite() || !from.w_WB.allFinite())
      throw Error("the initial state of body '" + from.name + "' is not finite");
    if (from.motion != BodyMotion::fixed) {
      body.body = dBodyCreate(world_->world);
      dBodySetFiniteRotationMode(body.body, 1);
      dBodySetGyroscopicMode(body.body, 1);
      dBodySetAutoDisableFlag(body.body, 0);
      if (from.motion == BodyMotion::kinematic) {
        body.com = Vector3d::Zero();
        dBodySetKinematic(body.body);
      } else {
        const Matrix3d inertia = 0.5 * (from.inertia.inertia + from.inertia.inertia.transpose());
        if (!(from.inertia.mass > 0) || !std::isfinite(from.inertia.mass) || !positiveDefinite(inertia))
          throw Error("body '" + from.name + "' needs a positive mass and a positive definite inertia", {},
                      "give it a mass and an inertia, or make it fixed");
        dMass mass;
        dMassSetZero(&mass);
        mass.mass = from.inertia.mass;
        toOde(inertia, mass.I);
        dBodySetMass(body.body, &mass);
      }
    }
    bodies_.push_back(body);
    if (body.body != nullptr) placeBody(static_cast<int>(i), {body.X_WB, from.v_WB, from.w_WB});
    if (from.motion == BodyMotion::kinematic) {
      SceneBody shapes = from;
      shapes.inertia.com.setZero();
      colliders_.add(shapes, static_cast<int>(i), body.body, description_.surfaces);
    } else {
      colliders_.add(from, static_cast<int>(i), body.body, description_.surfaces);
    }
  }
}

JointBody OdeScene::jointBody(int body) const {
  if (body < 0) return {};
  return {bodies_[body].body, bodies_[body].com, bodies_[body].X_WB};
}

void OdeScene::addJoints() {
  const int n = static_cast<int>(bodies_.size());
  for (const SceneJoint& from : description_.joints) {
    if (from.child < 0 || from.child >= n || from.parent < -1 || from.parent >= n || from.parent == from.child)
      throw Error("joint '" + from.name + "' names bodies that do not exist");
    OdeJoint::Description joint;
    joint.type = from.type == SceneJoint::Type::revolute ? OdeJoint::Type::revolute : OdeJoint::Type::prismatic;
    joint.X_PC0 = from.X_PC0;
    joint.axis = from.axis;
    joint.lower = from.lower;
    joint.upper = from.upper;
    joint.position = from.position;
    joint.velocity = from.velocity;
    try {
      joints_.emplace_back(world_->world, joint, jointBody(from.parent), jointBody(from.child));
    } catch (const Error& error) {
      throw Error("joint '" + from.name + "': " + error.message(), error.where(), error.hint());
    }
  }
}

void OdeScene::addConstraints() {
  const int n = static_cast<int>(bodies_.size());
  for (const SceneConstraint& from : description_.constraints) {
    if (from.a < -1 || from.a >= n || from.b < -1 || from.b >= n || from.a == from.b)
      throw Error("a constraint names bodies that do not exist, or one body twice");
    const JointBody a = jointBody(from.a), b = jointBody(from.b);
    if (a.body == nullptr && b.body == nullptr) continue;
    if (from.type == SceneConstraint::Type::fixed) {
      const dJointID joint = dJointCreateFixed(world_->world, nullptr);
      if (a.body != nullptr)
        dJointAttach(joint, a.body, b.body);
      else
        dJointAttach(joint, b.body, nullptr);
      dJointSetFixed(joint);
      weldedBodies_.emplace_back(from.a, from.b);
      continue;
    }
    // As a joint with `a` for the child, whose frame is moved to the joint's point, so that position is 0 now.
    OdeJoint::Description joint;
    joint.type = from.type == SceneConstraint::Type::hinge ? OdeJoint::Type::revolute : OdeJoint::Type::prismatic;
    const RigidTransform X_WA = a.pose();
    joint.axis = X_WA.R.transpose() * from.axis.normalized();
    joint.X_PC0 = b.pose().inverse() * X_WA;
    joint.lower = from.lower;
    joint.upper = from.upper;
    joint.anchor = from.point;
    constraintJoints_.emplace_back(world_->world, joint, b, a);
    constraintBodies_.emplace_back(from.a, from.b);
    JointDrive drive;
    drive.dryFriction = from.friction;
    constraintJoints_.back().setDrive(drive);
  }
}

void OdeScene::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity is not finite");
  gravity_ = gravity;
  dWorldSetGravity(world_->world, gravity.x(), gravity.y(), gravity.z());
}

void OdeScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != joints_.size())
    throw Error("the scene has " + std::to_string(joints_.size()) + " joints, but " + std::to_string(drives.size()) +
                " drives were given");
  for (std::size_t i = 0; i < drives.size(); ++i) joints_[i].setDrive(drives[i]);
}

void OdeScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  const Body& to = bodies_.at(body);
  if (to.motion != BodyMotion::dynamic) return;
  dBodyAddForceAtPos(to.body, force.x(), force.y(), force.z(), point.x(), point.y(), point.z());
  dBodyAddTorque(to.body, torque.x(), torque.y(), torque.z());
}

void OdeScene::placeBody(int index, const BodyState& state) {
  Body& body = bodies_[index];
  if (body.body == nullptr) {
    body.X_WB = RigidTransform(orthonormalized(state.X_WB.R), state.X_WB.p);
    return;
  }
  const Vector3d arm = state.X_WB.R * body.com;
  const Vector3d p = state.X_WB.p + arm;
  const Vector3d v = state.v_WB + state.w_WB.cross(arm);
  dMatrix3 R;
  toOde(state.X_WB.R, R);
  dBodySetPosition(body.body, p.x(), p.y(), p.z());
  dBodySetRotation(body.body, R);
  dBodySetLinearVel(body.body, v.x(), v.y(), v.z());
  dBodySetAngularVel(body.body, state.w_WB.x(), state.w_WB.y(), state.w_WB.z());
}

/// Joints to fixed bodies are joints to ODE's world, whose anchors stay where they are.
bool OdeScene::carriesJoint(int body) const {
  return std::any_of(description_.joints.begin(), description_.joints.end(),
                     [&](const SceneJoint& joint) { return joint.parent == body || joint.child == body; }) ||
         std::any_of(description_.constraints.begin(), description_.constraints.end(),
                     [&](const SceneConstraint& joint) { return joint.a == body || joint.b == body; });
}

void OdeScene::setBodyState(int body, const BodyState& state) {
  Session session(messages_);
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state given to body '" + description_.bodies.at(body).name + "' is not finite");
  bodies_.at(body);
  if (bodies_[body].body == nullptr && carriesJoint(body))
    throw Error("fixed body '" + description_.bodies[body].name + "' carries joints and cannot be moved", {},
                "make it kinematic");
  placeBody(body, state);
  if (bodies_[body].body == nullptr) colliders_.placeFixed(body, bodies_[body].X_WB);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (description_.joints[j].parent == body || description_.joints[j].child == body) joints_[j].measure();
}

void OdeScene::setJointState(int joint, double position, double velocity) {
  Session session(messages_);
  if (!std::isfinite(position) || !std::isfinite(velocity))
    throw Error("the state given to joint '" + description_.joints.at(joint).name + "' is not finite");
  joints_.at(joint).setState(position, velocity);
  moveSubtree(joint);
}

/// Puts the child of a joint, and whatever hangs on it, where the joints' positions and velocities say.
void OdeScene::moveSubtree(int joint) {
  std::vector<bool> moved(bodies_.size(), false);
  for (std::size_t j = joint; j < joints_.size(); ++j) {
    const SceneJoint& from = description_.joints[j];
    if (static_cast<int>(j) != joint && (from.parent < 0 || !moved[from.parent])) continue;
    moved[from.child] = true;
    const BodyState parent = from.parent < 0 ? BodyState{} : bodyState(from.parent);
    const JointState state = joints_[j].state();
    BodyState child;
    child.X_WB = parent.X_WB * joints_[j].childInParent(state.position);
    const Vector3d axis = child.X_WB.R * from.axis;
    child.w_WB = parent.w_WB;
    child.v_WB = parent.v_WB + parent.w_WB.cross(child.X_WB.p - parent.X_WB.p);
    (from.type == SceneJoint::Type::revolute ? child.w_WB : child.v_WB) += state.velocity * axis;
    placeBody(from.child, child);
  }
}

void OdeScene::setContacts(std::span<const SceneContact>) {
  throw Error("the ODE backend finds contacts by itself; it does not take them from outside", {},
              "set contacts: engine");
}

BodyState OdeScene::bodyState(int index) const {
  const Body& body = bodies_[index];
  BodyState state;
  if (body.body == nullptr) {
    state.X_WB = body.X_WB;
    return state;
  }
  state.X_WB.R = rotationFrom(dBodyGetRotation(body.body));
  const Vector3d arm = state.X_WB.R * body.com;
  state.X_WB.p = vectorFrom(dBodyGetPosition(body.body)) - arm;
  state.w_WB = vectorFrom(dBodyGetAngularVel(body.body));
  state.v_WB = vectorFrom(dBodyGetLinearVel(body.body)) - state.w_WB.cross(arm);
  return state;
}

void OdeScene::readBodies(std::span<BodyState> out) const {
  if (out.size() != bodies_.size()) throw Error("readBodies needs room for " + std::to_string(bodies_.size()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) out[i] = bodyState(static_cast<int>(i));
}

void OdeScene::readJoints(std::span<JointState> out) const {
  if (out.size() != joints_.size()) throw Error("readJoints needs room for " + std::to_string(joints_.size()));
  for (std::size_t i = 0; i < joints_.size(); ++i) out[i] = joints_[i].state();
}

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
  colliders_.refresh();
  touches_ = &finder_->find(colliders_.all());
  for (OdeJoint& joint : joints_) joint.prepare(dt, errorReduction_);
  for (OdeJoint& joint : constraintJoints_) joint.prepare(dt, errorReduction_);
  createContacts(dt);

  bool exact = settings_.solver == Settings::Solver::exact;
  if (settings_.solver == Settings::Solver::automatic) exact = countRowsOfLargestIsland() <= settings_.exactLimit;
  ++(exact ? exactSteps_ : quickSteps_);
  const bool done = exact ? stepExactly(dt) : stepQuickly(dt, settings_.iterations);
  if (!done) {
    dJointGroupEmpty(world_->contactGroup);
    throw Error("ODE ran out of memory for " + std::to_string(countRows()) + " constraint rows");
  }
  readContactForces();
  dJointGroupEmpty(world_->contactGroup);
  for (OdeJoint& joint : joints_) joint.finish(dt);
  for (OdeJoint& joint : constraintJoints_) joint.finish(dt);
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

bool OdeScene::stepQuickly(double h, int iterations) {
  // QuickStep shuffles its rows with a generator that all scenes of the process share.
  dRandSetSeed(static_cast<unsigned long>(hashBytes(&steps_, sizeof(steps_)) & 0xffffffffu));
  dWorldSetQuickStepNumIterations(world_->world, iterations);
  return dWorldQuickStep(world_->world, h) != 0;
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
    if (dWorldStep(world_->world, h) == 0) return false;
    const bool solved = messages_.lcpErrors == errors;
    bool kept = true;
    if (solved) forJoints([&](OdeJoint& joint) { kept = joint.limitsKept() && kept; });
    if (solved && kept) return true;
    ++repeatedSteps_;
    rewindBodies();
    if (solved) {
      forJoints([&](OdeJoint& joint) { joint.putLimitsBack(attempt > 0); });
      ++attempt;
    } else if (stuck < kDisturbances && !touches_->empty()) {
      createContacts(h, kLeastDisturbance * std::pow(10.0, stuck++));
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
  int rows = 6 * static_cast<int>(weldedBodies_.size());
  for (const OdeJoint& joint : joints_) rows += joint.rows();
  for (const OdeJoint& joint : constraintJoints_) rows += joint.rows();
  return rows + 3 * static_cast<int>(touches_->size());
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
    for (const auto& [a, b] : weldedBodies_) visit(a, b, 6);
    for (const TouchPoint& touch : *touches_) visit(colliders_.all()[touch.a].body, colliders_.all()[touch.b].body, 3);
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

void OdeScene::fillSurface(const TouchPoint& touch, double h, dContact& contact) const {
  const Collider& a = colliders_.all()[touch.a];
  const Collider& b = colliders_.all()[touch.b];
  const Body& bodyA = bodies_[a.body];
  const Body& bodyB = bodies_[b.body];
  const ContactMaterial material = description_.material(a.id, b.id);
  dSurfaceParameters& surface = contact.surface;
  surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1 | dContactFDir1 | dContactSlip1 | dContactSlip2;
  surface.mu = std::min(material.friction, kMostFriction);
  surface.slip1 = surface.slip2 = std::min(mixing_, kFrictionMixing);

  // Velocity of A against B at the point, now and as forces other than contact will change it in this step.
  const auto velocityAt = [&](const Body& body, Vector3d& predicted) -> Vector3d {
    if (body.body == nullptr) {
      predicted.setZero();
      return predicted;
    }
    const Vector3d arm = touch.point - vectorFrom(dBodyGetPosition(body.body));
    const Vector3d v = vectorFrom(dBodyGetLinearVel(body.body)) + vectorFrom(dBodyGetAngularVel(body.body)).cross(arm);
    predicted = v;
    if (body.motion == BodyMotion::dynamic)
      predicted += h * (gravity_ + vectorFrom(dBodyGetForce(body.body)) / body.mass);
    return v;
  };
  Vector3d predictedA, predictedB;
  const Vector3d velocity = velocityAt(bodyA, predictedA) - velocityAt(bodyB, predictedB);
  const double approach = velocity.dot(touch.normal);

  // The pyramid is exact along its edges' normals, so one of them is laid along the way that the bodies will slip.
  Vector3d slip = predictedA - predictedB;
  slip -= touch.normal * touch.normal.dot(slip);
  if (slip.norm() < 1e-9) slip = touch.normal.unitOrthogonal();
  toOde(Vector3d(slip.normalized()), contact.fdir1);

  const double gravity = gravity_.norm();
  const double excess = std::max(0.0, touch.depth - contactLayer(gravity, h));
  const bool approaching = approach < -bounceSpeed(gravity, h);
  if (approaching && material.restitution > 0) {
    surface.mode |= dContactBounce;
    surface.bounce = material.restitution;
    surface.bounce_vel = kLeastBounceSpeed;
  }
  double reduction = errorReduction_, mixing = mixing_;
  if (std::isfinite(material.stiffness)) {
    // Stiffness and damping as an implicit spring and damper. Klamp't's rule: of use as soon as the stiffness is
    // finite; damping that is infinite leaves penetration as it is.
    const double k = h * material.stiffness, c = material.damping;
    reduction = std::isfinite(c) && k + c > 0 ? k / (k + c) : 0;
    mixing = std::max(kLeastMixing, std::isfinite(c) ? 1 / std::max(k + c, 1e-9) : 0);
  } else if (approaching && mixing <= kMostRigidMixing) {
    // Pushing out what one step penetrates would add energy to the bounce. (Not so with a large mixing: there a load
    // may press bodies together without end unless penetration is answered.)
    reduction = 0;
  } else if (excess > 0) {
    // Push out no faster than a creep, unless the weight above needs more through a large mixing.
    double mass = std::numeric_limits<double>::infinity();
    if (bodyA.motion == BodyMotion::dynamic) mass = bodyA.mass;
    if (bodyB.motion == BodyMotion::dynamic) mass = std::min(mass, bodyB.mass);
    reduction = std::min(reduction, std::max(kPushOutSpeed, 100 * mixing * mass * gravity) * h / excess);
  }
  surface.soft_erp = reduction;
  surface.soft_cfm = mixing;
  contact.geom.depth = excess;
}

void OdeScene::createContacts(double h, double disturbance) {
  dJointGroupEmpty(world_->contactGroup);
  const std::vector<TouchPoint>& touches = *touches_;
  feedback_.resize(touches.size());
  dContact contact = {};
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const TouchPoint& touch = touches[i];
    fillSurface(touch, h, contact);
    if (disturbance > 0) {
      const std::uint64_t bits = hashBytes(&i, sizeof(i));
      const auto share = [&](int k) { return static_cast<double>((bits >> (16 * k)) & 0xffff) / 0x8000 - 1; };
      contact.surface.mode |= dContactMotionN | dContactMotion1 | dContactMotion2;
      contact.surface.motionN = disturbance * share(0);
      contact.surface.motion1 = disturbance * share(1);
      contact.surface.motion2 = disturbance * share(2);
    }
    const dBodyID a = bodies_[colliders_.all()[touch.a].body].body;
    const dBodyID b = bodies_[colliders_.all()[touch.b].body].body;
    toOde(touch.point, contact.geom.pos);
    // ODE's normal points into the first body of the joint, which must not be the world.
    toOde(a != nullptr ? touch.normal : Vector3d(-touch.normal), contact.geom.normal);
    const dJointID joint = dJointCreateContact(world_->world, world_->contactGroup, &contact);
    dJointAttach(joint, a != nullptr ? a : b, a != nullptr ? b : nullptr);
    feedback_[i] = {};
    dJointSetFeedback(joint, &feedback_[i]);
  }
}

void OdeScene::readContactForces() {
  contacts_.resize(touches_->size());
  for (std::size_t i = 0; i < touches_->size(); ++i) {
    const TouchPoint& touch = (*touches_)[i];
    const Collider& a = colliders_.all()[touch.a];
    const Collider& b = colliders_.all()[touch.b];
    ContactForce& out = contacts_[i];
    out.idA = a.id;
    out.idB = b.id;
    out.bodyA = a.body;
    out.bodyB = b.body;
    out.point = touch.point;
    out.normal = touch.normal;
    out.depth = touch.depth;
    const double sign = bodies_[a.body].body != nullptr ? 1 : -1;
    out.force = sign * vectorFrom(feedback_[i].f1);
  }
}

Value OdeScene::effectiveSettings() const {
  Value out = Value::map();
  const char* names[] = {"auto", "exact", "quick"};
  out.set("engine", "ODE 0.16, double precision");
  out.set("solver", names[static_cast<int>(settings_.solver)]);
  out.set("exactLimit", settings_.exactLimit);
  out.set("iterations", settings_.iterations);
  out.set("erp", errorReduction_);
  out.set("cfm", mixing_);
  out.set("frictionModel", "pyramid, first direction along the predicted slip");
  out.set("frictionCfm", std::min(mixing_, kFrictionMixing));
  out.set("pushOutSpeed", kPushOutSpeed);
  out.set("bounceSpeed", bounceSpeed(gravity_.norm(), description_.timeStep));
  out.set("contactLayer", contactLayer(gravity_.norm(), description_.timeStep));
  out.set("maxContacts", description_.maxContacts);
  Value shapes = Value::map();
  using Kind = Collider::Kind;
  const std::pair<const char*, Kind> kinds[] = {{"spheres", Kind::sphere},   {"boxes", Kind::box},
                                                {"capsules", Kind::capsule}, {"cylinders", Kind::cylinder},
                                                {"meshes", Kind::mesh},      {"flatPatches", Kind::patch}};
  for (const auto& [name, kind] : kinds) shapes.set(name, colliders_.count(kind));
  out.set("shapes", shapes);
  out.set("substitutions", Value(colliders_.substitutions()));
  out.set("exactSteps", static_cast<std::int64_t>(exactSteps_));
  out.set("quickSteps", static_cast<std::int64_t>(quickSteps_));
  out.set("repeatedSteps", static_cast<std::int64_t>(repeatedSteps_));
  out.set("failedExactSteps", static_cast<std::int64_t>(failedExactSteps_));
  out.set("lcpErrors", static_cast<std::int64_t>(messages_.lcpErrors));
  out.set("otherMessages", static_cast<std::int64_t>(messages_.others));
  if (!messages_.last.empty()) out.set("lastMessage", messages_.last);
  out.set("rejectedContacts", static_cast<std::int64_t>(finder_->rejected()));
  return out;
}

}  // namespace mortise::ode
