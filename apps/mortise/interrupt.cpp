#include "interrupt.h"

#include <atomic>
#include <csignal>

namespace mortise::app {

namespace {

std::atomic<int> notedSignal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void noteSignal(int signal) {
  notedSignal = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  notedSignal = 0;
  std::signal(SIGINT, noteSignal);
  std::signal(SIGTERM, noteSignal);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int InterruptGuard::signal() const { return notedSignal.load(); }

std::function<bool()> InterruptGuard::asked() const {
  return [] { return notedSignal.load() != 0; };
}

}  // namespace mortise::app
