#pragma once

#include <string>
#include <vector>

#include "tests/docs/page.h"

namespace mortise::docs {

struct CommandRun {
  int exitCode = -1;  ///< -1: it was not reached.
  std::vector<std::string> printed;
};

/// Runs every session of a page in a shell, with the program of this build first in PATH, in a new folder that holds
/// a copy of data/ and the files that the page shows; the folder is gone afterwards. One answer a command, in the order
/// of the page; those of sessions that are not run have exit code -1. Sessions that run in a folder of the reference
/// data see a copy of it.
std::vector<std::vector<CommandRun>> runPage(const Page& page);

/// Whether a session needs reference data that is not there.
bool lacksReference(const Block& block);

}  // namespace mortise::docs
