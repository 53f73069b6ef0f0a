"""The scene: items by name with attributes, animations, texts and plots; draws nothing."""

from ..model import config
from ._plots import Plots

_LIVE = ("WorldModel", "RobotModel", "RobotModelLink", "RigidObjectModel", "TerrainModel",
         "SubRobotModel", "Simulator")


def children(item):
    """Parts of a world, robot or group by name."""
    kind = type(item).__name__
    if hasattr(item, "numRobots"):
        parts = [item.robot(i) for i in range(item.numRobots())]
        parts += [item.rigidObject(i) for i in range(item.numRigidObjects())]
        parts += [item.terrain(i) for i in range(item.numTerrains())]
    elif hasattr(item, "numLinks"):
        parts = [item.link(i) for i in range(item.numLinks())]
    elif kind in ("Group", "Manager"):
        return {**item.frames, **item.points, **item.directions, **item.subgroups}
    else:
        return {}
    return {p.getName(): p for p in parts}


class Item:
    """An item: what was added, its attributes, animation and the configuration drawn."""

    def __init__(self, name, item, attributes):
        self.name = name
        self.item = item
        self.attributes = attributes
        self.hidden = attributes.pop("hidden", False)
        self.editing = False
        self.animation = None
        self.animationStart = 0.0
        self.animationSpeed = 1.0
        self.animationEnd = "loop"
        self.drawConfig = None
        self.subAppearances = {}

    def child(self, key):
        """The item of a part, made when first asked for."""
        if key not in self.subAppearances:
            parts = children(self.item)
            if key not in parts:
                raise ValueError(f"{self.name} has no part '{key}'; it has: "
                                 + (", ".join(map(str, parts)) or "none"))
            self.subAppearances[key] = Item(key, parts[key], {})
        return self.subAppearances[key]

    def update(self, t):
        """Computes the drawn configuration of an animation at virtual time t."""
        if self.animation is not None and len(self.animation.milestones):
            at = self.animation.startTime() + (t - self.animationStart) * self.animationSpeed
            self.drawConfig = self.animation.eval(at, self.animationEnd)
        for part in self.subAppearances.values():
            part.update(t)


class ItemEditor:
    """The widget that vis.edit() returns, and that nobody touches."""

    def __init__(self, item):
        self.item = item

    def hasFocus(self):
        """Returns whether the user is changing the item."""
        return False

    def hasHighlight(self):
        """Returns whether the mouse is over the item."""
        return False

    def get(self):
        """The item's configuration."""
        return config.get_config(self.item.item)

    def set(self, *value):
        """Sets the item's configuration."""
        flat = list(value[0]) + list(value[1]) if len(value) == 2 else list(value[0])
        config.set_config(self.item.item, flat)


class VisualizationScene:
    """Named items and their attributes."""

    def __init__(self):
        self.items = {}
        self.texts = {}
        self.labels = []
        self.plots = Plots()
        self.t = 0.0
        self.paused = False
        self.timeCallback = None
        self.view = None
        self.background = (0.8, 0.8, 0.9, 1.0)
        self.backgroundImage = None
        self.follow = None
        self.cameraController = None
        self.doRefresh = False
        self.picking = None  # What is called for the next click: (callback, filter, tolerance).
        self.cameras = {}  # Of pictures, by the names of items.

    @property
    def currentAnimationTime(self):
        """The clock of animations, s."""
        return self.t

    @property
    def animating(self):
        """Returns whether the clock runs."""
        return not self.paused

    def getItem(self, item_name):
        """The item of a name or path; raises ValueError with the names there are."""
        name = item_name
        if isinstance(name, (list, tuple)):
            item = self.getItem(name[0])
            for key in name[1:]:
                item = item.child(key)
            return item
        for items in (self.items, self.texts):
            if name in items:
                return items[name]
        for item in self.items.values():
            if hasattr(item.item, "numRobots") and name in children(item.item):
                return item.child(name)
        raise ValueError(f"there is no item '{name}' in the scene; there are: "
                         + (", ".join(map(str, [*self.items, *self.texts])) or "none"))

    def dirty(self, item_name="all"):
        """Nothing is kept that could be out of date."""

    def clear(self):
        self.items.clear()
        self.cameras.clear()
        self.texts.clear()
        self.plots = Plots()

    def clearText(self):
        self.texts.clear()

    def listItems(self, root=None, indent=0):
        for name, item in (self.items if root is None else
                           {root: self.getItem(root)}).items():
            print(" " * indent + str(name))
            for key in item.subAppearances:
                print(" " * (indent + 2) + str(key))

    def getItemName(self, object):
        """Name of an item, or path (tuple) of a part of one; None when it is not there."""
        matches = object if isinstance(object, str) else None
        for name, item in self.items.items():
            path = self._find(item.item, object, matches, (name,))
            if path is not None:
                return path[0] if len(path) == 1 else path
        return None

    def _find(self, item, object, name, path):
        if item is object or (name is not None and path[-1] == name) or _same(item, object):
            return path
        if type(item).__name__ in _LIVE:
            for key, part in children(item).items():
                found = self._find(part, object, name, path + (key,))
                if found is not None:
                    return found
        return None

    def add(self, name, item, keepAppearance=False, **kwargs):
        """Adds or replaces an item; keyword arguments are attributes."""
        old = self.items.get(name)
        new = Item(name, item, dict(kwargs))
        if old is not None and keepAppearance:
            new.attributes = {**old.attributes, **new.attributes}
        self.items[name] = new
        return new

    def addText(self, name, text, **kwargs):
        """Adds or replaces text; attributes that are not given stay."""
        old = self.texts[name].attributes if name in self.texts else {}
        self.texts[name] = Item(name, text, {**old, **{k: v for k, v in kwargs.items() if v is not None}})

    def remove(self, name):
        if name in self.texts and name not in self.items:
            del self.texts[name]
            return
        if not isinstance(name, (list, tuple)) and name not in self.items and self.plots.remove(name):
            return
        if isinstance(name, (list, tuple)):
            self.getItem(name[:-1]).subAppearances.pop(name[-1], None)
        else:
            self.getItem(name)
            self.items.pop(name, None)

    def animate(self, name, animation, speed=1.0, endBehavior="loop"):
        """Sets the animation of an item: a trajectory, or a list of configurations."""
        item = self.getItem(name)
        if isinstance(animation, (list, tuple)):
            from ..model.trajectory import RobotTrajectory, Trajectory
            path, times = list(animation), list(range(len(animation)))
            robot = hasattr(item.item, "numDrivers") and hasattr(item.item, "interpolate")
            animation = RobotTrajectory(item.item, times, path) if robot else Trajectory(times, path)
        item.animation = animation
        item.animationStart, item.animationSpeed, item.animationEnd = self.t, speed, endBehavior
        item.drawConfig = None

    def pauseAnimation(self, paused=True):
        self.paused = paused

    def stepAnimation(self, amount):
        self.animationTime(self.t + amount)

    def animationTime(self, newtime=None):
        """Virtual time; sets it when newtime is given."""
        if self.timeCallback is not None:
            return self.timeCallback()
        if newtime is not None:
            self.updateTime(newtime)
        return self.t

    def updateTime(self, t=None):
        self.t = self.t if t is None else t
        for item in self.items.values():
            item.update(self.t)

    def advance(self, dt):
        """One frame later; nothing moves while paused."""
        if not self.paused:
            self.updateTime(self.t + dt)

    def getItemConfig(self, name):
        """Configuration of an item as a flat list; of robots, joint values."""
        return config.get_config(self.getItem(name).item)

    def setItemConfig(self, name, value):
        """Sets the configuration of an item in place."""
        item = self.getItem(name)
        if len(value) == 2 and len(value[0] if hasattr(value[0], "__len__") else ()) == 9:
            value = list(value[0]) + list(value[1])
        if isinstance(item.item, (list, tuple)) and not config.is_compound(item.item):
            item.item = type(item.item)(value)
        elif isinstance(item.item, (list, tuple)) and len(item.item) == 2 and len(value) == 12:
            item.item = type(item.item)((list(value[:9]), list(value[9:])))
        else:
            config.set_config(item.item, value)

    def hideLabel(self, name, hidden=True):
        self.getItem(name).attributes["hide_label"] = hidden

    def hide(self, name, hidden=True):
        self.getItem(name).hidden = hidden

    def setAppearance(self, name, appearance):
        self.getItem(name).attributes["appearance"] = appearance

    def setAttribute(self, name, attr, value):
        self.getItem(name).attributes[attr] = value

    def getAttribute(self, name, attr):
        return self.getItem(name).attributes.get(attr)

    def getAttributes(self, name):
        return dict(self.getItem(name).attributes)

    def revertAppearance(self, name):
        for key in ("appearance", "color"):
            self.getItem(name).attributes.pop(key, None)

    def setColor(self, name, r, g, b, a=1.0):
        self.setAttribute(name, "color", [r, g, b, a])

    def setDrawFunc(self, name, func):
        self.getItem(name).attributes["draw_func"] = func

    def setTimeCallback(self, cb):
        self.timeCallback = cb

    def edit(self, name, doedit=True):
        """Marks an item as edited; a scripted answer becomes its configuration."""
        from ._settings import script
        item = self.getItem(name)
        item.editing = doedit
        answer = script().named.get(name if isinstance(name, str) else name[-1])
        if doedit and answer is not None:
            self.setItemConfig(name, answer)
        return ItemEditor(item) if doedit else None

    def getViewport(self):
        from .glviewport import GLViewport
        if self.view is None:
            self.view = GLViewport()
        return self.view

    def setViewport(self, viewport):
        self.view = viewport

    def setBackgroundColor(self, r, g, b, a=1):
        self.background = (r, g, b, a)

    def setBackgroundImage(self, img):
        """A picture behind everything: an array (h, w, 3 or 4) of bytes, a PIL image, or None."""
        self.backgroundImage = img

    def autoFitCamera(self, zoom=True, rotate=True, scale=1):
        """Turns the camera towards everything."""
        from .glviewport import fit_to
        fit_to(self.getViewport(), [i.item for i in self.items.values()], zoom)
        if zoom and scale != 1:
            self.getViewport().controller.dist *= scale

    def followCamera(self, target, translate=True, rotate=False, center=False):
        """Lets the camera follow an item, a trajectory or a camera; None ends it."""
        self.follow = None if target is None else (target, translate, rotate, center)

    def pick(self, click_callback, hover_callback=None, highlight_color=(1, 1, 0, 0.3), filter=None, tolerance=0.01):
        """Calls click_callback(name, item, point) for the next click of the user on an item; nobody clicks in the headless display."""
        self.picking = None if click_callback is None else (click_callback, filter, tolerance)

    def rayCast(self, x, y, filter=None, tolerance=0.01):
        """(item, point) under a pixel, of those for which filter(name, item) is true; (None, None) for nothing.

        Clouds and lines are as thick as the tolerance (m).
        """
        from ._rays import cast
        source, direction = self.getViewport().click_ray(x, y)
        return cast(self.items.items(), lambda item: [(k, item.child(k)) for k in children(item.item)],
                    source, direction, filter, tolerance)

    def addLabel(self, text, point, color):
        """Keeps a label at a point of the world."""
        self.labels.append((text, point, color))

    def addPlotItem(self, plotname, itemname):
        """Plots the configuration of an item."""
        self.plots.plot(plotname)["items"].setdefault(itemname, [])

    def logPlot(self, plotname, itemname, value):
        """Adds a value to a plot, at the clock's time."""
        self.plots.log(plotname, itemname, self.animationTime(), value)

    def logPlotEvent(self, plotname, eventname, color=None):
        """Marks the clock's time in a plot."""
        self.plots.event(plotname, eventname, self.animationTime(), color)

    def hidePlotItem(self, plotname, itemname, hidden=True):
        """Hides a line of a plot, or shows it."""
        self.plots.set(plotname, **{"hidden " + str(itemname): hidden})

    def savePlot(self, plotname, fn):
        """Writes a plot as CSV with columns time, item, value."""
        self.plots.save(plotname, fn)

    def updateCamera(self):
        """Takes the place of the camera from what follows it: an object with update(t) that gives a viewport."""
        if hasattr(self.cameraController, "update"):
            view = self.cameraController.update(self.t)
            if view is not None:
                self.setViewport(view)

    def renderGL(self, view):
        """Draws nothing: there is no OpenGL context."""

    def renderScreenGL(self, view, window):
        """Draws nothing: there is no OpenGL context."""

    def clearDisplayLists(self):
        """Nothing is kept: there is no OpenGL context."""

    def saveJsonConfig(self, fn=None):
        """Attributes of items as a dictionary, also written to a file when named."""
        import json
        from .glviewport import to_json
        data = {"background_color": list(self.background), "camera": to_json(self.getViewport()),
                "appearances": {str(k): {a: v for a, v in i.attributes.items() if _plain(v)}
                                for k, i in self.items.items()}}
        if fn is None:
            return data
        with open(fn, "w") as f:
            json.dump(data, f)

    def loadJsonConfig(self, jsonobj_or_file):
        """Reads what saveJsonConfig() gives."""
        import json
        from .glviewport import from_json
        data = jsonobj_or_file
        if isinstance(data, str):
            with open(data) as f:
                data = json.load(f)
        self.background = tuple(data.get("background_color", self.background))
        if "camera" in data:
            from_json(self.getViewport(), data["camera"])
        for name, attributes in data.get("appearances", {}).items():
            if name in self.items:
                self.items[name].attributes.update(attributes)


def _plain(v):
    return isinstance(v, (int, float, str, bool, type(None))) or (
        isinstance(v, (list, tuple)) and all(_plain(x) for x in v))


def _same(a, b):
    """Returns whether two handles stand for one body."""
    return (type(a) is type(b) and hasattr(a, "getID") and a.getID() == b.getID()
            and getattr(a, "world", None) is getattr(b, "world", None))
