#include "ik/ik_goals.h"

#include "common/arrays.h"
#include "common/values.h"
#include "model/models.h"

namespace mortise::python {

namespace {

bool isSequence(py::handle value) { return PyList_Check(value.ptr()) != 0 || PyTuple_Check(value.ptr()) != 0; }

/// Rows of rows; other rotations are plain lists of numbers.
bool isMatrix(const py::object& rotation) {
  if (py::hasattr(rotation, "ndim")) return py::object(rotation.attr("ndim")).equal(py::int_(2));
  return isSequence(rotation) && py::len(rotation) == 3 &&
         PySequence_Check(py::object(rotation[py::int_(0)]).ptr()) != 0;
}

/// Whole rotation matrices and poses, and links, are put as goals of files put them.
py::object plainGoal(py::handle goal, const std::string& name) {
  if (isSequence(goal)) {
    py::list all;
    int index = 0;
    for (const auto one : goal) all.append(plainGoal(one, name + "[" + std::to_string(index++) + "]"));
    return all;
  }
  if (PyDict_Check(goal.ptr()) == 0) return py::reinterpret_borrow<py::object>(goal);
  const py::dict plain = py::reinterpret_steal<py::dict>(PyDict_Copy(goal.ptr()));
  for (const char* key : {"link", "destination"})
    if (plain.contains(key) && py::isinstance<RobotLink>(plain[key])) plain[key] = plain[key].attr("index");
  if (plain.contains("pose")) {
    for (const char* other : {"position", "rotation", "rpy", "quaternion"})
      if (plain.contains(other)) throw py::value_error(name + ": 'pose' and '" + other + "' say the same");
    const RigidTransform pose = transformFrom(plain["pose"], (name + ".pose").c_str());
    PyDict_DelItemString(plain.ptr(), "pose");
    plain["position"] = arrayOf(pose.p);
    plain["rotation"] = arrayOf(pose.R);
  }
  if (plain.contains("rotation")) {
    const py::object rotation = plain["rotation"];
    if (isMatrix(rotation)) {
      const Matrix3d R = rotationFrom(rotation, (name + ".rotation").c_str());
      py::list rows;
      for (int i = 0; i < 9; ++i) rows.append(R(i / 3, i % 3));
      plain["rotation"] = rows;
    }
  }
  return plain;
}

}  // namespace

Value ikGoalsFrom(py::handle goals, const std::string& name) { return valueFrom(plainGoal(goals, name), name); }

}  // namespace mortise::python
