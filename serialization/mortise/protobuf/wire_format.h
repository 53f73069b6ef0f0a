#pragma once

/// Messages in protobuf's wire format, written and read field by field
/// (https://protobuf.dev/programming-guides/encoding). There is no generated code: whoever writes a message knows its
/// fields' numbers.

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "mortise/base/error.h"

namespace mortise::protobuf {

/// Appends the fields of a message to a buffer.
class Writer {
 public:
  explicit Writer(std::string& buffer) : buffer_(buffer) {}

  void unsignedInteger(int field, std::uint64_t value) {
    key(field, 0);
    varint(value);
  }
  void boolean(int field, bool value) { unsignedInteger(field, value ? 1 : 0); }
  /// int32, int64 and enums.
  void integer(int field, std::int64_t value) { unsignedInteger(field, static_cast<std::uint64_t>(value)); }
  void real(int field, double value) {
    key(field, 1);
    raw(value);
  }
  void fixed32(int field, std::uint32_t value) {
    key(field, 5);
    raw(value);
  }
  void bytes(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    buffer_ += value;
  }
  void text(int field, std::string_view value) { bytes(field, value); }
  /// A packed repeated field of doubles, floats or fixed integers.
  template <typename T>
  void packed(int field, std::span<const T> values) {
    if (values.empty()) return;
    key(field, 2);
    varint(values.size_bytes());
    buffer_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  /// A message within this one; `write` gets a writer for its fields.
  template <typename Write>
  void message(int field, Write&& write) {
    key(field, 2);
    // One byte is kept for the length, which suffices for most; longer ones move the content.
    const std::size_t at = buffer_.size();
    buffer_ += '\0';
    Writer inner(buffer_);
    write(inner);
    std::uint64_t size = buffer_.size() - at - 1;
    if (size < 128) {
      buffer_[at] = static_cast<char>(size);
      return;
    }
    std::string length;
    Writer(length).varint(size);
    buffer_.replace(at, 1, length);
  }

  void varint(std::uint64_t value) {
    while (value >= 128) {
      buffer_ += static_cast<char>(value | 128);
      value >>= 7;
    }
    buffer_ += static_cast<char>(value);
  }

 private:
  void key(int field, int wireType) { varint(static_cast<std::uint64_t>(field) << 3 | wireType); }
  template <typename T>
  void raw(T value) {
    buffer_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string& buffer_;
};

/// One field of a message.
struct Field {
  int number = 0;
  int wireType = 0;
  std::uint64_t integer = 0;  ///< Value of varints and fixed integers; the bits of floats and doubles.
  std::string_view bytes;     ///< Content of texts, bytes, messages and packed fields.

  double real() const {
    double value;
    std::memcpy(&value, &integer, sizeof value);
    return value;
  }
  /// Copies a packed field's numbers out. Throws `Error` where its length does not divide.
  template <typename T, typename Vector>
  void packed(Vector& values) const {
    if (bytes.size() % sizeof(T) != 0) throw Error("a packed field ends within a number");
    values.resize(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
};

/// Reads a message's fields one after the other. Throws `Error` for what is no message.
class Reader {
 public:
  explicit Reader(std::string_view message) : rest_(message) {}

  /// False at the end of the message.
  bool atEnd() const { return rest_.empty(); }
  bool next(Field& field) {
    if (rest_.empty()) return false;
    const std::uint64_t key = varint();
    field = {static_cast<int>(key >> 3), static_cast<int>(key & 7), 0, {}};
    switch (field.wireType) {
      case 0:
        field.integer = varint();
        break;
      case 1:
        take(&field.integer, 8);
        break;
      case 2:
        field.bytes = slice(varint());
        break;
      case 5:
        take(&field.integer, 4);
        break;
      default:
        throw Error("a message has a field of an unknown kind");
    }
    return true;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(slice(1).front());
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw Error("a message has a number of more than 64 bits");
  }

 private:
  std::string_view slice(std::uint64_t size) {
    if (size > rest_.size()) throw Error("a message ends within a field");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  void take(void* value, std::size_t size) { std::memcpy(value, slice(size).data(), size); }

  std::string_view rest_;
};

}  // namespace mortise::protobuf
