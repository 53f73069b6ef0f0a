#include "remote/frame.h"

#include <cstdint>
#include <cstring>

namespace mortise::remote {

std::size_t beginFrame(std::string& out) {
  out.append(kFrameHeaderSize, '\0');
  return out.size();
}

void endFrame(std::string& out, std::size_t begin) {
  const auto size = static_cast<std::uint32_t>(out.size() - begin);
  for (std::size_t i = 0; i < kFrameHeaderSize; ++i)
    out[begin - kFrameHeaderSize + i] = static_cast<char>((size >> (8 * i)) & 0xff);
}

void appendFrame(std::string& out, std::string_view text) {
  const std::size_t begin = beginFrame(out);
  out += text;
  endFrame(out, begin);
}

std::span<char> FrameReader::prepare(std::size_t size) {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() < end_ + size) buffer_.resize(end_ + size);
  return {buffer_.data() + end_, size};
}

std::optional<std::string_view> FrameReader::next() {
  if (broken_ || end_ - begin_ < kFrameHeaderSize) return std::nullopt;
  std::size_t size = 0;
  for (std::size_t i = 0; i < kFrameHeaderSize; ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(buffer_[begin_ + i])) << (8 * i);
  if (size > limit_) {
    broken_ = true;
    announced_ = size;
    return std::nullopt;
  }
  if (end_ - begin_ < kFrameHeaderSize + size) return std::nullopt;
  const std::string_view text(buffer_.data() + begin_ + kFrameHeaderSize, size);
  begin_ += kFrameHeaderSize + size;
  return text;
}

void FrameReader::clear() {
  begin_ = end_ = 0;
  broken_ = false;
}

}  // namespace mortise::remote
