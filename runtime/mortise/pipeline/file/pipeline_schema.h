#pragma once

#include "mortise/base/schema.h"
#include "mortise/component/kind.h"

namespace mortise {

/// Keys of a pipeline file.
const Schema& pipelineSchema();
/// Keys of `simulation`.
const Schema& simulationSchema();
/// Keys of an entry of `components`: those that every component of this kind has, followed by the component's own.
/// `component` may be null when it is not known; then all further keys are allowed.
Schema componentSchema(Kind kind, const Schema* component);

}  // namespace mortise
