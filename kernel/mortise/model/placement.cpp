#include "mortise/model/placement.h"

#include "mortise/math/rotation.h"

namespace mortise {

Placement Placement::of(const RigidTransform& X) {
  Placement placement;
  placement.translation = X.p;
  if (X.R != Matrix3d::Identity()) placement.rotationMoment = momentFromRotation(X.R);
  return placement;
}

RigidTransform Placement::pose() const {
  RigidTransform X;
  if (translation) X.p = *translation;
  if (rollPitchYaw) X.R = rotationFromRollPitchYaw(*rollPitchYaw);
  if (rotationMoment) X.R = rotationFromMoment(*rotationMoment);
  if (rotateX) X.R = rotationX(*rotateX) * X.R;
  if (rotateY) X.R = rotationY(*rotateY) * X.R;
  if (rotateZ) X.R = rotationZ(*rotateZ) * X.R;
  return X;
}

AffineMap Placement::map() const {
  if (!scale) return AffineMap(pose());
  return AffineMap(pose()) * AffineMap::scaling(*scale);
}

}  // namespace mortise
