#pragma once

#include "mortise/plugin/plugin.h"

namespace mortise::io {

/// Declares every format of this library that holds geometry alone.
void declareGeometryFormats(PluginBuilder& plugin);

}  // namespace mortise::io
