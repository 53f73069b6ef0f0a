#include "mortise/math/transform.h"

namespace mortise {

bool RigidTransform::allFinite() const { return R.allFinite() && p.allFinite(); }

}  // namespace mortise
