// mortise view and mortise log html of logs that other tools wrote.

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "mortise/base/files.h"
#include "mortise/mcap/reader.h"
#include "mortise/mcap/writer.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class OtherLogsTest : public FolderTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(MORTISE_BINARY_DIR "/share/mortise/viewer.html"))
      GTEST_SKIP() << "the viewer was left out of the build";
    FolderTest::SetUp();
  }

  /// A log with a message in JSON, or without any channel.
  std::string write(const std::string& name, bool message) const {
    mcap::Writer writer(path(name));
    if (message) {
      const std::uint16_t schema = writer.addSchema("my.Battery", "jsonschema", "{}"),
                          channel = writer.addChannel(schema, "/battery", "json");
      writer.write({channel, 0, 1'700'000'000'000'000'000, 1'700'000'000'000'000'000, R"({"volts": 12.5})"});
    }
    writer.close();
    return path(name);
  }

  std::string record() const {
    const Ran ran = runMortise({"sim", MORTISE_SOURCE_DIR "/data/worlds/blocks.xml", "--duration", "0.05", "--mcap",
                                path("run.mcap"), "--quiet"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return path("run.mcap");
  }
};

TEST_F(OtherLogsTest, APageHoldsALogOfAnotherTool) {
  const std::string log = write("other.mcap", true);
  const Ran ran = runMortise({"log", "html", log, "-o", path("other.html")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(ran.err, "") << "that a log is of another tool is no fault of it";
  const std::string page = readFile(path("other.html"));
  EXPECT_NE(page.find("data-name=\"other\""), std::string::npos);
}

TEST_F(OtherLogsTest, IsNotShownOverOthers) {
  const std::string other = write("other.mcap", true), own = record();
  for (const std::vector<std::string>& logs : {std::vector{other, own}, {own, other}, {other, other}})
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"view", "--no-browser"}, {"log", "html", "-o", path("both.html")}}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), logs.begin(), logs.end());
      const Ran ran = runMortise(words);
      EXPECT_EQ(ran.exitCode, 2) << ran.err;
      EXPECT_NE(ran.err.find(other + "' is a log of another tool"), std::string::npos) << ran.err;
    }
  EXPECT_FALSE(std::filesystem::exists(path("both.html")));
}

TEST_F(OtherLogsTest, WithoutMessagesNothingIsShown) {
  const std::string empty = write("empty.mcap", false);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"view", "--no-browser", empty}, {"log", "html", "-o", path("empty.html"), empty}}) {
    const Ran ran = runMortise(command);
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_NE(ran.err.find("holds no messages"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("empty.mcap"), std::string::npos) << ran.err;
  }
}

TEST_F(OtherLogsTest, ALogOfOursWithoutItsWorldIsOne) {
  mcap::Reader reader(record());
  mcap::Writer writer(path("copied.mcap"));
  std::map<std::uint16_t, std::uint16_t> channels;
  for (const auto& [id, channel] : reader.channels()) {
    const mcap::Schema& schema = reader.schemas().at(channel.schemaId);
    channels[id] = writer.addChannel(writer.addSchema(schema.name, schema.encoding, schema.data), channel.topic,
                                     channel.messageEncoding, channel.metadata);
  }
  reader.messages({}, [&](const mcap::Message& message) {
    mcap::Message copy = message;
    copy.channelId = channels.at(message.channelId);
    writer.write(copy);
    return true;
  });
  writer.close();
  EXPECT_EQ(runMortise({"log", "html", path("copied.mcap"), "-o", path("copied.html")}).exitCode, 0);
  const Ran rendered = runMortise({"render", path("copied.mcap"), "-o", path("copied.png")});
  EXPECT_EQ(rendered.exitCode, 1);
  EXPECT_NE(rendered.err.find("holds no world"), std::string::npos) << "pictures need a world: " << rendered.err;
}

}  // namespace
}  // namespace mortise::test
