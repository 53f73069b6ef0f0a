// Saved states in logs, and logs of older versions.

#include "mortise/logs/log_copy.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/logs/foxglove_schemas.h"
#include "mortise/logs/log_states.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/writer.h"
#include "tests/support/folder_test.h"

namespace mortise::logs {
namespace {

TEST(LogStates, AreSmallerInTheLogAndComeBack) {
  const std::string state(50000, 's');
  const mcap::Attachment packed = packedState(7, 120, state);
  EXPECT_EQ(packed.name, "states/120.state");
  EXPECT_EQ(tickOfState(packed.name), 120);
  EXPECT_LT(packed.data.size(), state.size() / 10);
  EXPECT_EQ(attachmentContent(packed), state);
  mcap::Attachment old = packed;
  old.mediaType = "application/octet-stream";
  old.data = state;
  EXPECT_EQ(attachmentContent(old), state) << "older logs have them as they were";
  mcap::Attachment damaged = packed;
  damaged.data = "no state";
  EXPECT_THROW(attachmentContent(damaged), Error);
  for (const char* name : {"states/x.state", "states/.state", "world.json", "states/1234567890123456789.state"})
    EXPECT_EQ(tickOfState(name), -1) << name;
}

class OldLogTest : public test::FolderTest {
 protected:
  /// A log of one series, whose messages have the one form or the other.
  std::string log(const std::string& name, double from, bool packed) const {
    mcap::Writer writer(path(name));
    std::string schema = schemaOf("mortise.Series");
    if (!packed) schema = schema.substr(0, schema.size() / 2);  // An older version described it in other words.
    const std::uint16_t channel = writer.addChannel(writer.addSchema("mortise.Series", "protobuf", schema), "/numbers",
                                                    "protobuf", {{"columns", "[\"x\"]"}});
    SeriesBlock block(1);
    for (std::uint64_t i = 0; i < 10; ++i)
      block.append(i, from + 0.1 * static_cast<double>(i))[0] = static_cast<float>(from);
    std::string message;
    if (packed)
      block.encodePacked(message);
    else
      block.encode(message);
    const auto ns = static_cast<std::uint64_t>(1e9 * block.times().back());
    writer.write({channel, 0, ns, ns, message});
    writer.addMetadata({"mortise.origin", {{"origin", name}}});
    writer.close();
    return path(name);
  }
};

TEST_F(OldLogTest, JoinsLaterOnes) {
  const std::string old = log("old.mcap", 0, false), later = log("later.mcap", 1, true);
  copyLogs({old, later}, path("both.mcap"), {});
  mcap::Reader reader(path("both.mcap"));
  EXPECT_EQ(reader.channels().size(), 1u);
  std::vector<float> values;
  reader.messages({}, [&](const mcap::Message& message) {
    const SeriesBlock block = SeriesBlock::decode(message.data);
    for (std::size_t i = 0; i < block.samples(); ++i) values.push_back(block.value(i, 0));
    return true;
  });
  ASSERT_EQ(values.size(), 20u);
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), 1);
}

TEST_F(OldLogTest, WhatWasMovedInTimeDoesNotSayHowToMakeItAgain) {
  const std::string first = log("first.mcap", 0, true), second = log("second.mcap", 1, true);
  const auto origins = [&](const std::string& file) {
    mcap::Reader reader(path(file));
    std::size_t count = 0;
    for (const mcap::MetadataIndex& index : reader.metadata()) count += index.name == "mortise.origin" ? 1 : 0;
    return count;
  };
  copyLogs({first, second}, path("whole.mcap"), {});
  EXPECT_EQ(origins("whole.mcap"), 2u);
  LogCopyOptions options;
  options.shift = true;
  copyLogs({second, first}, path("shifted.mcap"), options);
  EXPECT_EQ(origins("shifted.mcap"), 0u);
}

}  // namespace
}  // namespace mortise::logs
