#include "mortise/logs/series.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/logs/foxglove_schemas.h"
#include "mortise/protobuf/wire_format.h"

namespace mortise::logs {
namespace {

TEST(Series, RoundTrip) {
  SeriesBlock block(3);
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::span<float> values = block.append(i * 1000003, 0.01 * static_cast<double>(i));
    for (std::size_t c = 0; c < 3; ++c) values[c] = static_cast<float>(i) + 0.25f * static_cast<float>(c);
  }
  std::string message;
  block.encode(message);
  const SeriesBlock read = SeriesBlock::decode(message);
  EXPECT_EQ(read.columns(), 3u);
  EXPECT_EQ(read.ticks(), block.ticks());
  EXPECT_EQ(read.times(), block.times());
  for (std::size_t s = 0; s < block.samples(); ++s)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(read.value(s, c), block.value(s, c));
  block.clear();
  std::string empty;
  block.encode(empty);
  EXPECT_EQ(SeriesBlock::decode(empty).samples(), 0u);
}

TEST(Series, DamagedMessagesAreErrors) {
  SeriesBlock block(2);
  block.append(7, 0.5)[1] = 3;
  std::string message;
  block.encode(message);
  for (std::size_t size = 1; size < message.size(); ++size) {
    try {
      const SeriesBlock read = SeriesBlock::decode(message.substr(0, size));
      EXPECT_EQ(read.samples() * read.columns(), 0u) << size;
    } catch (const Error&) {
    }
  }
}

/// The names of a message's fields, with their numbers, out of a descriptor set.
std::vector<std::string> fieldsOf(const std::string& set, const std::string& wanted) {
  std::vector<std::string> fields;
  protobuf::Reader files(set);
  for (protobuf::Field file; files.next(file);) {
    protobuf::Reader parts(file.bytes);
    for (protobuf::Field part; parts.next(part);) {
      if (part.number != 4) continue;
      std::string name;
      std::vector<std::string> found;
      protobuf::Reader message(part.bytes);
      for (protobuf::Field entry; message.next(entry);) {
        if (entry.number == 1) name = entry.bytes;
        if (entry.number != 2) continue;
        protobuf::Reader declaration(entry.bytes);
        std::string text;
        for (protobuf::Field item; declaration.next(item);) {
          if (item.number == 1) text = item.bytes;
          if (item.number == 3) text += "=" + std::to_string(item.integer);
        }
        found.push_back(text);
      }
      if (name == wanted) fields = found;
    }
  }
  return fields;
}

TEST(Schemas, HoldAllThatAMessageNeeds) {
  const std::string set = schemaOf("foxglove.SceneUpdate");
  EXPECT_EQ(fieldsOf(set, "SceneUpdate"), (std::vector<std::string>{"deletions=1", "entities=2"}));
  EXPECT_EQ(fieldsOf(set, "Vector3"), (std::vector<std::string>{"x=1", "y=2", "z=3"}));
  EXPECT_EQ(fieldsOf(set, "Timestamp"), (std::vector<std::string>{"seconds=1", "nanos=2"}));
  EXPECT_TRUE(fieldsOf(set, "JointState").empty()) << "only what is needed";
  EXPECT_EQ(fieldsOf(schemaOf("mortise.Series"), "Series"),
            (std::vector<std::string>{"ticks=1", "times=2", "columns=3", "values=4", "packed=5"}));
  EXPECT_THROW(schemaOf("foxglove.Nothing"), Error);
}

TEST(WireFormat, LongMessagesKeepTheirLength) {
  std::string out;
  protobuf::Writer(out).message(3, [](protobuf::Writer& inner) {
    inner.text(1, std::string(300, 'x'));
    inner.message(2, [](protobuf::Writer& deep) { deep.real(1, 2.5); });
  });
  protobuf::Reader reader(out);
  protobuf::Field field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 3);
  protobuf::Reader inner(field.bytes);
  ASSERT_TRUE(inner.next(field));
  EXPECT_EQ(field.bytes.size(), 300u);
  ASSERT_TRUE(inner.next(field));
  protobuf::Reader deep(field.bytes);
  ASSERT_TRUE(deep.next(field));
  EXPECT_EQ(field.real(), 2.5);
  EXPECT_FALSE(reader.next(field));
}

}  // namespace
}  // namespace mortise::logs
