"""Plugins with widgets, several viewports, and cached drawing."""

from .glinterface import GLPluginInterface
from .glprogram import GLPluginProgram, GLProgram, GLProgramAction
from .glviewport import GLViewport

__all__ = ["GLWidgetPlugin", "GLMultiViewportProgram", "CachedGLObject", "GLPluginInterface",
           "GLProgram", "GLProgramAction", "GLPluginProgram", "GLViewport"]


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
        self.active_view = None

    def add_view(self, view):
        self.views.append(view)
        view.window = self.window
        self.active_view = view

    def remove_view(self, view):
        self.views = [v for v in self.views if v is not view]

    def clear_views(self):
        self.views = []

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
