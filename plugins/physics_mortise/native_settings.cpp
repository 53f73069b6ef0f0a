#include "native_settings.h"

namespace mortise::native {

void NativeSettings::bind(SettingBinder& b) {
  b.add("iterations", iterations, "Maximum sweeps of the contact solver per step.", {.min = 1, .max = 100000});
  b.add("tolerance", tolerance, "The solver is done when no contact changes its velocity by more in a sweep.",
        {.min = 0, .unit = "m/s"});
  b.add("erp", erp,
        "Fraction of the position error of a joint or joint stop that is corrected in a step. Absent: the world's ERP "
        "where it has one, else 0.2.",
        {.min = 0, .max = 1});
  b.add("contact_erp", contactErp,
        "Fraction of a rigid contact's penetration that is corrected in a step. Absent: as erp of the world, else 0.2.",
        {.min = 0, .max = 1});
  b.add("cfm", cfm, "Constraint force mixing of rigid contacts, (m/s)/N. Absent: the world's.", {.min = 0});
  b.add("warm_start", warmStart, "Scaling factor of the last step's contact impulses that the solver starts from.",
        {.min = 0, .max = 1});
  b.add("bounce_speed", bounceSpeed, "Contacts that close slower than this do not bounce.", {.min = 0, .unit = "m/s"});
  b.add("max_correction_speed", maxCorrectionSpeed, "Maximum speed at which penetration is pushed out.",
        {.min = 0, .unit = "m/s"});
}

}  // namespace mortise::native
