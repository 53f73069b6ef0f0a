#include "declarations.h"
#include "wrapper_sensors.h"

MORTISE_PLUGIN("mortise_sensors", "0.1.0") {
  mortise::declareJointSensors(plugin);
  mortise::declareForceSensors(plugin);
  mortise::declareInertialSensors(plugin);
  mortise::declareWrapperSensors(plugin);
}
