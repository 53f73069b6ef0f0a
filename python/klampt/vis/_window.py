"""The headless window: frames, a virtual clock, actions and plugins, without drawing."""

import sys
import threading

from ._guard import guarded
from ._scene import VisualizationScene
from ._settings import FRAME_TIME, say_how_to_see, script


class Window:
    """A scene, its plugins and actions. program, width and height serve plugins."""

    def __init__(self, title):
        self.title = title
        self.scene = VisualizationScene()
        self.plugins = []
        self.actions = []
        self.widgets = {}
        self.fired = 0
        self.width, self.height = 640, 480
        self.initialized = False
        self.dt = FRAME_TIME
        self.program = self

    # What plugins and programs ask of their window.
    def add_action(self, hook, short_text, key, description=None):
        self.actions.append((hook, short_text, key, description))

    def refresh(self):
        pass

    def idlesleep(self, duration=float("inf")):
        pass

    def modifiers(self):
        return []

    def reshape(self, w, h):
        self.width, self.height = w, h

    def draw_text(self, point, text, size=12, color=None):
        pass

    def get_screen(self, format="auto", want_depth=False):
        return None

    def attach(self, plugin):
        self.plugins.append(plugin)
        plugin.window = self
        if getattr(plugin, "view", None) is None:
            plugin.view = self.scene.getViewport()

    def start(self):
        """Initializes plugins that are new."""
        for plugin in self.plugins:
            if not getattr(plugin, "_mortise_started", False):
                plugin._mortise_started = True
                if hasattr(plugin, "initialize"):
                    plugin.initialize()
                for a in getattr(plugin, "actions", []):
                    item = (a.hook, a.short_text, a.key, a.description) if hasattr(a, "hook") else a
                    if item not in self.actions:
                        self.actions.append(tuple(item))
        self.initialized = True

    def pending(self):
        """Returns whether actions wait to be fired."""
        return self.fired < len(self.actions)


class WindowManager:
    """Windows and the frames that pass in them; everything happens on the caller's thread."""

    def __init__(self):
        self.mutex = threading.RLock()
        self.reset()

    def reset(self):
        self.windows = []
        self.current = None
        self.visible = False
        self.frames = 0
        self.calls = []

    def window(self):
        if self.current is None:
            self.createWindow(None)
        return self.windows[self.current]

    def createWindow(self, title):
        self.windows.append(Window(title or f"Window {len(self.windows)}"))
        self.current = len(self.windows) - 1
        return self.current

    def setWindow(self, id):
        if not 0 <= id < len(self.windows):
            raise ValueError(f"there is no window {id}; createWindow() gives their numbers")
        self.current = id

    def show(self):
        self.window().start()
        if not self.visible:
            self.visible, self.frames = True, 0
            self.announce()

    def announce(self):
        """Says how the window can be seen."""
        say_how_to_see()

    def hide(self):
        self.visible = False

    def shown(self):
        """Lets one frame pass; true until the frames of the script have passed."""
        if not self.visible:
            return False
        self.frame()
        return self.visible

    def frame(self):
        """One frame: waiting calls, one key, one action, idle functions, the clock."""
        if self.frames >= script().frames:
            self.close()
            return
        self.frames += 1
        calls, self.calls = self.calls, []
        for call in calls:
            guarded(call)
        window = self.window()
        window.start()
        self._key(window)
        if window.pending() and self.frames > 1:
            hook = window.actions[window.fired][0]
            window.fired += 1
            guarded(hook)
        for plugin in list(window.plugins):
            for name in ("idlefunc", "idle"):
                if hasattr(plugin, name):
                    guarded(getattr(plugin, name))
                    break
        with self.mutex:
            window.scene.advance(window.dt)

    def _key(self, window):
        keys = script().keys
        if not keys:
            return
        key = keys.pop(0)
        for plugin in reversed(window.plugins):
            if hasattr(plugin, "keyboardfunc") and guarded(
                    lambda plugin=plugin: plugin.keyboardfunc(key, 0, 0)):
                return
        for hook, _, k, _ in window.actions:
            if k == key:
                guarded(hook)
                return

    def close(self):
        """The user closes the window."""
        self.visible = False
        for plugin in self.window().plugins:
            if hasattr(plugin, "closefunc"):
                guarded(plugin.closefunc)

    def run_frames(self, count, callback=None):
        """Lets frames pass until the window is closed, at most count."""
        for _ in range(count):
            if not self.visible:
                break
            if callback is not None:
                callback()
            self.frame()

    def dialog(self):
        """Shows the window until every action has been fired; the user then closes it."""
        self.show()
        self.frames = 0
        while self.visible and (self.frames < 3 or self.window().pending()):
            self.frame()
        self.close()

    def loop(self, setup, callback, cleanup):
        if setup is not None:
            setup()
        self.show()
        self.run_frames(script().frames, callback)
        self.visible = False
        if cleanup is not None:
            cleanup()

    def run(self, plugin):
        if plugin is not None:
            self.window().attach(plugin)
        self.show()
        self.run_frames(script().frames)
        if self.visible:
            self.close()

    def spin(self, duration):
        """Shows the window for so many seconds of the virtual clock, or, at most, until the frames have passed."""
        self.show()
        most = script().frames
        self.run_frames(int(max(1.0, min(float(most), duration / FRAME_TIME))))
        self.visible = False
