#pragma once

#include <cstddef>
#include <cstdint>

namespace mortise {

/// Hash of bytes that come piece by piece, as `hashBytes` gives it. Zeros need not be there, and a run of them costs
/// next to nothing.
class ByteHash {
 public:
  explicit ByteHash(std::uint64_t seed = 0);
  void add(const void* data, std::size_t size);
  void addZeros(std::uint64_t count);
  std::uint64_t value() const;

 private:
  std::uint64_t state_;
};

}  // namespace mortise
