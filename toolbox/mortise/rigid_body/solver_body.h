#pragma once

#include "mortise/rigid_body/articulated_body.h"
#include "mortise/rigid_body/free_body.h"

namespace mortise::rigid {

/// Representation of a body of the scene, and where rows of the solver act on it.
struct SolverBody {
  FreeBody* rigid = nullptr;
  ArticulatedBody* articulation = nullptr;
  int link = -1;   ///< Link of the articulation; -1: its base.
  int mover = -1;  ///< Index in the solver; -1: impulses do not move it.
};

}  // namespace mortise::rigid
