#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/plugin/registry.h"

namespace mortise::test {

/// Keeps messages for a test to look at.
class MemoryLog final : public LogSink {
 public:
  void write(LogLevel level, std::string_view source, std::string_view message) override {
    lines.emplace_back(level, std::string(source) + ": " + std::string(message));
  }
  bool mentions(std::string_view text) const {
    for (const auto& [level, line] : lines)
      if (line.find(text) != std::string::npos) return true;
    return false;
  }
  std::vector<std::pair<LogLevel, std::string>> lines;
};

/// The plugins of this build, and no others.
inline std::unique_ptr<Registry> makeRegistry(LogSink& log) {
  auto registry = std::make_unique<Registry>(log);
  registry->addFolder(MORTISE_BINARY_DIR "/lib/mortise/plugins", "build");
  registry->discover();
  return registry;
}

}  // namespace mortise::test
