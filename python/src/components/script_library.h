#pragma once

/// Python files as plugin libraries (`mortise/plugin/library.h`).

#include <pybind11/pybind11.h>

#include "mortise/plugin/library.h"

namespace mortise::python {

/// Runs the file at `path` once and returns what it offers. Throws `Error` with the file and line of what is wrong in
/// it. Takes the interpreter's lock.
const Library& openScript(const std::string& path);

/// The entry that the host plugin asks the extension for: a capsule `_script_opener` with this in it.
struct ScriptEntry {
  const void* kernel;  ///< Address in the kernel that the extension is linked with: there must be one in a process.
  Library::ScriptOpener open;
};

void bindComponents(pybind11::module_& m);

}  // namespace mortise::python
