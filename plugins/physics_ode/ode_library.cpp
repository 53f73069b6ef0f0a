#include "ode_library.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <ode/ode.h>

#include "mortise/base/error.h"

namespace mortise::ode {

namespace {

thread_local Messages* currentMessages = nullptr;
thread_local bool threadReady = false;

std::string formatMessage(const char* text, va_list arguments) {
  char buffer[512];
  std::vsnprintf(buffer, sizeof(buffer), text, arguments);
  return buffer;
}

void onMessage(int number, const char* text, va_list arguments) {
  if (currentMessages == nullptr) return;
  if (number == d_ERR_LCP) {
    ++currentMessages->lcpErrors;
    return;
  }
  ++currentMessages->others;
  currentMessages->last = formatMessage(text, arguments).substr(0, 200);
}

// ODE ends the process when these two return, so they must not.
void onError(int number, const char* text, va_list arguments) {
  throw Error("ODE error " + std::to_string(number) + ": " + formatMessage(text, arguments));
}

void onDebug(int number, const char* text, va_list arguments) {
  throw Error("ODE found an inconsistency (" + std::to_string(number) + "): " + formatMessage(text, arguments), {},
              "check the scene for degenerate bodies, or shorten the time step");
}

void initializeLibrary() {
  // Never closed: libraries stay loaded while the process lives, and other scenes may be in use.
  if (dInitODE2(0) == 0) throw Error("ODE could not be initialized");
  if (dCheckConfiguration("ODE_double_precision") == 0)
    throw Error("the ODE library that was loaded is not the double precision build", {},
                "install libode built with dDOUBLE (Debian's libode8 is)");
  dSetMessageHandler(onMessage);
  dSetErrorHandler(onError);
  dSetDebugHandler(onDebug);
}

}  // namespace

Session::Session(Messages& messages) : previous_(currentMessages) {
  static std::once_flag once;
  std::call_once(once, initializeLibrary);
  if (!threadReady) {
    if (dAllocateODEDataForThread(dAllocateMaskAll) == 0) throw Error("ODE could not allocate its data for a thread");
    threadReady = true;
  }
  currentMessages = &messages;
}

Session::~Session() { currentMessages = previous_; }

}  // namespace mortise::ode
