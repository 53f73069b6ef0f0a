"""What a scene shows, as drawings of a mortise.View: only what has changed since the last time is drawn again."""

import numpy as np

from . import _pictures

_TEXT_COLOR = (0.1, 0.1, 0.1, 1.0)
_TEXT_SIZE = 0.04


def _pose(T):
    """Klamp't's pair of nine numbers, column by column, and three as a matrix and a vector."""
    return np.reshape(T[0], (3, 3)).T, np.asarray(T[1], dtype=float)


class _Parts(_pictures._Collector):
    """Everything that is drawn beside the world of the page, by names that stay from frame to frame."""

    def __init__(self, worlds):
        super().__init__(worlds)
        self.found = {}  # name: (kind, what it looks like, T or None, what draws it)
        self._stem = ""

    def _name(self):
        name, n = self._stem, 2
        while name in self.found:
            name, n = f"{self._stem} {n}", n + 1
        return name

    def geometry(self, geometry, T, color):
        if geometry.empty():
            return
        geometry._sync()
        shape = geometry._shape
        look = (id(shape), shape.version(), color)
        if geometry.type() == "PointCloud":
            self.found[self._name()] = ("cloud", look, T, (geometry, color))
        else:
            self.found[self._name()] = ("mesh", look, T, (geometry, color))

    def frame(self, T, length):
        self.found[self._name()] = ("frame", (length,), T, length)

    def draw(self, item):
        """Adds an item and what stands beside it."""
        self._stem = str(item.name)
        self.points, self.lines = [], []
        self.item(item)
        for point, color, size in self.points:
            self.found[self._name()] = ("point", (color, size), ((1, 0, 0, 0, 1, 0, 0, 0, 1), point), (color, size))
        for points, color, width in self.lines:
            ends = np.asarray(points, dtype=float)
            self.found[self._name()] = ("line", (ends.tobytes(), color, width), None, (ends, color, width))

    def text(self, name, text, position, color):
        self.found[name] = ("text", (text, tuple(position), color), None, (text, position, color))


def _collect(scene, world):
    worlds = [item.item for item in scene.items.values() if hasattr(item.item, "numRobots")]
    parts = _Parts(worlds)
    for item in list(scene.items.values()):
        if item.hidden or item.item is world:
            continue
        parts.draw(item)
        label = item.attributes.get("label")
        if label and not item.attributes.get("hide_label"):
            place = next((T[1] for name, (_, _, T, _) in parts.found.items() if T is not None and name.startswith(str(item.name))), None)
            if place is not None:
                parts.text(f"{item.name} label", str(label), place, _TEXT_COLOR)
    for name, item in scene.texts.items():
        position = item.attributes.get("position")
        if position is not None and len(position) == 3 and not item.hidden:
            color = _pictures._rgba(item.attributes.get("color")) or _TEXT_COLOR
            parts.text(f"text {name}", str(item.item), position, color)
    return parts.found


class Drawings:
    """The drawings that a view has of a scene."""

    def __init__(self, view):
        self.view = view
        self.shown = {}
        self.draggable = {}  # name: function(pose), for editors

    def update(self, scene, world):
        """Draws what is new or different, moves what has moved, and takes away what is gone."""
        found = _collect(scene, world)
        for name in [name for name in self.shown if name not in found]:
            self.view.erase(name)
            del self.shown[name]
        failure = None
        for name, (kind, look, T, what) in found.items():
            look = (kind, look, name in self.draggable)
            place = None if T is None else tuple(map(float, (*T[0], *T[1])))
            old = self.shown.get(name)
            self.shown[name] = (look, place, what)
            try:
                if old is None or old[0] != look:
                    self._draw(name, kind, T, what)
                elif old[1] != place:
                    self.view.move(name, _pose(T))
            except Exception as error:  # Everything else is shown all the same, and this is said once.
                failure = failure or error
        if failure is not None:
            raise failure

    def _draw(self, name, kind, T, what):
        view, drag = self.view, self.draggable.get(name)
        if kind in ("mesh", "cloud"):
            self._shape(name, kind, T, what, drag)
        elif kind == "frame":
            view.draw_frame(name, _pose(T), what, on_drag=drag)
        elif kind == "point":
            color, size = what
            view.draw_points(name, np.zeros((1, 3)), color[:3], float(size) + 3, opacity=color[3], pose=_pose(T), on_drag=drag)
        elif kind == "line":
            ends, color, width = what
            view.draw_lines(name, ends, color[:3], float(width), opacity=color[3])
        else:
            text, position, color = what
            view.draw_text(name, text, position, color[:3], _TEXT_SIZE)

    def _shape(self, name, kind, T, what, drag):
        geometry, color = what
        if kind == "cloud":
            points = np.asarray(geometry.getPointCloud().getPoints(), dtype=float).reshape(-1, 3)
            self.view.draw_points(name, points, color[:3], 4, opacity=color[3], pose=_pose(T), on_drag=drag)
            return
        try:
            self.view.draw_mesh(name, geometry._shape.asGeometry(), _pose(T), color[:3], color[3], on_drag=drag)
        except ValueError:  # Some shapes have no surface: a point, a segment.
            points = np.asarray(geometry.getBB(), dtype=float).reshape(2, 3)
            self.view.draw_lines(name, points, color[:3], 3)
