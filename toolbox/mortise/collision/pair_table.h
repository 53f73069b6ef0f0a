#pragma once

#include <cstdint>
#include <vector>

namespace mortise {

/// A symmetric yes or no for every pair of ids: which of them are checked against each other.
class PairTable {
 public:
  PairTable() = default;
  explicit PairTable(int numIds) : size_(numIds), words_((numIds + 63) / 64), bits_(std::size_t(numIds) * words_) {}

  int size() const { return size_; }
  bool operator()(int a, int b) const { return (row(a)[b >> 6] >> (b & 63)) & 1; }
  void set(int a, int b, bool on) {
    setBit(a, b, on);
    setBit(b, a, on);
  }

  int wordsPerRow() const { return words_; }
  /// One bit for each id, the lowest first.
  const std::uint64_t* row(int id) const { return bits_.data() + std::size_t(id) * words_; }

 private:
  void setBit(int a, int b, bool on) {
    std::uint64_t& word = bits_[std::size_t(a) * words_ + (b >> 6)];
    const std::uint64_t bit = std::uint64_t(1) << (b & 63);
    word = on ? word | bit : word & ~bit;
  }

  int size_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace mortise
