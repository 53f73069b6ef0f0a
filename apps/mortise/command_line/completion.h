#pragma once

/// Completion of command lines. A shell's script, which `mortise completion` prints, asks `mortise complete` what could
/// stand where the cursor is, so that it never knows other commands and options than the program does.

#include <string>
#include <vector>

#include "command_line/command_spec.h"

namespace mortise::app {

struct Candidate {
  std::string word;
  std::string description;  ///< One line, or empty.
};

struct Completion {
  std::vector<Candidate> candidates;
  /// Names that the shell adds of its own.
  enum class Files { none, files, folders } files = Files::none;
};

/// Completes the last of `words`. `words` follow the program's name; the last one is the word at the cursor, perhaps
/// empty.
Completion complete(int (*program)(const Arguments&), const std::vector<std::string>& words);

/// The script for bash, zsh or fish; empty for others.
std::string completionScript(const std::string& shell);

/// `mortise complete -- WORDS...`: a line for each candidate, its description after a tab; then perhaps ":files" or
/// ":folders".
int printCompletion(int (*program)(const Arguments&), const Arguments& arguments);
/// `mortise completion SHELL`.
int completionCommand(const Arguments& arguments);

}  // namespace mortise::app
