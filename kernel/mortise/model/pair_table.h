#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mortise {

/// A symmetric yes or no for every pair of ids: which of them are checked against each other. Each id has bits for the
/// ids from its first to its last partner alone, so that ten thousands of terrains, which never meet each other, take
/// little memory.
class PairTable {
 public:
  /// Partners of one id: 64 bits a word, the lowest id first; all words outside are zero.
  class Row {
   public:
    int firstWord() const { return first_; }
    int endWord() const { return first_ + static_cast<int>(words_.size()); }
    std::uint64_t word(int index) const {
      // An index below the first word becomes a large number.
      const auto at = static_cast<std::size_t>(index) - static_cast<std::size_t>(first_);
      return at < words_.size() ? words_[at] : 0;
    }

   private:
    friend PairTable;
    void set(int id, bool on) {
      const int word = id >> 6;
      if (word < first_ || word >= endWord()) {
        if (!on) return;
        if (words_.empty()) first_ = word;
        if (word < first_) {
          words_.insert(words_.begin(), static_cast<std::size_t>(first_ - word), 0);
          first_ = word;
        } else if (word >= endWord()) {
          words_.resize(static_cast<std::size_t>(word - first_) + 1, 0);
        }
      }
      std::uint64_t& bits = words_[static_cast<std::size_t>(word - first_)];
      const std::uint64_t bit = std::uint64_t(1) << (id & 63);
      bits = on ? bits | bit : bits & ~bit;
    }

    int first_ = 0;
    std::vector<std::uint64_t> words_;
  };

  PairTable() = default;
  explicit PairTable(int numIds) : rows_(static_cast<std::size_t>(numIds)) {}

  int size() const { return static_cast<int>(rows_.size()); }
  bool operator()(int a, int b) const { return (row(a).word(b >> 6) >> (b & 63)) & 1; }
  void set(int a, int b, bool on) {
    rows_[static_cast<std::size_t>(a)].set(b, on);
    rows_[static_cast<std::size_t>(b)].set(a, on);
  }

  /// That a row without gaps would have.
  int wordsPerRow() const { return (size() + 63) / 64; }
  const Row& row(int id) const { return rows_[static_cast<std::size_t>(id)]; }

  /// Calls `found(a, b)` for every pair that is on, a < b, in ascending order, as long as it returns true; false when
  /// it did not.
  template <typename Found>
  bool everyPair(Found&& found) const {
    for (int a = 0; a < size(); ++a) {
      const Row& row = this->row(a);
      for (int word = std::max(row.firstWord(), a >> 6); word < row.endWord(); ++word) {
        std::uint64_t bits = row.word(word);
        if (word == a >> 6) bits &= ~((std::uint64_t(2) << (a & 63)) - 1);
        for (; bits != 0; bits &= bits - 1)
          if (!found(a, word * 64 + std::countr_zero(bits))) return false;
      }
    }
    return true;
  }
  /// All of them.
  template <typename Found>
  void forEachPair(Found&& found) const {
    (void)everyPair([&](int a, int b) {
      found(a, b);
      return true;
    });
  }

 private:
  std::vector<Row> rows_;
};

}  // namespace mortise
