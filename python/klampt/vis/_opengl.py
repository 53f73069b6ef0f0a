"""A plain window for programs whose plugins draw with OpenGL themselves: PyOpenGL with freeglut, where a display is.

It has one view, the handlers of the program get the mouse and the keys, and Escape or the window's own button closes it.
"""

import os
import sys
import time

import numpy as np

from ..math import se3
from ..robotsim import _drawgl
from ._bodies import bodies
from ._guard import guarded
from ._settings import FRAME_TIME

_DRAWING = ("display", "displayfunc", "display_screen")
_OWN = "klampt.vis."  # Modules whose own handlers draw nothing.


def draws(plugin):
    """Returns whether a plugin or program has handlers of its own that draw, or plugins with such."""
    own = any(not getattr(getattr(type(plugin), name, None), "__module__", _OWN).startswith(_OWN) for name in _DRAWING)
    return own or any(draws(each) for each in getattr(plugin, "plugins", ()))


def available(plugin):
    """Returns whether there is a display and PyOpenGL; says in one line what is missing."""
    name = type(plugin).__name__
    if not os.environ.get("DISPLAY"):
        print(f"vis: {name} draws with OpenGL itself, and no display is there (DISPLAY): the page shows what the scene holds", file=sys.stderr)
        return False
    # freeglut opens windows of X, also where PyOpenGL would choose Wayland's contexts.
    os.environ.setdefault("PYOPENGL_PLATFORM", "glx")
    try:
        from OpenGL import GLUT
        if not bool(GLUT.glutInit):
            raise ImportError("freeglut is missing")
    except Exception as error:
        print(f"vis: {name} draws with OpenGL itself, which PyOpenGL does not offer ({error}; Debian: apt install python3-opengl "
              "freeglut3): the page shows what the scene holds", file=sys.stderr)
        return False
    return True


class _Meshes:
    """Triangles of shapes with a normal each, kept until a shape changes."""

    def __init__(self):
        self.kept = {}

    def of(self, geometry):
        geometry._sync()
        shape = geometry._shape
        found = self.kept.get(id(shape))
        if found is None or found[0] != shape.version():
            found = (shape.version(), self._triangles(geometry), shape)
            self.kept[id(shape)] = found
        return found[1]

    @staticmethod
    def _triangles(geometry):
        try:
            mesh = geometry if geometry.type() == "TriangleMesh" else geometry.convert("TriangleMesh")
            mesh = mesh.getTriangleMesh()
        except Exception:  # Not every shape has a surface.
            return None
        corners = np.asarray(mesh.getVertices(), dtype=np.float32).reshape(-1, 3)[np.asarray(mesh.getIndices(), dtype=int).reshape(-1, 3)]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        return np.ascontiguousarray(corners.reshape(-1, 3)), np.ascontiguousarray(np.repeat(normals, 3, axis=0).astype(np.float32))


class _Drawer:
    """Draws worlds, robots and bodies with the context that is current."""

    def __init__(self):
        self.meshes = _Meshes()

    def __call__(self, thing):
        for body in bodies(thing):
            if body.appearance().getDraw() and not body.geometry().empty():
                self._body(body)

    def _body(self, body):
        from OpenGL import GL
        triangles = self.meshes.of(body.geometry())
        if triangles is None:
            return
        corners, normals = triangles
        color = (*map(float, body.appearance().getColor()), 1.0)[:4]
        GL.glEnable(GL.GL_LIGHTING)
        GL.glMaterialfv(GL.GL_FRONT_AND_BACK, GL.GL_AMBIENT_AND_DIFFUSE, color)
        GL.glPushMatrix()
        GL.glMultMatrixf(_matrix(body.getTransform() if hasattr(body, "getTransform") else se3.identity()))
        GL.glEnableClientState(GL.GL_VERTEX_ARRAY)
        GL.glEnableClientState(GL.GL_NORMAL_ARRAY)
        GL.glVertexPointer(3, GL.GL_FLOAT, 0, corners)
        GL.glNormalPointer(GL.GL_FLOAT, 0, normals)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, len(corners))
        GL.glDisableClientState(GL.GL_NORMAL_ARRAY)
        GL.glDisableClientState(GL.GL_VERTEX_ARRAY)
        GL.glPopMatrix()


def _matrix(T):
    """A pose as OpenGL takes it, column by column."""
    matrix = np.zeros((4, 4), dtype=np.float32)
    matrix[:3, :3] = np.reshape(T[0], (3, 3))
    matrix[3, :3] = T[1]
    matrix[3, 3] = 1
    return matrix


def set_view(view):
    """Projection and camera of a viewport become those of the context."""
    from OpenGL import GL
    near, far = view.n, view.f
    left, right = -near * view.cx / view.fx, near * (view.w - view.cx) / view.fx
    top, bottom = near * view.cy / view.fy, -near * (view.h - view.cy) / view.fy
    GL.glViewport(int(view.x), int(view.y), int(view.w), int(view.h))
    GL.glMatrixMode(GL.GL_PROJECTION)
    GL.glLoadIdentity()
    GL.glFrustum(left, right, bottom, top, near, far)
    GL.glMatrixMode(GL.GL_MODELVIEW)
    GL.glLoadMatrixf(_matrix(se3.inv(view.get_transform("openGL"))))


class _Window:
    """A window of freeglut with the handlers of a window of klampt.vis."""

    def __init__(self, window, manager):
        from OpenGL import GLUT
        self.window, self.manager, self.open, self.frames = window, manager, True, 0
        self.mouse, self.drawer = None, _Drawer()
        GLUT.glutInit([sys.argv[0] if sys.argv else "klampt"])
        GLUT.glutInitDisplayMode(GLUT.GLUT_RGBA | GLUT.GLUT_DOUBLE | GLUT.GLUT_DEPTH)
        GLUT.glutInitWindowSize(int(window.width), int(window.height))
        self.number = GLUT.glutCreateWindow(str(window.title).encode())
        GLUT.glutSetOption(GLUT.GLUT_ACTION_ON_WINDOW_CLOSE, GLUT.GLUT_ACTION_CONTINUE_EXECUTION)
        GLUT.glutDisplayFunc(self._display)
        GLUT.glutReshapeFunc(self._reshape)
        GLUT.glutKeyboardFunc(lambda key, x, y: self._key(key.decode("latin-1"), x, y))
        GLUT.glutMouseFunc(self._button)
        GLUT.glutMotionFunc(self._motion)
        GLUT.glutPassiveMotionFunc(self._motion)
        GLUT.glutCloseFunc(self._closed)
        for plugin in window.plugins:
            self._reshape_view(plugin, int(window.width), int(window.height))

    def _handlers(self, name, *arguments):
        """Calls the handlers of the plugins, the last one first, until one has used the event up."""
        for plugin in reversed(self.window.plugins):
            handler = getattr(plugin, name, None)
            if handler is not None and guarded(lambda handler=handler: handler(*arguments)):
                return True
        return False

    def _closed(self):
        self.open = False

    def _key(self, key, x, y):
        if self._handlers("keyboardfunc", key, x, y):
            return
        if key == "\x1b":
            self.open = False
        for hook, _, wanted, _ in self.window.actions:
            if wanted == key:
                guarded(hook)
                return

    def _button(self, button, state, x, y):
        self.mouse = (x, y)
        self._handlers("mousefunc", button, state, x, y)

    def _motion(self, x, y):
        before, self.mouse = self.mouse or (x, y), (x, y)
        self._handlers("motionfunc", x, y, x - before[0], y - before[1])

    @staticmethod
    def _reshape_view(plugin, w, h):
        view = getattr(plugin, "view", None)
        if view is not None:
            view.resize(w, h)

    def _reshape(self, w, h):
        self.window.width, self.window.height = w, h
        for plugin in self.window.plugins:
            self._reshape_view(plugin, w, h)
        self._handlers("reshapefunc", w, h)

    def _display(self):
        from OpenGL import GL, GLUT
        _drawgl.drawer = self.drawer
        try:
            self._draw(GL)
        finally:
            _drawgl.drawer = None
        GLUT.glutSwapBuffers()

    def _draw(self, GL):
        color = next((p.clearColor for p in self.window.plugins if hasattr(p, "clearColor")), [1.0, 1.0, 1.0, 0.0])
        GL.glClearColor(*map(float, color))
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glEnable(GL.GL_LIGHT0)
        GL.glEnable(GL.GL_NORMALIZE)
        for plugin in self.window.plugins:
            for each in [*getattr(plugin, "plugins", ()), plugin]:
                self._draw_plugin(GL, each)

    def _draw_plugin(self, GL, plugin):
        view = getattr(plugin, "view", None) or self.window.scene.getViewport()
        set_view(view)
        if _overrides(plugin, "displayfunc"):
            guarded(plugin.displayfunc)
            return
        if hasattr(plugin, "prepare_GL"):
            guarded(plugin.prepare_GL)
        if hasattr(plugin, "display"):
            guarded(plugin.display)
        GL.glMatrixMode(GL.GL_PROJECTION)
        GL.glLoadIdentity()
        GL.glOrtho(0, view.w, view.h, 0, -1, 1)
        GL.glMatrixMode(GL.GL_MODELVIEW)
        GL.glLoadIdentity()
        GL.glDisable(GL.GL_LIGHTING)
        for name in ("prepare_screen_GL", "display_screen"):
            if hasattr(plugin, name):
                guarded(getattr(plugin, name))

    def frame(self):
        from OpenGL import GLUT
        for plugin in list(self.window.plugins):
            idle = getattr(plugin, "idlefunc", None) or getattr(plugin, "idle", None)
            if idle is not None:
                guarded(idle)
        calls, self.manager.calls = self.manager.calls, []
        for call in calls:
            guarded(call)
        GLUT.glutSetWindow(self.number)
        GLUT.glutPostRedisplay()
        GLUT.glutMainLoopEvent()

    def close(self):
        from OpenGL import GLUT
        if GLUT.glutGetWindow() == self.number:
            # PyOpenGL forgets its functions with the context, and freeglut would call this one afterwards.
            GLUT.glutCloseFunc(None)
            GLUT.glutDestroyWindow(self.number)
            GLUT.glutMainLoopEvent()


def is_drawing():
    """Returns whether a window of this module draws now."""
    return _drawgl.drawer is not None


def _overrides(plugin, name):
    return not getattr(getattr(type(plugin), name, None), "__module__", _OWN).startswith(_OWN)


def run(window, manager):
    """Shows the window until it is closed, Ctrl-C, or the frames that somebody asked for have passed."""
    shown = _Window(window, manager)
    try:
        while shown.open and manager.visible and not manager._spent():
            begun = time.monotonic()
            manager.frames += 1
            shown.frame()
            time.sleep(max(0.0, FRAME_TIME - (time.monotonic() - begun)))
    except KeyboardInterrupt:
        print("vis: the window is closed by Ctrl-C", file=sys.stderr)
    for plugin in window.plugins:
        if hasattr(plugin, "closefunc"):
            plugin.closefunc()
    shown.close()
