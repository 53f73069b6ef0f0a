"""Drawing with OpenGL; without a context these draw nothing."""


def _nothing(name):
    def draw(*args, **kwargs):
        pass
    draw.__name__ = name
    draw.__doc__ = "Draws nothing: there is no OpenGL context."
    return draw


for _n in ("point", "circle", "line", "polyline", "triangle", "quad", "box", "centered_box",
           "setcolor", "xform_widget", "hermite_curve", "bezier_curve", "glutBitmapString"):
    globals()[_n] = _nothing(_n)
