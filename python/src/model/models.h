#pragma once

/// Shared by the files that speak of robots: how they are held, and how links and drivers are named.

#include <memory>
#include <pybind11/pybind11.h>

#include "mortise/model/robot.h"
#include "mortise/model/robot_state.h"

namespace mortise::python {

namespace py = pybind11;

/// pybind11 2.10 has no holder of const objects. Nothing that changes a robot is bound.
inline std::shared_ptr<Robot> held(const RobotPtr& robot) { return std::const_pointer_cast<Robot>(robot); }

/// A link by index or name. Throws IndexError, or KeyError with the nearest name.
int linkIndex(const Robot& robot, py::handle link);
int driverIndex(const Robot& robot, py::handle driver);

/// A link or driver of a robot; keeps the robot alive.
struct RobotLink {
  RobotPtr robot;
  int index = 0;
  const Link& link() const { return robot->link(index); }
};
struct RobotDriver {
  RobotPtr robot;
  int index = 0;
  const Driver& driver() const { return robot->driver(index); }
};

/// The moving parts of one robot, in memory that numpy arrays share.
struct StateStorage {
  explicit StateStorage(RobotPtr model) : robot(std::move(model)), state(*robot) {}
  RobotPtr robot;
  RobotState state;
};

/// Behind Python's RobotState: the storage, and the arrays that show it, made once. The arrays keep the storage alive,
/// not this.
struct StateHandle {
  explicit StateHandle(const RobotPtr& robot);
  std::shared_ptr<StateStorage> storage;
  py::object q, dq, positions, rotations;
  RobotState& state() const { return storage->state; }
  const Robot& robot() const { return *storage->robot; }
};

}  // namespace mortise::python
