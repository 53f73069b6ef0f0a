#include "command_line/interrupt.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace mortise::app {

namespace {

std::atomic<int> notedSignal = 0;
std::atomic<bool> guardLives = false, workBegun = true, secondCame = false, secondIsNoted = false;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// ns: a second signal that comes sooner is the same request, since timeout(1) sends each to the program and to its
/// group.
constexpr std::int64_t kSameRequest = 100'000'000;
std::atomic<std::int64_t> notedAt = 0;  // ns
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
std::array<struct sigaction, 4> dispositions;
struct sigaction quitDisposition;
bool quitIsNoted = false;

/// Nothing but what a handler may call.
void endNow(int signal) {
  struct sigaction standard {};
  sigemptyset(&standard.sa_mask);
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  raise(signal);
}

std::int64_t signalTime() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void noteSignal(int signal) {
  if (!workBegun) {
    constexpr std::string_view kText = "mortise: warning: interrupted before anything was written\n";
    (void)!::write(STDERR_FILENO, kText.data(), kText.size());
    ::_exit(128 + signal);
  }
  const std::int64_t now = signalTime();
  if (notedSignal.exchange(signal) != signal) {
    notedAt = now;
    return;
  }
  if (secondIsNoted && now - notedAt < kSameRequest) return;
  if (!secondIsNoted || secondCame.exchange(true)) endNow(signal);
}

/// Whoever quits does not want to wait: as the second signal of a kind.
void noteQuitSignal(int signal) {
  const std::int64_t now = signalTime();
  if (notedSignal.exchange(signal) == signal && now - notedAt < kSameRequest) return;
  notedAt = now;
  if (secondCame.exchange(true)) endNow(signal);
}

}  // namespace

InterruptGuard::InterruptGuard(bool begun) {
  notedSignal = 0;
  workBegun = begun;
  secondCame = false;
  secondIsNoted = false;
  guardLives = true;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART;
    // A write to a pipe without reader fails then, which tells standard output from any other pipe.
    if (kSignals[i] == SIGPIPE) action.sa_handler = SIG_IGN;
    sigaction(kSignals[i], nullptr, &dispositions[i]);
    if (kSignals[i] == SIGHUP && dispositions[i].sa_handler == SIG_IGN) continue;
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &dispositions[i], nullptr);
  if (std::exchange(quitIsNoted, false)) sigaction(SIGQUIT, &quitDisposition, nullptr);
  guardLives = false;
}

void InterruptGuard::begin() const { workBegun = true; }

void InterruptGuard::noteSecond() const { secondIsNoted = true; }

void InterruptGuard::noteQuit() const {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = noteQuitSignal;
  action.sa_flags = SA_RESTART;
  if (!std::exchange(quitIsNoted, true)) sigaction(SIGQUIT, &action, &quitDisposition);
}

int InterruptGuard::signal() const { return notedSignal.load(); }

const char* InterruptGuard::signalName() const {
  switch (notedSignal.load()) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGQUIT:
      return "SIGQUIT";
    case SIGHUP:
      return "SIGHUP";
    case SIGPIPE:
      return "SIGPIPE";
    default:
      return "";
  }
}

std::function<bool()> InterruptGuard::asked() {
  return [] { return notedSignal.load() != 0; };
}

std::function<bool()> InterruptGuard::insisted() const {
  return [] { return secondCame.load(); };
}

bool endsInOrder(int writeError) {
  if (!guardLives) return false;
  if (writeError == EPIPE && notedSignal == 0) notedSignal = SIGPIPE;
  return notedSignal != 0;
}

}  // namespace mortise::app
