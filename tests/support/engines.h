#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace mortise::test {

/// Whether a physics backend is part of this build: `name` is its alias.
inline bool hasEngine(const std::string& name) {
  return std::filesystem::exists(MORTISE_BINARY_DIR "/lib/mortise/plugins/mortise_physics_" + name + ".so");
}

/// The first of these that is not part of this build; empty when all are.
inline std::string missingEngine(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (!hasEngine(name)) return name;
  return {};
}

}  // namespace mortise::test

/// At the beginning of a test that runs on these physics backends, which are optional parts of a build.
#define MORTISE_NEEDS_ENGINES(...)                                                               \
  if (const std::string missing = mortise::test::missingEngine({__VA_ARGS__}); !missing.empty()) \
  GTEST_SKIP() << "this build has no physics backend '" << missing << "'"
