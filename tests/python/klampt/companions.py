"""Files that Klamp't's example programs want beside them and that are not in the reference folder, made here: a module with
a loader of worlds, a world with a robot of eight links, worlds with a pendulum, and the parts of a robot."""

KBDRIVE = '''
import klampt
from klampt.control.robotinterfaceutils import make_from_file


def load_world_and_interface(files):
    """The world of some files, and the interface of the first one that is a Python module or robot info."""
    world, interface = klampt.WorldModel(), None
    for file in files:
        if file.endswith(".py") or file.endswith(".json"):
            interface = make_from_file(file, None)
        elif not world.readFile(file):
            raise RuntimeError("the world " + file + " cannot be read")
    return world, interface
'''

PENDULUM = """TParent 1 0 0  0 1 0  0 0 1  0 0 1
axis 0 1 0
jointtype r
qMinDeg -360
qMaxDeg 360
q 0
mass 1
com 0.5 0 0
inertia 0.01 0 0  0 0.1 0  0 0 0.1
torqueMax 30
accMax 20
velMax 10
servoP 5
servoI 1
servoD 1
joint normal 0
driver normal 0
"""

WORLD = """<world>
  <robot name="robot" file="{0}"/>
</world>
"""

ROBOT_INFO = """{"name": "tx90pr2", "modelFile": "../data/robots/tx90pr2.rob",
 "parts": {"arm": [1, 2, 3, 4, 5, 6], "gripper": [8]}}
"""


def write_companions(programs):
    """Writes the files into a copy of the programs."""
    (programs.parent / "robotinfo").mkdir()
    (programs.parent / "robotinfo/tx90pr2_sim.json").write_text(ROBOT_INFO)
    (programs / "demos/control/kbdrive.py").write_text(KBDRIVE)
    (programs / "exercises/ik/ex2_file.xml").write_text(WORLD.format("../../../data/robots/tx90pr2.rob"))
    (programs / "exercises/control/pendulum.rob").write_text(PENDULUM)
    (programs / "exercises/control/world1.xml").write_text(WORLD.format("pendulum.rob"))
