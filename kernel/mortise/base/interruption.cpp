#include "mortise/base/interruption.h"

#include <utility>

namespace mortise {

namespace {

thread_local InterruptionScope* innermost = nullptr;

}  // namespace

InterruptionScope::InterruptionScope(std::function<bool()> wanted) : wanted_(std::move(wanted)), outer_(innermost) {
  innermost = this;
}

InterruptionScope::~InterruptionScope() { innermost = outer_; }

void interruptionPoint() {
  if (innermost != nullptr && innermost->wanted_ && innermost->wanted_()) throw Interrupted();
}

}  // namespace mortise
