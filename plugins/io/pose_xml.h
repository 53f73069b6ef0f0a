#pragma once

#include <optional>

#include "mortise/geometry/geometry.h"
#include "xml_file.h"

namespace mortise::io {

/// The pose that an element's attributes describe (translation or position, rotateRPY, rotateMoment, rotateX, rotateY,
/// rotateZ, whatever their order); empty when it has none of them.
std::optional<RigidTransform> readPose(XmlElement& element);
/// The same with `scale` (one number or three), which comes before the rotation.
std::optional<AffineMap> readScaledPose(XmlElement& element);

}  // namespace mortise::io
