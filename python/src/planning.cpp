#include "bindings.h"

namespace mortise::python {

void bindPlanning(py::module_&) {}

}  // namespace mortise::python
