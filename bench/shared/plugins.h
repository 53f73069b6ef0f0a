#pragma once

/// The plugins of the build tree that a benchmark stands in.

#include <filesystem>

#include "mortise/plugin/registry.h"

namespace mortise::bench {

/// A log that keeps nothing.
inline LogSink& silentLog() {
  static class final : public LogSink {
   public:
    void write(LogLevel, std::string_view, std::string_view) override {}
  } log;
  return log;
}

/// Adds the build tree's plugins to a registry.
inline void discoverPlugins(Registry& registry) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  registry.addFolder((here.parent_path() / "lib/mortise/plugins").string(), "build");
  registry.discover();
}

/// One registry for the whole program.
inline Registry& pluginRegistry() {
  static Registry& registry = []() -> Registry& {
    static Registry instance(silentLog());
    discoverPlugins(instance);
    return instance;
  }();
  return registry;
}

}  // namespace mortise::bench
