"""Contacts, holds, stances and grasps, and questions of balance: force closure, equilibrium, support."""

import numpy as np

from .. import robotsim
from .._compat import deprecated_names
from ..math import se3, so3, vectorops
from ..robotsim import RigidObjectModel, RobotModel, RobotModelLink, TerrainModel
from . import ik


def id_to_object(world, ID):
    """The body of a world with an id: terrains, objects, then robots with their links."""
    assert 0 <= ID < world.numIDs(), f"id {ID} is not one of the {world.numIDs()} of the world"
    if ID < world.numTerrains():
        return world.terrain(ID)
    ID -= world.numTerrains()
    if ID < world.numRigidObjects():
        return world.rigidObject(ID)
    ID -= world.numRigidObjects()
    for i in range(world.numRobots()):
        robot = world.robot(i)
        if ID == 0:
            return robot
        if ID <= robot.numLinks():
            return robot.link(ID - 1)
        ID -= robot.numLinks() + 1
    raise RuntimeError(f"the world has no body with id {ID}")


class ContactPoint:
    """A contact: point x, normal n into object1, friction, and the two bodies."""

    def __init__(self, x=None, n=None, kFriction=0.0):
        self.x = [0.0, 0.0, 0.0] if x is None else x
        self.n = [0.0, 0.0, 1.0] if n is None else n
        self.kFriction = kFriction
        self.object1 = None
        self.object2 = None

    def reflect(self):
        """The contact as seen from the other body."""
        p = ContactPoint(self.x, [-v for v in self.n], self.kFriction)
        p.object1, p.object2 = self.object2, self.object1
        return p

    def transform(self, xform):
        """Moves the contact by a rigid transform."""
        self.x = se3.apply(xform, self.x)
        self.n = so3.apply(xform[0], self.n)

    def tolist(self):
        """Seven numbers: x, n, kFriction."""
        return list(self.x) + list(self.n) + [self.kFriction]

    def fromlist(self, v):
        """Sets the contact from seven numbers."""
        if len(v) != 7:
            raise ValueError(f"a contact wants 7 numbers (x, n, kFriction), got {len(v)}")
        self.x, self.n, self.kFriction = v[0:3], v[3:6], v[6]


class Hold:
    """A link held by contacts: link (index), ikConstraint, contacts."""

    def __init__(self):
        self.link = None
        self.ikConstraint = None
        self.contacts = []

    def setFixed(self, link, contacts):
        """Holds a link at contacts where it is now."""
        assert isinstance(link, (RobotModelLink, RigidObjectModel)), (
            f"a robot link or rigid object is wanted, got {type(link).__name__}")
        self.link = link.index
        inverse = se3.inv(link.getTransform())
        self.ikConstraint = ik.objective(link, local=[se3.apply(inverse, c.x) for c in contacts],
                                         world=[c.x for c in contacts])
        self.contacts = contacts[:]

    def transform(self, xform):
        """Moves contacts and constraint by a rigid transform."""
        for c in self.contacts:
            c.transform(xform)
        self.ikConstraint.transform(*xform)


class Stance(dict):
    """The Holds of a robot by link: Stance(holds) or Stance({link: hold}). Functions take it in place of a list of holds."""

    def __init__(self, holds=()):
        dict.__init__(self, holds if isinstance(holds, dict) else {})
        for hold in () if isinstance(holds, dict) else holds:
            self.insert(hold)

    def insert(self, hold):
        """Adds a hold. Raises ValueError for a link that has one."""
        if hold.link in self:
            raise ValueError(f"link {hold.link} has a hold already")
        self[hold.link] = hold

    def holds(self):
        """The holds, in the order in which they were added."""
        return list(self.values())

    def transform(self, xform):
        """Moves all holds by a rigid transform."""
        for hold in self.values():
            hold.transform(xform)


class Grasp:
    """A hand on an object: IKObjectives relative to it (constraints), links that keep a value (fixedDofs, fixedValues), and
    contacts, the link of each (contactLinks), and its force in N or None (forces)."""

    def __init__(self):
        self.objectIndex, self.robotIndex = -1, 0
        self.constraints = []
        self.fixedDofs, self.fixedValues = [], []
        self.contacts, self.contactLinks, self.forces = [], [], []

    def addContact(self, link, contact, force=None):
        """Adds a ContactPoint of a link, by index."""
        self.contacts.append(contact)
        self.contactLinks.append(link)
        self.forces.append(force)

    def transform(self, xform):
        """Moves constraints, contacts and forces by a rigid transform."""
        for goal in self.constraints:
            goal.transform(*xform)
        for contact in self.contacts:
            contact.transform(xform)
        self.forces = [None if f is None else so3.apply(xform[0], f) for f in self.forces]


def _holds(holds):
    """A list of holds, where a Stance is one."""
    return holds.holds() if isinstance(holds, Stance) else holds


def _flatten(item):
    item = _holds(item)
    if isinstance(item, ContactPoint):
        return [item.tolist()]
    if isinstance(item, Grasp):
        return [c.tolist() for c in item.contacts]
    if isinstance(item, Hold):
        return [c.tolist() for c in item.contacts]
    if isinstance(item, np.ndarray) or (len(item) == 7 and not hasattr(item[0], "__iter__")
                                        and not isinstance(item[0], (ContactPoint, Hold))):
        return np.atleast_2d(item).tolist()
    return [row for part in item for row in _flatten(part)]


def _array(contacts):
    return np.array(_flatten(contacts), dtype=float).reshape(-1, 7)


def force_closure(contactOrHoldList):
    """Returns whether the contacts can resist any force and torque."""
    return robotsim.force_closure(_array(contactOrHoldList))


def com_equilibrium(contactOrHoldList, fext=(0, 0, -1), com=None):
    """Forces at the contacts that balance fext at com, or None.

    Without com: whether any force balances at some com (a test by the support polygon).
    """
    return robotsim.com_equilibrium(_array(contactOrHoldList), fext, com)


def support_polygon(contactOrHoldList):
    """Half planes (nx, ny, offset) of where the center of mass is supported."""
    return robotsim.support_polygon(_array(contactOrHoldList))


def equilibrium_torques(robot, holdList, fext=(0, 0, -9.8), internalTorques=None, norm=0):
    """(torques, forces) that keep a robot still with the fewest torques, or None.

    norm: 0 for the largest torque relative to its limit, 1 or 2 for sums.
    """
    links = [h.link for h in _holds(holdList) for _ in h.contacts]
    extra = () if internalTorques is None else (internalTorques,)
    res = robotsim.equilibrium_torques(robot, _array(holdList), links, fext, *extra, norm)
    if res is None:
        return None
    f = [x for v in res[1] for x in (v if hasattr(v, "__iter__") else (v,))]
    return (res[0], [f[i:i + 3] for i in range(0, len(f), 3)])


def contact_map(contacts, fixed=None):
    """Contacts by pair of bodies, the one with the lower id first.

    fixed: a function of a body; bodies for which it is true count as None.
    """
    fixed = fixed or (lambda body: body is None or isinstance(body, TerrainModel))
    result = {}
    for c in contacts:
        o1 = None if fixed(c.object1) else c.object1
        o2 = None if fixed(c.object2) else c.object2
        id1, id2 = getattr(o1, "getID", lambda: None)(), getattr(o2, "getID", lambda: None)()
        if id1 == id2:
            raise RuntimeError("contact_map() got a contact of a body with itself")
        if id1 is None or (id2 is not None and id2 < id1):
            result.setdefault((o2, o1), []).append(c.reflect())
        else:
            result.setdefault((o1, o2), []).append(c)
    return result


def geometry_contacts(geom1, geom2, padding1, padding2=0, maxcontacts=0, kFriction=1):
    """ContactPoints between two geometries grown by paddings."""
    res = geom1.contacts(geom2, padding1, padding2, maxcontacts)
    points = []
    for p1, p2, n in zip(res.points1, res.points2, res.normals):
        c = ContactPoint(vectorops.interpolate(p1, p2, 0.5), list(n), kFriction)
        c.object1, c.object2 = geom1, geom2
        points.append(c)
    return points


def world_contact_map(world, padding, kFriction=1, collider=None):
    """Contacts by pair of bodies of a world; padding and friction are numbers or functions."""
    from .collide import WorldCollider
    pad = padding if callable(padding) else lambda body: padding
    friction = kFriction if callable(kFriction) else lambda a, b: kFriction
    result = {}
    for (a, g), (b, h) in (collider or WorldCollider(world)).collisionTests(bb_reject=False):
        contacts = geometry_contacts(g, h, pad(a), pad(b))
        for c in contacts:
            c.kFriction = friction(a, b)
            c.object1, c.object2 = a, b
        if contacts:
            result[a, b] = contacts
    return result


def sim_contact_map(sim):
    """Contacts by pair of bodies in a running simulation."""
    result, world = {}, sim.world
    bodies = [id_to_object(world, i) for i in range(world.numIDs())]
    for a, first in enumerate(bodies):
        for b, second in enumerate(bodies[:a]):
            # A whole robot's id stands for all of its links, which have their own.
            if isinstance(first, RobotModel) or isinstance(second, RobotModel):
                continue
            rows = sim.getContacts(a, b)
            if len(rows):
                result[first, second] = [ContactPoint(list(r[0:3]), list(r[3:6]), r[6])
                                         for r in rows]
    return result


def _constraint(o1, o2, contacts):
    local = [o1.getLocalPosition(c.x) for c in contacts]
    if o2 is None or isinstance(o2, TerrainModel):
        return ik.objective(o1, local=local, world=[c.x for c in contacts])
    return ik.objective(o1, o2, local=local, world=[o2.getLocalPosition(c.x) for c in contacts])


def contact_map_ik_objectives(contactmap):
    """One IK objective a pair, that keeps its contacts."""
    return [_constraint(o1, o2, contacts) for (o1, o2), contacts in contactmap.items()]


def contact_map_holds(contactmap):
    """One Hold a pair; the first body of each must be a robot link."""
    holds = []
    for (o1, o2), contacts in contactmap.items():
        if not isinstance(o1, RobotModelLink):
            raise ValueError("contact_map_holds() wants robot links first in each pair, got "
                             f"{type(o1).__name__}")
        h = Hold()
        h.link, h.contacts = o1.index, contacts
        h.ikConstraint = _constraint(o1, o2, contacts)
        holds.append(h)
    return holds


def skew(x):
    """3 x 3 array of the cross product with x."""
    assert len(x) == 3, "skew() wants 3 numbers"
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def inv_mass_matrix(obj):
    """Inverse mass matrix: 6 x 6 of a rigid object (angular first), n x n of a robot."""
    if obj is None or isinstance(obj, TerrainModel):
        return np.zeros((6, 6))
    if isinstance(obj, RobotModel):
        return obj.getMassMatrixInv()
    m = obj.getMass()
    H = np.array(m.getInertia(), dtype=float)
    H = np.diag(H) if H.size == 3 else H.reshape(3, 3)
    H = H - m.getMass() * skew(m.getCom()) @ skew(m.getCom())
    res = np.zeros((6, 6))
    res[:3, :3] = np.linalg.inv(H)
    res[3:, 3:] = np.eye(3) / m.getMass()
    return res


def wrench_matrices(contactMap):
    """For each pair, two 6 x 3n arrays that turn contact forces into wrenches."""
    result = {}
    for (o1, o2), contacts in contactMap.items():
        pair = []
        for body, sign in ((o1, 1.0), (o2, -1.0)):
            origin = body.getTransform()[1] if hasattr(body, "getTransform") else [0.0] * 3
            blocks = [np.vstack((sign * skew(vectorops.sub(c.x, origin)), -sign * np.eye(3)))
                      for c in contacts]
            pair.append(np.hstack(blocks))
        result[o1, o2] = tuple(pair)
    return result


deprecated_names(
    __name__, idToObject="id_to_object", forceClosure="force_closure",
    comEquilibrium="com_equilibrium", supportPolygon="support_polygon",
    equilibriumTorques="equilibrium_torques", contactMap="contact_map",
    geometryContacts="geometry_contacts", worldContactMap="world_contact_map",
    simContactMap="sim_contact_map", contactMapIKObjectives="contact_map_ik_objectives",
    contactMapHolds="contact_map_holds", invMassMatrix="inv_mass_matrix",
    wrenchMatrices="wrench_matrices")
