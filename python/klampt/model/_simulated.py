"""Parts of a simulator as items: sim.robots[0].actualConfig, sim.rigidObjects[1].transform."""

_SAME = {"config": "actualConfig", "velocity": "actualVelocity", "torques": "actualTorques"}


class Named(list):
    """A list whose items are found by name too; the names are those of a list given with it, or the items' own."""

    def __init__(self, items, names=None):
        super().__init__(items)
        self.names = names

    def __getitem__(self, key):
        if not isinstance(key, str):
            return list.__getitem__(self, key)
        names = [item.getName() for item in self] if self.names is None else self.names
        if key in names:
            return list.__getitem__(self, names.index(key))
        raise KeyError(key)


class SimRobot:
    """A simulated robot: actualConfig, actualVelocity, actualTorques, and links."""

    def __init__(self, sim, model):
        self._sim, self._model = sim, model

    def getName(self):
        """The robot's name."""
        return self._model.getName()

    def getActualConfig(self):
        """Configuration of the simulated robot."""
        return self._sim.getActualConfig(self._model.index)

    def getActualVelocity(self):
        """Velocity of the simulated robot."""
        return self._sim.getActualVelocity(self._model.index)

    def getActualTorques(self):
        """Torques of the simulated robot's drivers."""
        return self._sim.getActualTorque(self._model.index)

    @property
    def links(self):
        """The links as bodies in the frames of the model."""
        links = self._model.links
        return Named([SimModel(self._sim.body(link)) for link in links], [link.getName() for link in links])

    def __getattr__(self, name):
        if name in _SAME:
            name = _SAME[name]
            return getattr(self, "get" + name[0].upper() + name[1:])()
        raise AttributeError(name)


class SimModel:
    """A simulated body whose pose and velocity are those of its model's frame."""

    def __init__(self, body):
        self._body = body

    def getTransform(self):
        """Pose of the model's frame."""
        return self._body.getObjectTransform()

    def setTransform(self, R, t):
        """Sets the pose of the model's frame."""
        self._body.setObjectTransform(R, t)

    def getVelocity(self):
        """Velocity of the model's frame."""
        return self._body.getObjectVelocity()

    def setVelocity(self, w, v):
        """Sets the velocity of the model's frame."""
        self._body.setObjectVelocity(w, v)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._body, name)


def attribute(sim, name):
    """A part of a simulator by name; None: it has no such part."""
    world = sim.world
    if name == "time":
        return sim.getTime()
    if name == "world":
        return world
    if name == "gravity":
        return [float(v) for v in sim.getSetting("gravity").split()]
    if name == "robots":
        return Named([SimRobot(sim, robot) for robot in world.robots])
    if name == "controllers":
        return Named([sim.controller(i) for i in range(world.numRobots())], [r.getName() for r in world.robots])
    if name == "rigidObjects":
        return Named([SimModel(sim.body(o)) for o in world.rigidObjects], [o.getName() for o in world.rigidObjects])
    if name == "terrains":
        return Named([sim.body(t) for t in world.terrains], [t.getName() for t in world.terrains])
    for robot in world.robots:
        if robot.getName() == name:
            return SimRobot(sim, robot)
    for entity in (*world.rigidObjects, *world.terrains):
        if entity.getName() == name:
            return sim.body(entity)
    return None
