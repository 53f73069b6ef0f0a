#include "command_line/interrupt.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace mortise::app {

namespace {

std::atomic<int> notedSignal = 0;
std::atomic<bool> guardLives = false;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
std::array<struct sigaction, 4> dispositions;

void noteSignal(int signal) { notedSignal = signal; }

}  // namespace

InterruptGuard::InterruptGuard() {
  notedSignal = 0;
  guardLives = true;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    // A write to a pipe without reader fails then, which tells standard output from any other pipe.
    if (kSignals[i] == SIGPIPE) action.sa_handler = SIG_IGN;
    sigaction(kSignals[i], nullptr, &dispositions[i]);
    if (kSignals[i] == SIGHUP && dispositions[i].sa_handler == SIG_IGN) continue;
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &dispositions[i], nullptr);
  guardLives = false;
}

int InterruptGuard::signal() const { return notedSignal.load(); }

const char* InterruptGuard::signalName() const {
  switch (notedSignal.load()) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGPIPE:
      return "SIGPIPE";
    default:
      return "";
  }
}

std::function<bool()> InterruptGuard::asked() const {
  return [] { return notedSignal.load() != 0; };
}

bool endsInOrder(int writeError) {
  if (!guardLives) return false;
  if (writeError == EPIPE && notedSignal == 0) notedSignal = SIGPIPE;
  return notedSignal != 0;
}

}  // namespace mortise::app
