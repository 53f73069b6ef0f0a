#include "mortise/text/diagnostic_kinds.h"

#include <map>
#include <string>
#include <utility>

#include "mortise/text/message_shape.h"

namespace mortise {

std::vector<DiagnosticKind> diagnosticKinds(const std::vector<Diagnostic>& list) {
  std::vector<DiagnosticKind> kinds;
  std::map<std::pair<Severity, std::string>, std::size_t> known;
  for (const Diagnostic& each : list) {
    if (each.severity != Severity::error) {
      // Notes with different hints are about different things to do: names that are now called something else.
      const std::string todo = each.severity == Severity::note ? "\n" + each.hint : "";
      const auto [at, isNew] = known.emplace(std::pair(each.severity, messageShape(each.message) + todo), kinds.size());
      if (!isNew) {
        kinds[at->second].more.push_back(each);
        continue;
      }
    }
    kinds.push_back({each, {}});
  }
  for (DiagnosticKind& kind : kinds)
    if (!kind.more.empty())
      kind.first.message += " (and " + std::to_string(kind.more.size()) + " more like it; --verbose lists them)";
  return kinds;
}

}  // namespace mortise
