#pragma once

#include <string>
#include <vector>

namespace mortise::app {

struct ProcessResult {
  int exitCode = 0;
  int signal = 0;  ///< That ended it; 0 when it exited by itself.
  bool timedOut = false;
  std::string output;    ///< The text that it wrote to stdout.
  std::string messages;  ///< The text that it wrote to stderr.
};

/// Runs this very program with other arguments, and ends it after `seconds`. Throws `Error` when it cannot be started.
ProcessResult runSelf(const std::vector<std::string>& arguments, double seconds);

}  // namespace mortise::app
