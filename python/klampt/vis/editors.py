"""Visual editors: pages with MORTISE_VIS=browser; in the headless display a script answers them, or they accept."""

from . import visualization
from .glcommon import GLWidgetPlugin


class VisualEditorBase(GLWidgetPlugin):
    """An edit of one value: name, value, description, world."""

    def __init__(self, name, value, description, world):
        GLWidgetPlugin.__init__(self)
        self.name = name
        self.value = value
        self.description = description
        self.world = world

    def instructions(self):
        """Returns what the user reads, or None."""
        return None

    def loadable(self):
        """Returns whether a value can be loaded from a file."""
        return True

    def savable(self):
        """Returns whether the value can be saved to a file."""
        return True

    def update_gui_from_value(self):
        """Called when the value was changed by others."""

    def update_value_from_gui(self):
        """Called before the value is used."""

    def add_dialog_items(self, parent, ui="qt"):
        """Called when a dialog is built: never, in the headless display."""


class ConfigEditor(VisualEditorBase):
    """Edits a robot's configuration."""

    def __init__(self, name, value, description, world, robot=None):
        VisualEditorBase.__init__(self, name, value, description, world)
        self.robot = robot


class SelectionEditor(VisualEditorBase):
    """Edits a list of link indices."""

    def __init__(self, name, value, description, world, robot=None):
        VisualEditorBase.__init__(self, name, value, description, world)
        self.robot = robot


class ConfigsEditor(ConfigEditor):
    """Edits a list of configurations."""


class TrajectoryEditor(ConfigEditor):
    """Edits a trajectory."""


class PointEditor(VisualEditorBase):
    """Edits a point, in a frame if given."""

    def __init__(self, name, value, description, world, frame=None):
        VisualEditorBase.__init__(self, name, value, description, world)
        self.frame = frame


class RotationEditor(PointEditor):
    """Edits a rotation."""


class RigidTransformEditor(PointEditor):
    """Edits a transform."""


class ObjectTransformEditor(VisualEditorBase):
    """Edits the transform of a rigid object."""


class WorldEditor(VisualEditorBase):
    """Edits the world."""


def run(editorObject):
    """Runs an editor; returns (accepted, value)."""
    from ..model import types
    kind = types.object_to_type(editorObject.value, world=editorObject.world)
    accepted, value = visualization._answer(editorObject.name, editorObject.value, kind, editorObject.description, editorObject.world,
                                            getattr(editorObject, "robot", None), getattr(editorObject, "frame", None))
    editorObject.value = value
    return accepted, value
