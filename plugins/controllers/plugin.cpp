#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN("mortise_controllers", "0.1.0") {}
