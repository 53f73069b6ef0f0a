#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "ode_convert.h"
#include "ode_scene.h"

// From a description to ODE's objects.

namespace mortise::ode {

namespace {

bool positiveDefinite(const Matrix3d& inertia) {
  return inertia.allFinite() && Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia).eigenvalues().minCoeff() > 0;
}

/// Whether a body can move under forces.
bool hasInertia(const BodyInertia& inertia) {
  return inertia.mass > 0 && std::isfinite(inertia.mass) && inertia.com.allFinite() &&
         positiveDefinite(0.5 * (inertia.inertia + inertia.inertia.transpose()));
}

}  // namespace

OdeScene::OdeScene(const SceneDescription& description, const OdeSettings& settings)
    : description_(description), settings_(settings) {
  Session session(messages_);
  world_ = std::make_unique<World>();
  errorReduction_ = settings.errorReduction.value_or(description.errorReduction);
  mixing_ = std::max(kLeastMixing, settings.constraintForceMixing.value_or(description.constraintForceMixing));
  if (!(errorReduction_ >= 0 && errorReduction_ <= 1) || !std::isfinite(mixing_))
    throw Error("error reduction must lie in [0, 1] and constraint force mixing must be finite");
  const dWorldID world = worldId();
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
  using Solver = OdeSettings::Solver;
  if (settings.solver == Solver::automatic || settings.solver == Solver::direct) direct_ = buildForest();
  if (direct_) switchOdeJointsOff();
  if (settings.solver == Solver::direct && !direct_)
    throw Error("the joints of this world form closed loops, which the direct solver cannot take", {},
                "use solver: exact, or auto");
  filter_ = description_.filter;
  colliders_.finish();
  finder_ = std::make_unique<ContactFinder>(description_);
  signature_ = makeSignature();
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
    body.inertia = 0.5 * (from.inertia.inertia + from.inertia.inertia.transpose());
    body.hasInertia = hasInertia(from.inertia);
    if (!body.X_WB.allFinite() || !from.v_WB.allFinite() || !from.w_WB.allFinite())
      throw Error("the initial state of body '" + from.name + "' is not finite");
    if (from.motion == BodyMotion::dynamic && !body.hasInertia)
      throw Error("body '" + from.name + "' needs a positive mass and a positive definite inertia", {},
                  "give it a mass and an inertia, or make it fixed");
    if (from.motion != BodyMotion::fixed) {
      body.body = dBodyCreate(worldId());
      dBodySetFiniteRotationMode(body.body, 1);
      dBodySetGyroscopicMode(body.body, 1);
      dBodySetAutoDisableFlag(body.body, 0);
      if (body.hasInertia) {
        dMass mass;
        dMassSetZero(&mass);
        mass.mass = from.inertia.mass;
        toOde(body.inertia, mass.I);
        dBodySetMass(body.body, &mass);
      }
    }
    bodies_.push_back(body);
    const int index = static_cast<int>(i);
    // Kinematic bodies go on with the velocity of their frame's origin, so that is where their ODE body sits.
    if (from.motion == BodyMotion::kinematic) changeMotion(index, BodyMotion::kinematic);
    if (body.body != nullptr) placeBody(index, {body.X_WB, from.v_WB, from.w_WB});
    if (description_.contactSource == ContactSource::external) continue;
    SceneBody shapes = from;
    shapes.inertia.com = bodies_[i].com;
    colliders_.add(shapes, index, body.body, description_.surfaces);
  }
}

JointBody OdeScene::jointBody(int body) const {
  if (body < 0) return {};
  return {bodies_[body].body, bodies_[body].com, bodies_[body].X_WB};
}

void OdeScene::markJointed(int body) {
  if (body >= 0) bodies_[body].jointed = true;
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
      joints_.emplace_back(worldId(), joint, jointBody(from.parent), jointBody(from.child));
      markJointed(from.parent);
      markJointed(from.child);
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
    markJointed(from.a);
    markJointed(from.b);
    constraintIndex_.push_back(-1);
    if (a.body == nullptr && b.body == nullptr) continue;  // Between fixed bodies nothing ever moves.
    if (from.type == SceneConstraint::Type::fixed) {
      welds_.emplace_back(worldId(), from.a, from.b, a, b);
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
    constraintIndex_.back() = static_cast<int>(constraintJoints_.size());
    constraintJoints_.emplace_back(worldId(), joint, b, a);
    constraintBodies_.emplace_back(from.a, from.b);
    JointDrive drive;
    drive.dryFriction = from.friction;
    constraintJoints_.back().setDrive(drive);
  }
}

}  // namespace mortise::ode
