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

void refuseNoneAsSelf(py::handle type) {
  const py::dict members = type.attr("__dict__").attr("copy")();
  for (const auto& [name, member] : members) {
    if (PyObject_TypeCheck(member.ptr(), &PyProperty_Type) == 0) {
      refuseNone(member);
      continue;
    }
    for (const char* part : {"fget", "fset"}) refuseNone(member.attr(part));
  }
}

#else

void refuseNoneAsSelf(py::handle) {}

#endif

}  // namespace

void guardTypes(py::module_& m) {
  for (const auto& [name, thing] : py::dict(m.attr("__dict__"))) {
    if (PyType_Check(thing.ptr()) == 0) continue;
    auto* info = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(thing.ptr()));
    if (info == nullptr) continue;
    info->operator_new = &refuseUnmade;
    refuseNoneAsSelf(thing);
  }
}

}  // namespace mortise::python
