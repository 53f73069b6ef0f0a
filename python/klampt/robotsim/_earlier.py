"""Names of methods in versions before 0.10, for programs that still use them."""


def install():
    """Gives the classes their earlier names."""
    from .controller import SimRobotController
    from .motionplanning import PlannerInterface
    from .robot import RobotModel
    from .shapes.cloud import PointCloud
    from .simulator import Simulator
    from .world import WorldModel
    RobotModel.getLink, RobotModel.getDriver = RobotModel.link, RobotModel.driver
    WorldModel.robotlink = WorldModel.robotLink
    Simulator.getController, Simulator.getBody = Simulator.controller, Simulator.body
    Simulator.getWorld = _world
    Simulator.getActualTorques = Simulator.getActualTorque
    PlannerInterface.getPathEndpoints = PlannerInterface.getSolutionPath
    Simulator.robotControllers = Simulator.controller
    SimRobotController.setTorqueCommand = SimRobotController.setTorque
    SimRobotController.appendMilestone = SimRobotController.addMilestone
    SimRobotController.getSensor = SimRobotController.getNamedSensor = SimRobotController.sensor
    PointCloud.numPoints = _points


def _world(self):
    """The simulated world."""
    return self.world


def _points(self):
    """Returns the number of points."""
    return len(self.getPoints())
