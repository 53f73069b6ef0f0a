#include "remote/frame.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace mortise::remote {
namespace {

void feed(FrameReader& reader, std::string_view bytes) {
  const std::span<char> room = reader.prepare(bytes.size());
  std::memcpy(room.data(), bytes.data(), bytes.size());
  reader.commit(bytes.size());
}

TEST(Frame, HasItsLengthLeastSignificantByteFirst) {
  std::string frame;
  appendFrame(frame, std::string(0x1234, 'x'));
  EXPECT_EQ(frame.substr(0, 4), std::string("\x34\x12\0\0", 4));
  EXPECT_EQ(frame.size(), 4u + 0x1234);
}

TEST(Frame, ComesTogetherFromAnyPieces) {
  std::mt19937 random(1);
  std::vector<std::string> texts;
  std::string stream;
  for (int i = 0; i < 200; ++i) {
    texts.emplace_back(random() % 300, static_cast<char>('a' + i % 26));
    appendFrame(stream, texts.back());
  }
  FrameReader reader(300);
  std::vector<std::string> got;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t size = std::min<std::size_t>(1 + random() % 700, stream.size() - at);
    feed(reader, std::string_view(stream).substr(at, size));
    at += size;
    while (const auto text = reader.next()) got.emplace_back(*text);
  }
  EXPECT_EQ(got, texts);
  EXPECT_FALSE(reader.insideMessage());
  EXPECT_FALSE(reader.broken());
}

TEST(Frame, KnowsThatAMessageIsNotWhole) {
  FrameReader reader(100);
  feed(reader, std::string_view("\x05\0\0\0ab", 6));
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.insideMessage());
  EXPECT_FALSE(reader.broken());
}

TEST(Frame, RefusesWhatIsTooLarge) {
  FrameReader reader(100);
  std::string stream;
  appendFrame(stream, "fits");
  stream += std::string("\xff\xff\xff\xff{}", 6);
  feed(reader, stream);
  EXPECT_EQ(reader.next(), "fits");
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.broken());
  EXPECT_EQ(reader.announced(), 0xffffffffu);
  reader.clear();
  std::string again;
  appendFrame(again, "more");
  feed(reader, again);
  EXPECT_EQ(reader.next(), "more");
}

}  // namespace
}  // namespace mortise::remote
