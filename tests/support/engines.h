#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace mortise::test {

/// Whether a plugin is part of this build: `name` is its folder in plugins/.
inline bool hasPlugin(const std::string& name) {
  return std::filesystem::exists(MORTISE_BINARY_DIR "/lib/mortise/plugins/mortise_" + name + ".so");
}

/// Whether a physics backend is part of this build: `name` is its alias.
inline bool hasEngine(const std::string& name) { return hasPlugin("physics_" + name); }

/// The first of these that is not part of this build; empty when all are.
inline std::string missingEngine(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (!hasEngine(name)) return name;
  return {};
}

}  // namespace mortise::test

/// At the beginning of a test that uses this plugin, an optional part of a build.
#define MORTISE_NEEDS_PLUGIN(name) \
  if (!mortise::test::hasPlugin(name)) GTEST_SKIP() << "this build has no plugin '" << (name) << "'"

/// At the beginning of a test that runs on these physics backends, which are optional parts of a build.
#define MORTISE_NEEDS_ENGINES(...)                                                               \
  if (const std::string missing = mortise::test::missingEngine({__VA_ARGS__}); !missing.empty()) \
  GTEST_SKIP() << "this build has no physics backend '" << missing << "'"
