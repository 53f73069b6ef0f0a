#pragma once

namespace mortise {

class PluginBuilder;

/// Declares the controllers that hold others: parts, state machine, timed sequence.
void declareCompositeControllers(PluginBuilder& plugin);

}  // namespace mortise
