#pragma once

/// Messages of a command that fails: to people on stderr, to programs with --json on stdout.

#include <exception>
#include <string>
#include <vector>

#include "command_line/commands.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"

namespace mortise::app {

/// {severity, message, file, line, column, key, hint}, without what is not known.
Value diagnosticValue(const Diagnostic& diagnostic);

/// {message, file, line, column, key, hint}, without what is not known; of many errors at once {message, problems}.
Value errorValue(const Error& error);

/// A list of all errors, of one too: each {message, file, line, column, key, hint}, without what is not known.
Value errorList(const std::vector<Diagnostic>& errors);

/// A result that --json prints although the command fails, with the same keys `error`, `errors` and `exit_code`.
/// Without `errors`, the message is the only one.
Value failedResult(Value result, int exitCode, const std::string& message, const std::vector<Diagnostic>& errors = {});

/// Prints the exception to stderr and, when `arguments` hold --json and nothing was printed to stdout yet, an object
/// {error, errors, exit_code} to stdout. Returns the exit code: 2 for `UsageError`, else 1.
int reportFailure(const Arguments& arguments, const std::exception& exception);

/// The same object for a command that returned `exitCode` without printing anything to stdout; `message` is what it
/// said last on stderr.
void reportSilentFailure(const Arguments& arguments, int exitCode, const std::string& message);

}  // namespace mortise::app
