#pragma once

/// Messages on a byte stream, as Klamp't's controllers frame them: the length of the text as 4 bytes, least significant
/// first, then the text.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mortise::remote {

inline constexpr std::size_t kFrameHeaderSize = 4;

/// Begins a message at the end of `out`; what is appended until `endFrame` is its text.
/// Returns what `endFrame` wants to know.
std::size_t beginFrame(std::string& out);
void endFrame(std::string& out, std::size_t begin);
void appendFrame(std::string& out, std::string_view text);

/// Takes a stream apart. Grows with the bytes that really came, never with the length that a header announces, and
/// allocates nothing once it has seen its largest message.
class FrameReader {
 public:
  /// Messages with a longer text are refused.
  explicit FrameReader(std::size_t maxMessageSize) : limit_(maxMessageSize) {}

  /// Room for up to `size` bytes to come; valid until the next call.
  std::span<char> prepare(std::size_t size);
  /// That many of them came.
  void commit(std::size_t size) { end_ += size; }

  /// The next whole message, valid until the next call of `prepare`; none when more bytes are needed or the stream is
  /// `broken`.
  std::optional<std::string_view> next();
  /// A message was announced that is larger than the limit: what follows cannot be told apart any more.
  bool broken() const { return broken_; }
  /// Text bytes that the header announced that broke the stream.
  std::size_t announced() const { return announced_; }
  /// Part of a message came and the rest did not.
  bool insideMessage() const { return end_ > begin_; }
  /// The bytes that came and were not handed out; valid until the next call of `prepare`.
  std::string_view pending() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void clear();

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< Range of the bytes not yet handed out.
  std::size_t announced_ = 0;
  bool broken_ = false;
};

}  // namespace mortise::remote
