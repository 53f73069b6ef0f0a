#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN("mortise_recorders", "0.1.0") {}
