#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace mortise::logs {

struct LogCopyOptions {
  double start = 0, end = std::numeric_limits<double>::infinity();  ///< Simulated s; what is outside is left out.
  std::vector<std::string> topics;                                  ///< Empty: all.
  /// Moves each log behind the one before, where its times would overlap.
  bool shift = false;
};

struct LogCopyResult {
  std::uint64_t messages = 0;
  double start = 0, end = 0;         ///< s, of what was written.
  std::vector<std::string> notices;  ///< Messages about what is missing in the logs that were read.
};

/// Writes one log of several, one after the other in time: channels of one topic become one, attachments of the same
/// name and content are kept once, samples of series outside the times are left out. A log that was cut short is copied
/// up to its last whole chunk, so that the result is whole.
///
/// Throws `Error` where the logs overlap in time (unless `shift`), where channels of one topic differ in what they
/// hold, for topics and times that a log does not have, and where `output` is one of the logs.
LogCopyResult copyLogs(const std::vector<std::string>& logs, const std::string& output, const LogCopyOptions& options);

}  // namespace mortise::logs
