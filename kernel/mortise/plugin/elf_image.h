#pragma once

/// An ELF file, read without opening it as a library.

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace mortise {

/// A part of the file: `type` is that of a program header, `address` where it is loaded.
struct ElfSegment {
  std::uint32_t type;
  std::uint64_t offset, address, size;
};

/// Bounds-checked reads. Not a mapping, because a library may be linked anew while it is read.
class ElfImage {
 public:
  /// Throws `Error` when the file cannot be read or is not a 64-bit shared library of this machine's byte order.
  explicit ElfImage(const std::string& path);

  const std::vector<ElfSegment>& segments() const { return segments_; }
  /// Each throws `Error` where the file ends too early.
  template <typename T>
  T read(std::uint64_t at) {
    T value;
    read(at, &value, sizeof(T));
    return value;
  }
  std::string bytes(std::uint64_t at, std::uint64_t size);
  [[noreturn]] void damaged() const;
  std::uint64_t size() const { return size_; }

 private:
  void read(std::uint64_t at, void* data, std::uint64_t size);
  void readSegments();

  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
  std::vector<ElfSegment> segments_;
};

/// The build id, hexadecimal; empty when the linker wrote none. It survives `strip` and changes of RPATH. Takes a few
/// reads however large the file is. Throws `Error` like `ElfImage`.
std::string readBuildId(const std::string& path);

}  // namespace mortise
