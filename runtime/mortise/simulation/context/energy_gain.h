#pragma once

#include <cstdint>
#include <string>

#include "mortise/base/value.h"

namespace mortise {

/// Energy that a body gained in a step and that nothing gave it.
struct EnergyGain {
  int body = -1;      ///< Body of the scene; of a robot the link that gained most.
  double energy = 0;  ///< J, of the body and all that it was connected with in the step.
  std::string cause;  ///< "pushed out of 'floor', 3 mm deep"; empty: not known.
};

/// All gains of one body in a run.
struct UnstableBody {
  std::string name;        ///< Name of the object or link.
  std::string cause;       ///< Cause of the largest gain.
  std::int64_t steps = 0;  ///< In which it gained energy from nowhere.
  std::int64_t lastStep = -1;
  double firstTime = 0;    ///< s, at the end of the step.
  double largestTime = 0;  ///< Time of the largest gain.
  double largest = 0;      ///< J, at once.
  double total = 0;        ///< J, of all gains.
};

/// "'ball' gained 0.02 J from nowhere in the step to t = 0.51 s (pushed out of 'floor', 3 mm deep)".
std::string gainText(const std::string& name, const EnergyGain& gain, double time);
/// {body, steps, first_time, largest {time, energy, cause}, energy}.
Value unstableBodyValue(const UnstableBody& body);

}  // namespace mortise
