"""Links and drivers of robots."""

import typing

from . import _drawgl
from ._native import native
from .appearance import Appearance
from .geometry import Geometry3D
from .mass import Mass

_ORIGIN = [0.0, 0.0, 0.0]


class RobotModelLink:
    """A link of a robot: what it is fixed by (name, parent, axis, mass, geometry), and, at the robot's configuration, where
    it is, its velocity and its Jacobians. Got from `RobotModel.link`."""

    _model_class: typing.Any = None  # RobotModel, whose module is above this one and sets it.

    def __init__(self):
        self._robot, self._state, self.index = None, None, -1

    @classmethod
    def _of(cls, robot, state, index):
        link = cls.__new__(cls)
        link._robot, link._state, link.index = robot, state, index
        return link

    def __repr__(self):
        return "<RobotModelLink: %s>" % (repr(self.getName()) if self._robot is not None and self.index >= 0 else "none")

    @property
    def world(self):
        """Number of the world; -1: none."""
        return -1 if self._state is None else self._state.number

    @property
    def robotIndex(self):
        """Index of the robot in its world; -1: none."""
        return -1 if self._state is None else self._state.native.robotIndex(self._robot)

    @property
    def robotPtr(self):
        """A number that identifies the robot."""
        return id(self._robot)

    def getID(self):
        """The id in the world; -1 without one."""
        if self._state is None or self.index < 0:
            return -1
        robot = self.robotIndex
        return -1 if robot < 0 else self._state.native.robotId(robot) + 1 + self.index

    id = property(getID)

    def getName(self):
        """The link's name."""
        return self._robot.linkName(self.index)

    def setName(self, name):
        """Renames the link. Raises RuntimeError when another link has the name."""
        self._robot.setLinkName(self.index, name)

    def robot(self):
        """The robot."""
        return self._model_class._of(self._robot, self._state)

    def getIndex(self):
        """Index among the robot's links."""
        return self.index

    def getParentIndex(self):
        """Index of the parent link; -1: the world."""
        return self._robot.parent(self.index)

    def setParentIndex(self, p):
        """Hangs the link on another one, which must stand before it; -1: the world."""
        self._robot.setParent(self.index, int(p))

    def getParentLink(self):
        """The parent link; one of index -1 where there is none."""
        return RobotModelLink._of(self._robot, self._state, self.getParentIndex())

    def setParentLink(self, l):
        """Hangs the link on another one of the same robot."""
        if l._robot is not self._robot:
            raise RuntimeError("the parent must be a link of the same robot")
        self.setParentIndex(l.index)

    def setParent(self, index_or_link):
        """The same by index or link."""
        if isinstance(index_or_link, RobotModelLink):
            self.setParentLink(index_or_link)
        else:
            self.setParentIndex(index_or_link)

    def getParent(self):
        """Index of the parent link; -1: the world."""
        return self.getParentIndex()

    def geometry(self):
        """The link's geometry, a reference."""
        return Geometry3D._of(self._robot.shape(self.index), self._state, self.getID())

    def appearance(self):
        """Returns how the link looks, a reference."""
        from .looks import link_appearance
        return link_appearance(self)

    def getMass(self):
        """A copy of the link's mass; its inertia is about the center of mass."""
        return Mass._of(self._robot.linkMass(self.index))

    def setMass(self, mass):
        """Replaces the link's mass; its inertia is about the center of mass."""
        self._robot.setLinkMass(self.index, *mass._numbers())

    def getParentTransform(self):
        """Pose (R, t) in the parent's frame when the joint is at 0."""
        return self._robot.parentTransform(self.index)

    def setParentTransform(self, R, t):
        """Sets the pose in the parent's frame when the joint is at 0."""
        self._robot.setParentTransform(self.index, R, t)

    def getAxis(self):
        """The joint's axis in the link's frame."""
        return self._robot.axis(self.index)

    def setAxis(self, axis):
        """Sets the joint's axis in the link's frame."""
        self._robot.setAxis(self.index, axis)

    def isPrismatic(self):
        """Returns whether the joint slides."""
        return self._robot.prismatic(self.index)

    def isRevolute(self):
        """Returns whether the joint turns."""
        return not self.isPrismatic()

    def setPrismatic(self, prismatic):
        """Makes the joint slide or turn."""
        self._robot.setPrismatic(self.index, bool(prismatic))

    def getWorldPosition(self, plocal):
        """A point of the link in the world."""
        return self._robot.worldPosition(self.index, plocal)

    def getWorldDirection(self, vlocal):
        """A direction of the link in the world."""
        return self._robot.worldDirection(self.index, vlocal)

    def getLocalPosition(self, pworld):
        """A point of the world in the link's frame."""
        return self._robot.localPosition(self.index, pworld)

    def getLocalDirection(self, vworld):
        """A direction of the world in the link's frame."""
        return self._robot.localDirection(self.index, vworld)

    def getTransform(self):
        """Pose (R, t) in the world."""
        return self._robot.linkTransform(self.index)

    def setTransform(self, R, t):
        """Sets the pose in the world, alone: the next `setConfig` sets it anew."""
        self._robot.setLinkTransform(self.index, R, t)

    def getVelocity(self):
        """Velocity of the link's origin, m/s, world axes."""
        return self._robot.pointVelocity(self.index, _ORIGIN)

    def getAngularVelocity(self):
        """Angular velocity, rad/s, world axes."""
        return self._robot.angularVelocity(self.index)

    def getPointVelocity(self, plocal):
        """Velocity of a point of the link, m/s, world axes."""
        return self._robot.pointVelocity(self.index, plocal)

    def getJacobian(self, plocal):
        """Jacobian of a point, 6 x n: three angular rows, then three linear ones."""
        return self._robot.jacobian(self.index, plocal)

    def getPositionJacobian(self, plocal):
        """Jacobian of a point's position, 3 x n."""
        return self._robot.positionJacobian(self.index, plocal)

    def getOrientationJacobian(self):
        """Jacobian of the angular velocity, 3 x n."""
        return self._robot.orientationJacobian(self.index)

    def getJacobianCols(self, plocal, links):
        """Columns of `getJacobian` for some links."""
        return self._robot.jacobianColumns(self.index, plocal, [int(i) for i in links])

    def getPositionJacobianCols(self, plocal, links):
        """Columns of `getPositionJacobian` for some links."""
        return self.getJacobianCols(plocal, links)[3:]

    def getOrientationJacobianCols(self, links):
        """Columns of `getOrientationJacobian` for some links."""
        return self.getJacobianCols(_ORIGIN, links)[:3]

    def getAcceleration(self, ddq):
        """Acceleration of the link's origin for accelerations of the joints; [] stands for zeros."""
        return self._robot.pointAcceleration(self.index, _ORIGIN, ddq)

    def getPointAcceleration(self, plocal, ddq):
        """Acceleration of a point for accelerations of the joints."""
        return self._robot.pointAcceleration(self.index, plocal, ddq)

    def getAngularAcceleration(self, ddq):
        """Angular acceleration for accelerations of the joints."""
        return self._robot.angularAcceleration(self.index, ddq)

    def getPositionHessian(self, plocal):
        """Second derivatives of a point's position, 3 x n x n."""
        return self._robot.positionHessian(self.index, plocal)

    def getOrientationHessian(self):
        """Returns how the columns of `getOrientationJacobian` change with the joints, 3 x n x n."""
        return self._robot.orientationHessian(self.index)

    def drawLocalGL(self, keepAppearance=True):
        """Does nothing: there is no OpenGL here."""

    def drawWorldGL(self, keepAppearance=True):
        """Draws it in a window of klampt.vis that draws with OpenGL; elsewhere it does nothing."""
        _drawgl.draw(self)

    name = property(getName, setName)
    parent = property(getParentIndex, setParent)
    mass = property(getMass, setMass)
    parentTransform = property(getParentTransform)
    axis = property(getAxis, setAxis)
    prismatic = property(isPrismatic, setPrismatic)
    transform = property(getTransform)


class RobotModelDriver:
    """A motor of a robot: it moves a link, or several links together. Got from `RobotModel.driver`."""

    _model_class: typing.Any = None  # As of links.

    def __init__(self):
        self._robot, self._state, self.index = None, None, -1

    @classmethod
    def _of(cls, robot, state, index):
        driver = cls.__new__(cls)
        driver._robot, driver._state, driver.index = robot, state, index
        return driver

    def __repr__(self):
        return "<RobotModelDriver: %s>" % (repr(self.getName()) if self._robot is not None else "none")

    world = RobotModelLink.world
    robotIndex = RobotModelLink.robotIndex
    robotPtr = RobotModelLink.robotPtr
    robot = RobotModelLink.robot

    def getName(self):
        """The driver's name."""
        return self._robot.driverName(self.index)

    def setName(self, name):
        """Renames the driver."""
        self._robot.setDriverName(self.index, name)

    def getType(self):
        """'normal', 'affine', 'translation' or 'rotation'."""
        return self._robot.driverType(self.index)

    def getAffectedLink(self):
        """Index of the link that a normal driver moves, of the first one otherwise."""
        return self._robot.driverLinks(self.index)[0]

    def getAffectedLinks(self):
        """Indices of the links that it moves."""
        return self._robot.driverLinks(self.index)

    def getAffineCoeffs(self):
        """Returns lists (scale, offset) of an affine driver; link i is at scale[i] * value + offset[i]."""
        scale, offset = self._robot.driverAffine(self.index)
        return list(scale), list(offset)

    def setValue(self, val):
        """Sets the configuration's entries to a value of the driver; frames follow with the next `setConfig`."""
        self._robot.setDriverValue(self.index, float(val))

    def getValue(self):
        """The driver's value at the robot's configuration."""
        return self._robot.driverValue(self.index)

    def setVelocity(self, val):
        """Sets the velocity's entries to a rate of the driver."""
        self._robot.setDriverVelocity(self.index, float(val))

    def getVelocity(self):
        """The driver's rate at the robot's velocity."""
        return self._robot.driverVelocity(self.index)

    def getLimits(self):
        """(lowest, highest) value."""
        return self._robot.driverLimits(self.index)

    def getVelocityLimits(self):
        """(lowest, highest) rate."""
        return self._robot.driverVelocityLimits(self.index)

    def getAccelerationLimits(self):
        """(lowest, highest) acceleration."""
        return self._robot.driverAccelerationLimits(self.index)

    def getTorqueLimits(self):
        """(lowest, highest) torque."""
        return self._robot.driverTorqueLimits(self.index)

    name = property(getName, setName)
    type = property(getType)
    affectedLink = property(getAffectedLink)
    affectedLinks = property(getAffectedLinks)
    value = property(getValue, setValue)
    velocity = property(getVelocity, setVelocity)
