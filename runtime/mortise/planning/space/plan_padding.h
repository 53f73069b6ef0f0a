#pragma once

/// The layers that a simulation puts around bodies (docs/contacts.md), as planning and checks see them.

#include <memory>
#include <vector>

#include "mortise/model/pair_table.h"
#include "mortise/model/world.h"
#include "mortise/planning/request/plan_request.h"

namespace mortise {

/// Meters by which a simulation's shapes are larger than those of the world, an entry for each id: the padding of its
/// surface; 0 where the shape is shrunk by it first, and for robots as a whole.
std::vector<double> simulationPadding(const World& world);
/// Pairs of ids that a simulation lets touch. Throws `Error` for what no engine could simulate.
PairTable simulatedPairs(const World& world);

/// The world with shapes enlarged so that what the request moves keeps the padding of both bodies between itself and
/// everything else. The links of one robot that moves alone keep none from each other, unless the world's simulation
/// has collisions of robots with themselves: then, and where several robots move, they do.
std::shared_ptr<const World> paddedWorld(const World& world, const PlanSpaceRequest& request);

}  // namespace mortise
