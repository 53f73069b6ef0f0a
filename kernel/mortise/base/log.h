#pragma once

#include <string_view>

namespace mortise {

enum class LogLevel { debug, info, warning, error };

/// Destination of messages. Programs hand one down; nothing in the libraries writes to a stream by itself.
class LogSink {
 public:
  virtual ~LogSink();
  virtual void write(LogLevel level, std::string_view source, std::string_view message) = 0;
  /// Takes in, for the record of a run, what is computed in place of what somebody asked for: its kind ("friction"),
  /// what it is about, and a sentence. Returns false, having done nothing, where no record is kept.
  virtual bool keepSubstitution(std::string_view kind, std::string_view subject, std::string_view text);
};

/// Writes "source: warning: message" lines to stderr; colored only on a terminal and without NO_COLOR.
class StderrLog final : public LogSink {
 public:
  explicit StderrLog(LogLevel threshold = LogLevel::info);
  ~StderrLog() override;
  void write(LogLevel level, std::string_view source, std::string_view message) override;
  void setThreshold(LogLevel threshold) { threshold_ = threshold; }

 private:
  LogLevel threshold_;
  bool color_;
};

/// Drops everything.
class NullLog final : public LogSink {
 public:
  ~NullLog() override;
  void write(LogLevel, std::string_view, std::string_view) override {}
};

}  // namespace mortise
