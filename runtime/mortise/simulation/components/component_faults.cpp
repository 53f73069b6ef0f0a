#include "mortise/simulation/components/component_faults.h"

#include <algorithm>

namespace mortise {

bool ComponentFaults::continueAfterFault(const std::string& message, OnError onError, bool& disabled) {
  if (onError == OnError::stop) {
    steps_.setFault(message);
    return false;
  }
  steps_.addFault(message);
  if (onError == OnError::disable) {
    disabled = true;
  } else {
    // Logged once: the next update may fail in the same way, a thousand times a second.
    const auto known =
        std::find_if(held_.begin(), held_.end(), [&](const HeldFault& held) { return held.component == &disabled; });
    if (known != held_.end()) {
      ++known->times;
      return true;
    }
    held_.push_back({&disabled, message, 1});
  }
  log_.write(LogLevel::error, "simulation",
             message + (disabled ? "; the component is disabled" : "; its last output holds"));
  return true;
}

void ComponentFaults::report() {
  for (const HeldFault& held : held_)
    if (held.times > 1)
      log_.write(LogLevel::error, "simulation",
                 std::to_string(held.times) +
                     " faults of one component, each time its last output held; the first: " + held.message);
  held_.clear();
}

}  // namespace mortise
