#pragma once

#include <string>

namespace mortise::dart {

/// The exception in place of ending the process when DART's copy of ODE's LCP solver finds itself in a state that it
/// did not expect.
struct LcpBreakdown {
  std::string message;
};

/// Takes that copy's messages away from stderr: warnings are dropped (a result that is no solution is DART's secondary
/// solver's affair), errors become `LcpBreakdown`.
void catchLcpMessages();

}  // namespace mortise::dart
