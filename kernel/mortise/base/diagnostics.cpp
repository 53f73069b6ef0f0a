#include "mortise/base/diagnostics.h"

namespace mortise {

namespace {

std::string_view severityName(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

std::string listErrors(const std::string& summary, const std::vector<Diagnostic>& list) {
  std::string text = summary;
  for (const Diagnostic& diagnostic : list) {
    if (diagnostic.severity != Severity::error) continue;
    if (!text.empty()) text += '\n';
    text += diagnostic.format();
  }
  return text;
}

}  // namespace

std::string Diagnostic::format() const {
  std::string text = where.describe();
  if (!text.empty()) text += ": ";
  text += severityName(severity);
  text += ": " + message;
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

DiagnosticsError::DiagnosticsError(std::string summary, std::vector<Diagnostic> list)
    : Error(listErrors(summary, list)), list_(std::move(list)) {}

DiagnosticsError::~DiagnosticsError() = default;

void Diagnostics::note(std::string message, SourcePosition where, std::string hint) {
  add({Severity::note, std::move(message), std::move(where), std::move(hint)});
}

void Diagnostics::warning(std::string message, SourcePosition where, std::string hint) {
  add({Severity::warning, std::move(message), std::move(where), std::move(hint)});
}

void Diagnostics::error(std::string message, SourcePosition where, std::string hint) {
  add({Severity::error, std::move(message), std::move(where), std::move(hint)});
}

void Diagnostics::error(const Error& error) {
  // An error that stands for many is taken apart again, so that each keeps its own position.
  if (const auto* many = dynamic_cast<const DiagnosticsError*>(&error)) {
    for (const Diagnostic& diagnostic : many->list()) add(diagnostic);
    return;
  }
  add({Severity::error, error.message(), error.where(), error.hint()});
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (strict_ && diagnostic.severity == Severity::warning) diagnostic.severity = Severity::error;
  errorCount_ += diagnostic.severity == Severity::error;
  warningCount_ += diagnostic.severity == Severity::warning;
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::append(const Diagnostics& other) {
  // A copy of the list, so that appending to itself is well defined.
  const std::vector<Diagnostic> list = other.all_;
  for (const Diagnostic& diagnostic : list) add(diagnostic);
}

void Diagnostics::throwIfErrors(const std::string& summary) const {
  if (hasErrors()) throw DiagnosticsError(summary, all_);
}

}  // namespace mortise
