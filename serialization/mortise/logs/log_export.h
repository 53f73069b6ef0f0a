#pragma once

#include <limits>
#include <string>
#include <vector>

namespace mortise::logs {

struct LogExportOptions {
  double start = 0, end = std::numeric_limits<double>::infinity();  ///< Simulated s.
  std::vector<std::string> topics;                                  ///< Empty: all series and images.
  bool attachments = true;
};

/// Writes what a log holds as files in a folder, which is made: a series as TOPIC.csv (time, tick and its columns),
/// images as TOPIC/TICK.png by the message's number, attachments under their names. Returns the files' names.
///
/// Throws `Error` for a topic that the log does not have, and for attachments whose names lead out of the folder.
std::vector<std::string> exportLog(const std::string& log, const std::string& folder, const LogExportOptions& options);

/// One attachment's content to a file. Throws `Error` with the names there are when there is no such attachment.
void exportAttachment(const std::string& log, const std::string& name, const std::string& file);

}  // namespace mortise::logs
