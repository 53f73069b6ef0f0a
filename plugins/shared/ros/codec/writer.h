#pragma once

/// A visitor that appends the fields of a message to bytes.

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "mortise/base/error.h"
#include "ros/messages/message_type.h"
#include "ros/messages/primitives.h"

namespace mortise::ros {

static_assert(std::endian::native == std::endian::little, "numbers of messages are copied as they are");

/// CDR aligns numbers on their own size, counted from behind its header; ROS 1 packs them.
template <Encoding kEncoding>
class MessageWriter {
 public:
  explicit MessageWriter(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class M>
  void message(const M& m) {
    bytes_.clear();
    if constexpr (kCdr) bytes_.insert(bytes_.end(), {std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}});
    M::visit(*this, m);
  }

  template <class T>
  void field(const char*, const T& value, const char* = nullptr) {
    write(value);
  }
  template <class T>
  void ros1Only(const char*, const T& value) {
    if constexpr (!kCdr) write(value);
  }
  void constant(const char*, const char*, const char*) {}

 private:
  static constexpr bool kCdr = kEncoding == Encoding::cdr;
  static constexpr std::size_t kStart = kCdr ? 4 : 0;  ///< Alignment counts from here.

  template <class T>
  requires std::is_arithmetic_v<T>
  void write(T value) {
    align(sizeof(T));
    append(&value, sizeof(T));
  }
  void write(bool value) { write(static_cast<std::uint8_t>(value)); }
  void write(const Time& time) {
    write(static_cast<std::uint32_t>(time.sec));
    write(time.nanosec);
  }
  void write(const Duration& duration) {
    write(static_cast<std::int32_t>(duration.sec));
    write(duration.nanosec);
  }
  void write(const std::string& text) {
    count(text.size() + (kCdr ? 1 : 0));
    append(text.data(), text.size());
    if constexpr (kCdr) bytes_.push_back(std::byte{0});
  }
  template <class T>
  void write(const std::vector<T>& list) {
    count(list.size());
    elements(list.data(), list.size());
  }
  template <class T, std::size_t N>
  void write(const std::array<T, N>& list) {
    elements(list.data(), N);
  }
  template <class M>
  requires requires { M::kPackage; }
  void write(const M& message) { M::visit(*this, message); }

  template <class T>
  void elements(const T* first, std::size_t size) {
    if (size == 0) return;
    if constexpr (std::is_arithmetic_v<T>) {
      align(sizeof(T));
      append(first, size * sizeof(T));
    } else {
      for (std::size_t i = 0; i < size; ++i) write(first[i]);
    }
  }
  void count(std::size_t size) {
    if (size > std::numeric_limits<std::uint32_t>::max())
      throw Error("a message cannot hold " + std::to_string(size) + " elements in one field; 4294967295 is the most");
    write(static_cast<std::uint32_t>(size));
  }
  void align(std::size_t size) {
    if constexpr (kCdr) {
      const std::size_t over = (bytes_.size() - kStart) % size;
      if (over != 0) bytes_.resize(bytes_.size() + size - over);
    }
  }
  void append(const void* data, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    if (size != 0) std::memcpy(bytes_.data() + at, data, size);
  }

  std::vector<std::byte>& bytes_;
};

}  // namespace mortise::ros
