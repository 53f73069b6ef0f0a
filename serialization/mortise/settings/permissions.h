#pragma once

/// Permissions of values, by who wrote them: the one table that everything asks that opens, runs, writes or removes
/// something whose name stands in a value.

#include <string>
#include <string_view>

#include "mortise/base/value.h"

namespace mortise {

/// Files below the folder of the run may always be written, and regular files be read. Only what the user types, or a
/// program that uses the libraries says, is allowed more without being asked.
struct Permissions {
  bool writesAnywhere = false;  ///< Names of output files may lead out of the folder of the run.
  bool runs = false;            ///< The plugins and the Python that it names are opened.
  bool readsStreams = false;    ///< It may name pipes, sockets and what a shell opened for the command.
};

/// Files of settings, worlds and robots may run what they name while the user runs them, not where `checkOnly` was
/// called. `allowOutputOutside` lets them write anywhere. The record of an earlier run may have nothing done: what it
/// lists is removed only as far as the run itself provably wrote it (`pipeline/record/written_files.h`).
Permissions permissionsOf(Origin origin);

/// Says whether this process only checks or explains files that it does not trust, as `mortise config` does.
void checkOnly(bool only);

/// "the pipeline", "a robot file", ...: for messages that say who named something.
std::string_view originName(Origin origin);

/// A place on the command line: an option such as "--set", and the key path in what it sets.
SourcePosition onCommandLine(std::string option, std::string path = {});

/// Marks a value and everything in it as written by `origin`, except for what is known to come from somewhere else.
void setOrigin(Value& value, Origin origin);

}  // namespace mortise
