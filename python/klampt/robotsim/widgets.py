"""Posers: what a program or viewer edits, as state without drawing."""

from .ik import IKObjective, IKSolver
from .viewport import Viewport

_IDENTITY = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]


class Widget:
    """Something that can be edited in a view. Nothing here draws or has a mouse: `hover` and `beginDrag` say False."""

    _next = 0

    def __init__(self):
        self.index = Widget._next
        Widget._next += 1
        self._highlight = self._focus = self._redraw = False

    def hover(self, x, y, viewport):
        """Returns whether the mouse is over it."""
        return False

    def beginDrag(self, x, y, viewport):
        """Begins a drag; returns whether it takes the mouse."""
        return False

    def drag(self, dx, dy, viewport):
        """Moves with the mouse."""

    def endDrag(self):
        """Lets the mouse go."""
        self._focus = False

    def keypress(self, c):
        """Takes a key."""

    def drawGL(self, viewport):
        """Does nothing: there is no OpenGL here."""
        self._redraw = False

    def idle(self):
        """Called again and again by viewers."""

    def wantsRedraw(self):
        """Returns whether it has changed since it was drawn."""
        return self._redraw

    def hasHighlight(self):
        """Returns whether the mouse is over it."""
        return self._highlight

    def hasFocus(self):
        """Returns whether it has the mouse."""
        return self._focus

    def _set(self, **values):
        self.__dict__.update(values)
        self._redraw = True


class WidgetSet(Widget):
    """Several widgets."""

    def __init__(self):
        super().__init__()
        self._widgets = []

    def add(self, subwidget):
        """Adds a widget."""
        self._widgets.append([subwidget, True])

    def remove(self, subwidget):
        """Removes a widget."""
        self._widgets = [entry for entry in self._widgets if entry[0] is not subwidget]

    def enable(self, subwidget, enabled):
        """Switches a widget on or off."""
        for entry in self._widgets:
            if entry[0] is subwidget:
                entry[1] = bool(enabled)

    def wantsRedraw(self):
        """Returns whether any of them has changed since it was drawn."""
        return any(widget.wantsRedraw() for widget, on in self._widgets if on)

    def hasFocus(self):
        """Returns whether any of them has the mouse."""
        return any(widget.hasFocus() for widget, on in self._widgets if on)


def _three(v):
    v = [float(x) for x in v]
    if len(v) != 3:
        raise ValueError("a list of 3 numbers is needed, not of %d" % len(v))
    return v


def _nine(v):
    v = [float(x) for x in v]
    if len(v) != 9:
        raise ValueError("a rotation is a list of 9 numbers, not of %d" % len(v))
    return v


class PointPoser(Widget):
    """Edits a point."""

    def __init__(self):
        super().__init__()
        self._t, self._R, self._enabled = [0.0] * 3, list(_IDENTITY), (True,) * 3

    def set(self, t):
        """Sets the point."""
        self._set(_t=_three(t))

    def get(self):
        """The point."""
        return list(self._t)

    def setAxes(self, R):
        """Sets the axes along which it moves."""
        self._set(_R=_nine(R))

    def enableAxes(self, x, y, z):
        """Which axes it moves along."""
        self._set(_enabled=(bool(x), bool(y), bool(z)))


class TransformPoser(Widget):
    """Edits a pose."""

    def __init__(self):
        super().__init__()
        self._R, self._t = list(_IDENTITY), [0.0] * 3
        self._translation, self._rotation = (True,) * 3, (True,) * 3

    def set(self, R, t):
        """Sets the pose."""
        self._set(_R=_nine(R), _t=_three(t))

    def get(self):
        """The pose (R, t)."""
        return list(self._R), list(self._t)

    def enableTranslation(self, on):
        """Sets whether it moves."""
        self._set(_translation=(bool(on),) * 3)

    def enableRotation(self, on):
        """Sets whether it turns."""
        self._set(_rotation=(bool(on),) * 3)

    def enableTranslationAxes(self, x, y, z):
        """Which axes it moves along."""
        self._set(_translation=(bool(x), bool(y), bool(z)))

    def enableRotationAxes(self, x, y, z):
        """Which axes it turns about."""
        self._set(_rotation=(bool(x), bool(y), bool(z)))


class ObjectPoser(Widget):
    """Edits the pose of a rigid object, which stays where it is."""

    def __init__(self, object):
        super().__init__()
        self._object = object
        self._R, self._t = object.getTransform()

    set = TransformPoser.set
    get = TransformPoser.get


class RobotPoser(Widget):
    """Edits a configuration of a robot, which stays as it is."""

    def __init__(self, robot):
        super().__init__()
        self._robot = robot
        self._q = robot.getConfig()
        self._active = []
        self._constraints = []

    def setActiveDofs(self, dofs):
        """Which links are edited; []: all."""
        self._set(_active=[int(i) for i in dofs])

    def set(self, q):
        """Sets the configuration."""
        q = [float(v) for v in q]
        if len(q) != self._robot.numLinks():
            raise RuntimeError("a configuration of the robot has %d numbers, not %d" % (self._robot.numLinks(), len(q)))
        self._set(_q=q)

    def get(self):
        """The configuration."""
        return list(self._q)

    def getConditioned(self, qref):
        """The configuration, with the links that are not edited as in `qref`."""
        if not self._active:
            return self.get()
        q = list(qref)
        for i in self._active:
            q[i] = self._q[i]
        return q

    def addIKConstraint(self, obj):
        """Adds an objective, which the configuration is moved to meet."""
        self._constraints.append(IKObjective(obj))
        before = self._robot.getConfig()
        self._robot.setConfig(self._q)
        solver = IKSolver(self._robot)
        for objective in self._constraints:
            solver.add(objective)
        if self._active:
            solver.setActiveDofs(self._active)
        if solver.solve():
            self._set(_q=self._robot.getConfig())
        self._robot.setConfig(before)

    def clearIKConstraints(self):
        """Drops all objectives."""
        self._set(_constraints=[])


class AABBPoser(Widget):
    """Edits a box along axes."""

    def __init__(self):
        super().__init__()
        self._min, self._max = [0.0] * 3, [0.0] * 3
        self._R, self._t = list(_IDENTITY), [0.0] * 3

    def set(self, bmin, bmax):
        """Sets lower and upper corner."""
        self._set(_min=_three(bmin), _max=_three(bmax))

    def setFrame(self, R, t):
        """Sets the frame that they are in."""
        self._set(_R=_nine(R), _t=_three(t))

    def get(self):
        """(lower corner, upper corner)."""
        return list(self._min), list(self._max)


class BoxPoser(Widget):
    """Edits a box."""

    def __init__(self):
        super().__init__()
        self._R, self._t, self._dims = list(_IDENTITY), [0.0] * 3, [1.0] * 3

    def set(self, R, t, dims):
        """Sets pose and sizes."""
        self._set(_R=_nine(R), _t=_three(t), _dims=_three(dims))

    def setTransform(self, R, t):
        """Sets the pose."""
        self._set(_R=_nine(R), _t=_three(t))

    def setDims(self, dims):
        """Sets the sizes."""
        self._set(_dims=_three(dims))

    def getTransform(self):
        """The pose (R, t)."""
        return list(self._R), list(self._t)

    def getDims(self):
        """The sizes."""
        return list(self._dims)

    def get(self):
        """(R, t, sizes)."""
        return list(self._R), list(self._t), list(self._dims)


class SpherePoser(Widget):
    """Edits a sphere."""

    def __init__(self):
        super().__init__()
        self._sphere = [0.0, 0.0, 0.0, 1.0]

    def set(self, cr):
        """Sets center and radius, four numbers."""
        sphere = [float(v) for v in cr]
        if len(sphere) != 4:
            raise ValueError("a sphere has 4 numbers, center and radius, not %d" % len(sphere))
        self._set(_sphere=sphere)

    def get(self):
        """Center and radius."""
        return list(self._sphere)


__all__ = ["Widget", "WidgetSet", "PointPoser", "TransformPoser", "ObjectPoser", "RobotPoser", "AABBPoser", "BoxPoser",
           "SpherePoser", "Viewport"]
