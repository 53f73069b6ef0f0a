/// The entries of libFuzzer. One program for all kinds of files: the part of its name behind "fuzz_" says which one.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz_reader.h"

namespace {
std::string kind;
}

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  const std::string_view program = (*argv)[0];
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name.starts_with("fuzz_")) kind = name.substr(5);
  const auto known = mortise::fuzz::kinds();
  if (std::find(known.begin(), known.end(), kind) == known.end()) {
    std::fprintf(stderr, "call this program by the name of a kind of file:");
    for (const auto& each : known) std::fprintf(stderr, " fuzz_%s", each.c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mortise::fuzz::readAs(kind, data, size);
  return 0;
}
