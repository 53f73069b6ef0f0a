#pragma once

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace mortise::test {

/// The folder that holds `klampt-data/` and `reference/`, from MORTISE_REFERENCE_DIR; empty when it is not set.
inline std::string referenceDir() {
  const char* folder = std::getenv("MORTISE_REFERENCE_DIR");
  return folder != nullptr && std::filesystem::exists(folder) ? folder : "";
}

}  // namespace mortise::test

/// Reports the test as skipped when the reference data is not there.
#define MORTISE_NEEDS_REFERENCE()            \
  if (mortise::test::referenceDir().empty()) \
  GTEST_SKIP() << "set MORTISE_REFERENCE_DIR to the folder with klampt-data/ and reference/"
