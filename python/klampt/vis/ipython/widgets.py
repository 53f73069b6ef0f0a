"""A world in a notebook and buttons that play it, without drawing.

Items are kept in a scene and can be asked for; a cell's result names them.
"""

from ...math import so3
from .._scene import VisualizationScene


DEFAULT_POINT_RADIUS = 0.05
DEFAULT_AXIS_LENGTH = 0.2
DEFAULT_AXIS_WIDTH = 1


class KlamptWidget:
    """Shows a world and extra items."""

    def __init__(self, world=None, *args, **kwargs):
        self.scene = VisualizationScene()
        self.world = None
        self.displayed = False
        self.events = []
        self._camera = {}
        if world is not None:
            self.setWorld(world)

    def __repr__(self):
        return "KlamptWidget(" + ", ".join(map(str, self.scene.items)) + ")"

    def setWorld(self, world):
        self.world = world
        self.scene.clear()
        self.scene.add("world", world)

    def update(self):
        """Takes over where bodies are now; they are always up to date."""
        self.displayed = True

    def clear(self):
        self.scene.clear()
        self.world = None

    def clearExtras(self):
        for name in [n for n in self.scene.items if n != "world"]:
            self.scene.remove(name)

    def add(self, name, item, type="auto", **kwargs):
        """Adds an item, as vis.add()."""
        if hasattr(item, "numRobots"):
            self.world = item
        self.scene.add(name, item, **kwargs)

    def remove(self, name):
        self.scene.remove(name)

    def hide(self, name, value=False):
        """Hides an item; with value=True it is shown again."""
        self.scene.hide(name, not value)

    def resetCamera(self):
        self._camera = {}

    def getCamera(self):
        return dict(self._camera)

    def setCamera(self, cam):
        self._camera = dict(cam)

    def setColor(self, target, r, g, b, a=1.0):
        self.scene.setColor(target, r, g, b, a)

    def setTransform(self, name, R=so3.identity(), t=(0, 0, 0), matrix=None):
        """Moves an item to (R, t), or to a 4 x 4 matrix."""
        if matrix is not None:
            from ...math import se3
            R, t = se3.from_homogeneous(matrix)
        self.scene.setItemConfig(name, list(R) + list(t))

    def addGhost(self, name="ghost", robot=0):
        """Adds a copy of a robot's configuration."""
        self.scene.add(name, self.world.robot(robot).getConfig(), robot=robot)
        return name

    def getRobotConfig(self, robot=0):
        return self.world.robot(robot).getConfig()

    def setGhostConfig(self, q, name="ghost", robot=0):
        self.scene.setItemConfig(name, q)

    def addText(self, name="HUD_Text1", text="", position=None):
        self.scene.addText(name, text, position=position)

    def _extra(self, name, item):
        self.scene.add(name, item)
        return [name]

    def addSphere(self, name="Sphere1", x=0, y=0, z=0, r=1):
        return self._extra(name, [x, y, z])

    def addLine(self, name="Line1", x1=0, y1=0, z1=0, x2=1, y2=1, z2=1):
        return self._extra(name, [[x1, y1, z1], [x2, y2, z2]])

    def addXform(self, name="Xform1", length=DEFAULT_AXIS_LENGTH, width=DEFAULT_AXIS_WIDTH):
        return self._extra(name, (so3.identity(), [0.0, 0.0, 0.0]))

    def addPolyline(self, name="Line1", pts=()):
        return self._extra(name, [list(p) for p in pts])

    def addTriangle(self, name="Tri1", a=(0, 0, 0), b=(1, 0, 0), c=(0, 1, 0)):
        return self._extra(name, [list(a), list(b), list(c)])

    def addQuad(self, name="Quad1", a=(0, 0, 0), b=(1, 0, 0), c=(1, 1, 0), d=(0, 1, 0)):
        return self._extra(name, [list(a), list(b), list(c), list(d)])

    def addBillboard(self, name="Billboard", image=((),), format="auto", crange=(0, 1), colormap="auto", filter="linear",
                     size=(1, 1)):
        return self._extra(name, [0.0, 0.0, 0.0])

    def beginRpc(self, strict=False):
        """Changes between this and endRpc() belong together."""

    endRpc = beginRpc
    begin_rpc = end_rpc = beginRpc

    def on_event(self, e):
        self.events.append(e)


class Playback:
    """Buttons Play, Step, Pause, Reset: play() calls advance() until maxframes."""

    def __init__(self, klampt_widget=None, advance=None, reset=None, pause=None, maxframes=None,
                 framerate=None, quiet=False):
        self.klampt_widget = klampt_widget
        self.advance = advance
        self.reset = reset
        self.pause = pause
        self.maxframes = maxframes
        self.framerate = framerate
        self.quiet = quiet
        self.frame = 0
        self.playing = False

    def __repr__(self):
        return f"Playback(frame {self.frame})"

    def step(self):
        """One frame."""
        self.frame += 1
        self._advance()

    def play(self, frames=None):
        """Frames until maxframes (or as many as given, or of the headless display)."""
        from .._settings import script
        limit = frames or self.maxframes or script().frames
        self.playing = True
        while self.playing and self.frame < limit:
            self.step()
        self.stop()

    def stop(self):
        self.playing = False
        self._pause()

    def do_reset(self):
        """The button Reset."""
        self.frame = 0
        self._reset()

    def _advance(self):
        if self.advance is not None:
            self.advance()
        if hasattr(self.klampt_widget, "update"):
            self.klampt_widget.update()

    def _reset(self):
        if self.reset is not None:
            self.reset()

    def _pause(self):
        if self.pause is not None:
            self.pause()


def EditConfig(robot, klampt_widget=None, ghost=None, link_selector="slider", link_subset=None,
               callback=None):
    """Edits a robot's configuration; accepts it as it is."""
    if callback is not None:
        callback(robot.getConfig())
    return robot.getConfig()


def EditPoint(value=None, min=None, max=None, labels=None, klampt_widget=None,
              point_name="edited_point", point_radius=DEFAULT_POINT_RADIUS, callback=None):
    """Edits a point; accepts it as it is."""
    value = [0, 0, 0] if value is None else value
    if callback is not None:
        callback(value)
    return value


def EditTransform(value=None, xmin=None, xmax=None, labels=None, klampt_widget=None,
                  xform_name="edited_xform", axis_length=DEFAULT_AXIS_LENGTH, axis_width=DEFAULT_AXIS_WIDTH, callback=None):
    """Edits a transform; accepts it as it is."""
    value = (so3.identity(), [0, 0, 0]) if value is None else value
    if callback is not None:
        callback(value)
    return value
