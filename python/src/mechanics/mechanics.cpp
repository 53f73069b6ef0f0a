#include "mechanics/contacts.h"

namespace mortise::python {

void bindMechanics(py::module_& m) {
  bindContacts(m);
  bindEquilibrium(m);
  bindGrasps(m);
  bindContactTorques(m);
}

}  // namespace mortise::python
