#include "model/robots_and_worlds.h"

#include "model/archive.h"

namespace mortise::python {

// Found by the type of their first argument, which is why they are in no unnamed namespace.

static void fields(Archive& a, SourcePosition& p) { a(p.file, p.line, p.column, p.path); }
static void fields(Archive& a, AffineMap& m) { a(m.A, m.t); }
static void fields(Archive& a, Surface& s) {
  a(s.friction, s.restitution, s.stiffness, s.damping, s.padding, s.preshrink, s.rolling);
}

static void fields(Archive& a, Link& l) {
  a(l.name, l.parent, l.motion, l.axis, l.X_PL0, l.inertia, l.geometry, l.geometryFile, l.geometryScale,
    l.geometryTransform, l.qMin, l.qMax, l.velocityMin, l.velocityMax, l.accelerationMax, l.torqueMax, l.powerMax, l.q);
}

static void fields(Archive& a, Joint& j) { a(j.type, j.link, j.base); }

static void fields(Archive& a, Driver& d) {
  a(d.name, d.type, d.links, d.scale, d.offset, d.qMin, d.qMax, d.velocityMin, d.velocityMax, d.accelerationMin,
    d.accelerationMax, d.torqueMin, d.torqueMax, d.servoP, d.servoI, d.servoD, d.dryFriction, d.viscousFriction);
}

static void fields(Archive& a, RobotDescription& r) {
  a(r.name, r.file, r.links, r.joints, r.drivers, r.selfCollisionPairs, r.properties, r.sensors, r.controller);
}

static void fields(Archive& a, RigidObject& o) {
  a(o.name, o.file, o.geometryFile, o.geometry, o.X_WO, o.v_WO, o.w_WO, o.inertia, o.surface, o.position,
    o.geometryTransform, o.display);
}

static void fields(Archive& a, Terrain& t) {
  a(t.name, t.file, t.geometryFile, t.geometry, t.surface, t.position, t.geometryTransform, t.display);
}

static void fields(Archive& a, WorldRobot& r) { a(r.name, r.file, r.robot, r.q, r.dq, r.position, r.display); }

static void fields(Archive& a, SurfaceOverride& s) {
  a(s.friction, s.restitution, s.stiffness, s.damping, s.padding, s.preshrink, s.rolling);
}

static void fields(Archive& a, WorldJoint& j) {
  a(j.type, j.idA, j.idB, j.point, j.axis, j.min, j.max, j.friction, j.position);
}

static void fields(Archive& a, ComponentRequest& c) { a(c.type, c.settings, c.position); }

static void fields(Archive& a, SimulationSettings& s) {
  a(s.backend, s.backendSettings, s.gravity, s.timeStep, s.errorReduction, s.constraintForceMixing, s.maxContacts,
    s.boundaryLayerContacts, s.adaptiveTimeStepping, s.onUnstable, s.objectCollisions, s.robotSelfCollisions,
    s.robotRobotCollisions, s.surfaces, s.joints, s.controllers, s.sensors, s.stateData, s.commands);
}

static void fields(Archive& a, World& w) { a(w.file, w.background, w.terrains, w.objects, w.robots, w.simulation); }

namespace {

template <typename T>
py::list stateOf(T value) {
  Archive archive;
  fields(archive, value);
  return archive.list();
}

}  // namespace

py::list robotState(const Robot& robot) { return stateOf(robot.description()); }

std::shared_ptr<Robot> robotFrom(const py::list& state) {
  RobotDescription description;
  Archive archive(state);
  fields(archive, description);
  return held(Robot::compile(std::move(description)));
}

py::list worldState(const World& world) { return stateOf(world); }

std::shared_ptr<World> worldFrom(const py::list& state) {
  auto world = std::make_shared<World>();
  Archive archive(state);
  fields(archive, *world);
  return world;
}

}  // namespace mortise::python
