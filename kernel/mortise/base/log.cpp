#include "mortise/base/log.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "mortise/text/printable.h"

namespace mortise {

LogSink::~LogSink() = default;
bool LogSink::keepSubstitution(std::string_view, std::string_view, std::string_view) { return false; }
StderrLog::~StderrLog() = default;
NullLog::~NullLog() = default;

namespace {

struct LevelStyle {
  std::string_view name;   ///< Empty for ordinary messages.
  std::string_view color;  ///< ANSI escape.
};

LevelStyle styleOf(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return {"debug", "\033[2m"};
    case LogLevel::info:
      return {"", ""};
    case LogLevel::warning:
      return {"warning", "\033[33m"};
    case LogLevel::error:
      return {"error", "\033[31m"};
  }
  return {"", ""};
}

bool colorWanted() {
  const char* noColor = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(noColor && *noColor);
}

}  // namespace

StderrLog::StderrLog(LogLevel threshold) : threshold_(threshold), color_(colorWanted()) {}

void StderrLog::write(LogLevel level, std::string_view source, std::string_view message) {
  if (level < threshold_) return;
  const LevelStyle style = styleOf(level);
  std::string line;
  line.reserve(source.size() + message.size() + 32);
  if (!source.empty()) line.append(printable(source)).append(": ");
  if (!style.name.empty()) {
    if (color_) line.append(style.color);
    line.append(style.name).append(": ");
    if (color_) line.append("\033[0m");
  }
  line.append(printable(message));
  line += '\n';
  // One call a line, so that lines of several threads do not mix.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace mortise
