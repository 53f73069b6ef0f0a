#include "tests/plugins/physics_ode/plain/collisions.h"

#include <cmath>
#include <ode/ode.h>

namespace plain {

namespace {

struct Contacts {
  dWorldID world;
  dJointGroupID group;
  double restitution, friction;
};

Vector fromOde(const dReal* v) { return {v[0], v[1], v[2]}; }

/// Velocity of `a` against `b`, either of which may be the world.
void slipAt(const dReal* point, dBodyID a, dBodyID b, dVector3 slip) {
  dVector3 of = {0, 0, 0}, against = {0, 0, 0};
  if (a != nullptr) dBodyGetPointVel(a, point[0], point[1], point[2], of);
  if (b != nullptr) dBodyGetPointVel(b, point[0], point[1], point[2], against);
  for (int k = 0; k < 3; ++k) slip[k] = of[k] - against[k];
}

void near(void* data, dGeomID first, dGeomID second) {
  const Contacts& contacts = *static_cast<const Contacts*>(data);
  const dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
  if (a == nullptr && b == nullptr) return;
  constexpr int kMaximum = 20;
  dContact found[kMaximum] = {};
  const int count = dCollide(first, second, kMaximum, &found[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    dContact& contact = found[i];
    dVector3 slip;
    slipAt(contact.geom.pos, a, b, slip);
    const double closing = -dCalcVectorDot3(slip, contact.geom.normal);
    contact.surface.mode = dContactApprox1 | dContactFDir1;
    contact.surface.mu = contacts.friction;
    if (contacts.restitution > 0 && closing > 0.1) {
      contact.surface.mode |= dContactBounce | dContactSoftERP;
      contact.surface.bounce = contacts.restitution;
      contact.surface.bounce_vel = 0.1;
      contact.surface.soft_erp = 0;
    }
    // The first direction of friction along the slip, else anywhere.
    for (int k = 0; k < 3; ++k) contact.fdir1[k] = slip[k] + closing * contact.geom.normal[k];
    if (dCalcVectorLength3(contact.fdir1) < 1e-9) {
      dVector3 other;
      dPlaneSpace(contact.geom.normal, contact.fdir1, other);
    } else {
      dNormalize3(contact.fdir1);
    }
    dJointAttach(dJointCreateContact(contacts.world, contacts.group, &contact), a, b);
  }
}

}  // namespace

History collideOnOde(const Scene& scene) {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  const dWorldID world = dWorldCreate();
  const dSpaceID space = dSimpleSpaceCreate(nullptr);
  const dJointGroupID group = dJointGroupCreate(0);
  dWorldSetERP(world, 0.2);
  dWorldSetCFM(world, 1e-8);
  dWorldSetContactMaxCorrectingVel(world, 0.1);
  dWorldSetContactSurfaceLayer(world, 1e-3);
  std::vector<dBodyID> bodies;
  for (const Body& from : scene.bodies) {
    const dGeomID geom = from.ball ? dCreateSphere(space, from.radius)
                                   : dCreateBox(space, 2 * from.half[0], 2 * from.half[1], 2 * from.half[2]);
    dBodyID body = nullptr;
    if (from.mass > 0) {
      body = dBodyCreate(world);
      dMass mass;
      dMassSetParameters(&mass, from.mass, 0, 0, 0, from.moments[0], from.moments[1], from.moments[2], 0, 0, 0);
      dBodySetMass(body, &mass);
      dGeomSetBody(geom, body);
      dBodySetLinearVel(body, from.velocity[0], from.velocity[1], from.velocity[2]);
      dBodySetAngularVel(body, from.spin[0], from.spin[1], from.spin[2]);
      dBodySetFiniteRotationMode(body, 1);
    }
    dGeomSetPosition(geom, from.position[0], from.position[1], from.position[2]);
    bodies.push_back(body);
  }
  Contacts contacts{world, group, scene.restitution, scene.friction};
  History history;
  for (int i = 0; i < scene.steps; ++i) {
    dSpaceCollide(space, &contacts, near);
    dWorldStep(world, scene.step);
    dJointGroupEmpty(group);
    history.emplace_back();
    for (const dBodyID body : bodies)
      history.back().push_back(
          body == nullptr ? State() : State{fromOde(dBodyGetLinearVel(body)), fromOde(dBodyGetAngularVel(body))});
  }
  dJointGroupDestroy(group);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  dCloseODE();
  return history;
}

}  // namespace plain
