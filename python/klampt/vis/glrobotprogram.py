"""Plugins that show a world and a simulation."""

import sys  # noqa: F401 (programs take this and others from here)

from ..math import vectorops
from ..robotsim import RobotPoser, WidgetSet  # noqa: F401
from .glinterface import GLPluginInterface
from .glprogram import GLRealtimeProgram  # noqa: F401

# Programs get these along with `import *`.
from ..model import collide
from ..sim.simulation import SimpleSimulator
from . import glinit


class GLWorldPlugin(GLPluginInterface):
    """Shows a world; click_world() finds the bodies under a pixel."""

    def __init__(self, world):
        GLPluginInterface.__init__(self)
        self.world = world
        self.collider = collide.WorldCollider(world)

    def display(self):
        """Draws the world, in a window with OpenGL."""
        self.world.drawGL()
        return True

    def click_world(self, x, y, want_points=False):
        """Bodies under a pixel, nearest first; with want_points pairs (body, point)."""
        s, d = self.view.click_ray(x, y)
        hits = []
        for body, g in self.collider.geomList:
            hit, pt = g.rayCast(s, d)
            if hit:
                hits.append((vectorops.dot(vectorops.sub(pt, s), d), len(hits), body, pt))
        hits.sort(key=lambda h: h[:2])
        return [(b, p) for _, _, b, p in hits] if want_points else [b for _, _, b, _ in hits]


class GLSimulationPlugin(GLWorldPlugin):
    """Simulates a world while 'simulate' is set; override control_loop()."""

    def __init__(self, world):
        GLWorldPlugin.__init__(self, world)
        self.sim = SimpleSimulator(world)
        self.simulate = False
        self.dt = 0.02
        self.drawContacts = False
        self.drawSensors = False
        self.saveScreenshots = False
        self.nextScreenshotTime = 0
        self.screenshotCount = 0
        self.verbose = 0
        self.htmlSharePath = None
        self.add_action(self._toggle, "Toggle simulation", "s")
        self.add_action(lambda: self.sim_step(0.01), "Step simulation", " ")
        self.add_action(self.sim.toggleLogging, "Toggle simulation logging", "l")
        self.add_action(self._toggle_contacts, "Toggle draw contacts", "c")
        self.add_action(self._toggle_sensors, "Toggle draw sensors", "v")

    def _toggle(self):
        self.simulate = not self.simulate
        print("Simulating:", self.simulate)

    def _toggle_contacts(self):
        self.drawContacts = not self.drawContacts
        if self.drawContacts:
            self.sim.enableContactFeedbackAll()

    def _toggle_sensors(self):
        self.drawSensors = {False: True, True: "full"}.get(self.drawSensors, False)

    def control_loop(self):
        """Called before each step."""

    def sim_step(self, dt=None):
        """Runs control_loop() and simulates dt seconds (default self.dt)."""
        if self.sim.getTime() == 0:
            self.sim.simulate(0)
        self.control_loop()
        self.sim.simulate(self.dt if dt is None else dt)

    def idle(self):
        if self.simulate:
            self.sim_step()
        return True


class GLWorldProgram(GLWorldPlugin):
    """A world's plugin as a program with run() (a name of before version 0.8)."""

    def __init__(self, world, name="Mortise"):
        GLWorldPlugin.__init__(self, world)
        self.name = name

    def run(self):
        """Shows the window until it is closed."""
        from . import visualization
        visualization.setWindowTitle(self.name)
        visualization.run(self)


class GLSimulationProgram(GLSimulationPlugin):
    """A simulation's plugin as a program with run() (a name of before version 0.8)."""

    def __init__(self, world, name="Mortise"):
        GLSimulationPlugin.__init__(self, world)
        self.name = name

    run = GLWorldProgram.run
