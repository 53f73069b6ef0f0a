"""OpenGL: never there, in the headless display."""

_PyQtAvailable = False
_GLUTAvailable = False
_GLBackend = None
_tried: "list[str]" = []


def init(backends=["PyQt", "GLUT"]):
    """None: no backend draws here."""
    _tried.extend(b for b in backends if b not in _tried)
    return None


def GL():
    """None: there is no OpenGL context."""
    return None


def active():
    """Name of the backend that draws: None."""
    return None


def available(backend):
    """Returns whether a backend draws: none does."""
    return False


def tried(backend):
    """Returns whether init() was asked for a backend."""
    return backend in _tried
