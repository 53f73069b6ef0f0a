/// The entry of libFuzzer; MORTISE_FUZZ_KIND is the kind of file that the program is about.

#include "fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mortise::fuzz::readAs(MORTISE_FUZZ_KIND, data, size);
  return 0;
}
