"""Programs that own a window. They run their idle functions and keys without a context."""

import math
import time

from ..math import se3, so3, vectorops
from .glinterface import GLPluginInterface
from .glviewport import GLViewport

__all__ = ["GLProgram", "GLProgramAction", "GLNavigationProgram", "GLRealtimeProgram",
           "GLPluginProgram", "GLPluginInterface", "GLViewport",
           # Programs take these from here, too.
           "math", "time", "se3", "so3", "vectorops"]


class GLProgramAction:
    """A command: function, text of the menu, key, description."""

    def __init__(self, hook, short_text, key, description=None):
        self.hook = hook
        self.short_text = short_text
        self.key = key
        self.description = short_text if description is None else description


class GLProgram:
    """A window with handlers to override; run() shows it until it is closed."""

    def __init__(self, name="OpenGL Program"):
        self.window = None
        self.name = name
        self.view = GLViewport()
        self.clearColor = [1.0, 1.0, 1.0, 0.0]
        self.actions = []

    def add_action(self, hook, short_text, key, description=None):
        self.actions.append(GLProgramAction(hook, short_text, key, description))

    def run(self):
        """Runs the program in a window of its own."""
        from . import visualization
        visualization.createWindow(self.name)
        visualization.run(self)

    def initialize(self):
        return True

    def refresh(self):
        pass

    def modifiers(self):
        return []

    def reshape(self, w, h):
        self.view.resize(w, h)

    def reshapefunc(self, w, h):
        self.view.resize(w, h)
        return True

    def print_help(self):
        """Prints the keys."""
        print("?: prints this help")
        for a in self.actions:
            print(f"{a.key}: {a.description}")

    def keyboardfunc(self, c, x, y):
        if c == "?":
            self.print_help()
            return True
        for a in self.actions:
            if a.key == c:
                a.hook()
                return True
        return False

    def keyboardupfunc(self, c, x, y):
        return False

    def motionfunc(self, x, y, dx, dy):
        return False

    def mousefunc(self, button, state, x, y):
        return False

    def mousewheelfunc(self, dhorizontal, dvertical, x, y):
        return False

    def displayfunc(self):
        return True

    def idlefunc(self):
        pass

    def idlesleep(self, duration=float("inf")):
        pass

    def prepare_GL(self):
        pass

    def prepare_screen_GL(self):
        pass

    def display(self):
        return True

    def display_screen(self):
        return True

    def closefunc(self):
        return True

    def get_screen(self, format="auto", want_depth=False):
        return None

    def save_screen(self, fn, multithreaded=True):
        pass

    def draw_text(self, point, text, size=12, color=None):
        pass


class GLNavigationProgram(GLProgram):
    """A program whose view the mouse turns."""

    def __init__(self, name="OpenGL Program"):
        GLProgram.__init__(self, name)
        self.dragging = False
        self.clearColor = [0.8, 0.8, 0.9, 0]

    def get_view(self):
        return self.view

    def set_view(self, v):
        self.view = v

    def set_lights_GL(self):
        pass


class GLRealtimeProgram(GLNavigationProgram):
    """A program whose idle() is called fps times a second of its clock ttotal."""

    def __init__(self, name="OpenGL Program"):
        GLNavigationProgram.__init__(self, name)
        self.ttotal = 0.0
        self.fps = 50
        self.dt = 1.0 / self.fps
        self.counter = 0
        self.lasttime = time.time()

    def idlefunc(self):
        self.ttotal += self.dt
        self.counter += 1
        self.idle()
        return True

    def idle(self):
        """Override this."""


class GLPluginProgram(GLRealtimeProgram):
    """A program made of plugins, the one added last first."""

    def __init__(self, name="GLPluginProgram"):
        GLRealtimeProgram.__init__(self, name)
        self.plugins = []

    def set_plugin(self, plugin):
        while self.plugins:
            self.pop_plugin()
        if plugin is not None:
            self.push_plugin(plugin)

    def push_plugin(self, plugin):
        self.plugins.append(plugin)
        plugin.window, plugin.view = self.window, self.view

    def pop_plugin(self):
        if not self.plugins:
            return None
        plugin = self.plugins.pop()
        plugin.window = None
        return plugin

    setPlugin, pushPlugin, popPlugin = set_plugin, push_plugin, pop_plugin

    def set_view(self, v):
        self.view = v
        for p in self.plugins:
            p.view = v

    def initialize(self):
        for plugin in self.plugins:
            plugin.window = self.window
            if not plugin.initialize():
                return False
            for a in getattr(plugin, "actions", []):
                self.add_action(*a)
        return GLRealtimeProgram.initialize(self)

    def idle(self):
        handled = [plugin.idle() for plugin in self.plugins if hasattr(plugin, "idle")]
        return any(handled)

    def _first(self, name, *args):
        return any(getattr(p, name)(*args) for p in reversed(self.plugins))

    def keyboardfunc(self, c, x, y):
        return self._first("keyboardfunc", c, x, y) or GLRealtimeProgram.keyboardfunc(self, c, x, y)

    def keyboardupfunc(self, c, x, y):
        return self._first("keyboardupfunc", c, x, y)

    def motionfunc(self, x, y, dx, dy):
        return self._first("motionfunc", x, y, dx, dy)

    def mousefunc(self, button, state, x, y):
        return self._first("mousefunc", button, state, x, y)

    def closefunc(self):
        for p in self.plugins:
            p.closefunc()
        return True
