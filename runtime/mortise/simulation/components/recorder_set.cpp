#include "mortise/simulation/components/recorder_set.h"

namespace mortise {

void RecorderSet::note(double time, LogLevel level, const std::string& text) {
  std::string message;
  // What could not be written is told when the recorder is closed, or by its next state.
  for (Slot& slot : slots_) (void)guarded("recorder", "note", message, [&] { slot.recorder->note(time, level, text); });
}

std::vector<std::string> RecorderSet::close(const Value& ending) {
  std::vector<std::string> faults;
  for (Slot& slot : slots_) {
    std::string message;
    if (guarded("recorder", "finish", message, [&] { slot.recorder->finish(ending); }) != ComponentStatus::ok)
      faults.push_back(message);
    if (guarded("recorder", "close", message, [&] { slot.recorder->close(); }) != ComponentStatus::ok)
      faults.push_back(std::move(message));
  }
  slots_.clear();
  return faults;
}

}  // namespace mortise
