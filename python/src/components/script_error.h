#pragma once

/// The exceptions of components written in Python, on their way to the program: as errors with file and line.

#include "components/interpreter.h"
#include "mortise/base/error.h"

namespace mortise::python {

/// An exception of Python as an `Error` with the file and line of the component's code. Needs the lock.
Error scriptError(py::error_already_set& exception);

/// Holds the lock while `work` is done; what it throws becomes an `Error`.
template <typename Work>
void withPython(Work&& work) {
  const Interpreter lock;
  try {
    work();
  } catch (py::error_already_set& error) {
    throw scriptError(error);
  } catch (const py::builtin_exception& error) {
    throw Error(error.what());
  }
}

}  // namespace mortise::python
