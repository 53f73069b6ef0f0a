#include "mortise/mechanics/forces/contact_force_limits.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

std::vector<ForceBound> normalForceBounds(std::span<const ContactPoint> contacts, double maximum) {
  if (!(maximum > 0))
    throw Error("contacts that bear at most " + formatReal(maximum) + " N bear nothing", {},
                "limits of normal forces are above 0 N");
  std::vector<ForceBound> bounds;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ForceBound bound;
    bound.a_W.assign(contacts.size(), Vector3d::Zero());
    bound.a_W[i] = contacts[i].n_W;
    bound.high = maximum;
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

void requireForceLimits(const ContactForceLimits& limits, std::size_t contacts) {
  if (!(limits.robustness >= 0) || !std::isfinite(limits.robustness))
    throw Error("a robustness of " + formatReal(limits.robustness) + " N", {}, "it is at least 0 N");
  for (const ForceBound& bound : limits.bounds) {
    if (bound.a_W.size() != contacts)
      throw Error("a bound of forces is of " + std::to_string(bound.a_W.size()) + " contacts, there are " +
                  std::to_string(contacts));
    for (const Vector3d& a : bound.a_W)
      if (!a.allFinite()) throw Error("a bound of forces has factors that are not finite");
    if (std::isnan(bound.low) || std::isnan(bound.high) || bound.low > bound.high)
      throw Error("a bound of forces from " + formatReal(bound.low) + " to " + formatReal(bound.high) + " N is empty");
  }
}

}  // namespace mortise
