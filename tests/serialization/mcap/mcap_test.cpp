#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "mortise/base/error.h"
#include "mortise/mcap/packed_bytes.h"
#include "mortise/mcap/reader.h"
#include "mortise/mcap/record_bytes.h"
#include "mortise/mcap/unpacking.h"
#include "mortise/mcap/writer.h"

namespace mortise::mcap {
namespace {

namespace fs = std::filesystem;

class McapTest : public testing::Test {
 protected:
  McapTest()
      : folder_(fs::temp_directory_path() /
                ("mortise_mcap_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~McapTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// 200 messages on two topics, in chunks of about 2 kB, with two attachments and metadata between them.
  std::string example(WriterOptions options = {}) const {
    options.chunkSize = 2000;
    const std::string file = path("example.mcap");
    Writer writer(file, options);
    const std::uint16_t schema = writer.addSchema("test.Number", "jsonschema", R"({"type": "object"})");
    const std::uint16_t even = writer.addChannel(schema, "/even", "json", {{"unit", "m"}});
    const std::uint16_t odd = writer.addChannel(0, "/odd", "json");
    writer.attach({0, 7, "first.txt", "text/plain", "the first"});
    for (std::uint32_t i = 0; i < 200; ++i) {
      const std::string data = "{\"value\": " + std::to_string(i) + ", \"text\": \"" + std::string(i % 37, 'x') + "\"}";
      writer.write({i % 2 ? odd : even, i / 2, 1000ull * i, 1000ull * i, data});
      if (i == 120) writer.addMetadata({"run", {{"seed", "42"}, {"state", "running"}}});
    }
    writer.attach({5, 6, "last.bin", "application/octet-stream", std::string("\0\1\2", 3)});
    writer.close();
    return file;
  }

  static std::vector<std::uint64_t> times(Reader& reader, const Query& query = {}) {
    std::vector<std::uint64_t> found;
    reader.messages(query, [&](const Message& message) {
      found.push_back(message.logTime);
      return true;
    });
    return found;
  }

  static std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void store(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }

 private:
  fs::path folder_;
};

/// What the files of the conformance suite hold whose names begin with `kind`.
void writeConformanceData(Writer& writer, const std::string& kind) {
  const std::string data = "\1\2\3";
  if (kind == "OneAttachment") writer.attach({2, 1, "myFile", "application/octet-stream", data});
  if (kind == "OneMetadata") writer.addMetadata({"myMetadata", {{"foo", "bar"}}});
  if (kind == "OneSchemalessMessage") writer.write({writer.addChannel(0, "example", "text"), 10, 2, 1, data});
  if (kind != "OneMessage" && kind != "TenMessages") return;
  const std::uint16_t schema = writer.addSchema("Example", "c", "\4\5\6");
  const std::uint16_t channel = writer.addChannel(schema, "example", "a", {{"foo", "bar"}});
  if (kind == "OneMessage") writer.write({channel, 10, 2, 1, data});
  // Not in the order of their times.
  constexpr std::uint64_t kTimes[] = {0, 2, 1, 3, 3, 5, 4, 7, 8, 9};
  for (std::uint32_t i = 0; i < 10 && kind == "TenMessages"; ++i)
    writer.write({channel, i, kTimes[i], kTimes[i], data});
}

TEST_F(McapTest, ReadsWhatItWrote) {
  for (const char* compression : {"zstd", ""}) {
    WriterOptions options;
    options.compression = compression;
    options.profile = "test";
    Reader reader(example(options));
    EXPECT_EQ(reader.damage(), "");
    EXPECT_EQ(reader.profile(), "test");
    EXPECT_EQ(reader.library(), "mortise");
    EXPECT_EQ(reader.statistics().messageCount, 200u);
    EXPECT_GT(reader.statistics().chunkCount, 3u);
    EXPECT_EQ(reader.statistics().startTime, 0u);
    EXPECT_EQ(reader.statistics().endTime, 199000u);
    ASSERT_NE(reader.channel("/even"), nullptr);
    EXPECT_EQ(reader.channel("/even")->metadata, (StringMap{{"unit", "m"}}));
    EXPECT_EQ(reader.schemas().at(1).name, "test.Number");
    EXPECT_EQ(reader.channel("/neither"), nullptr);
    std::uint64_t i = 0;
    reader.messages({}, [&](const Message& message) {
      EXPECT_EQ(message.logTime, 1000 * i);
      EXPECT_EQ(message.sequence, i / 2);
      EXPECT_NE(message.data.find("\"value\": " + std::to_string(i) + ","), std::string::npos);
      ++i;
      return true;
    });
    EXPECT_EQ(i, 200u);
    ASSERT_EQ(reader.attachments().size(), 2u);
    EXPECT_EQ(reader.attachment("first.txt")->data, "the first");
    EXPECT_EQ(reader.attachment("last.bin")->data, std::string("\0\1\2", 3));
    EXPECT_FALSE(reader.attachment("none"));
    ASSERT_EQ(reader.metadata().size(), 1u);
    EXPECT_EQ(reader.metadata(reader.metadata().front()).entries, (StringMap{{"seed", "42"}, {"state", "running"}}));
  }
}

TEST_F(McapTest, WritesTheFilesOfTheConformanceSuite) {
  // conformance.sha256: the files of foxglove/mcap's tests/conformance/data that have no padding, by their names; what
  // is in each follows from its name.
  std::ifstream list(MORTISE_SOURCE_DIR "/tests/serialization/mcap/conformance.sha256");
  std::size_t count = 0;
  for (std::string line; std::getline(list, line); ++count) {
    const std::string name = line.substr(66);
    const std::string features = name.substr(0, name.size() - 5) + "-";
    const auto has = [&](const std::string& feature) {
      return features.find("-" + feature + "-") != std::string::npos;
    };
    WriterOptions options;
    options.library = options.compression = "";
    options.firstChannel = 1;
    options.chunks = has("ch");
    options.messageIndex = has("mx");
    options.chunkIndex = has("chx");
    options.attachmentIndex = has("ax");
    options.metadataIndex = has("mdx");
    options.statistics = has("st");
    options.summaryOffsets = has("sum");
    options.repeatSchemas = has("rsh");
    options.repeatChannels = has("rch");
    Writer writer(path(name), options);
    writeConformanceData(writer, name.substr(0, features.find('-')));
    writer.close();
  }
  EXPECT_EQ(count, 208u);
  const std::string check = "cd '" + path("") +
                            "' && sha256sum --check --quiet '" MORTISE_SOURCE_DIR
                            "/tests/serialization/mcap/conformance.sha256'";
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST_F(McapTest, GivesWhatIsAskedFor) {
  Reader reader(example());
  EXPECT_EQ(times(reader, {50000, 52000, {}}), (std::vector<std::uint64_t>{50000, 51000, 52000}));
  EXPECT_EQ(times(reader, {50000, 53000, {"/odd"}}), (std::vector<std::uint64_t>{51000, 53000}));
  EXPECT_TRUE(times(reader, {0, 1000000, {"/neither"}}).empty());
  int seen = 0;
  reader.messages({}, [&](const Message&) { return ++seen < 3; });
  EXPECT_EQ(seen, 3);
}

TEST_F(McapTest, GroupsOfChannelsShareNoChunk) {
  WriterOptions options;
  options.chunkSize = 500;
  {
    Writer writer(path("groups.mcap"), options);
    const std::uint16_t schema = writer.addSchema("test.Number", "jsonschema", "{}");
    const std::uint16_t own = writer.addChannel(schema, "/own", "json");
    const std::uint16_t others = writer.addChannel(schema, "/others", "json", {}, 1);
    for (std::uint32_t i = 0; i < 200; ++i) writer.write({i % 4 ? others : own, i, i, i, "0123456789"});
    writer.close();
  }
  Reader reader(path("groups.mcap"));
  EXPECT_EQ(reader.damage(), "");
  EXPECT_EQ(times(reader).size(), 200u);
  EXPECT_EQ(times(reader, {0, 1000, {"/own"}}).size(), 50u);
  // Cut behind any of its chunks, it still has the schema of every channel.
  const std::string full = contents(path("groups.mcap"));
  for (std::size_t size = 100; size < full.size(); size += 101) {
    store(path("cut.mcap"), full.substr(0, size));
    Reader cut(path("cut.mcap"));
    for (const auto& [id, channel] : cut.channels()) EXPECT_TRUE(cut.schemas().contains(channel.schemaId)) << size;
  }
}

TEST_F(McapTest, ReadsFilesWithoutChunksOrSummary) {
  for (const bool chunks : {false, true}) {
    WriterOptions options;
    options.chunks = chunks;
    options.statistics = options.repeatSchemas = options.repeatChannels = options.summaryOffsets = false;
    options.chunkIndex = options.attachmentIndex = options.metadataIndex = options.messageIndex = false;
    Reader reader(example(options));
    EXPECT_EQ(reader.damage(), "");
    EXPECT_EQ(times(reader).size(), 200u);
    EXPECT_EQ(times(reader, {0, 1u << 30, {"/even"}}).size(), 100u);
    EXPECT_EQ(reader.statistics().channelMessages.at(0), 100u);
    EXPECT_EQ(reader.attachment("last.bin")->data.size(), 3u);
  }
}

TEST_F(McapTest, AFileCutAnywhereReadsUpToItsLastWholeChunk) {
  const std::string full = contents(example());
  const std::string cut = path("cut.mcap");
  std::size_t before = 0;
  for (std::size_t size = 8; size < full.size(); size += 13) {
    store(cut, full.substr(0, size));
    Reader reader(cut);
    EXPECT_NE(reader.damage(), "") << size;
    const std::vector<std::uint64_t> found = times(reader);
    EXPECT_GE(found.size(), before) << size;
    before = found.size();
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], 1000 * i) << size;
  }
  EXPECT_EQ(before, 200u) << "cut in the summary only";
}

TEST_F(McapTest, DamagedBytesAreFound) {
  const std::string full = contents(example());
  const std::string broken = path("broken.mcap");
  int found = 0;
  for (std::size_t at = 8; at < full.size(); at += 11) {
    std::string bytes = full;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    store(broken, bytes);
    try {
      Reader reader(broken);
      times(reader);
      for (const AttachmentIndex& index : reader.attachments()) reader.attachment(index);
      found += !reader.damage().empty();
    } catch (const Error&) {
      ++found;
    }
  }
  EXPECT_GT(found, static_cast<int>(full.size() / 11) / 2);
}

TEST_F(McapTest, AClaimOfTerabytesTakesNoMemory) {
  std::string bytes = contents(example());
  const auto numberAt = [&](std::size_t place) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + place, sizeof number);
    return number;
  };
  // A record is its kind, its length and its content; a chunk's content begins with two times and its unpacked size.
  std::size_t chunk = kMagic.size();
  while (static_cast<Opcode>(bytes[chunk]) != Opcode::chunk) chunk += 9 + numberAt(chunk + 1);
  const std::uint64_t claim = std::uint64_t{1} << 44;
  std::memcpy(bytes.data() + chunk + 9 + 16, &claim, sizeof claim);
  const std::string file = path("claim.mcap");
  store(file, bytes);
  Reader reader(file);
  try {
    times(reader);
    ADD_FAILURE() << "an error was expected";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("claims to hold 17592186044416 bytes"), std::string::npos) << error.what();
  }
}

/// A frame of zstd that claims `claim` bytes and holds `blocks` blocks of 128 KiB of one letter each.
std::string repeated(std::uint32_t claim, int blocks) {
  std::string frame = "\x28\xb5\x2f\xfd\xa0";
  frame.append(reinterpret_cast<const char*>(&claim), sizeof claim);
  for (int i = 0; i < blocks; ++i) {
    const std::uint32_t head = (131072u << 3) | (1u << 1) | (i + 1 == blocks ? 1u : 0u);
    frame.append(reinterpret_cast<const char*>(&head), 3);
    frame += 'x';
  }
  return frame;
}

TEST_F(McapTest, SizesThatAFrameClaimsAreNotBelieved) {
  const auto problem = [](const auto& unpacking) -> std::string {
    try {
      unpacking();
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(unpackZstd(repeated(3 * 131072, 3), 3 * 131072, kChunkAllowance).size(), 3u * 131072);
  const std::string small = repeated(2'900'000'000u, 2);
  EXPECT_NE(
      problem([&] { (void)unpackZstd(small, 2'900'000'000u, kChunkAllowance); }).find("claims to hold 2900000000"),
      std::string::npos);
  EXPECT_NE(problem([&] { (void)unpack(small); }).find("claims to hold 2900000000"), std::string::npos);
  // 92 kB that would really unpack to 3 GB.
  const std::string bomb = repeated(22'888u * 131072u, 22'888);
  EXPECT_NE(problem([&] { (void)unpack(bomb); }).find("are not unpacked"), std::string::npos);
  const std::string chunk = repeated(1'000u * 131072u, 1'000);
  EXPECT_NE(problem([&] { (void)unpackZstd(chunk, 1'000u * 131072u, kChunkAllowance); }).find("are not unpacked"),
            std::string::npos);
}

TEST_F(McapTest, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(path("pipe.mcap").c_str(), 0600), 0);
  EXPECT_THROW(Reader(path("pipe.mcap")), Error);
}

TEST_F(McapTest, RefusesWhatIsNoMcapFile) {
  store(path("x.mcap"), "hello, this is text");
  EXPECT_THROW(Reader(path("x.mcap")), Error);
  EXPECT_THROW(Reader(path("missing.mcap")), Error);
  EXPECT_THROW(Writer(path("no/such/folder.mcap")), Error);
  Writer writer(path("y.mcap"));
  EXPECT_THROW(writer.write({3, 0, 0, 0, "x"}), Error) << "there is no channel 3";
}

TEST_F(McapTest, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_THROW(Writer("/dev/full"), Error);
}

TEST_F(McapTest, PackedBytesComeBack) {
  for (const std::string& bytes : {std::string(), std::string("abc"), std::string(1200000, 'x')})
    EXPECT_EQ(unpack(pack(bytes)), bytes);
  EXPECT_LT(pack(std::string(1200000, 'x')).size(), 1000u);
  EXPECT_THROW(unpack("no packed bytes"), Error);
}

TEST_F(McapTest, EqualInputMakesEqualBytes) { EXPECT_EQ(contents(example()), contents(example())); }

}  // namespace
}  // namespace mortise::mcap
