#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/contacts/stated_softness.h"
#include "mortise/math/rotation.h"
#include "ode_scene.h"

// From a description to ODE's objects.

namespace mortise::ode {

namespace {

// Defaults of ODE's manual; the last two are what it suggests against jitter and popping, and what ODE's demos use.
constexpr double kRecommendedErp = 0.2;
constexpr double kRecommendedCfm = 1e-10;
constexpr double kRecommendedLayer = 1e-3;      // m
constexpr double kRecommendedCorrection = 0.1;  // m/s
// Below this dWorldStep fails on redundant contacts ("LCP internal error").
constexpr double kMinExactCfm = 1e-8;

bool positiveDefinite(const Matrix3d& inertia) {
  return inertia.allFinite() && Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia).eigenvalues().minCoeff() > 0;
}

/// Says whether a body can move under forces.
bool hasInertia(const BodyInertia& inertia) {
  return inertia.mass > 0 && std::isfinite(inertia.mass) && inertia.com.allFinite() &&
         positiveDefinite(0.5 * (inertia.inertia + inertia.inertia.transpose()));
}

}  // namespace

OdeScene::OdeScene(const SceneDescription& description, const OdeSettings& settings)
    : description_(description), settings_(settings), pushOut_(description_) {
  Session session(messages_);
  world_ = std::make_unique<World>();
  setWorldParameters();
  setGravity(description.gravity);
  addBodies();
  addJoints();
  addConstraints();
  filter_ = description_.filter;
  colliders_.finish();
  finder_ = std::make_unique<ContactFinder>(description_, colliders_);
  signature_ = makeSignature();
}

OdeScene::~OdeScene() = default;

void OdeScene::setWorldParameters() {
  const OdeSettings& s = settings_;
  const bool normalized = s.profile == OdeSettings::Profile::normalized;
  const StatedSoftness stated(description_);
  erp_ = s.erp.value_or(normalized ? description_.errorReduction : stated.errorReduction.value_or(kRecommendedErp));
  cfm_ = s.cfm.value_or(normalized ? description_.constraintForceMixing
                                   : stated.constraintForceMixing.value_or(kRecommendedCfm));
  if (s.solver != OdeSettings::Solver::quick) cfm_ = std::max(cfm_, kMinExactCfm);
  if (!(erp_ >= 0 && erp_ <= 1) || !(cfm_ >= 0) || !std::isfinite(cfm_))
    throw Error("error reduction must lie in [0, 1] and constraint force mixing must be finite and not negative");
  const bool external = description_.contactSource == ContactSource::external;
  surfaceLayer_ = s.contactSurfaceLayer.value_or(external ? 0 : kRecommendedLayer);
  // A soft contact carries by its correction: bounding that would bound its force by bound / CFM.
  const bool rigid =
      cfm_ <= std::max(kRecommendedCfm, kMinExactCfm) &&
      std::ranges::all_of(description_.surfaces, [](const Surface& surface) { return std::isinf(surface.stiffness); });
  const double fastest = s.contactMaxCorrectingVel.value_or(rigid && !normalized ? kRecommendedCorrection : dInfinity);
  const auto real = [](double value) { return std::isinf(value) ? dInfinity : value; };
  const dWorldID world = worldId();
  dWorldSetERP(world, erp_);
  dWorldSetCFM(world, cfm_);
  dWorldSetQuickStepNumIterations(world, s.quickStepNumIterations);
  dWorldSetQuickStepW(world, s.quickStepW);
  dWorldSetContactMaxCorrectingVel(world, real(fastest));
  dWorldSetContactSurfaceLayer(world, surfaceLayer_);
  dWorldSetLinearDamping(world, s.linearDamping);
  dWorldSetAngularDamping(world, s.angularDamping);
  dWorldSetLinearDampingThreshold(world, s.linearDampingThreshold);
  dWorldSetAngularDampingThreshold(world, s.angularDampingThreshold);
  dWorldSetMaxAngularSpeed(world, real(s.maxAngularSpeed));
  dWorldSetAutoDisableLinearThreshold(world, s.autoDisableLinearThreshold);
  dWorldSetAutoDisableAngularThreshold(world, s.autoDisableAngularThreshold);
  dWorldSetAutoDisableSteps(world, s.autoDisableSteps);
  dWorldSetAutoDisableTime(world, s.autoDisableTime);
  dWorldSetAutoDisableAverageSamplesCount(world, static_cast<unsigned>(s.autoDisableAverageSamplesCount));
  dWorldSetAutoDisableFlag(world, s.autoDisable ? 1 : 0);
  // Islands one after the other, so that results repeat.
  dWorldSetStepIslandsProcessingMaxThreadCount(world, 1);
}

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
      joints_.back().setStopParameters(settings_.stopErp.value_or(erp_), settings_.stopCfm.value_or(cfm_));
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
      const dJointID weld = dJointCreateFixed(worldId(), nullptr);
      dJointAttach(weld, a.body != nullptr ? a.body : b.body, a.body != nullptr ? b.body : nullptr);
      dJointSetFixed(weld);
      welds_.emplace_back(from.a, from.b);
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
    constraintJoints_.back().setStopParameters(settings_.stopErp.value_or(erp_), settings_.stopCfm.value_or(cfm_));
    constraintBodies_.emplace_back(from.a, from.b);
    JointDrive drive;
    drive.dryFriction = from.friction;
    constraintJoints_.back().setDrive(drive);
  }
}

}  // namespace mortise::ode
