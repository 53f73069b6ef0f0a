#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN("mortise_sensors", "0.1.0") {}
