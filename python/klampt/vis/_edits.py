"""Editors of values in the pages of a browser: `resource.edit` with MORTISE_VIS=browser.

Configurations are set by sliders, points, frames and rotations by handles, lists of configurations and trajectories milestone by
milestone, and everything else as text, as its file would have it.
"""

import copy

_POSES = {"Vector3": 3, "Point": 3, "RigidTransform": 12, "Rotation": 9}


class _Dialog:
    """A window with the value, and what people decide about it."""

    def __init__(self, manager, name, description):
        self.manager = manager
        self.before = manager.current
        manager.createWindow(f"Edit {name}")
        self.window = manager.window()
        self.scene = self.window.scene
        self.decided = None
        if description:
            self.scene.addText("description", description)
        self.window.widgets["accept"] = {"type": "button", "text": "Accept", "value": None, "callback": lambda: self._decide(True)}
        self.window.widgets["cancel"] = {"type": "button", "text": "Cancel", "value": None, "callback": lambda: self._decide(False)}

    def _decide(self, accepted):
        self.decided = accepted
        self.manager.visible = False

    def add(self, id, kind, text, value, callback, **more):
        self.window.widgets[id] = {"type": kind, "text": text, "value": value, "callback": callback, **more}

    def wait(self):
        """Returns whether the value was accepted; a window that is closed is no acceptance."""
        was_visible = self.manager.visible
        self.manager.visible = False
        try:
            self.manager.dialog()
        finally:
            self.manager.forget(self.window)
            self.manager.current = self.before
            self.manager.visible = was_visible and self.before is not None
        return bool(self.decided)


def _robot_for(value, world, reference):
    """The robot that a configuration is of: the one that is named, or the first of so many links."""
    if reference is not None and hasattr(reference, "setConfig"):
        return reference
    for robot in () if world is None else (world.robot(i) for i in range(world.numRobots())):
        if robot.numLinks() == len(value):
            return robot
    return None


def _edit_configuration(dialog, robot, value):
    dialog.scene.edit(_path_of(dialog.scene, robot))
    before = robot.getConfig()
    robot.setConfig(value)
    try:
        accepted = dialog.wait()
        return accepted, robot.getConfig() if accepted else value
    finally:
        robot.setConfig(before)


def _path_of(scene, robot):
    path = scene.getItemName(robot)
    if path is None:
        scene.add(robot.getName(), robot)
        return robot.getName()
    return path


class _Milestones:
    """Milestones of a path, one of which the robot stands at."""

    def __init__(self, dialog, robot, milestones):
        self.dialog, self.robot = dialog, robot
        self.milestones = [list(q) for q in milestones] or [robot.getConfig()]
        self.inserted = []  # (place, +1 or -1), in their order: what became of times is made again from it.
        self.at = 0
        self._show()
        dialog.add("insert", "button", "Insert a milestone behind", None, self._insert)
        dialog.add("delete", "button", "Delete the milestone", None, self._delete)

    def keep(self):
        self.milestones[self.at] = self.robot.getConfig()

    def _show(self):
        last = len(self.milestones) - 1
        self.robot.setConfig(self.milestones[self.at])
        self.dialog.window.widgets["milestone"] = {"type": "input", "text": "Milestone", "value": self.at, "callback": self._go,
                                                   "min": 0, "max": max(last, 1), "step": 1, "last": last}
        self.dialog.scene.dirty()

    def _go(self, value):
        self.keep()
        self.at = min(max(int(round(value)), 0), len(self.milestones) - 1)
        self._show()

    def _insert(self):
        self.keep()
        self.at += 1
        self.milestones.insert(self.at, list(self.robot.getConfig()))
        self.inserted.append((self.at, 1))
        self._show()

    def _delete(self):
        if len(self.milestones) > 1:
            self.milestones.pop(self.at)
            self.inserted.append((self.at, -1))
            self.at = min(self.at, len(self.milestones) - 1)
            self._show()

    def times(self, times):
        """Times of the milestones as they are now: one that was inserted stands between its neighbors, or a second behind the last."""
        times = list(times)
        for place, change in self.inserted:
            if change < 0:
                times.pop(place)
            elif place < len(times):
                times.insert(place, 0.5 * (times[place - 1] + times[place]))
            else:
                times.append(times[-1] + 1.0 if times else 0.0)
        return times


def _edit_path(dialog, robot, value, is_trajectory):
    before = robot.getConfig()
    editor = _Milestones(dialog, robot, value.milestones if is_trajectory else value)
    dialog.scene.edit(_path_of(dialog.scene, robot))
    try:
        if not dialog.wait():
            return False, value
        editor.keep()
    finally:
        robot.setConfig(before)
    if not is_trajectory:
        return True, editor.milestones
    edited = copy.copy(value)
    edited.times, edited.milestones = editor.times(value.times), editor.milestones
    return True, edited


def _edit_pose(dialog, name, value, kind, frame):
    """A point, frame or rotation, in a frame (R, t) where one is given."""
    from ..math import se3
    frame = se3.identity() if frame is None else frame
    if kind in ("Vector3", "Point"):
        shown = se3.apply(frame, value)
    elif kind == "Rotation":
        shown = se3.mul(frame, (list(value), [0.0, 0.0, 0.0]))
    else:
        shown = se3.mul(frame, value)
    dialog.scene.add(name, shown)
    dialog.scene.edit(name)
    if not dialog.wait():
        return False, value
    edited, back = dialog.scene.getItem(name).item, se3.inv(frame)
    if kind in ("Vector3", "Point"):
        return True, se3.apply(back, edited)
    T = se3.mul(back, edited)
    return True, T[0] if kind == "Rotation" else T


def _edit_text(dialog, value, kind):
    from ..io import loader
    try:
        text = loader.write(value, kind)
    except Exception:
        raise RuntimeError(f"a value of the type {kind} cannot be edited in a browser: it has no form as text") from None
    state = {"value": value}

    def take(new):
        try:
            state["value"] = loader.read(kind, new)
            dialog.scene.addText("problem", "")
        except Exception as error:
            dialog.scene.addText("problem", f"this is no {kind}: {error}")

    dialog.add("value", "input", kind, text, take)
    return (True, state["value"]) if dialog.wait() else (False, value)


def ask(manager, name, value, kind, description=None, world=None, reference=None, frame=None):
    """Lets people change a value; returns (accepted, value)."""
    dialog = _Dialog(manager, name, description)
    if world is None and reference is not None:
        world = getattr(reference, "world", None)
        world = world if hasattr(world, "numRobots") else None
    if world is not None and kind != "WorldModel":
        dialog.scene.add("world", world)
    first = value if kind == "Config" else value[0] if kind == "Configs" and value else value.milestones[0] if (
        kind in ("Trajectory", "RobotTrajectory") and value.milestones) else None
    robot = _robot_for(first, world, getattr(value, "robot", None) or reference) if first is not None else None
    if robot is not None and kind == "Config":
        return _edit_configuration(dialog, robot, value)
    if robot is not None:
        return _edit_path(dialog, robot, value, kind != "Configs")
    if kind in _POSES:
        return _edit_pose(dialog, str(name), value, kind, frame)
    return _edit_text(dialog, value, kind)

