#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/loading/resource_path.h"

namespace mortise::app {

/// Adds --package NAME=DIR, repeatable: where packages of `package://` references are.
void addResourceOptions(CommandLine& line);

/// Returns the path that --package says, for a `FormatLoader`. Throws `UsageError`.
ResourcePath resourcePath(const CommandLine& line);

/// The kind that --as names, one of `kinds`; none without it. Throws `UsageError`.
std::optional<FileContent> contentOption(const CommandLine& line, const std::vector<std::string>& kinds);

/// Warnings and notes about files, to the log: the first of each kind, and with --verbose the others. With --strict
/// warnings throw `DiagnosticsError`. Errors are left to `throwIfErrors`.
void printWarnings(const CommandLine& line, const Diagnostics& diagnostics);

/// For --json: a list of maps {severity, message, where, hint}, in the order in which they were found.
Value diagnosticsValue(const Diagnostics& diagnostics);

}  // namespace mortise::app
