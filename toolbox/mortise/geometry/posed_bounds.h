#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// Bounds of a posed shape with its margins: those of all its elements (`shapeElements`; of an implicit surface those
/// of its mesh), which are tight but for an element's own margin. Nothing is prepared for queries. Empty bounds for a
/// shape without elements; throws what `shapeElements` throws.
AxisAlignedBounds posedBounds(const Geometry& geometry, const RigidTransform& X_WS);

}  // namespace mortise
