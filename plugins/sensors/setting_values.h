#pragma once

/// Settings of sensors as what they mean. Each function throws `Error` with the setting's position.

#include <array>
#include <string_view>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise {

/// Numbers from a list, a single number, or text with blanks or commas between them: what XML attributes and clients of
/// a protocol hand over.
std::vector<double> numbersFromSetting(const Value& setting, std::string_view name);

/// Three switches from "1 0 1", [true, false, true], ...; one stands for all three.
std::array<bool, 3> axesFromSetting(const Value& setting, std::string_view name);

/// Row-major 3x3. Nothing (null) is the identity. What is orthonormal to 1e-3, as people type it, is made so exactly.
Matrix3d rotationFromSetting(const Value& setting, std::string_view name);

/// A rotation, row by row, then a translation (m). Nothing (null) is the identity.
RigidTransform transformFromSetting(const Value& setting, std::string_view name);

}  // namespace mortise
