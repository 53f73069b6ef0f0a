#pragma once

/// Types whose objects the garbage collector of Python sees through.

#include <pybind11/pybind11.h>

namespace mortise::python {

namespace py = pybind11;

/// For the class that is bound: how the collector finds what its objects hold, and how it breaks a cycle. The collector
/// no longer sees an object whose last reference is gone, which pybind11 2.10 does not take care of: destructors run
/// code of Python, and so the collector, on an object that is half destroyed.
inline py::custom_type_setup collected(traverseproc traverse, inquiry clear) {
  return py::custom_type_setup([traverse, clear](PyHeapTypeObject* type) {
    type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    type->ht_type.tp_traverse = traverse;
    type->ht_type.tp_clear = clear;
    type->ht_type.tp_dealloc = [](PyObject* self) {
      PyObject_GC_UnTrack(self);
      py::detail::pybind11_object_dealloc(self);
    };
  });
}

}  // namespace mortise::python
