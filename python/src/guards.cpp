#include "bindings.h"

/// What pybind11 2 lets through when methods and attributes are called by hand: None for `self`, which becomes a null
/// pointer, and objects whose __init__ never ran, for which it hands out memory that nobody wrote to.

namespace mortise::python {

namespace {

/// Stands where pybind11 would allocate the value of an object that has none.
[[noreturn]] void* refuseUnmade(std::size_t) {
  throw py::type_error("the object holds nothing: its __init__() was never called");
}

#if PYBIND11_VERSION_MAJOR < 3

/// What pybind11 knows of a function of this package; null for other things.
py::detail::function_record* recordOf(py::handle member) {
  const py::handle function = py::detail::get_function(member);
  if (!function || PyCFunction_Check(function.ptr()) == 0) return nullptr;
  PyObject* self = PyCFunction_GET_SELF(function.ptr());
  if (self == nullptr || PyCapsule_CheckExact(self) == 0) return nullptr;
  const auto capsule = py::reinterpret_borrow<py::capsule>(self);
  if (!py::detail::is_function_record_capsule(capsule)) return nullptr;
  return capsule.get_pointer<py::detail::function_record>();
}

/// Methods whose arguments have no names say nothing of `self` either.
void refuseNone(py::handle function) {
  for (auto* record = recordOf(function); record != nullptr; record = record->next)
    if (record->is_method && !record->is_new_style_constructor && record->args.empty())
      record->args.emplace_back(PYBIND11_COMPAT_STRDUP("self"), nullptr, py::handle(), true, false);  // Freed with it.
}

PyCFunction plainCall = nullptr;  ///< pybind11's own, one for all functions.

/// A TypeError that lists what C++ would have taken becomes one that names the argument (`mortise/_arguments.py`).
PyObject* explainedCall(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const auto call = reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(plainCall));
  PyObject* result = call(self, arguments, keywords);
  if (result != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return result;
  const py::error_already_set failure;
  try {
    const std::string text = py::str(failure.value());
    if (text.find("(): incompatible ") != std::string::npos) {
      const py::object named = keywords != nullptr ? py::reinterpret_borrow<py::object>(keywords) : py::dict();
      const py::object explained =
          py::module_::import("mortise._arguments").attr("explain")(text, py::handle(arguments), named);
      PyErr_SetObject(PyExc_TypeError, explained.ptr());
      return nullptr;
    }
  } catch (const py::error_already_set&) {  // Then pybind11's own words.
  }
  PyErr_SetObject(PyExc_TypeError, failure.value().ptr());
  return nullptr;
}

/// The definition is kept in pybind11's record.
void explainCalls(py::handle function) {
  const bool isStatic = PyObject_TypeCheck(function.ptr(), &PyStaticMethod_Type) != 0;
  auto* record =
      recordOf(isStatic ? py::object(function.attr("__func__")) : py::reinterpret_borrow<py::object>(function));
  if (record == nullptr || record->def == nullptr) return;
  const auto explained = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&explainedCall));
  if (record->def->ml_meth == explained) return;
  plainCall = record->def->ml_meth;
  record->def->ml_meth = explained;
}

void refuseNoneAsSelf(py::handle type) {
  const py::dict members = type.attr("__dict__").attr("copy")();
  for (const auto& [name, member] : members) {
    if (PyObject_TypeCheck(member.ptr(), &PyProperty_Type) == 0) {
      refuseNone(member);
      explainCalls(member);
      continue;
    }
    for (const char* part : {"fget", "fset"}) {
      refuseNone(member.attr(part));
      explainCalls(member.attr(part));
    }
  }
}

#else

void refuseNoneAsSelf(py::handle) {}
void explainCalls(py::handle) {}

#endif

}  // namespace

void guardTypes(py::module_& m) {
  for (const auto& [name, thing] : py::dict(m.attr("__dict__"))) {
    explainCalls(thing);
    if (PyType_Check(thing.ptr()) == 0) continue;
    auto* info = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(thing.ptr()));
    if (info == nullptr) continue;
    info->operator_new = &refuseUnmade;
    refuseNoneAsSelf(thing);
  }
}

}  // namespace mortise::python
