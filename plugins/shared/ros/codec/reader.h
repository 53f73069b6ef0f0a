#pragma once

/// A visitor that fills the fields of a message from bytes that anybody may have sent.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "mortise/base/error.h"
#include "ros/messages/message_type.h"
#include "ros/messages/primitives.h"

namespace mortise::ros {

/// The fewest bytes that a value takes, which bounds how many of them the rest of a message can hold.
class SmallestSize {
 public:
  template <class T>
  static std::size_t of() {
    if constexpr (std::is_arithmetic_v<T>) return sizeof(T);
    if constexpr (std::is_same_v<T, Time> || std::is_same_v<T, Duration>) return 8;
    if constexpr (requires { T::kPackage; }) {
      static const std::size_t size = ofMessage<T>();
      return size;
    }
    return 4;  // Texts and lists: their length.
  }

  template <class T>
  void field(const char*, const T& value, const char* = nullptr) {
    add(value);
  }
  template <class T>
  void ros1Only(const char*, const T&) {}  // Not there in CDR.
  void constant(const char*, const char*, const char*) {}

 private:
  template <class M>
  static std::size_t ofMessage() {
    SmallestSize sum;
    const M message;
    M::visit(sum, message);
    return sum.size_;
  }
  template <class T>
  void add(const T&) {
    size_ += of<T>();
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>&) {
    size_ += N * of<T>();
  }

  std::size_t size_ = 0;
};

template <Encoding kEncoding>
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class M>
  void message(M& m) {
    type_ = M::kName;
    if constexpr (kCdr) readHead();
    M::visit(*this, m);
  }

  template <class T>
  void field(const char* name, T& value, const char* = nullptr) {
    field_ = name;
    read(value);
  }
  template <class T>
  void ros1Only(const char* name, T& value) {
    if constexpr (kCdr)
      value = T();
    else
      field(name, value);
  }
  void constant(const char*, const char*, const char*) {}

 private:
  static constexpr bool kCdr = kEncoding == Encoding::cdr;
  static constexpr std::size_t kStart = kCdr ? 4 : 0;

  void readHead() {
    field_ = "CDR header";
    const std::byte* head = take(4);
    const auto kind = static_cast<unsigned>(head[1]);
    if (head[0] != std::byte{0} || kind > 1)
      throw Error(where() + "expected CDR of version 1 (00 00 or 00 01), found " +
                  std::to_string(static_cast<unsigned>(head[0])) + " " + std::to_string(kind));
    swap_ = kind == 0;
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  void read(T& value) {
    align(sizeof(T));
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    if (swap_) swapBytes(value);
  }
  void read(bool& value) {
    std::uint8_t byte = 0;
    read(byte);
    value = byte != 0;
  }
  void read(Time& time) {
    if constexpr (kCdr) {
      std::int32_t sec = 0;
      read(sec);
      time.sec = sec;
    } else {
      std::uint32_t sec = 0;
      read(sec);
      time.sec = sec;
    }
    read(time.nanosec);
  }
  void read(Duration& duration) {
    std::int32_t sec = 0, nanosec = 0;
    read(sec);
    read(nanosec);
    // ROS 1 lets both be negative.
    const std::int64_t all = std::int64_t{sec} * 1'000'000'000 +
                             (kCdr ? std::int64_t{static_cast<std::uint32_t>(nanosec)} : std::int64_t{nanosec});
    duration.sec = all / 1'000'000'000 - (all % 1'000'000'000 < 0 ? 1 : 0);
    duration.nanosec = static_cast<std::uint32_t>(all - duration.sec * 1'000'000'000);
  }
  void read(std::string& text) {
    std::size_t size = count(1);
    const char* data = reinterpret_cast<const char*>(take(size));
    // Some writers of CDR leave the NUL out where the text is empty.
    if (kCdr && size > 0 && data[size - 1] == '\0') --size;
    text.assign(data, size);
  }
  template <class T>
  void read(std::vector<T>& list) {
    const std::size_t size = count(SmallestSize::of<T>());
    list.resize(size);
    elements(list.data(), size);
  }
  template <class T, std::size_t N>
  void read(std::array<T, N>& list) {
    elements(list.data(), N);
  }
  template <class M>
  requires requires { M::kPackage; }
  void read(M& message) { M::visit(*this, message); }

  template <class T>
  void elements(T* first, std::size_t size) {
    if (size == 0) return;
    if constexpr (std::is_arithmetic_v<T>) {
      align(sizeof(T));
      std::memcpy(first, take(size * sizeof(T)), size * sizeof(T));
      if (swap_) std::for_each(first, first + size, swapBytes<T>);
    } else {
      for (std::size_t i = 0; i < size; ++i) read(first[i]);
    }
  }

  /// A length, checked against what is left before anything is allocated.
  std::size_t count(std::size_t smallest) {
    std::uint32_t size = 0;
    read(size);
    if (size > (bytes_.size() - at_) / smallest)
      throw Error(where() + "a length of " + std::to_string(size) + " leads out of the message, of which " +
                  std::to_string(bytes_.size() - at_) + " bytes are left");
    return size;
  }
  template <class T>
  static void swapBytes(T& value) {
    auto* first = reinterpret_cast<std::byte*>(&value);
    std::reverse(first, first + sizeof(T));
  }
  void align(std::size_t size) {
    if constexpr (kCdr) {
      const std::size_t over = (at_ - kStart) % size;
      if (over != 0) take(size - over);
    }
  }
  const std::byte* take(std::size_t size) {
    if (size > bytes_.size() - at_)
      throw Error(where() + "expected " + std::to_string(size) + " more bytes, the message ends after " +
                  std::to_string(bytes_.size() - at_));
    const std::byte* data = bytes_.data() + at_;
    at_ += size;
    return data;
  }
  std::string where() const { return std::string(type_) + ", field '" + field_ + "': "; }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool swap_ = false;
  const char* type_ = "";
  const char* field_ = "";
};

}  // namespace mortise::ros
