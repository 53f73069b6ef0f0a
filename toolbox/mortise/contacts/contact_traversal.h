#pragma once

/// Walks two hierarchies of triangles together and leaves out what cannot touch: by boxes, and by the directions in
/// which what is in them can touch at all (Johnson and Cohen, "Spatialized normal cone hierarchies", 2001).

#include "mortise/collision/bvh_traversal.h"
#include "mortise/contacts/normal_cone.h"

namespace mortise {

/// As `visitOverlapping`, for boxes within `tolerance` metres whose normals come within `turn` radians of each other.
/// `normals...`: as of `ContactSurface::nodeNormals`.
bool visitFacing(const BvhPair& pair, const NormalLane* normalsA, const NormalLane* normalsB, double tolerance,
                 double turn, BvhStack& stack, OverlapVisitor visitor, void* context);

}  // namespace mortise
