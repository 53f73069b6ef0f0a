"""The functions of klampt.vis: windows, items, attributes, text, plots, the camera.

With MORTISE_VIS=browser windows are pages of a browser on this machine. Otherwise a window stays
open for a number of frames of a virtual clock; actions fire once, edits are answered by a
script or accepted, and every item can be asked for what it is. See klampt.vis._settings.
"""

from . import _settings
from . import _pictures
from ._pictures import objectToVisType  # noqa: F401
from ._scene import VisualizationScene
from ._managers import make_manager

_backend = _settings.display()
_manager = make_manager(_backend)


def _scene():
    return _manager.window().scene


def init(backends=None):
    """The display that MORTISE_VIS asked for when this was imported, "headless" or "browser"; others are not chosen here."""
    _settings.display()
    return _backend


def debug(*args, **kwargs):
    """Shows items (names before them, attributes by keyword) until the window is closed.

    Keywords: title, world, animation, centerCamera, followCamera, dialog, color.
    """
    options = {k: kwargs.pop(k) for k in ("title", "animation", "centerCamera", "followCamera",
                                          "dialog", "world", "finalConfig") if k in kwargs}
    before = _manager.current
    _manager.createWindow(options.get("title"))
    if options.get("world") is not None:
        add("world", options["world"])
    name, last = None, None
    for arg in args:
        if isinstance(arg, str):
            name = arg
        elif isinstance(arg, dict) and last is not None:
            for k, v in arg.items():
                setAttribute(last, k, v)
        else:
            last = name or ("world" if hasattr(arg, "numRobots") else f"item{len(_scene().items)}")
            add(last, arg)
            name = None
    for key, value in kwargs.items():
        add(key, value)
    if options.get("animation") is not None and last is not None:
        animate(last, options["animation"])
    _manager.dialog()
    if before is not None:
        _manager.current = before


def nativeWindow():
    """The window object of the display."""
    return _manager.window()


def scene():
    """The VisualizationScene of the window."""
    return _scene()


def createWindow(title=None):
    """Makes a window and chooses it; returns its number."""
    return _manager.createWindow(title)


def setWindow(id):
    """Chooses a window by number."""
    _manager.setWindow(id)


def getWindow():
    """Number of the chosen window, None before there is one."""
    return _manager.current


def setPlugin(plugin):
    """Gives the window one plugin (None: none)."""
    _manager.window().plugins.clear()
    if plugin is not None:
        _manager.window().attach(plugin)


def pushPlugin(plugin):
    """Adds a plugin in front of the others."""
    _manager.window().attach(plugin)


def popPlugin():
    """Removes the plugin added last."""
    if _manager.window().plugins:
        _manager.window().plugins.pop()


def splitView(plugin=None):
    """Adds a view beside; its plugin runs like the others."""
    if plugin is not None:
        _manager.window().attach(plugin)


def addPlugin(plugin=None):
    """Old name of splitView()."""
    splitView(plugin)


def run(plugin=None):
    """Shows the window, with a plugin if given, until it is closed."""
    _manager.run(plugin)


def multithreaded():
    """Returns whether the program may go on while the window is open."""
    return True


def dialog():
    """Shows the window until it is closed."""
    _manager.dialog()


def setWindowTitle(title):
    _manager.window().title = title


def getWindowTitle():
    return _manager.window().title


def resizeWindow(w, h):
    """Size of the window in pixels."""
    _manager.window().reshape(w, h)


def kill():
    """Closes all windows for good."""
    _manager.reset()


def loop(setup=None, callback=None, cleanup=None):
    """Shows the window until it is closed, calling callback() each frame."""
    _manager.loop(setup, callback, cleanup)


def show(display=True):
    """Opens or closes the window."""
    if display:
        _manager.show()
    else:
        _manager.hide()


def spin(duration):
    """Shows the window for a number of seconds, then closes it."""
    _manager.spin(duration)


def lock():
    """Keeps the display from drawing while items change; unlock() ends it."""
    _manager.mutex.acquire()


def unlock():
    """Ends lock()."""
    _manager.mutex.release()


def update():
    """Lets the display draw now."""
    if _manager.visible:
        _manager.frame()


def shown():
    """Returns whether the window is open."""
    return _manager.shown()


def customUI(func):
    """Lets func(window) add to the window; returns what it returns."""
    return func(_manager.window())


def threadCall(func):
    """Calls a function where the display runs, in the next frame; with pages one comes as long as the window is open."""
    _manager.calls.append(func)


def addAction(hook, short_text, key=None, description=None):
    """Adds a command to the window's menu."""
    _manager.window().add_action(hook, short_text, key, description)


def clear():
    """Removes all items."""
    _scene().clear()


def add(name, item, keepAppearance=False, **kwargs):
    """Adds or replaces an item; keywords are attributes such as color=(r, g, b, a).

    Items: worlds, robots, bodies, geometries, points, transforms (R, t), configurations,
    trajectories, IK objectives, contacts, text.
    """
    _scene().add(name, item, keepAppearance, **kwargs)


def listItems(name=None, indent=0):
    """Prints the names of items."""
    _scene().listItems(name, indent)


def getItemName(object):
    """Name (or path of names) of an object in the scene, None when it is not there."""
    return _scene().getItemName(object)


def dirty(item_name="all"):
    """Says that an item changed."""
    _scene().dirty(item_name)


def animate(name, animation, speed=1.0, endBehavior="loop"):
    """Moves an item along a trajectory or list of configurations; None stops it."""
    if animation is None:
        _scene().getItem(name).animation = None
    else:
        _scene().animate(name, animation, speed, endBehavior)


def pauseAnimation(paused=True):
    _scene().pauseAnimation(paused)


def stepAnimation(amount):
    """Moves the clock of animations by seconds."""
    _scene().stepAnimation(amount)


def animationTime(newtime=None):
    """The clock of animations in seconds; newtime sets it."""
    return _scene().animationTime(newtime)


def setTimeCallback(timefunc=None):
    """Takes the clock from a function without arguments."""
    _scene().setTimeCallback(timefunc)


def remove(name):
    """Removes an item."""
    _scene().remove(name)


def getItemConfig(name):
    """Configuration of an item as a flat list."""
    return _scene().getItemConfig(name)


def setItemConfig(name, value):
    """Sets the configuration of an item."""
    _scene().setItemConfig(name, value)


def setLabel(name, text):
    _scene().setAttribute(name, "label", text)


def hideLabel(name, hidden=True):
    _scene().hideLabel(name, hidden)


def hide(name, hidden=True):
    """Hides or shows an item."""
    _scene().hide(name, hidden)


def edit(name, doedit=True):
    """Lets the user change an item; a scripted answer changes it at once. Returns a widget."""
    return _scene().edit(name, doedit)


def pick(click_callback, hover_callback=None, highlight_color=(1, 1, 0, 0.3), filter=None,
         tolerance=0.01):
    """Calls click_callback(name, item, point) for the next click of the user on an item; nobody clicks in the headless display."""
    _scene().pick(click_callback, hover_callback, highlight_color, filter, tolerance)


def _widgets():
    """The widgets of the window, by their ids."""
    return _manager.window().widgets


def _widget(kind, text, value, callback, id, **more):
    _widgets()[id or text] = {"type": kind, "text": text, "value": value, "callback": callback, **more}
    return id or text


def addButton(text, callback=None, id=None, icon=None, iconformat=None, style=None):
    """Adds a button; in the headless display it is fired once like other actions."""
    if callback is not None and _backend == "headless":
        addAction(callback, text)
    return _widget("button", text, None, callback, id)


def addCheckbox(text, callback=None, checked=False, id=None, icon=None, iconformat=None,
                style=None):
    return _widget("checkbox", text, checked, callback, id)


def addSelect(text, options, callback=None, selection=None, id=None, multiple=False, style=None):
    return _widget("select", text, selection, callback, id, options=list(options))


def addInput(text, value, callback=None, id=None, min=None, max=None, style=None):
    return _widget("input", text, value, callback, id, min=min, max=max)


def addWidget(widget):
    """Adds a widget given as a dictionary with 'type' and 'text'."""
    more = {key: value for key, value in widget.items() if key not in ("type", "text", "value", "id", "callback")}
    return _widget(widget.get("type"), widget.get("text"), widget.get("value"), widget.get("callback"), widget.get("id"), **more)


def setGUI(menu):
    for widget in menu or []:
        addWidget(widget)


def bindWidget(id, callback):
    _widgets()[id]["callback"] = callback


def removeWidget(id):
    _widgets().pop(id, None)


def getWidgetState(id):
    return _widgets()[id]["value"]


def setAppearance(name, appearance):
    _scene().setAppearance(name, appearance)


def setAttribute(name, attr, value):
    """Sets an attribute: color, size, width, label, hide_label and others."""
    _scene().setAttribute(name, attr, value)


def getAttribute(name, attr):
    return _scene().getAttribute(name, attr)


def getAttributes(name):
    return _scene().getAttributes(name)


def revertAppearance(name):
    _scene().revertAppearance(name)


def setColor(name, r, g, b, a=1.0):
    """Sets an item's color, parts from 0 to 1."""
    _scene().setColor(name, r, g, b, a)


def setDrawFunc(name, func):
    _scene().setDrawFunc(name, func)


def autoFitViewport(viewport, objects, zoom=True, rotate=True):
    """Turns a viewport towards objects."""
    from .glviewport import fit_to
    fit_to(viewport, objects, zoom)


def addText(name, text, position=None, **kwargs):
    """Adds or replaces text on the screen (position in pixels) or in the world."""
    _scene().addText(name, text, position=position, **kwargs)


def clearText():
    _scene().clearText()


def addPlot(name):
    _scene().plots.plot(name)


def addPlotItem(name, itemname):
    """Plots the configuration of an item."""
    _scene().addPlotItem(name, itemname)


def logPlot(name, itemname, value):
    """Adds a value to a plot, at the clock's time."""
    _scene().logPlot(name, itemname, value)


def logPlotEvent(name, eventname, color=None):
    _scene().logPlotEvent(name, eventname, color)


def hidePlotItem(name, itemname, hidden=True):
    _scene().hidePlotItem(name, itemname, hidden)


def setPlotDuration(name, time):
    _scene().plots.set(name, duration=time)


def setPlotRange(name, vmin, vmax):
    _scene().plots.set(name, range=(vmin, vmax))


def setPlotPosition(name, x, y):
    _scene().plots.set(name, position=(x, y))


def setPlotSize(name, w, h):
    _scene().plots.set(name, size=(w, h))


def savePlot(name, fn):
    """Writes a plot as CSV with columns time, item, value."""
    _scene().savePlot(name, fn)


def autoFitCamera(zoom=True, rotate=True, scale=1):
    """Turns the camera towards everything."""
    _scene().autoFitCamera(zoom, rotate, scale)


def followCamera(target, translate=True, rotate=False, center=False):
    """Lets the camera follow an item."""
    _scene().followCamera(target, translate, rotate, center)


def getViewport():
    """The GLViewport of the window."""
    return _scene().getViewport()


def setViewport(viewport):
    _scene().setViewport(viewport)


def resizeViewport(w, h):
    view = getViewport()
    view.w, view.h = w, h


def setBackgroundColor(r, g, b, a=1):
    _scene().setBackgroundColor(r, g, b, a)


def saveJsonConfig(fn=None):
    """Camera, background and attributes; written to a file or returned."""
    return _scene().saveJsonConfig(fn)


def loadJsonConfig(jsonobj_or_fn):
    _scene().loadJsonConfig(jsonobj_or_fn)


def screenshot(format="auto", want_depth=False):
    """A picture of the scene: bodies, geometries, configurations, points, frames and paths, without texts.

    format: 'numpy' or 'auto' for an array (h, w, 3) of bytes, 'Image' for Pillow's, 'bytes' for (w, h, bytes) from the
    lowest row on. want_depth: (picture, depth), distances along the view in m.
    """
    return _pictures.formatted(_pictures.take(_scene(), _scene().cameras), format, want_depth)


def screenshotCallback(fn, format="auto", want_depth=False):
    """Calls fn with a screenshot after the next frame."""
    threadCall(lambda: fn(screenshot(format, want_depth)))


def drawTrajectory(traj, width, color, pointSize=None, pointColor=None):
    """Draws nothing: there is no OpenGL context."""


def drawRobotTrajectory(traj, robot, ees, width=2, color=(1, 0.5, 0, 1), pointSize=None, pointColor=None):
    """Draws nothing: there is no OpenGL context."""


def _answer(name, value, type=None, description=None, world=None, reference=None, frame=None):
    """The user's answer to an edit of a value, (accepted, value): the script's, where it has one or nobody is there."""
    if _backend == "browser" and type is not None and not _settings.script().says(name):
        from ._edits import ask
        return ask(_manager, name, value, type, description, world, reference, frame)
    return _settings.script().answer(name, value)
