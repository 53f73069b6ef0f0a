#include "common/bindings.h"
#include "mechanics/contacts.h"
#include "planning/plan_result.h"
#include "planning/real_time.h"

namespace mortise::python {

void bindPlanning(py::module_& m) {
  bindPlanResult(m);
  bindSpace(m);
  bindWorldPlanning(m);
  bindMechanics(m);
  bindTiming(m);
  bindRealTimePlanning(m);
}

}  // namespace mortise::python
