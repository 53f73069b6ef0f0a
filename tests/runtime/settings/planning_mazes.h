#pragma once

/// Spaces in which settings of planners have something to act on.

#include "tests/support/walled_cube.h"

namespace mortise::test {

/// Two walls that the way winds between.
inline WalledCube windingWalls(int dimension) { return {dimension, {{3, 3.5, -1, 7}, {6.5, 7, 3, 11}}}; }
/// A wall in the middle, around which both ways are easy.
inline WalledCube oneWall(int dimension) { return {dimension, {{4.5, 5.5, 2, 8.5}}}; }
/// A wall with a narrow gap.
inline WalledCube narrowGap(int dimension) { return {dimension, {{4.8, 5.2, -1, 5}, {4.8, 5.2, 5.15, 11}}}; }

}  // namespace mortise::test
