#pragma once

/// On which side of a line or plane a point lies, without a wrong answer: floating-point filters first, exact
/// expansion arithmetic where they cannot tell (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
/// Geometric Predicates", 1997).
///
/// Exact as long as no product of three coordinate differences overflows or falls below the smallest normal number:
/// coordinates that are zero or between 1e-60 and 1e60 in magnitude are always safe.

namespace mortise::exact {

/// Sign (-1, 0, 1) of (b - a) x (c - a), for points of two coordinates; positive when a, b, c turn left.
int orientation2d(double ax, double ay, double bx, double by, double cx, double cy);

/// Sign (-1, 0, 1) of ((b - a) x (c - a)) . (d - a), for points of three coordinates; positive when d lies on the side
/// from which a, b, c are seen counter-clockwise.
int orientation3d(const double* a, const double* b, const double* c, const double* d);

}  // namespace mortise::exact
