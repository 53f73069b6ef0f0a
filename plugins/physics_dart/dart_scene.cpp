#include "dart_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/contacts/scene_contact_check.h"
#include "mortise/math/rotation.h"

namespace mortise::dart {

DartScene::Body& DartScene::checked(int body) {
  if (body < 0 || body >= static_cast<int>(bodies_.size()))
    throw Error("body " + std::to_string(body) + " does not exist: the scene has " + std::to_string(bodies_.size()));
  return bodies_[body];
}

RigidTransform DartScene::poseOf(int body) const { return fromDart(bodies_[body].node->getWorldTransform()); }

BodyState DartScene::stateOf(int index) const {
  const Body& body = bodies_[index];
  BodyState state;
  if (body.motion == BodyMotion::kinematic) return {body.X_W, body.v_W, body.w_W};
  state.X_WB = poseOf(index);
  if (body.weld == nullptr) {
    state.v_WB = body.node->getLinearVelocity();
    state.w_WB = body.node->getAngularVelocity();
  }
  return state;
}

/// A free joint's coordinates are the logarithm of its pose, its velocities those of the center of mass in the body's
/// axes.
void DartScene::placeFree(Body& body, const BodyState& state) {
  body.X_W = cleaned(state.X_WB);
  const RigidTransform X_WC = body.X_W * RigidTransform::translation(body.com);
  body.free->setPositions(dyn::FreeJoint::convertToPositions(toDart(X_WC)));
  Eigen::Matrix<double, 6, 1> velocity;
  velocity << X_WC.R.transpose() * state.w_WB, X_WC.R.transpose() * (state.v_WB + state.w_WB.cross(X_WC.R * body.com));
  body.free->setVelocities(velocity);
}

void DartScene::changeMotion(Body& body, BodyMotion motion) {
  body.motion = motion;
  body.free->setActuatorType(motion == BodyMotion::kinematic ? dyn::Joint::VELOCITY : dyn::Joint::FORCE);
  // What was a speed would be a force.
  body.free->resetCommands();
  body.free->resetForces();
  // DART does not see by itself that inertias are out of date.
  body.node->dirtyArticulatedInertia();
}

void DartScene::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity must be finite");
  world_->setGravity(gravity);
}

void DartScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != axisOfJoint_.size())
    throw Error(std::to_string(drives.size()) + " drives for " + std::to_string(axisOfJoint_.size()) + " joints");
  for (std::size_t j = 0; j < drives.size(); ++j) axes_[axisOfJoint_[j]]->set(drives[j]);
}

void DartScene::applyWrench(int index, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  Body& body = checked(index);
  if (!force.allFinite() || !torque.allFinite() || !point.allFinite())
    throw Error("a force, torque or point is not a finite number");
  body.force += force;
  body.torque += torque + (point - poseOf(index).p).cross(force);
}

void DartScene::setBodyState(int index, const BodyState& state) {
  Body& body = checked(index);
  const std::string& name = description_.bodies[index].name;
  if (!state.X_WB.allFinite() || !state.v_WB.allFinite() || !state.w_WB.allFinite())
    throw Error("the state given to body '" + name + "' is not finite");
  if (body.free == nullptr && body.weld == nullptr) return placeOnJoint(index, state);
  if (ownContacts_ != nullptr) ownContacts_->pushOut().placed(poseOf(index), state.X_WB);
  if (body.weld != nullptr) {
    body.weld->setTransformFromParentBodyNode(toDart(cleaned(state.X_WB)));
    return;
  }
  placeFree(body, state);
  if (body.motion == BodyMotion::kinematic) {
    body.v_W = state.v_WB;
    body.w_W = state.w_WB;
  }
}

/// Places a body that hangs on a joint of the world where the joint lets it be. DART's coordinates hold nothing else.
void DartScene::placeOnJoint(int index, const BodyState& state) {
  const std::string& name = description_.bodies[index].name;
  const auto found = std::find_if(links_.begin(), links_.end(), [&](const Link& link) { return link.child == index; });
  if (found->constraint < 0)
    throw Error("body '" + name + "' is a link that its joint places", {},
                "set the state of its joint, or of the robot");
  const Link& link = *found;
  dyn::Joint& joint = axes_[static_cast<std::size_t>(found - links_.begin())]->joint();
  const BodyState parent = link.parent < 0 ? BodyState{} : stateOf(link.parent);
  const RigidTransform X_WJ = parent.X_WB * link.X_PJ;
  const RigidTransform X_JK = X_WJ.inverse() * cleaned(state.X_WB) * link.X_CJ;  // From rest.
  const Vector3d axis_W = X_WJ.R * link.axis, w = state.w_WB - parent.w_WB;
  const Vector3d r = state.X_WB.p - parent.X_WB.p;
  const Vector3d v = state.v_WB - parent.v_WB - parent.w_WB.cross(r);
  double position = 0, velocity = 0;
  RigidTransform allowed;
  Vector3d v_allowed, w_allowed;
  if (link.revolute) {
    position = link.axis.dot(momentFromRotation(X_JK.R));
    velocity = axis_W.dot(w);
    allowed.R = rotationAboutAxis(link.axis, position);
    w_allowed = velocity * axis_W;
    v_allowed = w_allowed.cross(state.X_WB.p - X_WJ.p);
    // Whole turns as they were.
    constexpr double kTurn = 2 * std::numbers::pi;
    position += kTurn * std::round((joint.getPosition(0) - position) / kTurn);
  } else {
    position = link.axis.dot(X_JK.p);
    velocity = axis_W.dot(v);
    allowed.p = position * link.axis;
    w_allowed = Vector3d::Zero();
    v_allowed = velocity * axis_W;
  }
  constexpr double kOff = 1e-6;
  const double away = (X_JK.p - allowed.p).norm();
  const double turned = momentFromRotation(allowed.R.transpose() * X_JK.R).norm();
  const double fast = (v - v_allowed).norm(), spinning = (w - w_allowed).norm();
  if (!(away <= kOff) || !(turned <= kOff) || !(fast <= kOff) || !(spinning <= kOff)) {
    const bool pose = away > kOff || turned > kOff;
    throw Error("body '" + name + "' is held by a " + (link.revolute ? "hinge" : "slider") + " " + link.name +
                    ", which does not allow this " + (pose ? "pose: it is " : "velocity: it is ") +
                    formatReal(pose ? away : fast, 3) + (pose ? " m and " : " m/s and ") +
                    formatReal(pose ? turned : spinning, 3) + (pose ? " rad off" : " rad/s off"),
                {},
                "give a state that the joint allows, or choose a backend that pulls bodies back to their joints, such "
                "as ode");
  }
  if (ownContacts_ != nullptr) ownContacts_->pushOut().placed(poseOf(index), state.X_WB);
  joint.setPosition(0, position);
  joint.setVelocity(0, velocity);
}

void DartScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(axisOfJoint_.size()))
    throw Error("joint " + std::to_string(joint) + " does not exist: the scene has " +
                std::to_string(axisOfJoint_.size()));
  if (!std::isfinite(position) || !std::isfinite(velocity))
    throw Error("the state given to joint '" + description_.joints[joint].name + "' is not finite");
  dyn::Joint& axis = axes_[axisOfJoint_[joint]]->joint();
  if (ownContacts_ != nullptr) ownContacts_->pushOut().placed(axis.getPosition(0), position);
  axis.setPosition(0, position);
  axis.setVelocity(0, velocity);
}

void DartScene::setBodyMotion(int index, BodyMotion motion) {
  Body& body = checked(index);
  const std::string& name = description_.bodies[index].name;
  if (body.motion == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error("body '" + name + "' cannot change between fixed and moving");
  if (body.jointed) throw Error("body '" + name + "' is held by a joint; it stays as it is");
  if (motion == BodyMotion::dynamic && !body.hasInertia)
    throw Error("body '" + name + "' cannot become dynamic: it has no mass or inertia", {}, "give it both");
  if (motion == body.motion) return;
  const BodyState state = stateOf(index);
  changeMotion(body, motion);
  body.v_W = body.w_W = Vector3d::Zero();
  setBodyState(index, state);
}

void DartScene::setCollision(int idA, int idB, bool on) {
  if (ownContacts_ == nullptr)
    throw Error("contacts of this scene come from outside; whoever finds them leaves out what does not collide");
  ownContacts_->setCollision(idA, idB, on);
}

void DartScene::setContacts(std::span<const SceneContact> contacts) {
  if (ownContacts_ != nullptr)
    throw Error("this scene finds its contacts itself", {}, "build it with contacts from outside");
  checkSceneContacts(contacts, static_cast<int>(description_.bodies.size()),
                     static_cast<int>(description_.surfaces.size()));
  pending_.assign(contacts.begin(), contacts.end());
}

void DartScene::readBodies(std::span<BodyState> out) const {
  for (std::size_t b = 0; b < std::min(out.size(), bodies_.size()); ++b) out[b] = stateOf(static_cast<int>(b));
}

void DartScene::readJoints(std::span<JointState> out) const {
  for (std::size_t j = 0; j < std::min(out.size(), axisOfJoint_.size()); ++j) out[j] = axes_[axisOfJoint_[j]]->state();
}

double DartScene::angleOf(const Loop& loop) const {
  const SceneConstraint& from = description_.constraints[loop.constraint];
  const auto inWorld = [&](int body, const Vector3d& v) { return body < 0 ? v : Vector3d(poseOf(body).R * v); };
  const Vector3d axis = inWorld(from.a, loop.axisA), a = inWorld(from.a, loop.sideA), b = inWorld(from.b, loop.sideB);
  return unwrapNear(std::atan2(axis.dot(b.cross(a)), b.dot(a)), loop.angle);
}

void DartScene::readConstraints(std::span<JointState> out) const {
  std::fill(out.begin(), out.end(), JointState());
  for (std::size_t c = 0; c < std::min(out.size(), axisOfConstraint_.size()); ++c) {
    if (axisOfConstraint_[c] < 0) continue;
    const AxisDrive& axis = *axes_[axisOfConstraint_[c]];
    out[c] = axis.state();
    out[c].effort = axis.friction();
  }
  for (const Loop& loop : loops_) {
    if (loop.balls.empty() || loop.constraint >= static_cast<int>(out.size())) continue;
    const SceneConstraint& from = description_.constraints[loop.constraint];
    const auto spin = [&](int body) { return body < 0 ? Vector3d(Vector3d::Zero()) : stateOf(body).w_WB; };
    const Vector3d axis = from.a < 0 ? loop.axisA : Vector3d(poseOf(from.a).R * loop.axisA);
    out[loop.constraint].position = angleOf(loop);
    out[loop.constraint].velocity = axis.dot(spin(from.a) - spin(from.b));
  }
}

Value DartScene::effectiveSettings() const {
  const auto lcp = [](DartSettings::Lcp kind) {
    return kind == DartSettings::Lcp::none ? "none" : kind == DartSettings::Lcp::pgs ? "pgs" : "dantzig";
  };
  Value settings = Value::map();
  settings.set("engine", "DART");
  settings.set("engine_version", DART_VERSION);
  settings.set("profile", settings_.profile == DartSettings::Profile::normalized ? "normalized" : "recommended");
  settings.set("solver", lcp(settings_.lcpSolver));
  settings.set("secondary_lcp_solver", lcp(settings_.secondaryLcpSolver));
  settings.set("max_iteration", settings_.maxIteration);
  settings.set("error_allowance", parameters_.errorAllowance);
  settings.set("error_reduction_parameter", parameters_.errorReduction);
  settings.set("max_error_reduction_velocity", parameters_.maxErrorReductionVelocity);
  settings.set("constraint_force_mixing", parameters_.constraintForceMixing);
  settings.set("joint_error_reduction_parameter", parameters_.jointErrorReduction);
  settings.set("joint_constraint_force_mixing", parameters_.jointConstraintForceMixing);
  settings.set("drives", settings_.drives == DartSettings::Drives::servo ? "servo" : "spring");
  settings.set("friction_direction",
               settings_.frictionDirection == DartSettings::FrictionDirection::sliding ? "sliding" : "fixed");
  if (ownContacts_ != nullptr) {
    settings.set("collision_detector", settings_.collisionDetector == DartSettings::Detector::dart ? "dart" : "fcl");
    settings.set("restore", "approximate");
  }
  settings.set("world_steps", static_cast<std::int64_t>(steps_));
  settings.set("solved_groups", static_cast<std::int64_t>(solver_->groups()));
  settings.set("solved_rows", static_cast<std::int64_t>(solver_->rows()));
  settings.set("largest_group", static_cast<std::int64_t>(solver_->largest()));
  settings.set("broken_off_groups", static_cast<std::int64_t>(solver_->brokenOff()));
  settings.set("saturated_drives", static_cast<std::int64_t>(saturated_));
  settings.set("repeated_steps", static_cast<std::int64_t>(repeated_));
  settings.set("unsettled_steps", static_cast<std::int64_t>(unsettled_));
  return settings;
}

}  // namespace mortise::dart
