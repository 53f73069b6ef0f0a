#pragma once

/// Coulomb's friction cone of contact impulses, for both solvers of contacts: `RowSolver`, which projects one contact
/// at a time, and `ContactNewton`, which solves all of an island at once. Tangential impulses have two components; the
/// cone at a given normal impulse is a disk.

namespace mortise::rigid {

/// Returns the radius of the disk: the largest tangential impulse. `normal` >= 0.
inline double frictionLimit(double friction, double normal) { return friction * normal; }

/// Says whether the tangential impulse (x, y) lies outside of the disk.
inline bool exceedsFriction(double x, double y, double limit) { return x * x + y * y > limit * limit; }

/// Shortens (x, y), of length `size` > `limit`, to the edge of the disk.
inline void cutToFriction(double size, double limit, double& x, double& y) {
  const double fraction = limit / size;
  x *= fraction;
  y *= fraction;
}

}  // namespace mortise::rigid
