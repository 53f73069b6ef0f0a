#pragma once

/// The settings of a plan, as parameters with their documentation.

#include "mortise/base/schema.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// All settings; stages and commands may add parameters of their own.
const Schema& planSchema();
/// The same without start and goal, for problems that have these from elsewhere.
const Schema& planSchemaWithoutEnds();
void declarePlanSettings(ComponentBuilder& stage);
/// Only those of the space, for stages after planning.
const Schema& planSpaceSchema();
void declarePlanSpaceSettings(ComponentBuilder& stage);

}  // namespace mortise
