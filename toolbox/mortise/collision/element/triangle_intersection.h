#pragma once

namespace mortise {

/// Says whether two triangles have a point in common: touching, coplanar and degenerate triangles (segments, points)
/// included. Each is nine numbers, its corners one after the other. Exact for the corners as they are given, within
/// the range of `exact_orientation.h`. Source of the general case: Guigue and Devillers, "Fast and Robust
/// Triangle-Triangle Overlap Test Using Orientation Predicates", 2003.
bool trianglesIntersect(const double* first, const double* second);

/// Says whether the segment from p to q has a point in common with a triangle of nine numbers; exact likewise.
bool segmentIntersectsTriangle(const double* p, const double* q, const double* triangle);

}  // namespace mortise
