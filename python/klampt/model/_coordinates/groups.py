"""Groups of frames, points and directions by name."""

from collections import defaultdict

from ...math import se3, so3
from .items import Direction, Frame, Point, Transform


class Group:
    """Frames, points, directions and groups by name; 'group:name' looks into a group."""

    def __init__(self):
        self._name = None
        self.destroy()

    def rootFrame(self):
        return self.frames.get("root", None)

    def destroy(self):
        """Forgets everything but the root."""
        self.frames = {"root": Frame("root")}
        self.childLists = defaultdict(list)
        self.points = {}
        self.directions = {}
        self.subgroups = {}

    def setWorldModel(self, worldModel):
        """Adds a group a robot, and a frame a rigid object and terrain, of a world."""
        for i in range(worldModel.numRobots()):
            robot = worldModel.robot(i)
            self.addGroup(robot.getName()).setRobotModel(robot)
        bodies = [(i, worldModel.rigidObject(i)) for i in range(worldModel.numRigidObjects())]
        bodies += [(i, worldModel.terrain(i)) for i in range(worldModel.numTerrains())]
        for i, body in bodies:
            name = body.getName()
            T = body.getTransform() if hasattr(body, "getTransform") else se3.identity()
            f = self.addFrame(f"{name}[{i}]" if name in self.frames else name, worldCoordinates=T)
            f._data = body

    def _add_links(self, robot, suffix, data):
        for i in range(robot.numLinks()):
            link = robot.link(i)
            p = link.getParent()
            parent = self.frames[robot.link(p).getName() + suffix] if p >= 0 else "root"
            f = self.addFrame(link.getName() + suffix, worldCoordinates=link.getTransform(),
                              parent=parent)
            f._data = data(i, link)

    def setRobotModel(self, robotModel):
        """Adds a frame a link, below its parent's."""
        self._add_links(robotModel, "", lambda i, link: link)

    def setController(self, controller):
        """Adds frames NAME_commanded and NAME_sensed of a controller's links."""
        robot = controller.model() if hasattr(controller, "model") else controller.robot()
        for kind, config in (("commanded", controller.getCommandedConfig()),
                             ("sensed", controller.getSensedConfig())):
            robot.setConfig(config)
            self._add_links(robot, "_" + kind, lambda i, link, kind=kind: (controller, i, kind))

    def setSimBody(self, name, simBody):
        """Adds a frame that follows a simulated body."""
        self.addFrame(name, worldCoordinates=simBody.getTransform())._data = simBody

    def updateFromWorld(self):
        """Moves frames to where their bodies are."""
        for f in list(self.frames.values()):
            body = f._data
            if not hasattr(body, "getTransform"):
                continue
            T = body.getTransform()
            p = body.getParent() if hasattr(body, "getParent") else -1
            f._worldCoordinates = T
            f._relativeCoordinates = T if p < 0 else se3.mul(
                se3.inv(body.robot().link(p).getTransform()), T)
            for c in self.childLists[f._name]:
                if not hasattr(c._data, "getTransform"):
                    c._worldCoordinates = se3.mul(T, c._relativeCoordinates)
                    self.updateDependentFrames(c)
        for g in self.subgroups.values():
            g.updateFromWorld()

    def updateToWorld(self):
        """Moves bodies to where their frames are."""
        for f in self.frames.values():
            if hasattr(f._data, "setTransform"):
                f._data.setTransform(*f.worldCoordinates())
        for g in self.subgroups.values():
            g.updateToWorld()

    def addFrame(self, name, worldCoordinates=None, parent=None, relativeCoordinates=None):
        """Adds a frame below parent (name or Frame; default the root)."""
        if name in self.frames:
            raise ValueError(f"Frame {name} already exists")
        parent = self.frame("root" if parent is None else parent)
        if worldCoordinates is None and relativeCoordinates is None:
            relativeCoordinates = se3.identity()
        f = Frame(name, worldCoordinates, parent, relativeCoordinates)
        self.frames[name] = f
        self.childLists[parent._name].append(f)
        return f

    def _add(self, kind, items, name, coordinates, frame):
        if name in items:
            raise ValueError(f"{kind.__name__} {name} already exists")
        items[name] = kind(coordinates, self.frame(frame), name)
        return items[name]

    def addPoint(self, name, coordinates=(0, 0, 0), frame="root"):
        """Adds a named point in a frame."""
        return self._add(Point, self.points, name, coordinates, frame)

    def addDirection(self, name, coordinates=(0, 0, 0), frame="root"):
        """Adds a named direction in a frame."""
        return self._add(Direction, self.directions, name, coordinates, frame)

    def addGroup(self, name, group=None, parentFrame="root"):
        """Adds a group (a new one by default)."""
        group = Group() if group is None else group
        if name in self.subgroups:
            raise ValueError(f"Subgroup {name} already exists")
        group._name = name
        self.subgroups[name] = group
        group.frames["root"]._parent = self.frame(parentFrame)
        return group

    def deleteFrame(self, name):
        """Removes a frame; what hangs on it stays where it is in the world."""
        assert name != "root", "Root frame may not be deleted"
        if name not in self.frames:
            raise ValueError(f"Frame {name} does not exist")
        f, root = self.frames[name], self.frames["root"]
        if f._parent is not None and f in self.childLists[f._parent._name]:
            self.childLists[f._parent._name].remove(f)
        for item in list(self.points.values()) + list(self.directions.values()):
            if item._frame is f:
                item._localCoordinates = item.worldCoordinates()
                item._frame = root
        for c in self.childLists.pop(name, []):
            c._relativeCoordinates = c._worldCoordinates
            c._parent = root
            self.childLists["root"].append(c)
        del self.frames[name]

    def deletePoint(self, name):
        del self.points[name]

    def deleteDirection(self, name):
        del self.directions[name]

    def deleteGroup(self, name):
        del self.subgroups[name]

    def setFrameCoordinates(self, name, coordinates, parent="relative"):
        """Moves a frame, given in 'relative' (its parent), 'world', or another frame."""
        f = self.frame(name)
        if parent == "relative":
            base = f._parent
        elif parent in (None, "world"):
            base = None
        else:
            base = self.frame(parent)
        world = coordinates if base is None else se3.mul(base._worldCoordinates, coordinates)
        f._worldCoordinates = world
        f._relativeCoordinates = world if f._parent is None else se3.mul(
            se3.inv(f._parent._worldCoordinates), world)
        self.updateDependentFrames(f)

    def updateDependentFrames(self, frame):
        """Moves the frames below a frame with it."""
        for c in self.childLists[frame._name]:
            c._worldCoordinates = se3.mul(frame._worldCoordinates, c._relativeCoordinates)
            self.updateDependentFrames(c)

    def _find(self, kind, items, finder, name):
        if isinstance(name, kind):
            return name
        table = getattr(self, items)
        if name in table:
            return table[name]
        group, _, rest = name.partition(":")
        if rest and group in self.subgroups:
            return getattr(self.subgroups[group], finder)(rest)
        raise ValueError(f"{kind.__name__} {name} does not exist; there are: "
                         + (", ".join(map(str, table)) or "none"))

    def frame(self, name):
        """The frame with a name."""
        return self._find(Frame, "frames", "frame", name)

    def getPoint(self, name):
        """The point with a name."""
        return self._find(Point, "points", "getPoint", name)

    def getDirection(self, name):
        """The direction with a name."""
        return self._find(Direction, "directions", "getDirection", name)

    def toWorld(self, object):
        return object.toWorld()

    def to(self, object, frame):
        return object.to(self.frame(frame))

    def transform(self, sourceFrame, destFrame="root"):
        """The Transform between two frames."""
        return Transform(self.frame(sourceFrame), self.frame(destFrame))

    def point(self, coordinates=(0, 0, 0), frame="root"):
        """A Point in a frame, without a name."""
        return Point(coordinates, self.frame(frame))

    def direction(self, coordinates=(0, 0, 0), frame="root"):
        """A Direction in a frame, without a name."""
        return Direction(coordinates, self.frame(frame))

    def pointFromWorld(self, worldCoordinates=(0, 0, 0), frame="root"):
        """A Point in a frame, given in the world."""
        f = self.frame(frame)
        return Point(se3.apply(se3.inv(f._worldCoordinates), worldCoordinates), f)

    def directionFromWorld(self, worldCoordinates=(0, 0, 0), frame="root"):
        """A Direction in a frame, given in the world."""
        f = self.frame(frame)
        return Direction(so3.apply(so3.inv(f._worldCoordinates[0]), worldCoordinates), f)

    def listFrames(self, indent=0):
        """Prints the names of frames."""
        for k, f in self.frames.items():
            print(" " * indent + k, "" if f._parent is None else f"({f._parent._name})")
        for n, g in self.subgroups.items():
            print(" " * indent + n + ":")
            g.listFrames(indent + 2)

    def listItems(self, indent=0):
        """Prints the names of everything."""
        for title, items in (("Frames", self.frames), ("Points", self.points),
                             ("Directions", self.directions)):
            if items:
                print(" " * indent + title + ":")
            for k, item in items.items():
                parent = getattr(item, "_parent", None)
                print(" " * (indent + 2) + k, f"({parent._name})" if parent else "")
        if self.subgroups:
            print(" " * indent + "Subgroups:")
        for n, g in self.subgroups.items():
            print(" " * (indent + 2) + n + ":")
            g.listItems(indent + 4)


class Manager(Group):
    """The group of the whole world; its root is also called 'world'."""

    def __init__(self):
        Group.__init__(self)
        self._name = "world_group"

    def destroy(self):
        Group.destroy(self)
        self.frames["world"] = self.frames["root"]

    def worldFrame(self):
        return self.frames.get("world", None)

    def deleteFrame(self, name):
        assert name != "world", "World frame may not be deleted"
        Group.deleteFrame(self, name)

    def setFrameCoordinates(self, name, coordinates, parent="relative"):
        assert name != "world", "World frame must stay fixed at identity"
        Group.setFrameCoordinates(self, name, coordinates, parent)
