"""Plugins with widgets, several viewports, and cached drawing."""

import math
import warnings
import weakref

from . import glinit
from .glinterface import GLPluginInterface
from .glprogram import GLPluginProgram, GLProgram, GLProgramAction
from .glviewport import GLViewport

__all__ = ["GLWidgetPlugin", "GLMultiViewportProgram", "CachedGLObject", "GLPluginInterface",
           "GLProgram", "GLProgramAction", "GLPluginProgram", "GLViewport",
           "glinit", "math", "warnings", "weakref"]  # Programs get the last ones along with `import *`.


class GLWidgetPlugin(GLPluginInterface):
    """A plugin with widgets such as RobotPoser, which keep what they are set to."""

    def __init__(self):
        GLPluginInterface.__init__(self)
        self.widgets = []
        self.klamptwidgetmaster = self.widgets

    def add_widget(self, widget):
        self.widgets.append(widget)

    def remove_widget(self, widget):
        if widget in self.widgets:
            self.widgets.remove(widget)

    addWidget, removeWidget = add_widget, remove_widget

    def highlighted_widget(self):
        return None

    def focused_widget(self):
        return None

    def widgetchangefunc(self, event):
        """Called when a widget changes."""

    def widgethoverfunc(self):
        """Called when the mouse is over a widget."""


class GLMultiViewportProgram(GLProgram):
    """Several views in one window; each runs its idle function."""

    def __init__(self):
        GLProgram.__init__(self)
        self.views = []
        self.activeView = None
        self.broadcast = False
        self.sizePolicy = "fit"

    @property
    def active_view(self):
        """The view that has the mouse: the one added last, until update_active()."""
        return None if self.activeView is None else self.views[self.activeView]

    @property
    def width(self):
        """Width of the window, pixels."""
        return self.view.w

    @property
    def height(self):
        """Height of the window, pixels."""
        return self.view.h

    def add_view(self, view):
        """Adds a view."""
        self.views.append(view)
        view.window = self.window
        self.activeView = len(self.views) - 1

    def remove_view(self, view):
        """Removes a view."""
        self.views = [v for v in self.views if v is not view]
        self.activeView = len(self.views) - 1 if self.views else None

    def clear_views(self):
        """Removes all views."""
        self.views, self.activeView = [], None

    def fit(self):
        """Places the views beside each other, in as many columns as rows."""
        columns = math.ceil(math.sqrt(len(self.views)))
        rows = math.ceil(len(self.views) / max(columns, 1))
        for k, view in enumerate(self.views):
            part = view.view
            part.resize(self.width // columns, self.height // rows)
            part.x, part.y = part.w * (k % columns), part.h * (k // columns)

    def update_active(self, x, y):
        """The view under a pixel becomes the active one."""
        self.activeView = next((k for k, view in enumerate(self.views) if view.view.contains(x, y)), None)

    def click_ray(self, x, y):
        """(origin, direction) of the ray through a pixel, in the active view."""
        return self.get_view().click_ray(x, y)

    def get_view(self):
        """The viewport of the active view."""
        return self.view if self.active_view is None else self.active_view.view

    def set_view(self, vp):
        """Sets the viewport of the active view."""
        if self.active_view is None:
            self.view = vp
        else:
            self.active_view.view = vp

    addView, removeView, clearViews = add_view, remove_view, clear_views

    def initialize(self):
        for view in self.views:
            view.window = self.window
        return all([view.initialize() for view in self.views])

    def idlefunc(self):
        for view in self.views:
            getattr(view, "idlefunc", getattr(view, "idle", lambda: None))()

    def keyboardfunc(self, c, x, y):
        return any(view.keyboardfunc(c, x, y) for view in self.views)


class CachedGLObject:
    """Drawing kept for the next frame; without a context nothing is drawn."""

    def __init__(self):
        self.changed = True

    def destroy(self):
        self.changed = True

    def mark_changed(self):
        self.changed = True

    markChanged = mark_changed

    def draw(self, renderFunction, transform=None, args=None, parameters=None):
        self.changed = False
