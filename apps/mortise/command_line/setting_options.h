#pragma once

/// Options that follow from a settings struct. An operation declares its settings once (`bind`), and its command has
/// them under the same names, with the same defaults, bounds and units as pipelines and Python.

#include <map>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/settings/settings.h"

namespace mortise::app {

/// Words that stand for the values of settings in help, by the settings' names; completion in shells knows those of
/// files (`FILE`) and folders (`DIR`).
using Placeholders = std::map<std::string, std::string>;

/// Returns the name of the option of a setting: "look-at" for "look_at".
std::string optionName(std::string setting);
/// Returns the summary of a setting as the help of an option: no capital, no period, no marks of code; then unit and
/// default.
std::string optionHelp(const Parameter& parameter);

/// Declares an option for each setting of `schema` but those in `without`: `--goal-tolerance` for `goal_tolerance`. A
/// boolean is a flag, `--no-NAME` where it is true by default, and both where it has no default; a list of any number
/// of entries may be given entry by entry, `--at 1s --at 2s` or `--at 1s,2s`. Aliases and former names work, too.
/// `placeholders`: instead of those that follow from the settings' types.
void declareSettings(CommandLine& line, const Schema& schema, const std::vector<std::string>& without = {},
                     const Placeholders& placeholders = {});

/// Returns what was given for them, as a map that knows the options as positions.
Value givenSettings(const CommandLine& line, const Schema& schema, const std::vector<std::string>& without = {});

/// Throws `UsageError` with all errors where each is about an option; else as `Diagnostics::throwIfErrors`.
void throwIfWrongOptions(const Diagnostics& diagnostics);

/// Returns `given`, completed by `schema`. Throws `UsageError` with all problems.
Value completeSettings(const Value& given, const Schema& schema);

template <typename S>
void declareSettings(CommandLine& line, const S& defaults = S(), const std::vector<std::string>& without = {}) {
  declareSettings(line, schemaOf<S>(defaults), without);
}

/// Returns the settings as the options of `declareSettings` say them. Throws `UsageError` with all problems.
template <typename S>
S settingsOf(const CommandLine& line, const S& defaults = S(), const std::vector<std::string>& without = {}) {
  const Schema schema = schemaOf<S>(defaults);
  const Value complete = completeSettings(givenSettings(line, schema, without), schema);
  S settings = settingsFrom<S>(complete, defaults);
  try {
    checkSettings(settings, complete);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  return settings;
}

}  // namespace mortise::app
