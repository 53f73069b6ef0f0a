"""Objects pushed against others until they rest."""

import math
import random

from ..math import se3, so3, vectorops
from ..model.collide import bb_intersect
from ..model.contact import ContactPoint
from ..robotsim import Mass, RigidObjectModel, RobotModel, RobotModelLink, Simulator, WorldModel

# Programs get these along with `import *`.
import time
from ..model.trajectory import Trajectory
from ..robotsim import *


def _neighborhood(world, obj, box):
    """A world of the bodies whose boxes meet a box, links as heavy objects; the object there."""
    near, own = WorldModel(), None
    for i in range(world.numRobots()):
        robot = world.robot(i)
        for j in range(robot.numLinks()):
            link = robot.link(j)
            if link.geometry().empty() or not bb_intersect(link.geometry().getBB(), box):
                continue
            body = near.makeRigidObject(f"{robot.getName()}:{link.getName()}")
            body.geometry().set(link.geometry())
            heavy = Mass()
            heavy.setMass(1e6)
            heavy.setCom([0.0] * 3)
            heavy.setInertia([1e6] * 3)
            body.setMass(heavy)
            body.setTransform(*link.getTransform())
    for i in range(world.numRigidObjects()):
        other = world.rigidObject(i)
        if i == obj.index or bb_intersect(other.geometry().getBB(), box):
            copy = near.add(other.getName(), other)
            if i == obj.index:
                own = copy
    for i in range(world.numTerrains()):
        terrain = world.terrain(i)
        if bb_intersect(terrain.geometry().getBB(), box):
            near.add(terrain.getName(), terrain)
    return near, own


def _link_as_object(world, link):
    """A copy of a world without the link's robot, and the link as an object in it."""
    copy = WorldModel()
    for i in range(world.numRobots()):
        if i != link.robotIndex:
            copy.add(world.robot(i).getName(), world.robot(i))
    for i in range(world.numRigidObjects()):
        copy.add(world.rigidObject(i).getName(), world.rigidObject(i))
    for i in range(world.numTerrains()):
        copy.add(world.terrain(i).getName(), world.terrain(i))
    body = copy.makeRigidObject("obj")
    body.geometry().set(link.geometry())
    body.setMass(link.getMass())
    body.setTransform(*link.getTransform())
    return copy, body


def _swept_box(obj, point, forcedir):
    low, high = obj.geometry().getBB()
    radius = math.sqrt(sum(max(x - a, b - x)**2 for x, a, b in zip(point, low, high)))
    return ([x - radius + min(d, 0) for x, d in zip(point, forcedir)],
            [x + radius + max(d, 0) for x, d in zip(point, forcedir)])


class _Push:
    """The simulation of one settling."""

    def __init__(self, world, obj, direction, distance, forcept, margin, tol):
        self.world, self.obj, self.forcept = world, obj, forcept
        self.direction, self.distance, self.tol = direction, distance, tol
        self.sim = Simulator(world)
        self.body = self.sim.body(obj)
        others = [world.rigidObject(i) for i in range(world.numRigidObjects()) if i != obj.index]
        movable = len(others)
        others += [world.terrain(i) for i in range(world.numTerrains())]
        self.ids = [o.getID() for o in others]
        self.others = [self.sim.body(o) for o in others]
        self.movable = self.others[:movable]
        if margin is None:
            paddings = [b.getCollisionPadding() for b in self.others]
            margin = self.body.getCollisionPadding() + min(paddings, default=0.0)
        else:
            for b in self.others:
                b.setCollisionPadding(0)
            self.body.setCollisionPadding(margin)
        self.margin = margin
        self.dt = max(tol, margin * 0.5)
        self.force = obj.getMass().mass / (self.dt * 0.5)

    def prepare(self):
        """Freezes the others, sets the object in motion; whether it starts free enough."""
        sim, body = self.sim, self.body
        sim.setGravity((0, 0, 0))
        sim.setSimStep(self.dt)
        for i in self.ids:
            sim.enableContactFeedback(self.obj.getID(), i)
        for b in [body] + self.others:
            s = b.getSurface()
            if s.kRestitution != 0:  # Setting a surface makes the simulation anew.
                s.kRestitution = 0
                b.setSurface(s)
        for b in self.movable:
            b.setVelocity([0.0] * 3, [0.0] * 3)
            b.enableDynamics(False)
        body.setVelocity([0.0] * 3, vectorops.mul(self.direction, self.distance))
        sim.simulate(0)
        if sim.getStatus() != Simulator.STATUS_CONTACT_UNRELIABLE:
            return True
        R, t = body.getTransform()
        body.setTransform(R, vectorops.madd(t, self.direction, -self.margin))
        sim.simulate(0)
        return sim.getStatus() != Simulator.STATUS_CONTACT_UNRELIABLE

    def contacts(self):
        """Contacts by the id of the other body."""
        own = self.obj.getID()
        return {i: [ContactPoint(list(c[0:3]), list(c[3:6]), c[6])
                    for c in self.sim.getContacts(own, i)]
                for i in self.ids if self.sim.inContact(own, i)}

    def run(self, damping, perturb, show):
        """Pulls the object along by a spring, for a second at most; whether it rests."""
        body, d = self.body, self.direction
        R0, t0 = self.obj.getTransform()
        anchor = se3.apply((R0, t0), self.forcept)
        before, still, t = body.getTransform(), 0, 0.0
        while t < 1.0:
            f = d
            if perturb:
                noise = [random.gauss(0, perturb) for _ in range(3)]
                f = vectorops.add(d, vectorops.madd(noise, d, -vectorops.dot(d, noise)))
            T = body.getObjectTransform()
            stretch = vectorops.sub(anchor, se3.apply(T, self.forcept))
            f = vectorops.madd(vectorops.mul(f, self.force), stretch, self.force)
            body.applyForceAtLocalPoint(f, self.forcept)
            if damping > 0:
                body.applyWrench([0.0] * 3, vectorops.mul(so3.error(R0, T[0]), damping))
            self.sim.simulate(self.dt)
            show(self.sim)
            now = body.getTransform()
            still = still + 1 if vectorops.norm(se3.error(now, before)) < self.tol else 0
            if still >= 2:
                return True
            w, v = body.getVelocity()
            body.setVelocity(vectorops.mul(w, 0.8), vectorops.mul(v, 0.8))
            before = now
            anchor = vectorops.madd(anchor, d, self.dt * self.distance)
            t += self.dt
        return False


def settle(world, obj, forcedir=(0, 0, -1), forcept=(0, 0, 0), settletol=1e-4,
           orientationDamping=0.0, perturb=0, margin=None, debug=False):
    """Pushes an object along forcedir (its length is how far) until it rests.

    obj: a rigid object, its name or index, or a robot link. forcept: point of the object
    that is pushed. margin: collision margin. Returns the transform and the contacts by id
    of the other body; (None, []) when nothing is in the way or it starts in collision.
    """
    if isinstance(obj, (str, int)):
        obj = world.rigidObject(obj)
    if isinstance(obj, RobotModelLink):
        world, obj = _link_as_object(world, obj)
    elif isinstance(obj, RobotModel):
        raise NotImplementedError("settle() wants a rigid object or a link, not a whole robot")
    elif not isinstance(obj, RigidObjectModel):
        raise ValueError(f"settle() wants a rigid object or a link, got {type(obj).__name__}")
    distance = vectorops.norm(forcedir)
    if distance < settletol:
        print("settle(): the way of forcedir is shorter than settletol; nothing is done")
        return (obj.getTransform(), [])
    box = _swept_box(obj, se3.apply(obj.getTransform(), forcept), forcedir)
    near, own = _neighborhood(world, obj, box)
    if margin is not None and margin < settletol:
        raise ValueError(f"margin {margin} must be at least settletol {settletol}")
    if near.numRigidObjects() + near.numTerrains() < 2:
        print("settle(): there is nothing in direction", list(forcedir))
        return (None, [])
    push = _Push(near, own, vectorops.div(forcedir, distance), distance, forcept, margin, settletol)
    if not push.prepare():
        print("settle(): the object is within others and could not be pulled back")
        return (None, [])
    show = _shown(near) if debug else (lambda sim: None)
    if not push.run(orientationDamping, perturb, show):
        print("settle(): the object does not rest after a second; its velocity is",
              push.body.getVelocity())
    return (push.body.getObjectTransform(), push.contacts())


def _shown(world):
    from .. import vis
    vis.createWindow("settle")
    vis.add("world", world)

    def show(sim):
        sim.updateWorld()
        vis.update()
    vis.show()
    return show
