#pragma once

/// Collects everything that is wrong with a file before giving up, so that a person fixes it in one go.

#include <string>
#include <vector>

#include "mortise/base/error.h"

namespace mortise {

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;
  SourcePosition where;
  std::string hint;

  /// "file:1:2: error: message" and, when there is a hint, a second line "  hint: ...".
  std::string format() const;
};

/// An error that stands for all errors of a `Diagnostics`; `what()` lists every one of them.
class DiagnosticsError : public Error {
 public:
  DiagnosticsError(std::string summary, std::vector<Diagnostic> list);
  ~DiagnosticsError() override;
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

class Diagnostics {
 public:
  void note(std::string message, SourcePosition where = {}, std::string hint = {});
  /// Becomes an error in strict mode.
  void warning(std::string message, SourcePosition where = {}, std::string hint = {});
  void error(std::string message, SourcePosition where = {}, std::string hint = {});
  void error(const Error& error);
  void add(Diagnostic diagnostic);
  void append(const Diagnostics& other);

  /// In strict mode warnings added from now on count as errors.
  void setStrict(bool strict) { strict_ = strict; }
  bool strict() const { return strict_; }

  bool hasErrors() const { return errorCount_ > 0; }
  int errorCount() const { return errorCount_; }
  int warningCount() const { return warningCount_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  /// Throws `DiagnosticsError` when there is at least one error.
  void throwIfErrors(const std::string& summary = {}) const;

 private:
  std::vector<Diagnostic> all_;
  int errorCount_ = 0;
  int warningCount_ = 0;
  bool strict_ = false;
};

}  // namespace mortise
