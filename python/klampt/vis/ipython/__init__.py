"""Widgets of notebooks."""

from .widgets import KlamptWidget, Playback, EditConfig, EditPoint, EditTransform

__all__ = ["KlamptWidget", "Playback", "EditConfig", "EditPoint", "EditTransform"]
