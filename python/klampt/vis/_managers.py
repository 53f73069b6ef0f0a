"""The display that windows are shown on."""

from ._window import WindowManager


def make_manager(display):
    """The manager of windows on a display, "headless" or "browser"."""
    if display != "browser":
        return WindowManager()
    from ._browser import BrowserManager
    return BrowserManager()
