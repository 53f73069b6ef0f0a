#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/contacts/scene_contact_check.h"
#include "ode_scene.h"

// Contacts of a step, found by the backend or handed over, as ODE's contact joints, and their forces.

namespace mortise::ode {

namespace {

// Klamp't lays ODE's pyramid along ODE's own directions and lowers friction to stay within the cone.
constexpr double kKlamptFriction = 0.707;
// The least CFM of soft contacts, as for the world's: less makes dWorldStep fail on redundant contacts.
constexpr double kMinSoftCfm = 1e-8;

}  // namespace

void OdeScene::setContacts(std::span<const SceneContact> contacts) {
  if (description_.contactSource != ContactSource::external)
    throw Error("this scene finds contacts by itself; it does not take them from outside", {},
                "build it with ContactSource::external");
  checkSceneContacts(contacts, static_cast<int>(description_.bodies.size()),
                     static_cast<int>(description_.surfaces.size()));
  touches_.assign(contacts.begin(), contacts.end());
}

/// Fills `touches_` with what ODE's colliders find.
void OdeScene::findContacts() {
  const std::vector<TouchPoint>& found = finder_->find();
  touches_.resize(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Collider &a = colliders_.all()[found[i].a], &b = colliders_.all()[found[i].b];
    SceneContact& touch = touches_[i];
    touch = {};
    touch.idA = a.id;
    touch.idB = b.id;
    touch.bodyA = a.body;
    touch.bodyB = b.body;
    touch.point = found[i].point;
    touch.normal = found[i].normal;
    touch.gap = -found[i].depth;
    touch.material = description_.material(a.id, b.id);
  }
  pushOut_.soften(touches_);
  bounds_.contacts = finder_->ranFull();
}

/// Sets ODE's surface parameters for the normal direction; false for a contact that does not act in this step.
/// `approach` is the speed along the normal at the start of the step (negative: surfaces close).
bool OdeScene::setNormal(const SceneContact& touch, double approach, double h, dSurfaceParameters& surface) const {
  const ContactMaterial& material = touch.material;
  if (std::isfinite(material.stiffness)) {
    // Spring and damper as in ODE's manual. Without finite damping penetration stays as it is, as in Klamp't.
    const double k = h * material.stiffness, D = k + material.damping;
    if (!(D > 0)) return false;
    surface.mode |= dContactSoftERP | dContactSoftCFM;
    surface.soft_erp = std::isfinite(D) ? k / D : 0;
    surface.soft_cfm = std::max(kMinSoftCfm, 1 / D);
  }
  const bool bounces = material.restitution > 0 && approach < -settings_.bounceVel;
  if (touch.gap > 0) {
    // Surfaces that are apart must not close more than their gap. A bounce waits until they touch.
    if (bounces) return false;
    surface.mode |= dContactMotionN;
    surface.motionN = -touch.gap / h;
  } else if (bounces) {
    surface.mode |= dContactBounce;
    surface.bounce = material.restitution;
    surface.bounce_vel = settings_.bounceVel;
    if ((surface.mode & dContactSoftERP) == 0) {
      // Pushing out what is penetrated on the way would add energy.
      surface.mode |= dContactSoftERP;
      surface.soft_erp = 0;
    }
  }
  return true;
}

void OdeScene::createContact(const SceneContact& touch, double h, dJointFeedback& feedback) {
  // Velocity of A against B at the point, now and as gravity and free forces will change it in this step.
  Vector3d velocity = Vector3d::Zero(), slip = Vector3d::Zero();
  for (const int side : {1, -1}) {
    const Body& body = bodies_[side > 0 ? touch.bodyA : touch.bodyB];
    if (body.body == nullptr) continue;
    const Vector3d arm = touch.point - vectorFrom(dBodyGetPosition(body.body));
    const Vector3d spin = vectorFrom(dBodyGetAngularVel(body.body));
    velocity += side * (vectorFrom(dBodyGetLinearVel(body.body)) + spin.cross(arm));
    if (body.motion != BodyMotion::dynamic) continue;
    slip += side * h * gravity_;
    if (!body.jointed) slip += side * h / body.mass * vectorFrom(dBodyGetForce(body.body));
  }
  slip += velocity;
  slip -= touch.normal * touch.normal.dot(slip);

  dContact contact = {};
  dSurfaceParameters& surface = contact.surface;
  surface.mode = dContactApprox1;
  surface.mu = std::min(touch.material.friction, kMaximumFriction);
  if (settings_.klamptFriction()) {
    surface.mu *= kKlamptFriction;
  } else {
    // The pyramid is exact across its faces, so the first direction is laid along the way that the bodies will slip.
    surface.mode |= dContactFDir1;
    toOde(slip.norm() < 1e-9 ? touch.normal.unitOrthogonal() : slip.normalized(), contact.fdir1);
  }
  // The arm of the limit of the torque along both tangents; none about the normal.
  if (const double rolling = description_.rolling(touch.idA, touch.idB); rolling > 0) {
    surface.mode |= dContactRolling | dContactAxisDep;
    surface.mu2 = surface.mu;
    surface.rho = surface.rho2 = rolling;
  }
  if (!setNormal(touch, velocity.dot(touch.normal), h, surface)) return;
  const dBodyID a = bodies_[touch.bodyA].body, b = bodies_[touch.bodyB].body;
  toOde(touch.point, contact.geom.pos);
  contact.geom.depth = std::max(0.0, -touch.gap);
  // ODE's normal points into the first body of the joint, which must not be the world.
  toOde(a != nullptr ? touch.normal : Vector3d(-touch.normal), contact.geom.normal);
  const dJointID joint = dJointCreateContact(worldId(), contactGroup(), &contact);
  dJointAttach(joint, a != nullptr ? a : b, a != nullptr ? b : nullptr);
  dJointSetFeedback(joint, &feedback);
}

void OdeScene::createContacts(double h) {
  feedback_.assign(touches_.size(), dJointFeedback());
  const auto dynamic = [&](int body) { return bodies_[body].motion == BodyMotion::dynamic; };
  for (std::size_t i = 0; i < touches_.size(); ++i)
    if (dynamic(touches_[i].bodyA) || dynamic(touches_[i].bodyB)) createContact(touches_[i], h, feedback_[i]);
}

void OdeScene::readContactForces() {
  contacts_.resize(touches_.size());
  const bool external = description_.contactSource == ContactSource::external;
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const SceneContact& touch = touches_[i];
    ContactForce& out = contacts_[i];
    out.key = external ? touch.key : 0;
    out.idA = touch.idA;
    out.idB = touch.idB;
    out.bodyA = touch.bodyA;
    out.bodyB = touch.bodyB;
    out.point = touch.point;
    out.normal = touch.normal;
    out.depth = -touch.gap;
    out.force = (bodies_[touch.bodyA].body != nullptr ? 1 : -1) * vectorFrom(feedback_[i].f1);
  }
}

}  // namespace mortise::ode
