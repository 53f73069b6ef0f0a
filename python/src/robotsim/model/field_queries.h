#pragma once

#include <optional>

#include "robotsim/model/shape.h"

namespace mortise::robotsim {

/// Distance between a signed distance field and points or balls, in either order: where a point is inside, it is as
/// deep as the number of the field says, as in Klamp't. Nothing for other pairs.
std::optional<Distance> fieldDistance(const Shape& a, const Shape& b, double upperBound);

/// One contact for each point or ball within `reach` of a signed distance field, on the bare surfaces, with their
/// depths less `reach`. Nothing for other pairs.
std::optional<Contacts> fieldContacts(const Shape& a, const Shape& b, double reach);

}  // namespace mortise::robotsim
