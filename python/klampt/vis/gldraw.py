"""Drawing with OpenGL; without a context these draw nothing."""


def point(p):
    """Draws nothing: there is no OpenGL context."""


def circle(center, radius, res=0.01, filled=True):
    """Draws nothing: there is no OpenGL context."""


def line(a, b):
    """Draws nothing: there is no OpenGL context."""


def polyline(points):
    """Draws nothing: there is no OpenGL context."""


def triangle(a, b, c, lighting=True, filled=True):
    """Draws nothing: there is no OpenGL context."""


def quad(a, b, c, d, lighting=True, filled=True):
    """Draws nothing: there is no OpenGL context."""


def box(a=(0, 0, 0), b=(1, 1, 1), lighting=True, filled=True):
    """Draws nothing: there is no OpenGL context."""


def centered_box(dims=(1, 1, 1), lighting=True, filled=True):
    """Draws nothing: there is no OpenGL context."""


def setcolor(r, g, b, a=1.0, lighting=True):
    """Draws nothing: there is no OpenGL context."""


def xform_widget(T, length, width, lighting=True, fancy=False):
    """Draws nothing: there is no OpenGL context."""


def hermite_curve(x1, v1, x2, v2, res=0.01, textured=False):
    """Draws nothing: there is no OpenGL context."""


def bezier_curve(x1, x2, x3, x4, res=0.01, textured=False):
    """Draws nothing: there is no OpenGL context."""


def glutBitmapString(font, string):
    """Draws nothing: there is no OpenGL context."""
