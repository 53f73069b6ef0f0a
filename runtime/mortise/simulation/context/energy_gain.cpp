#include "mortise/simulation/context/energy_gain.h"

#include "mortise/base/value_text.h"

namespace mortise {

std::string gainText(const std::string& name, const EnergyGain& gain, double time) {
  return "'" + name + "' gained " + formatReal(gain.energy, 3) +
         " J from nowhere in the step to t = " + formatReal(time, 9) + " s" +
         (gain.cause.empty() ? "" : " (" + gain.cause + ")");
}

Value unstableBodyValue(const UnstableBody& body) {
  Value value = Value::map(), largest = Value::map();
  value.set("body", body.name);
  value.set("steps", body.steps);
  value.set("first_time", body.firstTime);
  value.set("energy", body.total);
  largest.set("time", body.largestTime);
  largest.set("energy", body.largest);
  if (!body.cause.empty()) largest.set("cause", body.cause);
  value.set("largest", std::move(largest));
  return value;
}

}  // namespace mortise
