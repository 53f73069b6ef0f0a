"""Drawing with OpenGL: nothing, unless a window of klampt.vis._opengl has a context."""

drawer = None  # A function of what is to be drawn, while a window draws.


def draw(thing):
    """Draws a world, a robot or a body in the window that draws now, if there is one."""
    if drawer is not None:
        drawer(thing)
