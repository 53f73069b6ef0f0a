#pragma once

#include <mutex>

#include "mortise/base/log.h"

namespace mortise {

/// Hands on messages of several threads, one after the other.
class SharedLog final : public LogSink {
 public:
  explicit SharedLog(LogSink& log) : log_(log) {}
  void write(LogLevel level, std::string_view source, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    log_.write(level, source, message);
  }
  bool keepSubstitution(std::string_view kind, std::string_view subject, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    return log_.keepSubstitution(kind, subject, text);
  }

 private:
  LogSink& log_;
  std::mutex mutex_;
};

}  // namespace mortise
