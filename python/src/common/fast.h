#pragma once

/// Methods and attributes for what is called a million times: pybind11's own calls cost several times as much as the
/// work that they lead to. They are plain descriptors of CPython on a class of pybind11.

#include <array>
#include <cstring>
#include <pybind11/pybind11.h>
#include <string>

namespace mortise::python {

namespace py = pybind11;

/// Sets Python's error for the exception in flight; to be called in a catch block.
void setErrorFromException();

/// The object of C++ behind an instance; throws TypeError for one whose __init__ never ran.
template <typename T>
T& objectOf(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout) {
    void* pointer = instance->simple_value_holder[0];
    if (pointer == nullptr) throw py::type_error(std::string(Py_TYPE(self)->tp_name) + ".__init__() was never called");
    return *static_cast<T*>(pointer);
  }
  return py::cast<T&>(py::handle(self));
}

/// Arguments of a fast call by position and name; missing ones are null.
template <std::size_t count>
std::array<PyObject*, count> namedArguments(const char* function, const std::array<const char*, count>& names,
                                            std::size_t required, PyObject* const* arguments, Py_ssize_t given,
                                            PyObject* keywords) {
  std::array<PyObject*, count> found = {};
  if (given > static_cast<Py_ssize_t>(count))
    throw py::type_error(std::string(function) + "() takes at most " + std::to_string(count) + " arguments (" +
                         std::to_string(given) + " given)");
  for (Py_ssize_t i = 0; i < given; ++i) found[static_cast<std::size_t>(i)] = arguments[i];
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, k);
    std::size_t i = 0;
    while (i < count && PyUnicode_CompareWithASCIIString(keyword, names[i]) != 0) ++i;
    if (i == count)
      throw py::type_error(std::string(function) + "() has no argument '" + std::string(py::str(py::handle(keyword))) +
                           "'");
    if (found[i] != nullptr) throw py::type_error(std::string(function) + "() got two values for '" + names[i] + "'");
    found[i] = arguments[given + k];
  }
  for (std::size_t i = 0; i < required; ++i)
    if (found[i] == nullptr) throw py::type_error(std::string(function) + "() needs '" + names[i] + "'");
  return found;
}

/// Calls `work` and returns its result as a new reference; exceptions become Python's.
template <typename Work>
PyObject* guarded(Work&& work) {
  try {
    return work();
  } catch (...) {
    setErrorFromException();
    return nullptr;
  }
}

using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

/// `definition` must live for ever.
inline void addFastMethod(py::handle type, PyMethodDef* definition) {
  py::object method =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), definition));
  if (!method) throw py::error_already_set();
  py::setattr(type, definition->ml_name, method);
}

inline void addFastAttribute(py::handle type, PyGetSetDef* definition) {
  py::object attribute =
      py::reinterpret_steal<py::object>(PyDescr_NewGetSet(reinterpret_cast<PyTypeObject*>(type.ptr()), definition));
  if (!attribute) throw py::error_already_set();
  py::setattr(type, definition->name, attribute);
}

inline PyMethodDef fastMethod(const char* name, FastFunction function, const char* doc) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL | METH_KEYWORDS,
          doc};
}

}  // namespace mortise::python
