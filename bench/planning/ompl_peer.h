#pragma once

/// The peer: OMPL's own RRTConnect, with FCL for its checks, straight from its headers.

#include "fcl_check.h"
#include "plans.h"

namespace mortise::bench {

void seedOmpl(std::uint64_t seed);
/// `resolution`: distance of configurations that are looked at on a way.
Planned omplRrtConnect(const Scene& scene, FclCheck& check, const Pair& pair, double resolution, double seconds);

}  // namespace mortise::bench
