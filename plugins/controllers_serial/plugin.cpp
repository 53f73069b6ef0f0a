#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "serial_controller.h"
#include "serial_hardware.h"

MORTISE_PLUGIN("mortise_controllers_serial", "0.1.0") {
  using namespace mortise::controllers_serial;
  plugin.controller<SerialController>("mortise.SerialController")
      .alias("SerialController")
      .summary("Lets a program in another process drive the robot: JSON over TCP, as Klamp't's SerialController.")
      .documentation(documentation::serial_controller)
      .settings<SerialSettings>();
  plugin.hardware<SerialHardware>("mortise.SerialHardware")
      .alias("serial")
      .summary("A robot in another process, which sends its states over TCP: the mirror image of SerialController.")
      .documentation(documentation::serial_hardware)
      .role(mortise::role::kDefaultHardware)
      .settings<SerialHardwareSettings>();
}
