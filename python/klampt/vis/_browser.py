"""Windows as pages of a browser on this machine (MORTISE_VIS=browser), by mortise.View.

Everything happens on the thread that calls `shown`, `update`, `loop` and the like. Where a program calls none of them while its
window is open, a thread named klampt.vis takes their place, so that calls of `threadCall` and what people do still arrive;
`lock` and `unlock` keep the two apart.
"""

import atexit
import os
import sys
import threading
import time
import traceback

from ..model import config
from . import _opengl
from ._bodies import bodies
from ._drawings import Drawings, _pose
from ._settings import FRAME_TIME, script
from ._guard import guarded
from ._window import WindowManager

_ALONE = 0.2  # After so many seconds without a frame the thread makes some, s.
_COLORS_APART = 0.5  # Colors, names and shapes of a world are compared so often, s.
_CLOSE = "close window"


class Pages:
    """The pages of one window."""

    def __init__(self, window):
        import mortise
        self.window = window
        self.closed = False
        self.world = None
        self.layout, self.colors, self.compared = None, {}, -1.0
        self.widgets, self.actions, self.texts = {}, 0, {}
        self.editors = {}
        self.configs, self.poses = {}, {}
        self.marked = {}
        self.view = mortise.World().view()
        self.view.set_title(window.title)
        self.drawings = Drawings(self.view)
        self.view.add_button("Close window", self._close, id=_CLOSE)
        self.view.on_click(self._clicked)

    def _close(self):
        self.closed = True

    def update(self):
        """Shows everything as it is now, and takes what people did."""
        scene = self.window.scene
        self._show_world(scene)
        self._show_editors(scene)
        self.drawings.update(scene, self.world)
        self._show_controls(scene)
        if not self.view.update():
            self.closed = True

    # The first world among the items is the world of the page; everything else is drawn.

    def _show_world(self, scene):
        item = next((i for i in scene.items.values() if hasattr(i.item, "numRobots")), None)
        world = None if item is None else item.item
        now = time.monotonic()
        if world is not self.world or now - self.compared > _COLORS_APART:
            self.compared = now
            self._compare(world)
        if world is not None:
            self._move(item, world)
            self._mark(item, world)

    def _compare(self, world):
        """Another world, or other bodies in it, are shown anew; other colors are marks."""
        import mortise
        layout = () if world is None else tuple((b.getName(), b.geometry()._shape.version()) for b in bodies(world))
        if world is not self.world or layout != self.layout:
            first = self.layout is None and world is None
            self.world, self.layout = world, layout
            self.configs, self.poses, self.marked = {}, {}, {}
            self.colors = {} if world is None else {b.getID(): tuple(b.appearance().getColor()) for b in bodies(world)}
            if not first:
                self.view.set_world(mortise.World() if world is None else world._state.native.assembled())
        self.changed = {} if world is None else {
            b.getID(): tuple(b.appearance().getColor()) for b in bodies(world)
            if tuple(b.appearance().getColor()) != self.colors.get(b.getID())}

    def _move(self, item, world):
        for i in range(world.numRobots()):
            robot = world.robot(i)
            part = item.subAppearances.get(robot.getName())
            drawn = None if part is None else part.drawConfig
            q = tuple(robot.getConfig() if drawn is None else drawn)
            if self.configs.get(i) != q and len(q) == robot.numLinks():
                self.configs[i] = q
                self.view.set_configuration(i, q)
        for i in range(world.numRigidObjects()):
            body = world.rigidObject(i)
            T = body.getTransform()
            flat = tuple(T[0]) + tuple(T[1])
            if self.poses.get(i) != flat:
                self.poses[i] = flat
                self.view.set_pose(i, _pose(T))

    def _mark(self, item, world):
        """Colors and visibility that the program gave to the world or its parts."""
        marks = {}
        for body in bodies(world):
            key = body.getID()
            if key in self.changed:
                marks[key] = (self.changed[key][:3], False)
        self._mark_parts(item, world, None, item.hidden, marks)
        for key in self.marked.keys() | marks.keys():
            if self.marked.get(key) != marks.get(key):
                color, hidden = marks.get(key, (None, False))
                self.view.mark(key, color, hidden)
        self.marked = marks

    def _mark_parts(self, item, thing, color, hidden, marks):
        from ._scene import children
        color = item.attributes.get("color", color)
        hidden = hidden or item.hidden
        parts = children(thing)
        if not parts and (color is not None or hidden):
            marks[thing.getID()] = (None if color is None else tuple(map(float, color[:3])), hidden)
        if color is None and not hidden and not item.subAppearances:
            return
        from ._scene import Item
        for name, part in parts.items():
            self._mark_parts(item.subAppearances.get(name) or Item(name, part, {}), part, color, hidden, marks)

    # What people do.

    def _show_controls(self, scene):
        window, view = self.window, self.view
        for k in range(self.actions, len(window.actions)):
            hook, text, key, description = window.actions[k]
            hint = description if key is None else f"{description or text} ({key!r} in Klamp't)"
            view.add_button(str(text), hook, group="Actions", hint=hint and str(hint), id=f"action {k}")
        self.actions = len(window.actions)
        for id, widget in window.widgets.items():
            state = {key: value for key, value in widget.items() if key != "callback"}
            if self.widgets.get(id) != state:
                self._show_widget(id, widget)
                self.widgets[id] = state
        for id in [id for id in self.widgets if id not in window.widgets]:
            view.control(f"widget {id}").remove()
            del self.widgets[id]
        self._show_texts(scene)

    def _show_texts(self, scene):
        """Texts of the screen are labels; those in the world are drawn."""
        shown = {name: str(item.item) for name, item in scene.texts.items()
                 if not item.hidden and len(item.attributes.get("position") or ()) != 3}
        for name, text in shown.items():
            if self.texts.get(name) != text:
                self.view.add_label(text, group="Text", id=f"text {name}")
        for name in self.texts.keys() - shown.keys():
            self.view.control(f"text {name}").remove()
        self.texts = shown

    def _show_widget(self, id, widget):
        view, key, text, value = self.view, f"widget {id}", str(widget.get("text") or id), widget.get("value")

        def take(new=None):
            if new is not None:
                widget["value"] = new
                self.widgets[id] = {k: v for k, v in widget.items() if k != "callback"}
            if widget.get("callback") is not None:
                widget["callback"]() if new is None else widget["callback"](new)

        kind, number = widget.get("type"), isinstance(value, (int, float)) and not isinstance(value, bool)
        low, high = widget.get("min"), widget.get("max")
        if kind == "button":
            view.add_button(text, take, id=key)
        elif kind == "checkbox" or isinstance(value, bool):
            view.add_checkbox(text, bool(value), take, id=key)
        elif kind == "select":
            options = [str(option) for option in widget.get("options") or []]
            chosen = str(value) if str(value) in options else None
            view.add_select(text, options or [""], chosen if options else "", take, id=key)
        elif number and low is not None and high is not None:
            view.add_slider(text, low, high, min(max(value, low), high), take, id=key)
        elif number:
            view.add_number(text, value, take, low, high, id=key)
        else:
            view.add_text(text, "" if value is None else str(value), take, id=key)

    def _clicked(self, origin, direction, id):
        scene = self.window.scene
        if scene.picking is None:
            return
        callback, wanted, tolerance = scene.picking
        from ._rays import cast
        from ._scene import children
        item, point = cast(scene.items.items(), lambda i: [(k, i.child(k)) for k in children(i.item)],
                           list(map(float, origin)), list(map(float, direction)), wanted, tolerance)
        if item is not None:
            scene.picking = None
            callback(item.name, item.item, point)

    # Items that people change.

    def _show_editors(self, scene):
        wanted = dict(_edited(scene.items))
        for path in [path for path in self.editors if path not in wanted]:
            self.editors.pop(path).end()
        for path, item in wanted.items():
            if path not in self.editors:
                self.editors[path] = self._editor(scene, path, item)
            self.editors[path].refresh()

    def _editor(self, scene, path, item):
        thing = item.item
        if hasattr(thing, "numLinks"):
            return _RobotEditor(self.view, str(path[-1]), thing)
        if hasattr(thing, "setTransform") and hasattr(thing, "getTransform"):
            return _BodyEditor(self.view, str(path[-1]), thing)
        return _ValueEditor(self.drawings, scene, path, item)


def _numbers(values):
    return [float(x) for x in values]


class _ValueEditor:
    """A point or frame that is dragged where it is drawn."""

    def __init__(self, drawings, scene, path, item):
        self.drawings, self.name = drawings, str(path[-1])

        def moved(pose):
            R, t = _numbers(pose.R.T.ravel()), _numbers(pose.p)
            size = len(config.get_config(item.item))
            scene.setItemConfig(path if len(path) > 1 else path[0], t if size == 3 else R + t if size == 12 else R)

        drawings.draggable[self.name] = moved

    def refresh(self):
        """The drawing is where the value is."""

    def end(self):
        self.drawings.draggable.pop(self.name, None)


class _BodyEditor:
    """A frame at a body, which moves with it."""

    def __init__(self, view, name, body):
        self.view, self.label, self.body = view, f"edit {name}", body
        self.shown = self._place()
        view.draw_frame(self.label, _pose(body.getTransform()), 0.3, on_drag=self._moved)

    def _place(self):
        R, t = self.body.getTransform()
        return (*R, *t)

    def _moved(self, pose):
        self.body.setTransform(_numbers(pose.R.T.ravel()), _numbers(pose.p))
        self.shown = self._place()

    def refresh(self):
        if self._place() != self.shown:
            self.shown = self._place()
            self.view.move(self.label, _pose(self.body.getTransform()))

    def end(self):
        self.view.erase(self.label)


class _RobotEditor:
    """A slider a link that can move, or a number where it has no end."""

    def __init__(self, view, name, robot):
        self.robot, self.controls, self.shown = robot, {}, robot.getConfig()
        low, high = robot.getJointLimits()
        for k in range(robot.numLinks()):
            if not low[k] < high[k]:
                continue
            label, id = robot.link(k).getName(), f"edit {name} {k}"
            take = self._setter(k)
            if max(abs(low[k]), abs(high[k])) < 1e3:
                value = min(max(self.shown[k], low[k]), high[k])
                self.controls[k] = view.add_slider(label, low[k], high[k], value, take, group=name, id=id)
            else:
                self.controls[k] = view.add_number(label, self.shown[k], take, group=name, id=id)
        self.limits = low, high

    def _setter(self, index):
        def take(value):
            q = self.robot.getConfig()
            q[index] = value
            self.robot.setConfig(q)
            self.shown[index] = value
        return take

    def refresh(self):
        q = self.robot.getConfig()
        for k, control in self.controls.items():
            if q[k] != self.shown[k]:
                self.shown[k] = q[k]
                control.value = min(max(q[k], self.limits[0][k]), self.limits[1][k])

    def end(self):
        for control in self.controls.values():
            control.remove()


def _edited(items, above=()):
    """(path, item) of the items that are edited."""
    for name, item in items.items():
        if item.editing:
            yield (*above, name), item
        yield from _edited(item.subAppearances, (*above, name))


class BrowserManager(WindowManager):
    """Windows in pages; each lasts until it is closed there, or Ctrl-C."""

    def reset(self):
        for pages in getattr(self, "pages", {}).values():
            pages.view.close()
        self.pages = {}
        self.reported = set()
        self.last = 0.0
        self.thread = None
        super().reset()

    def show(self):
        super().show()
        self._open()
        if self.thread is None or not self.thread.is_alive():
            self.last = time.monotonic()
            if self.thread is None:
                atexit.register(self.end)
            self.thread = threading.Thread(target=self._stand_in, name="klampt.vis", daemon=True)
            self.thread.start()

    def announce(self):
        """Nothing: the address is said where the pages begin."""

    def _open(self):
        window = self.window()
        if id(window) not in self.pages:
            import mortise
            self.pages[id(window)] = pages = Pages(window)
            window.clock = time.monotonic()
            with self.mutex:
                self._guarded_once(pages.update)
            mortise.show(pages.view, wait=False)
        return self.pages[id(window)]

    def _stand_in(self):
        """Makes frames while nobody else does."""
        while self.visible:
            time.sleep(FRAME_TIME)
            if time.monotonic() - self.last > _ALONE and self.visible:
                self.frame()

    def _spent(self):
        """Frames end a window only where somebody says how many there are."""
        return ("MORTISE_VIS_FRAMES" in os.environ or script().says_frames) and self.frames >= script().frames

    def frame(self):
        with self.mutex:
            self.last = time.monotonic()
            if not self.visible:
                return
            if self._spent():
                self.close()
                return
            self.frames += 1
            calls, self.calls = self.calls, []
            for call in calls:
                guarded(call)
            window = self.window()
            window.start()
            for plugin in list(window.plugins):
                idle = getattr(plugin, "idlefunc", None) or getattr(plugin, "idle", None)
                if idle is not None:
                    guarded(idle)
            pages = self._open()
            window.scene.advance(min(self.last - window.clock, 0.1))
            window.clock = self.last
            self._guarded_once(pages.update)
            if pages.closed:
                self.close()

    def _guarded_once(self, function):
        """Calls what shows things; what it raises again and again is reported once, the window goes on."""
        try:
            function()
        except Exception as error:
            if str(error) not in self.reported:
                self.reported.add(str(error))
                print("vis: something is not shown:", file=sys.stderr)
                traceback.print_exc()

    def close(self):
        super().close()
        pages = self.pages.pop(id(self.window()), None)
        if pages is not None:
            pages.view.close()

    def forget(self, window):
        """Ends the pages of a window that is no more."""
        pages = self.pages.pop(id(window), None)
        if pages is not None:
            pages.view.close()
        self.windows = [each for each in self.windows if each is not window]

    def hide(self):
        with self.mutex:
            if self.visible:
                self.close()

    def end(self):
        """Closes everything before Python ends: its thread must not run then."""
        self.visible = False
        if self.thread is not None and self.thread is not threading.current_thread():
            self.thread.join(5)
        for pages in self.pages.values():
            pages.view.close()

    def shown(self):
        """Lets a frame pass where one is due; true until the window is closed."""
        if self.visible and time.monotonic() - self.last >= FRAME_TIME:
            self.frame()
        return self.visible

    def _until_closed(self, callback=None, duration=float("inf")):
        """Frames at their pace; Ctrl-C closes the window."""
        self.show()
        end = time.monotonic() + duration
        try:
            while self.visible and time.monotonic() < end:
                begun = time.monotonic()
                if callback is not None:
                    callback()
                if self.visible:
                    self.frame()
                time.sleep(max(0.0, FRAME_TIME - (time.monotonic() - begun)))
        except KeyboardInterrupt:
            print("vis: the window is closed by Ctrl-C", file=sys.stderr)
        if self.visible:
            self.close()

    def dialog(self):
        self._until_closed()

    def loop(self, setup, callback, cleanup):
        if setup is not None:
            setup()
        self._until_closed(callback)
        if cleanup is not None:
            cleanup()

    def run(self, plugin):
        if plugin is not None:
            self.window().attach(plugin)
        if any(_opengl.draws(each) for each in self.window().plugins) and _opengl.available(plugin):
            self.visible = True
            self.window().start()
            _opengl.run(self.window(), self)
            self.visible = False
            return
        self._until_closed()

    def spin(self, duration):
        self._until_closed(duration=duration)

    def run_frames(self, count, callback=None):
        self._until_closed(callback)
