#pragma once

namespace mortise {

class PluginBuilder;

/// Adds the OperationalSpaceController to a plugin.
void declareOperationalSpace(PluginBuilder& plugin);

}  // namespace mortise
