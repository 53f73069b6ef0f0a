#pragma once

/// Bodies that are inside each other before anything moves, which an engine pushes apart in the first steps.

#include <span>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/physics.h"
#include "mortise/model/world.h"

namespace mortise {

/// Meters: overlaps up to this are what resting on each other and rounded numbers make.
constexpr double kOverlapTolerance = 1e-4;

struct BodyOverlap {
  int idA = -1, idB = -1;  ///< World ids, idA < idB.
  double depth = 0;        ///< Meters, above 0: of the surfaces without their padding.
};

/// Pairs that may touch in this scene and whose surfaces, padding left out, overlap by more than `kOverlapTolerance` at
/// these poses; the deepest first. One pose a body of the scene.
std::vector<BodyOverlap> overlapsOf(const SceneDescription& scene, std::span<const BodyState> bodies);
/// At the poses that the scene starts with.
std::vector<BodyOverlap> overlapsOf(const SceneDescription& scene);

/// [{ids, names, depth}]
Value overlapList(const std::vector<BodyOverlap>& overlaps, const World& world);
/// "1 pair of bodies overlaps at the start", "3 pairs of bodies overlap at the start".
std::string overlapTitle(const std::vector<BodyOverlap>& overlaps);
/// For people: a line a pair with the depth, ids and names, at most `most` of them, without a line end.
std::string overlapTable(const std::vector<BodyOverlap>& overlaps, const World& world, std::size_t most = 8);

}  // namespace mortise
