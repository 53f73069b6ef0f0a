#pragma once

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

/// The assumptions of `klamptMassProperties` about meshes that bound no solid (open, wound against each other, inside
/// out): a sentence for each mesh of the shape that has such a defect.
std::vector<std::string> massAssumptions(const Geometry& geometry, double surfaceFraction);

/// Warns of them at the place that asks for the mass, each of them once.
void warnOfMassAssumptions(const std::vector<std::string>& assumptions, const SourcePosition& where,
                           Diagnostics& diagnostics);

}  // namespace mortise
