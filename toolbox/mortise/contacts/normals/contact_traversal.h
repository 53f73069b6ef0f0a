#pragma once

/// Walks two hierarchies of triangles together and leaves out what cannot touch: by boxes, and by the directions in
/// which what is in them can touch at all (Johnson and Cohen, "Spatialized normal cone hierarchies", 2001).

#include "mortise/collision/bvh/bvh_traversal.h"
#include "mortise/contacts/normals/normal_cone.h"

namespace mortise {

/// Visits like `visitOverlapping`, for boxes within `tolerance` meters whose normals come within `turn` radians of each
/// other. `normals...`: as of `ContactSurface::nodeNormals`. What is farther than `sideways` meters (the boxes' sizes
/// come on top, and `turn` times the distance) from where the normals of the other lead is left out as well.
bool visitFacing(const BvhPair& pair, const NormalNodes& normalsA, const NormalNodes& normalsB, double tolerance,
                 double turn, double sideways, BvhStack& stack, OverlapVisitor visitor, void* context);

}  // namespace mortise
