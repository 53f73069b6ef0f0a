#include "lcp_messages.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <dart/external/odelcpsolver/error.h>

namespace mortise::dart {

namespace {

void drop(int, const char*, va_list) {}

[[noreturn]] void breakOff(int, const char* format, va_list arguments) {
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  throw LcpBreakdown{text.data()};
}

}  // namespace

void catchLcpMessages() {
  ::dart::external::ode::dSetMessageHandler(&drop);
  ::dart::external::ode::dSetErrorHandler(&breakOff);
  ::dart::external::ode::dSetDebugHandler(&breakOff);
}

}  // namespace mortise::dart
