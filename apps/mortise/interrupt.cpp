#include "interrupt.h"

#include <atomic>
#include <csignal>

namespace mortise::app {

namespace {

std::atomic<int> interruptedBy = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void onInterrupt(int signal) {
  interruptedBy = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interruptedBy = 0;
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int InterruptGuard::signal() const { return interruptedBy.load(); }

std::function<bool()> InterruptGuard::asked() const {
  return [] { return interruptedBy.load() != 0; };
}

}  // namespace mortise::app
