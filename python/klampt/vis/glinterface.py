"""Plugins of a window: they handle events, run each frame and may draw."""


class GLPluginInterface:
    """Override what is wanted; handlers return true when they have used an event up."""

    def __init__(self):
        self.window = None
        self.view = None
        self.actions = []
        self.dt = 1.0 / 30.0

    def initialize(self):
        return True

    def displayfunc(self):
        return False

    def display(self):
        return False

    def display_screen(self):
        return False

    def reshapefunc(self, w, h):
        return False

    def keyboardfunc(self, c, x, y):
        return False

    def keyboardupfunc(self, c, x, y):
        return False

    def mousefunc(self, button, state, x, y):
        return False

    def motionfunc(self, x, y, dx, dy):
        return False

    def mousewheelfunc(self, dhorizontal, dvertical, x, y):
        return False

    def idle(self):
        """Called each frame."""
        return True

    def eventfunc(self, type, args=""):
        return False

    def closefunc(self):
        return False

    def add_action(self, callback, short_name, key, description=None):
        """Adds a command to the window's menu."""
        self.actions.append((callback, short_name, key, description))

    def reshape(self, w, h):
        self.window.reshape(w, h)

    def idlesleep(self, seconds):
        pass

    def modifiers(self):
        return self.window.modifiers() if self.window is not None else []

    def refresh(self):
        """Asks for a new frame; one comes anyway."""

    def draw_text(self, point, text, size=12, color=None):
        """Draws nothing: there is no OpenGL context."""

    def click_ray(self, x, y):
        """(origin, direction) of the ray through a pixel."""
        return self.view.click_ray(x, y)

    def viewport(self):
        return self.view

    def save_screen(self, fn, multithreaded=True):
        """Draws nothing: there is no OpenGL context."""
