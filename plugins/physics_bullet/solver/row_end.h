#pragma once

#include <btBulletDynamicsCommon.h>

#include "articulation.h"

namespace mortise::bullet {

/// How a body of the scene is represented, and where rows of the solver act on it.
struct RowEnd {
  btRigidBody* rigid = nullptr;
  Articulation* articulation = nullptr;
  int link = -1;   ///< Of the articulation; -1: its base.
  int mover = -1;  ///< Index in the solver; -1: impulses do not move it.
};

}  // namespace mortise::bullet
