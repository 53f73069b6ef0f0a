#pragma once

#include <pybind11/pybind11.h>

namespace mortise::python {

namespace py = pybind11;

/// Holds the interpreter's lock.
class Interpreter {
 public:
  Interpreter() : state_(PyGILState_Ensure()) {}
  ~Interpreter() { PyGILState_Release(state_); }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

 private:
  PyGILState_STATE state_;
};

/// The module `mortise._component_modules`. Needs the lock.
inline py::object scriptModule() { return py::module_::import("mortise._component_modules"); }

}  // namespace mortise::python
