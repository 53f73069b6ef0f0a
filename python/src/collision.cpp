#include "bindings.h"

namespace mortise::python {

void bindCollision(py::module_&) {}

}  // namespace mortise::python
