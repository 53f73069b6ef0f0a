#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <ode/ode.h>

#include "simulation/recording.h"

namespace mortise::bench {
namespace {

/// The program of somebody who knows ODE and has contacts: bodies, hinges and sliders with their stops and dry
/// friction, explicit motors, a contact joint for each contact with softness and speculative gap, friction along the
/// slip, force feedback; the exact solver up to as many rows as our backend takes it for, else the quick one.
class OdeLoop final : public HandLoop {
 public:
  OdeLoop(const SceneDescription& scene, int exactLimit, int iterations)
      : scene_(scene), exactLimit_(exactLimit), bodies_(scene.bodies.size()), states_(scene.bodies.size()) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    dWorldSetERP(world_, scene.errorReduction);
    dWorldSetCFM(world_, scene.constraintForceMixing);
    dWorldSetAutoDisableFlag(world_, 0);
    dWorldSetQuickStepNumIterations(world_, iterations);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const SceneBody& body = scene.bodies[i];
      if (body.motion == BodyMotion::fixed) continue;
      dMass mass;
      const Matrix3d& I = body.inertia.inertia;
      dMassSetParameters(&mass, body.inertia.mass, 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
      bodies_[i] = dBodyCreate(world_);
      dBodySetMass(bodies_[i], &mass);
      dBodySetFiniteRotationMode(bodies_[i], 1);
      put(i, {body.X_WB, body.v_WB, body.w_WB});
    }
    for (const SceneJoint& joint : scene.joints) addJoint(joint);
  }
  ~OdeLoop() override {
    dJointGroupDestroy(group_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void place(const RecordedStep& step) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      if (bodies_[i] != nullptr) put(i, step.bodies[i]);
  }

  void step(const RecordedStep& step) override {
    const double h = step.h;
    rows_ = jointRows_ + 3 * static_cast<int>(step.contacts.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const double effort = explicitEffort(step.drives[j], step.joints[j]);
      if (scene_.joints[j].type == SceneJoint::Type::revolute) {
        dJointAddHingeTorque(joints_[j], effort);
        dJointSetHingeParam(joints_[j], dParamFMax, step.drives[j].dryFriction);
      } else {
        dJointAddSliderForce(joints_[j], effort);
        dJointSetSliderParam(joints_[j], dParamFMax, step.drives[j].dryFriction);
      }
    }
    feedback_.resize(step.contacts.size());
    for (std::size_t i = 0; i < step.contacts.size(); ++i) addContact(step.contacts[i], h, feedback_[i]);
    if (rows_ <= exactLimit_)
      dWorldStep(world_, h);
    else
      dWorldQuickStep(world_, h);
    load_ = 0;
    for (std::size_t i = 0; i < step.contacts.size(); ++i) load_ += std::abs(feedback_[i].f1[2]);
    dJointGroupEmpty(group_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (bodies_[i] == nullptr) continue;
      const dReal* R = dBodyGetRotation(bodies_[i]);
      for (int k = 0; k < 9; ++k) states_[i].X_WB.R(k / 3, k % 3) = R[4 * (k / 3) + k % 3];
      const Vector3d arm = states_[i].X_WB.R * scene_.bodies[i].inertia.com;
      states_[i].X_WB.p = Eigen::Map<const Vector3d>(dBodyGetPosition(bodies_[i])) - arm;
      states_[i].w_WB = Eigen::Map<const Vector3d>(dBodyGetAngularVel(bodies_[i]));
      states_[i].v_WB = Eigen::Map<const Vector3d>(dBodyGetLinearVel(bodies_[i])) - states_[i].w_WB.cross(arm);
    }
  }
  double load() const override { return load_; }

 private:
  void put(std::size_t i, const BodyState& state) {
    const Vector3d arm = state.X_WB.R * scene_.bodies[i].inertia.com;
    const Vector3d p = state.X_WB.p + arm, v = state.v_WB + state.w_WB.cross(arm);
    dMatrix3 R;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) R[4 * r + c] = c < 3 ? state.X_WB.R(r, c) : 0;
    dBodySetPosition(bodies_[i], p.x(), p.y(), p.z());
    dBodySetRotation(bodies_[i], R);
    dBodySetLinearVel(bodies_[i], v.x(), v.y(), v.z());
    dBodySetAngularVel(bodies_[i], state.w_WB.x(), state.w_WB.y(), state.w_WB.z());
  }

  void addJoint(const SceneJoint& joint) {
    const dBodyID child = bodies_[joint.child], parent = joint.parent < 0 ? nullptr : bodies_[joint.parent];
    const RigidTransform& X = scene_.bodies[joint.child].X_WB;
    const Vector3d axis = X.R * joint.axis;
    const double lower = joint.lower - joint.position, upper = joint.upper - joint.position;
    dJointID made;
    if (joint.type == SceneJoint::Type::revolute) {
      made = dJointCreateHinge(world_, nullptr);
      dJointAttach(made, child, parent);
      dJointSetHingeAnchor(made, X.p.x(), X.p.y(), X.p.z());
      dJointSetHingeAxis(made, axis.x(), axis.y(), axis.z());
      if (lower > -std::numbers::pi) dJointSetHingeParam(made, dParamLoStop, lower);
      if (upper < std::numbers::pi) dJointSetHingeParam(made, dParamHiStop, upper);
    } else {
      made = dJointCreateSlider(world_, nullptr);
      dJointAttach(made, child, parent);
      dJointSetSliderAxis(made, axis.x(), axis.y(), axis.z());
      if (std::isfinite(lower)) dJointSetSliderParam(made, dParamLoStop, lower);
      if (std::isfinite(upper)) dJointSetSliderParam(made, dParamHiStop, upper);
    }
    joints_.push_back(made);
    jointRows_ += 6;
  }

  Vector3d velocityAt(dBodyID body, const Vector3d& p, double h) const {
    if (body == nullptr) return Vector3d::Zero();
    dVector3 v;
    dBodyGetPointVel(body, p.x(), p.y(), p.z(), v);
    return Vector3d(v[0], v[1], v[2]) + h * scene_.gravity;
  }

  void addContact(const SceneContact& from, double h, dJointFeedback& feedback) {
    dBodyID a = bodies_[from.bodyA], b = bodies_[from.bodyB];
    if (a == nullptr && b == nullptr) return;
    dContact contact = {};
    dSurfaceParameters& surface = contact.surface;
    surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1 | dContactFDir1 | dContactMotionN;
    surface.mu = from.material.friction;
    const double k = h * from.material.stiffness, c = from.material.damping;
    const bool soft = std::isfinite(from.material.stiffness) && std::isfinite(c);
    surface.soft_erp = soft ? k / (k + c) : 0.2;
    surface.soft_cfm = soft ? 1 / (k + c) : std::max(1e-8, scene_.constraintForceMixing);
    surface.motionN = from.gap > 0 ? -from.gap / h : 0;
    Vector3d slip = velocityAt(a, from.point, h) - velocityAt(b, from.point, h);
    const Vector3d normal = a != nullptr ? from.normal : Vector3d(-from.normal);
    slip -= normal * normal.dot(slip);
    const double speed = slip.norm();
    slip = speed < 1e-9 ? normal.unitOrthogonal() : Vector3d(slip / speed);
    for (int i = 0; i < 3; ++i) {
      contact.geom.pos[i] = from.point[i];
      contact.geom.normal[i] = normal[i];
      contact.fdir1[i] = slip[i];
    }
    contact.geom.depth = std::max(0.0, -from.gap);
    const dJointID joint = dJointCreateContact(world_, group_, &contact);
    dJointAttach(joint, a != nullptr ? a : b, a != nullptr ? b : nullptr);
    dJointSetFeedback(joint, &feedback);
  }

  const SceneDescription& scene_;
  int exactLimit_, jointRows_ = 0, rows_ = 0;
  dWorldID world_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  std::vector<dJointID> joints_;
  std::vector<dJointFeedback> feedback_;
  std::vector<BodyState> states_;
  double load_ = 0;
};

}  // namespace

std::unique_ptr<HandLoop> makeOdeLoop(const SceneDescription& scene, int exactLimit, int iterations) {
  return std::make_unique<OdeLoop>(scene, exactLimit, iterations);
}

}  // namespace mortise::bench
