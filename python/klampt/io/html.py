"""Simulations and trajectories as a web page that plays them without a server."""

import json

from ..model.trajectory import Trajectory

_PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>__TITLE__</title></head>
<body><h1>__TITLE__</h1><p>Time <span id="t">0</span> s</p><pre id="state"></pre>
<script>
const frames = __FRAMES__, dt = __DT__;
let k = 0;
setInterval(() => { if (!frames.length) return;
  const f = frames[k++ % frames.length];
  document.getElementById("t").textContent = f.time.toFixed(2);
  document.getElementById("state").textContent = JSON.stringify(f.bodies, null, 1);
}, 1000 * dt);
</script></body></html>
"""


def make_fixed_precision(obj, digits):
    """The same data with numbers rounded."""
    if isinstance(obj, float):
        return round(obj, digits)
    if isinstance(obj, (list, tuple)):
        return [make_fixed_precision(v, digits) for v in obj]
    if isinstance(obj, dict):
        return {k: make_fixed_precision(v, digits) for k, v in obj.items()}
    return obj


def _bodies(world):
    bodies = {}
    for i in range(world.numRobots()):
        robot = world.robot(i)
        bodies[robot.getName()] = list(robot.getConfig())
    for i in range(world.numRigidObjects()):
        R, t = world.rigidObject(i).getTransform()
        bodies[world.rigidObject(i).getName()] = list(R) + list(t)
    return bodies


class HTMLSharePath:
    """Writes a page with frames of a world or simulation: start(), animate() often, end()."""

    def __init__(self, filename="path.html", name="Klamp't path", boilerplate="auto",
                 libraries="static"):
        self.name = name
        self.fn = filename
        self.dt = 0.0
        self.world = self.sim = None
        self.frames = []

    def start(self, world):
        """Starts with a world or a Simulator."""
        self.sim = world if hasattr(world, "simulate") else None
        self.world = world.world if self.sim is not None else world

    def animate(self, time=None, rpc=None):
        """Adds a frame."""
        if self.sim is not None:
            self.sim.updateWorld()
            time = self.sim.getTime() if time is None else time
        time = len(self.frames) / 30.0 if time is None else time
        if self.frames and self.dt == 0.0:
            self.dt = time - self.frames[-1]["time"]
        self.frames.append({"time": float(time), "bodies": _bodies(self.world)})

    def end(self, rpc=None):
        """Writes the page."""
        frames = json.dumps(make_fixed_precision(self.frames, 4))
        page = _PAGE.replace("__TITLE__", self.name).replace("__FRAMES__", frames)
        with open(self.fn, "w") as f:
            f.write(page.replace("__DT__", str(self.dt or 1.0 / 30.0)))
        print("Path with", len(self.frames), "frames saved to", self.fn)


def write_trajectory(world, path, filename, name="Klamp't path", dt=0.05):
    """Writes a page that plays a trajectory of the world's first robot."""
    traj = path if isinstance(path, Trajectory) else Trajectory(milestones=list(path))
    page = HTMLSharePath(filename, name)
    page.start(world)
    t = traj.startTime()
    while t <= traj.endTime():
        world.robot(0).setConfig(traj.eval(t))
        page.animate(t)
        t += dt
    page.end()
