#include "tests/plugins/physics_bullet/plain/damping.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

namespace plain {

Damping dampingOfBullet() {
  btMultiBody body(0, 1, btVector3(1, 1, 1), false, false);
  return {body.getLinearDamping(), body.getAngularDamping()};
}

}  // namespace plain
