#pragma once

/// Reads the little of an ELF file that says which build of a library it is, without opening it as a library.

#include <string>
#include <vector>

namespace mortise {

struct ElfFile {
  std::string buildId;  ///< Hexadecimal; empty when the linker wrote none. Survives `strip` and RPATH edits.
  std::vector<std::string>
      exported;                     ///< Names of the defined dynamic symbols, sorted; absolute version names left out.
  std::vector<std::string> needed;  ///< Libraries it is linked with (DT_NEEDED), in file order.
};

/// Throws `Error` when the file cannot be read or is not a 64-bit ELF file of this machine's byte order. Damaged files
/// are refused, never read past their end.
ElfFile readElfFile(const std::string& path);
/// Only the build id, which takes a few reads however large the file is.
std::string readBuildId(const std::string& path);

}  // namespace mortise
