#include <pybind11/stl.h>

#include "common/bindings.h"
#include "common/environment.h"
#include "common/fast.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"

namespace mortise::python {

namespace {

constexpr const char* kOtherType = "a value is of another type than the function expects";

PyObject* errorType = nullptr;  ///< Lives as long as the interpreter.

const char* severityName(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

py::dict describe(const Diagnostic& diagnostic) {
  py::dict entry;
  entry["severity"] = severityName(diagnostic.severity);
  entry["message"] = diagnostic.message;
  entry["file"] = diagnostic.where.file;
  entry["line"] = diagnostic.where.line;
  entry["column"] = diagnostic.where.column;
  entry["path"] = diagnostic.where.path;
  entry["hint"] = diagnostic.hint;
  return entry;
}

void raise(const Error& error) {
  py::object exception = py::reinterpret_borrow<py::object>(errorType)(error.what());
  SourcePosition where = error.where();
  std::string hint = error.hint();
  if (const auto* several = dynamic_cast<const DiagnosticsError*>(&error)) {
    py::list list;
    for (const Diagnostic& diagnostic : several->list()) list.append(describe(diagnostic));
    exception.attr("diagnostics") = list;
    // Of several problems the first error with a place stands for all.
    for (const Diagnostic& diagnostic : several->list()) {
      if (where.known() || diagnostic.severity != Severity::error || !diagnostic.where.known()) continue;
      where = diagnostic.where;
      if (hint.empty()) hint = diagnostic.hint;
    }
  }
  exception.attr("message") = error.message();
  exception.attr("file") = where.file;
  exception.attr("line") = where.line;
  exception.attr("column") = where.column;
  exception.attr("path") = where.path;
  exception.attr("hint") = hint;
  PyErr_SetObject(errorType, exception.ptr());
}

}  // namespace

void setErrorFromException() {
  if (restoreInterruption()) return;
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::cast_error&) {
    PyErr_SetString(PyExc_TypeError, kOtherType);
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const Error& error) {
    raise(error);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::out_of_range& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const std::overflow_error& error) {
    PyErr_SetString(PyExc_OverflowError, error.what());
  } catch (const std::domain_error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::length_error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::range_error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an unknown exception of C++");
  }
}

void bindErrors(py::module_& m) {
  py::dict defaults;
  defaults["message"] = "";
  defaults["file"] = "";
  defaults["line"] = 0;
  defaults["column"] = 0;
  defaults["path"] = "";
  defaults["hint"] = "";
  defaults["diagnostics"] = py::tuple();
  errorType = PyErr_NewExceptionWithDoc(
      "mortise.Error",
      "What Mortise raises: what is wrong, where, and one next step.\n\n"
      "Attributes: message (the sentence alone), file, line and column (1-based; 0: unknown), path (the key inside the "
      "file), hint, and diagnostics, a list of {severity, message, file, line, column, path, hint} when several things "
      "are wrong. str() has all of it.",
      PyExc_RuntimeError, defaults.ptr());
  if (errorType == nullptr) throw py::error_already_set();
  m.attr("Error") = py::reinterpret_borrow<py::object>(errorType);
  py::register_exception_translator([](std::exception_ptr pointer) {
    if (pointer && restoreInterruption()) return;
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise(error);
    } catch (const py::cast_error& error) {
      PyErr_SetString(PyExc_TypeError, kOtherType);
    }
  });
  listenForInterruptions();
}

}  // namespace mortise::python
