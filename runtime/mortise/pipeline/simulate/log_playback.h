#pragma once

/// Logs of runs into other kinds of logs: a recorder gets what a log holds, as if it had been there.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/plugin/registry.h"

namespace mortise {

struct PlaybackOptions {
  double start = 0, end = std::numeric_limits<double>::infinity();  ///< s, both inclusive.
  Value settings = Value::map();                                    ///< Of the recorder, besides its file.
  std::function<bool()> stopRequested;                              ///< May be empty.
};

struct PlayedLog {
  std::size_t instants = 0;
  double start = 0, end = 0;  ///< s, of the first and the last instant.
};

/// Writes the MCAP log `log` into `file` by the recorder of the registered name `recorder`. The log's world is made
/// again from its files, so that the recorder sees the same robots and sensors; nothing of it is simulated. What a log
/// does not hold (velocities of joints, images, and what was not recorded) is left out with a warning. Throws `Error`
/// for logs that do not say how they were made, and for files that are not what they were.
PlayedLog playLog(const std::string& log, const std::string& file, const std::string& recorder, Registry& registry,
                  FormatLoader& loader, LogSink& sink, const PlaybackOptions& options);

}  // namespace mortise
