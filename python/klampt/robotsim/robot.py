"""Robots."""

import os
import sys
from types import MappingProxyType

from . import _drawgl
from ._native import native
from .link import RobotModelDriver, RobotModelLink
from .sensor import SensorModel


class RobotModel:
    """A robot: links, drivers, limits and sensors, and a configuration and velocity, which all handles share.

    `setConfig` also moves the links and their geometries. A configuration has one number a link, fixed and coupled ones
    among them. Got from `WorldModel.robot`.
    """

    def __init__(self, name="Robot"):
        self._robot, self._state = native.Robot(name), None

    @classmethod
    def _of(cls, robot, state):
        handle = cls.__new__(cls)
        handle._robot, handle._state = robot, state
        return handle

    def __repr__(self):
        return "<RobotModel: %r, %d links, %d drivers>" % (self.getName(), self.numLinks(), self.numDrivers())

    @property
    def world(self):
        """Number of the world; -1: none."""
        return -1 if self._state is None else self._state.number

    @property
    def index(self):
        """Index among the world's robots; -1: none."""
        return -1 if self._state is None else self._state.native.robotIndex(self._robot)

    @property
    def robot(self):
        """A number that identifies the robot."""
        return id(self._robot)

    @property
    def dirty_dynamics(self):
        """Always False: what dynamics need is updated when it is asked for."""
        return False

    def loadFile(self, fn):
        """Becomes what a file holds. False, with the reason on stderr, when it cannot be read."""
        try:
            self._robot.load(os.fspath(fn))
        except RuntimeError as error:
            print("RobotModel.loadFile: %s" % error, file=sys.stderr)
            return False
        return True

    def saveFile(self, fn, geometryPrefix=None):
        """Writes the robot; with a prefix, its geometries, too. False, with the reason on stderr, when it cannot."""
        try:
            self._robot.save(os.fspath(fn), geometryPrefix)
        except RuntimeError as error:
            print("RobotModel.saveFile: %s" % error, file=sys.stderr)
            return False
        return True

    def getID(self):
        """The id in the world; -1 without one."""
        index = self.index
        return -1 if index < 0 else self._state.native.robotId(index)

    def getName(self):
        """The robot's name."""
        return self._robot.name

    def setName(self, name):
        """Renames the robot."""
        self._robot.name = name

    def numLinks(self):
        """Returns the number of links, and so numbers in a configuration."""
        return self._robot.numLinks()

    def link(self, index_or_name):
        """A link by index or name; one of index -1 when there is none of that name."""
        if isinstance(index_or_name, str):
            index = self._robot.linkIndex(index_or_name)
        else:
            index = int(index_or_name)
            if not 0 <= index < self._robot.numLinks():
                raise RuntimeError("robot '%s' has no link %d: it has %d" % (self.getName(), index, self.numLinks()))
        return RobotModelLink._of(self._robot, self._state, index)

    def numDrivers(self):
        """Returns the number of drivers."""
        return self._robot.numDrivers()

    def driver(self, index_or_name):
        """A driver by index or name. Raises RuntimeError when there is none."""
        if isinstance(index_or_name, str):
            for i in range(self._robot.numDrivers()):
                if self._robot.driverName(i) == index_or_name:
                    return RobotModelDriver._of(self._robot, self._state, i)
            raise RuntimeError("robot '%s' has no driver '%s'" % (self.getName(), index_or_name))
        index = int(index_or_name)
        if not 0 <= index < self._robot.numDrivers():
            raise RuntimeError("robot '%s' has no driver %d: it has %d" % (self.getName(), index, self.numDrivers()))
        return RobotModelDriver._of(self._robot, self._state, index)

    def _link_index(self, index_or_name):
        if isinstance(index_or_name, str):
            index = self._robot.linkIndex(index_or_name)
            if index < 0:
                raise RuntimeError("robot '%s' has no link '%s'" % (self.getName(), index_or_name))
            return index
        return int(index_or_name)

    def getJointType(self, index_or_name):
        """Type of the joint above a link: 'weld', 'normal', 'spin', 'floating', 'floatingplanar', 'ballandsocket'."""
        return self._robot.jointType(self._link_index(index_or_name))

    def getConfig(self):
        """The configuration, a new list."""
        return self._robot.getConfig()

    def getVelocity(self):
        """The velocity, a new list."""
        return self._robot.getVelocity()

    def setConfig(self, q):
        """Sets the configuration, and moves links and geometries. Raises RuntimeError for another length."""
        self._robot.setConfig(q)

    def setVelocity(self, dq):
        """Sets the velocity. Raises RuntimeError for another length."""
        self._robot.setVelocity(dq)

    def getJointLimits(self):
        """(lowest, highest) positions of the links."""
        return self._robot.jointLimits()

    def setJointLimits(self, qmin, qmax):
        """Sets the lowest and highest positions of the links."""
        self._robot.setJointLimits(qmin, qmax)

    def getVelocityLimits(self):
        """Highest velocities of the links."""
        return self._robot.velocityLimits()

    def setVelocityLimits(self, vmax):
        """Sets the highest velocities of the links."""
        self._robot.setVelocityLimits(vmax)

    def getAccelerationLimits(self):
        """Highest accelerations of the links."""
        return self._robot.accelerationLimits()

    def setAccelerationLimits(self, amax):
        """Sets the highest accelerations of the links."""
        self._robot.setAccelerationLimits(amax)

    def getTorqueLimits(self):
        """Highest torques of the links."""
        return self._robot.torqueLimits()

    def setTorqueLimits(self, tmax):
        """Sets the highest torques of the links."""
        self._robot.setTorqueLimits(tmax)

    def setDOFPosition(self, index_or_name, qi):
        """Sets one number of the configuration, by index or name of its link."""
        q = self.getConfig()
        q[self._robot_index(index_or_name)] = float(qi)
        self.setConfig(q)

    def _robot_index(self, index_or_name):
        index = self._link_index(index_or_name)
        if not 0 <= index < self.numLinks():
            raise RuntimeError("robot '%s' has no link %d: it has %d" % (self.getName(), index, self.numLinks()))
        return index

    def getDOFPosition(self, index_or_name):
        """One number of the configuration, by index or name of its link."""
        return self.getConfig()[self._robot_index(index_or_name)]

    def getCom(self):
        """Center of mass in the world."""
        return self._robot.com()

    def getComVelocity(self):
        """Velocity of the center of mass."""
        return self._robot.comVelocity()

    def getComJacobian(self):
        """Jacobian of the center of mass, 3 x n."""
        return self._robot.comJacobian()

    def getComJacobianCols(self, links):
        """Columns of it for some links."""
        return self._robot.comJacobianColumns([int(i) for i in links])

    def getLinearMomentum(self):
        """Linear momentum, kg m/s."""
        return self._robot.linearMomentum()

    def getAngularMomentum(self):
        """Angular momentum about the center of mass, kg m^2/s."""
        return self._robot.angularMomentum()

    def getKineticEnergy(self):
        """Kinetic energy, J."""
        return self._robot.kineticEnergy()

    def getTotalInertia(self):
        """Inertia of the whole robot as it stands, about the center of mass, 3 x 3."""
        return self._robot.totalInertia()

    def getMassMatrix(self):
        """The mass matrix B(q), n x n."""
        return self._robot.massMatrix()

    def getMassMatrixInv(self):
        """Its inverse."""
        return self._robot.massMatrixInverse()

    def getMassMatrixDeriv(self, i):
        """Its derivative with q_i, to rounding errors of differences."""
        return self._robot.massMatrixDerivative(int(i))

    def getMassMatrixTimeDeriv(self):
        """Its derivative with time at the robot's velocity."""
        return self._robot.massMatrixRate()

    def getCoriolisForceMatrix(self):
        """A matrix C with C dq = `getCoriolisForces`, for which dB/dt - 2 C is skew."""
        return self._robot.coriolisMatrix()

    def getCoriolisForces(self):
        """Torques of velocities."""
        return self._robot.coriolisForces()

    def getGravityForces(self, g):
        """Torques G(q) that hold the robot in gravity, such as (0, 0, -9.8)."""
        return self._robot.gravityForces(g)

    def torquesFromAccel(self, ddq):
        """Torques B ddq + C for accelerations, without gravity."""
        return self._robot.torquesFromAccel(ddq)

    def accelFromTorques(self, t):
        """Accelerations for torques, without gravity."""
        return self._robot.accelFromTorques(t)

    def interpolate(self, a, b, u):
        """The configuration at fraction u of the way from a to b."""
        return self._robot.interpolate(a, b, float(u))

    def distance(self, a, b):
        """Length of the way from a to b."""
        return self._robot.distance(a, b)

    def interpolateDeriv(self, a, b):
        """The velocity at a on the way to b in unit time."""
        return self._robot.interpolateDeriv(a, b)

    def randomizeConfig(self, unboundedScale=1.0):
        """Sets a random configuration within limits, where `set_random_seed` seeds the numbers."""
        self._robot.randomize(float(unboundedScale))

    def configToDrivers(self, config):
        """Values of the drivers at a configuration."""
        return self._robot.toDrivers(config)

    def velocityToDrivers(self, velocities):
        """Rates of the drivers at a velocity."""
        return self._robot.velocityToDrivers(velocities)

    def configFromDrivers(self, driverValues):
        """The configuration for values of the drivers; links without one stay where they are."""
        return self._robot.fromDrivers(driverValues)

    def velocityFromDrivers(self, driverVelocities):
        """The velocity for rates of the drivers; links without one keep theirs."""
        return self._robot.velocityFromDrivers(driverVelocities)

    def selfCollisionEnabled(self, link1, link2):
        """Returns whether two links are checked against each other."""
        return self._robot.selfCollisionEnabled(int(link1), int(link2))

    def enableSelfCollision(self, link1, link2, value):
        """Sets whether two links are checked against each other."""
        self._robot.setSelfCollision(int(link1), int(link2), bool(value))

    def selfCollides(self):
        """Returns whether any two links that are checked collide."""
        return self._robot.selfCollides()

    def drawGL(self, keepAppearance=True):
        """Draws it in a window of klampt.vis that draws with OpenGL; elsewhere it does nothing."""
        _drawgl.draw(self)

    def reduce(self, robot):
        """Becomes another robot without the links that cannot move; their geometries and masses go to what carries them.
        Returns for each link of that robot its index here, or -1."""
        return self._robot.reduce(robot._robot)

    def mount(self, link, subRobot, R, t):
        """Mounts another robot on a link, -1 for the world, at the pose (R, t) in its frame. Names become 'NAME:link'."""
        self._robot.mount(int(link), subRobot._robot, R, t)

    def numSensors(self):
        """Returns the number of sensors."""
        return len(self._robot.sensors())

    def _sensor(self, index_or_name):
        sensors = self._robot.sensors()
        if isinstance(index_or_name, str):
            for sensor in sensors:
                if sensor.name == index_or_name:
                    return SensorModel._of(self, sensor)
        elif 0 <= int(index_or_name) < len(sensors):
            return SensorModel._of(self, sensors[int(index_or_name)])
        return SensorModel._of(self, None)

    def sensor(self, index_or_name):
        """A sensor by index or name. Raises KeyError when there is none."""
        sensor = self._sensor(index_or_name)
        if sensor._sensor is None:
            raise KeyError("robot '%s' has no sensor %r" % (self.getName(), index_or_name))
        return sensor

    def addSensor(self, name, type):
        """Adds a sensor of a type such as 'CameraSensor'. Raises RuntimeError for a type that does not exist."""
        return SensorModel._of(self, self._robot.addSensor(name, type))

    @property
    def links(self):
        """All links."""
        return tuple(RobotModelLink._of(self._robot, self._state, i) for i in range(self.numLinks()))

    @property
    def linksDict(self):
        """All links by name."""
        return MappingProxyType({link.getName(): link for link in self.links})

    @property
    def drivers(self):
        """All drivers."""
        return tuple(RobotModelDriver._of(self._robot, self._state, i) for i in range(self.numDrivers()))

    @property
    def driversDict(self):
        """All drivers by name."""
        return MappingProxyType({driver.getName(): driver for driver in self.drivers})

    @property
    def sensors(self):
        """All sensors."""
        return tuple(SensorModel._of(self, sensor) for sensor in self._robot.sensors())

    @property
    def sensorsDict(self):
        """All sensors by name."""
        return MappingProxyType({sensor.name: sensor for sensor in self.sensors})

    name = property(getName, setName)
    id = property(getID)
    config = property(getConfig, setConfig)
    velocity = property(getVelocity, setVelocity)


RobotModelLink._model_class = RobotModelDriver._model_class = RobotModel
