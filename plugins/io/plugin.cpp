#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN("mortise_io", "0.1.0") {}
