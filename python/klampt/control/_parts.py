"""Parts of interfaces, and interfaces made of parts."""

from ._completer import RobotInterfaceCompleter
from .robotinterface import RobotInterfaceBase


class _PartBase(RobotInterfaceBase):
    """Some drivers of a completed interface; the others keep their commands."""

    def __init__(self, parent, part, indices):
        RobotInterfaceBase.__init__(self, **parent.properties)
        self.properties["name"] = f"{parent.properties.get('name', '')}[{part}]"
        self._parent, self._part, self._indices = parent, part, list(indices)

    def numJoints(self, part=None):
        return len(self._indices) if part is None else len(self.parts()[part])

    def parts(self):
        return {None: list(range(len(self._indices)))}

    def controlRate(self):
        return self._parent.controlRate()

    def clock(self):
        return self._parent.clock()

    def status(self, joint_idx=None):
        return self._parent.status()

    def klamptModel(self):
        return self._parent.klamptModel()

    def jointName(self, joint_idx):
        return self._parent.jointName(self._indices[joint_idx])

    def sensedPosition(self):
        q = self._parent.sensedPosition()
        return [q[i] for i in self._indices]

    def commandedPosition(self):
        q = self._parent.commandedPosition()
        return [q[i] for i in self._indices]

    def setPosition(self, q):
        whole = self._parent.commandedPosition()
        for i, x in zip(self._indices, q):
            whole[i] = x
        self._parent._command(whole)


class PartInterface(RobotInterfaceCompleter):
    """A completed interface of some drivers; the whole interface steps it."""

    def __init__(self, parent, part, indices):
        RobotInterfaceCompleter.__init__(self, _PartBase(parent, part, indices), True)
        self._parent = parent
        parent._children.append(self)

    def whole(self):
        return False

    def driverIndices(self):
        return list(self._base._indices)

    def configFromKlampt(self, klamptConfig, part=None, joint_idx=None):
        q = self._parent.configFromKlampt(klamptConfig)
        return [q[i] for i in self.driverIndices()]

    def velocityFromKlampt(self, klamptVelocity, part=None, joint_idx=None):
        v = self._parent.velocityFromKlampt(klamptVelocity)
        return [v[i] for i in self.driverIndices()]

    def configToKlampt(self, config, klamptConfig=None, part=None, joint_idx=None):
        whole = self._parent.commandedPosition() if klamptConfig is None else (
            self._parent.configFromKlampt(klamptConfig))
        for i, x in zip(self.driverIndices(), config):
            whole[i] = x
        return self._parent.configToKlampt(whole)

    def velocityToKlampt(self, velocity, klamptVelocity=None, part=None, joint_idx=None):
        whole = [0.0] * self._parent.numJoints()
        for i, x in zip(self.driverIndices(), velocity):
            whole[i] = x
        return self._parent.velocityToKlampt(whole)

    def endStep(self):
        """Sends the next positions of a motion through the whole interface."""
        base, self._base = self._base, _Silent(self._base)
        try:
            RobotInterfaceCompleter.endStep(self)
        finally:
            self._base = base


class _Silent:
    """An interface whose endStep() does nothing more: the whole one steps."""

    def __init__(self, base):
        self.__dict__["_b"] = base

    def __getattr__(self, name):
        return getattr(self._b, name)

    @property  # type: ignore[misc]
    def __class__(self):
        return type(self._b)

    def endStep(self):
        pass


class _Combined(RobotInterfaceBase):
    """Physical interfaces with the drivers they move."""

    def __init__(self, model):
        RobotInterfaceBase.__init__(self, name="OmniRobotInterface")
        self._klamptModel = model
        self.physical = {}
        self.virtual = {}

    def numJoints(self, part=None):
        if part is not None:
            return len(self.parts()[part])
        if self._klamptModel is not None:
            return self._klamptModel.numDrivers()
        return 1 + max((max(i) for _, i in self.physical.values()), default=-1)

    def parts(self):
        res = {None: list(range(self.numJoints()))}
        res.update({name: list(i) for name, (_, i) in self.physical.items()})
        res.update(self.virtual)
        return res

    def initialize(self):
        return all([iface.initialize() for iface, _ in self.physical.values()])

    def close(self):
        return all([iface.close() for iface, _ in self.physical.values()])

    def beginStep(self):
        for iface, _ in self.physical.values():
            iface.beginStep()

    def endStep(self):
        for iface, _ in self.physical.values():
            iface.endStep()

    def controlRate(self):
        return max((iface.controlRate() for iface, _ in self.physical.values()), default=100.0)

    def clock(self):
        return max((iface.clock() for iface, _ in self.physical.values()), default=0.0)

    def status(self, joint_idx=None):
        for name, (iface, _) in self.physical.items():
            if iface.status() != "ok":
                return f"{name}: {iface.status()}"
        return "ok"

    def reset(self):
        return all([iface.reset() for iface, _ in self.physical.values()])

    def estop(self):
        for iface, _ in self.physical.values():
            iface.estop()

    def partInterface(self, part, joint_idx=None):
        return self.physical[part][0]

    def _gather(self, method):
        q = [0.0] * self.numJoints()
        if method != "sensedVelocity" and self._klamptModel is not None and (
                sum(len(i) for _, i in self.physical.values()) < len(q)):
            q = list(self._klamptModel.configToDrivers(self._klamptModel.getConfig()))
        for iface, indices in self.physical.values():
            for i, x in zip(indices, getattr(iface, method)()):
                q[i] = x
        return q

    def sensedPosition(self):
        return self._gather("sensedPosition")

    def sensedVelocity(self):
        return self._gather("sensedVelocity")

    def commandedPosition(self):
        return self._gather("commandedPosition")

    def setPosition(self, q):
        for iface, indices in self.physical.values():
            iface.setPosition([q[i] for i in indices])

    def setPID(self, q, dq, t=None):
        for iface, indices in self.physical.values():
            extra = () if t is None else ([t[i] for i in indices],)
            iface.setPID([q[i] for i in indices], [dq[i] for i in indices], *extra)

    def setTorque(self, t, ttl=None):
        for iface, indices in self.physical.values():
            iface.setTorque([t[i] for i in indices], ttl)

    def sensors(self):
        return [s for iface, _ in self.physical.values() for s in iface.sensors()]

    def enabledSensors(self):
        return [s for iface, _ in self.physical.values() for s in iface.enabledSensors()]

    def sensorMeasurements(self, name):
        for iface, _ in self.physical.values():
            if name in iface.sensors():
                return iface.sensorMeasurements(name)
        raise ValueError(f"there is no sensor '{name}'")


class OmniRobotInterface(RobotInterfaceCompleter):
    """A robot made of several interfaces: arms, hands, a base."""

    def __init__(self, klamptModel=None):
        RobotInterfaceCompleter.__init__(self, _Combined(klamptModel))

    def addPhysicalPart(self, name, interface, indices=None):
        """Adds an interface that moves the drivers with the given indices."""
        if not isinstance(interface, RobotInterfaceCompleter):
            interface = RobotInterfaceCompleter(interface)
        if indices is None:
            used = {i for _, other in self._base.physical.values() for i in other}
            start = 1 + max(used, default=-1)
            indices = list(range(start, start + interface.numJoints()))
        elif isinstance(indices, tuple) and len(indices) == 2:
            indices = list(range(*indices))
        if len(indices) != interface.numJoints():
            raise ValueError(f"part {name} has {interface.numJoints()} joints, got "
                             f"{len(indices)} indices")
        self._base.physical[name] = (interface, list(indices))

    def addVirtualPart(self, name, indices):
        """Names some drivers of the whole robot."""
        self._base.virtual[name] = list(indices)

    def setPartFilter(self, part, name, filter, input="auto", output="auto"):
        """setFilter() of a part."""
        self.partInterface(part).setFilter(name, filter, input, output)

    def setPartJointLimits(self, part, qmin="auto", qmax="auto", op="clamp"):
        """setJointLimits() of a part."""
        self.partInterface(part).setJointLimits(qmin, qmax, op)


RobotInterfaceCompleter._part_class = PartInterface
