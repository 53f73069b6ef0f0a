#include "pose_xml.h"

#include <cmath>

#include "mortise/math/rotation.h"

namespace mortise::io {

std::optional<RigidTransform> readPose(XmlElement& element) {
  bool given = false;
  const auto take = [&given](const auto& value) {
    given = given || value.has_value();
    return value;
  };
  RigidTransform X;
  const auto position = take(element.vector3("position"));
  const auto translation = take(element.vector3("translation"));
  if (translation)
    X.p = *translation;
  else if (position)
    X.p = *position;
  if (const auto rpy = take(element.vector3("rotateRPY"))) X.R = rotationFromRollPitchYaw(*rpy);
  if (const auto moment = take(element.vector3("rotateMoment"))) X.R = rotationFromMoment(*moment);
  if (const auto angle = take(element.finite("rotateX"))) X.R = rotationX(*angle) * X.R;
  if (const auto angle = take(element.finite("rotateY"))) X.R = rotationY(*angle) * X.R;
  if (const auto angle = take(element.finite("rotateZ"))) X.R = rotationZ(*angle) * X.R;
  if (!given) return std::nullopt;
  return X;
}

std::optional<AffineMap> readScaledPose(XmlElement& element) {
  const auto X = readPose(element);
  const auto scale = element.reals("scale");
  if (!scale) return X ? std::optional<AffineMap>(*X) : std::nullopt;
  Vector3d factors = Vector3d::Ones();
  if (scale->size() == 1)
    factors.setConstant((*scale)[0]);
  else if (scale->size() == 3)
    factors = Vector3d((*scale)[0], (*scale)[1], (*scale)[2]);
  else
    element.error("scale", "expected one number or three, found " + std::to_string(scale->size()));
  if (!factors.allFinite()) {
    element.error("scale", "expected finite numbers");
    factors.setOnes();
  }
  return AffineMap(X.value_or(RigidTransform())) * AffineMap::scaling(factors);
}

}  // namespace mortise::io
