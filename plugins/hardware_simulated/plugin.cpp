#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "simulated_hardware.h"

MORTISE_PLUGIN("mortise_hardware_simulated", "0.1.0") {
  using namespace mortise::hardware_simulated;
  plugin.hardware<SimulatedHardware>("mortise.SimulatedHardware")
      .alias("simulated")
      .summary(
          "A simulated robot behind the interface of hardware, in this process: what a controller does with a real "
          "one.")
      .documentation(documentation::simulated_hardware)
      .settings<SimulatedSettings>();
}
