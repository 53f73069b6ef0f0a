#include "command_line/diagnostics_output.h"

namespace mortise::app {

std::string problemText(const Diagnostics& diagnostics, const std::string& file) {
  const auto count = [](int number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  std::string text;
  for (const Diagnostic& problem : diagnostics.all()) text += problem.format() + "\n";
  return text + file + ": " + count(diagnostics.errorCount(), "error") + ", " +
         count(diagnostics.warningCount(), "warning") + "\n";
}

}  // namespace mortise::app
