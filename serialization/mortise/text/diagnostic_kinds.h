#pragma once

#include <vector>

#include "mortise/base/diagnostics.h"

namespace mortise {

/// Warnings or notes of one kind: their messages differ in names and numbers only, and notes have one hint.
struct DiagnosticKind {
  Diagnostic first;              ///< With how many more there are in its message.
  std::vector<Diagnostic> more;  ///< The others, in their order.
};

/// The kinds in the order of their firsts; errors stand alone.
std::vector<DiagnosticKind> diagnosticKinds(const std::vector<Diagnostic>& list);

}  // namespace mortise
