#pragma once

/// Byte buffers for snapshots. Native byte order: a snapshot belongs to the machine that made it.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mortise/base/error.h"

namespace mortise {

class ByteWriter {
 public:
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { append(&value, sizeof(T)); }
  void put(std::span<const double> values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  void append(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what a `ByteWriter` wrote, in the same order. Throws `Error` when the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    take(&value, sizeof(T));
    return value;
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { take(&value, sizeof(T)); }
  /// Fills `values`; throws when the stored count differs.
  void get(std::span<double> values) {
    const auto count = get<std::uint64_t>();
    if (count != values.size())
      throw Error("snapshot holds " + std::to_string(count) + " numbers where " + std::to_string(values.size()) +
                  " were expected");
    take(values.data(), values.size_bytes());
  }
  std::string getString() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() - at_) throw Error("snapshot ends too early");
    std::string text(count, '\0');
    take(text.data(), count);
    return text;
  }
  bool atEnd() const { return at_ == bytes_.size(); }
  std::size_t position() const { return at_; }

 private:
  void take(void* data, std::size_t size) {
    if (size > bytes_.size() - at_) throw Error("snapshot ends too early");
    if (size) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace mortise
