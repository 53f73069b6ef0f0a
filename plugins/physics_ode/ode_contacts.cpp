#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "contact_friction.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "ode_convert.h"
#include "ode_scene.h"

// Contacts of a step, found by the backend or handed over, as ODE's contact joints, and their forces.

namespace mortise::ode {

void OdeScene::setContacts(std::span<const SceneContact> contacts) {
  if (description_.contactSource != ContactSource::external)
    throw Error("this scene finds contacts by itself; it does not take them from outside", {},
                "build it with ContactSource::external");
  const int n = static_cast<int>(bodies_.size());
  for (const SceneContact& c : contacts) {
    if (c.bodyA < 0 || c.bodyA >= n || c.bodyB < 0 || c.bodyB >= n || c.bodyA == c.bodyB)
      throw Error("a contact names bodies " + std::to_string(c.bodyA) + " and " + std::to_string(c.bodyB) +
                  "; two different ones of " + std::to_string(n) + " were expected");
    const ContactMaterial& m = c.material;
    const bool material =
        m.friction >= 0 && m.restitution >= 0 && std::isfinite(m.restitution) && m.stiffness >= 0 && m.damping >= 0;
    if (!c.point.allFinite() || !std::isfinite(c.gap) || !(std::abs(c.normal.squaredNorm() - 1) < 1e-6) || !material)
      throw Error("a contact between ids " + std::to_string(c.idA) + " and " + std::to_string(c.idB) +
                      " has a point, normal, gap or material that cannot be",
                  {}, "points and gaps are finite, normals of unit length, materials not negative");
  }
  touches_.assign(contacts.begin(), contacts.end());
}

/// Fills `touches_` with what the backend finds by itself.
void OdeScene::findContacts() {
  colliders_.refresh();
  const std::vector<TouchPoint>& found = finder_->find(colliders_.all());
  touches_.resize(found.size());
  int index = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Collider &a = colliders_.all()[found[i].a], &b = colliders_.all()[found[i].b];
    SceneContact& touch = touches_[i];
    touch.idA = a.id;
    touch.idB = b.id;
    touch.bodyA = a.body;
    touch.bodyB = b.body;
    touch.point = found[i].point;
    touch.normal = found[i].normal;
    touch.gap = -found[i].depth;
    const bool samePair = i > 0 && touches_[i - 1].idA == a.id && touches_[i - 1].idB == b.id;
    if (!samePair) touch.material = description_.material(a.id, b.id);
    if (samePair) touch.material = touches_[i - 1].material;
    // The order of points within a pair of shapes hardly changes from step to step.
    index = i > 0 && found[i].a == found[i - 1].a && found[i].b == found[i - 1].b ? index + 1 : 0;
    const int features[] = {found[i].a, found[i].b, index};
    touch.key = hashBytes(features, sizeof(features));
  }
}

/// Looks at each contact of the step: what it asks for, and which way its bodies are going to slip.
void OdeScene::prepareContacts(double h) {
  ContactStep step;
  step.h = h;
  step.gravity = gravity_.norm();
  step.errorReduction = errorReduction_;
  step.mixing = mixing_;
  step.layer = description_.contactSource == ContactSource::external ? 0 : contactLayer(step.gravity, h);
  terms_.resize(touches_.size());
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const SceneContact& touch = touches_[i];
    // Velocity of A against B at the point, now and as forces other than contact will change it in this step. What
    // joints will do to the links of robots is not known yet; gravity is.
    Vector3d velocity = Vector3d::Zero(), predicted = Vector3d::Zero();
    double lightest = std::numeric_limits<double>::infinity();
    for (const int side : {1, -1}) {
      const Body& body = bodies_[side > 0 ? touch.bodyA : touch.bodyB];
      if (body.body == nullptr) continue;
      const Vector3d arm = touch.point - vectorFrom(dBodyGetPosition(body.body));
      const Vector3d spin = vectorFrom(dBodyGetAngularVel(body.body));
      const Vector3d v = vectorFrom(dBodyGetLinearVel(body.body)) + spin.cross(arm);
      velocity += side * v;
      predicted += side * v;
      if (body.motion != BodyMotion::dynamic) continue;
      lightest = std::min(lightest, body.mass);
      predicted += side * h * gravity_;
      if (!body.jointed) predicted += side * h / body.mass * vectorFrom(dBodyGetForce(body.body));
    }
    terms_[i] = contactTerms(touch, velocity.dot(touch.normal), lightest, step);
    predicted -= touch.normal * touch.normal.dot(predicted);
    slip_.resize(touches_.size());
    slip_[i] = predicted.norm() < 1e-9 ? touch.normal.unitOrthogonal() : predicted.normalized();
  }
}

void OdeScene::createContacts(double disturbance) {
  dJointGroupEmpty(contactGroup());
  feedback_.resize(touches_.size());
  dContact contact = {};
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    feedback_[i] = {};
    if (!terms_[i].used) continue;
    const SceneContact& touch = touches_[i];
    dSurfaceParameters& surface = contact.surface;
    surface.mode = dContactSoftCFM | dContactApprox1 | dContactSlip1 | dContactSlip2 | dContactMotionN;
    surface.mu = frictionCoefficient(touch.material, settings_.friction);
    surface.slip1 = surface.slip2 = frictionMixing(mixing_);
    surface.soft_cfm = terms_[i].mixing;
    // The least speed apart, whether from a gap, from penetration or of a bounce.
    surface.motionN = terms_[i].speed;
    if (!settings_.klamptFriction()) {
      // The pyramid is exact along its edges' normals, so one of them is laid along the way that the bodies will slip.
      surface.mode |= dContactFDir1;
      toOde(slip_[i], contact.fdir1);
    }
    if (disturbance > 0) {
      const std::uint64_t bits = hashBytes(&i, sizeof(i));
      const auto fraction = [&](int k) { return static_cast<double>((bits >> (16 * k)) & 0xffff) / 0x8000 - 1; };
      surface.mode |= dContactMotion1 | dContactMotion2;
      surface.motionN += disturbance * fraction(0);
      surface.motion1 = disturbance * fraction(1);
      surface.motion2 = disturbance * fraction(2);
    }
    const dBodyID a = bodies_[touch.bodyA].body;
    const dBodyID b = bodies_[touch.bodyB].body;
    if (a == nullptr && b == nullptr) continue;
    toOde(touch.point, contact.geom.pos);
    // ODE's normal points into the first body of the joint, which must not be the world.
    toOde(a != nullptr ? touch.normal : Vector3d(-touch.normal), contact.geom.normal);
    const dJointID joint = dJointCreateContact(worldId(), contactGroup(), &contact);
    dJointAttach(joint, a != nullptr ? a : b, a != nullptr ? b : nullptr);
    dJointSetFeedback(joint, &feedback_[i]);
  }
}

/// Contacts of the step without their forces.
void OdeScene::startContactForces() {
  contacts_.resize(touches_.size());
  keys_.resize(touches_.size());
  const bool external = description_.contactSource == ContactSource::external;
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const SceneContact& touch = touches_[i];
    ContactForce& out = contacts_[i];
    keys_[i] = touch.key;
    out.key = external ? touch.key : 0;
    out.idA = touch.idA;
    out.idB = touch.idB;
    out.bodyA = touch.bodyA;
    out.bodyB = touch.bodyB;
    out.point = touch.point;
    out.normal = touch.normal;
    out.depth = -touch.gap;
    out.force.setZero();
  }
}

void OdeScene::readContactForces() {
  startContactForces();
  for (std::size_t i = 0; i < touches_.size(); ++i)
    contacts_[i].force = (bodies_[touches_[i].bodyA].body != nullptr ? 1 : -1) * vectorFrom(feedback_[i].f1);
}

}  // namespace mortise::ode
