#pragma once

#include <string>
#include <vector>

namespace mortise {

/// The exports and needs of a shared library.
struct ElfSymbols {
  std::vector<std::string>
      exported;                     ///< Names of the defined dynamic symbols, sorted; absolute version names left out.
  std::vector<std::string> needed;  ///< Libraries it is linked with (DT_NEEDED), in file order.
};

/// Reads them without opening the library. Throws `Error` when the file cannot be read, is not a 64-bit shared library
/// of this machine's byte order, or is damaged; never reads past its end.
ElfSymbols readElfSymbols(const std::string& path);

}  // namespace mortise
