#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN("mortise_physics_bullet", "0.1.0") {}
