#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN("mortise_physics_ode", "0.1.0") {}
