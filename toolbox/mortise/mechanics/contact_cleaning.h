#pragma once

/// Fewer contacts that hold as well.

#include <vector>

#include "mortise/contact/hold.h"

namespace mortise {

struct ContactCleaning {
  double distance = 0.01;  ///< Meters: contacts no farther apart become one, and planes no farther apart one plane.
  double normal = 0.01;    ///< The length of the difference of two unit normals that count as one.
};

/// Contacts in the same place are replaced by one in their middle, with the least of their frictions; of those in one
/// plane with one normal only the corners of their convex hull stay, which bear whatever all of them bear. In the order
/// of the first that went into each. Cleaned again, the result stays. Throws `Error` for tolerances that are negative
/// or not finite.
std::vector<ContactPoint> cleaned(const std::vector<ContactPoint>& contacts, const ContactCleaning& options = {});

/// At most `limit` of the contacts, those that spread farthest: the first one is that farthest from their middle, each
/// next the one farthest from those before, in the order of the list.
std::vector<ContactPoint> spreadOut(const std::vector<ContactPoint>& contacts, std::size_t limit);

}  // namespace mortise
