"""Cartesian driving as a controller."""

import copy

from .robotcontroller import RobotControllerBlock


class CartesianDriveController(RobotControllerBlock):
    """Commands what a CartesianDriveSolver finds for the velocities 'wdes' and 'vdes'; 'progress' tells how far it came.

    The solver starts with the first step, or with start=False at the event 'enter' or 'start'.
    """

    def __init__(self, solver, links, baseLinks=None, endEffectorPositions=None, start=True):
        RobotControllerBlock.__init__(self)
        self.solver, self.links, self.baseLinks = solver, links, baseLinks
        self.endEffectorPositions, self.start = endEffectorPositions, start
        self._qcmd, self._running = None, False
        for name in ("wdes", "vdes", "dt"):
            self._inputs.addChannel(name)
        self._outputs.addChannel("progress")

    def signal(self, type, *args, **inputs):
        if type in ("enter", "start"):
            self.start = True

    def advance(self, **inputs):
        if inputs.get("qcmd") is not None:
            self._qcmd = inputs["qcmd"]
        elif self._qcmd is None:
            self._qcmd = inputs.get("q")
        if self._qcmd is None:
            raise ValueError("the controller needs the input 'q' or 'qcmd'")
        if self.start:
            self.solver.start(self._qcmd, self.links, self.baseLinks, self.endEffectorPositions)
            self.start, self._running = False, True
        if not self._running:
            return {"progress": 0.0, "qcmd": self._qcmd}
        progress, self._qcmd = self.solver.drive(self._qcmd, inputs["wdes"], inputs["vdes"], inputs["dt"])
        return {"progress": progress, "qcmd": self._qcmd}

    def __getstate__(self):
        return copy.deepcopy({"driveTransforms": self.solver.driveTransforms,
                              "driveSpeedAdjustment": self.solver.driveSpeedAdjustment})

    def __setstate__(self, state):
        self.solver.driveTransforms = state["driveTransforms"]
        self.solver.driveSpeedAdjustment = state["driveSpeedAdjustment"]
