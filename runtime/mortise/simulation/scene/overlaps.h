#pragma once

/// Bodies that are inside each other, or nearer than their padding, before anything moves, which an engine pushes apart
/// in the first steps.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/collision/world_collider.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/contact_generator.h"
#include "mortise/model/world.h"

namespace mortise {

/// Meters: overlaps up to this are what resting on each other and rounded numbers make.
constexpr double kOverlapTolerance = 1e-4;

struct BodyOverlap {
  int idA = -1, idB = -1;  ///< World ids, idA < idB.
  double depth = 0;        ///< Meters, above 0: of the surfaces without their padding.
};

/// Bodies that do not overlap, but whose paddings do.
struct PaddingOverlap {
  int idA = -1, idB = -1;  ///< World ids, idA < idB.
  double distance = 0;     ///< Meters between the surfaces without their padding.
  double padding = 0;      ///< Meters: of both together.
};

/// Bodies at rest sink into their paddings by less than this fraction of them, which is not reported.
constexpr double kRestingFraction = 0.1;

/// Pairs that are near each other are measured up to this number of them, so that thousands of bodies in one heap take
/// neither minutes nor gigabytes.
constexpr std::size_t kMaxMeasuredPairs = 10'000;

struct StartOverlaps {
  std::vector<BodyOverlap> bodies;       ///< By more than `kOverlapTolerance`; the deepest first.
  std::vector<PaddingOverlap> paddings;  ///< By more than that and `kRestingFraction` of them; the deepest first.
  std::size_t nearPairs = 0;             ///< Pairs whose boxes overlap.
  std::size_t measuredPairs = 0;         ///< Those of them of which the overlaps above are.
};

/// Returns those of the pairs that may touch in this scene that overlap at these poses, one a body of the scene. The
/// padding of a shape that is shrunk by it first is part of the body. `shapes`: the scene's `contactSceneOf`, if it is
/// known.
StartOverlaps overlapsOf(const SceneDescription& scene, std::span<const BodyState> bodies,
                         std::shared_ptr<const ContactScene> shapes = nullptr);
/// At the poses that the scene starts with.
StartOverlaps overlapsOf(const SceneDescription& scene);

/// Returns how deep each of these pairs overlaps at the state's poses, as `overlapsOf` measures it; 0 where surfaces
/// only touch.
std::vector<double> overlapDepths(const WorldCollisionState& state, std::span<const IdPair> pairs);

/// [{ids, names, depth}]
Value overlapList(const std::vector<BodyOverlap>& overlaps, const World& world);
/// [{ids, names, distance, padding}]
Value overlapList(const std::vector<PaddingOverlap>& overlaps, const World& world);
/// "1 pair of bodies overlaps at the start", "3 pairs of bodies overlap at the start".
std::string overlapTitle(const std::vector<BodyOverlap>& overlaps);
/// "1999000 pairs of bodies are near each other at the start, and 10000 of them were measured; ...": empty where all
/// were.
std::string unmeasuredText(const StartOverlaps& overlaps);
/// For people: a line a pair with the depth, ids and names, at most `maximum` of them, without a line end.
std::string overlapTable(const std::vector<BodyOverlap>& overlaps, const World& world, std::size_t maximum = 8);
/// "1 pair of bodies starts nearer than their padding, ...:" and a line a pair with the distance, the padding, ids and
/// names.
std::string overlapText(const std::vector<PaddingOverlap>& overlaps, const World& world, std::size_t maximum);
/// The same in one line, with the first pair alone.
std::string overlapSummary(const std::vector<PaddingOverlap>& overlaps, const World& world);

}  // namespace mortise
