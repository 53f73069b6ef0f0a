#include "command_line/failure.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <system_error>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/json/json_writer.h"
#include "mortise/text/printable.h"

namespace mortise::app {

namespace {

bool wantsJson(const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

void setPlace(Value& value, const SourcePosition& where, const std::string& hint) {
  if (!where.file.empty()) value.set("file", where.file);
  if (where.line > 0) value.set("line", where.line);
  if (where.column > 0) value.set("column", where.column);
  if (!where.path.empty()) value.set("key", where.path);
  if (!hint.empty()) value.set("hint", hint);
}

std::string_view severityName(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// The text before the list of errors.
std::string summaryOf(const DiagnosticsError& error) {
  const std::string text = error.message();
  for (const Diagnostic& diagnostic : error.list()) {
    if (diagnostic.severity != Severity::error) continue;
    const std::size_t list = text.find(diagnostic.format());
    return list == std::string::npos || list == 0 ? "" : text.substr(0, list - 1);
  }
  return text;
}

/// A message of wrong usage ends with lines of usage and hint.
Value usageValue(const std::string& text) {
  Value value = Value::map();
  std::string message, usage;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kHint = "  hint: ";
    if (line.starts_with(kHint)) {
      value.set("hint", line.substr(kHint.size()));
    } else if (!usage.empty() || line.starts_with("usage: ")) {
      usage += (usage.empty() ? "" : "\n") + line;
    } else {
      message += (message.empty() ? "" : "\n") + line;
    }
  }
  Value result = Value::map();
  result.set("message", message);
  if (!usage.empty()) result.set("usage", usage);
  for (const Value::Entry& entry : value.entries()) result.set(entry.key, entry.value);
  return result;
}

void printFailure(const Arguments& arguments, Value error, Value errors, int exitCode) {
  if (!wantsJson(arguments) || hasPrinted()) return;
  Value failure = Value::map();
  failure.set("error", std::move(error));
  failure.set("errors", std::move(errors));
  failure.set("exit_code", exitCode);
  try {
    print(toJson(failure) + "\n");
  } catch (const Error& lost) {
    std::cerr << "mortise: error: " << lost.what() << "\n";
  }
}

}  // namespace

Value diagnosticValue(const Diagnostic& diagnostic) {
  Value value = Value::map();
  value.set("severity", severityName(diagnostic.severity));
  value.set("message", diagnostic.message);
  setPlace(value, diagnostic.where, diagnostic.hint);
  return value;
}

Value errorValue(const Error& error) {
  Value value = Value::map();
  const auto* many = dynamic_cast<const DiagnosticsError*>(&error);
  if (many == nullptr) {
    value.set("message", error.message());
    setPlace(value, error.where(), error.hint());
    return value;
  }
  Value problems = Value::list();
  for (const Diagnostic& diagnostic : many->list()) problems.push_back(diagnosticValue(diagnostic));
  std::string summary = summaryOf(*many);
  if (summary.empty() && problems.size() > 0) summary = problems[0].string("message", "");
  value.set("message", summary);
  value.set("problems", std::move(problems));
  return value;
}

Value errorList(const std::vector<Diagnostic>& errors) {
  Value list = Value::list();
  for (const Diagnostic& error : errors) {
    if (error.severity != Severity::error) continue;
    Value value = Value::map();
    value.set("message", error.message);
    setPlace(value, error.where, error.hint);
    list.push_back(std::move(value));
  }
  return list;
}

Value failedResult(Value result, int exitCode, const std::string& message, const std::vector<Diagnostic>& errors) {
  Value error = Value::map();
  error.set("message", message);
  Value list = errorList(errors);
  if (list.size() == 0) list.push_back(error);
  result.set("error", std::move(error));
  result.set("errors", std::move(list));
  result.set("exit_code", exitCode);
  return result;
}

namespace {

/// The first argument that names a file: what a command that runs out of memory was busy with, as far as is known.
std::string fileAmong(const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    std::error_code code;
    if (!argument.starts_with('-') && std::filesystem::is_regular_file(argument, code)) return argument;
  }
  return {};
}

}  // namespace

int reportFailure(const Arguments& arguments, const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr)
    return reportFailure(arguments, Error("there is not enough memory for this", inFile(fileAmong(arguments)),
                                          "free some, or take a smaller model or a shorter log"));
  if (const auto* failed = dynamic_cast<const std::system_error*>(&exception);
      failed != nullptr && failed->code() == std::errc::resource_unavailable_try_again)
    return reportFailure(arguments,
                         Error("no thread can be started: there is not enough memory for this, or too many run",
                               inFile(fileAmong(arguments)), "free some memory, or raise the limit (ulimit)"));
  std::string text = printable(exception.what());
  // A diagnostic without a position begins with its severity, which is said already.
  constexpr std::string_view kSeverity = "error: ";
  if (text.starts_with(kSeverity)) text.erase(0, kSeverity.size());
  std::cerr << "mortise: error: " << text << "\n";
  const bool usage = dynamic_cast<const UsageError*>(&exception) != nullptr;
  const int exitCode = usage ? 2 : 1;
  Value value;
  if (usage) {
    value = usageValue(exception.what());
  } else if (const auto* error = dynamic_cast<const Error*>(&exception)) {
    value = errorValue(*error);
  } else {
    value = Value::map();
    value.set("message", exception.what());
  }
  Value list = Value::list();
  if (const auto* many = dynamic_cast<const DiagnosticsError*>(&exception))
    list = errorList(many->list());
  else
    list.push_back(value);
  printFailure(arguments, std::move(value), std::move(list), exitCode);
  return exitCode;
}

void reportSilentFailure(const Arguments& arguments, int exitCode, const std::string& message) {
  Value value = Value::map();
  value.set("message", message.empty() ? "the command failed; messages are on stderr" : message);
  Value list = Value::list();
  list.push_back(value);
  printFailure(arguments, std::move(value), std::move(list), exitCode);
}

}  // namespace mortise::app
