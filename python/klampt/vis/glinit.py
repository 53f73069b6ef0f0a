"""Whether OpenGL is there: never, in the headless display."""

_PyQtAvailable = False
_GLUTAvailable = False
_GLBackend = None
