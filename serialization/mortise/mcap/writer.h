#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "mortise/mcap/records.h"

namespace mortise::mcap {

struct WriterOptions {
  std::string profile;
  std::string library = "mortise";
  std::string compression = "zstd";     ///< Compression of chunks: "zstd", or "" for none.
  int compressionLevel = 3;             ///< Level of zstd.
  std::size_t chunkSize = 1024 * 1024;  ///< Bytes of messages after which a chunk is written.
  bool chunks = true;                   ///< False: messages stand alone, without index.
  bool messageIndex = true, chunkIndex = true, attachmentIndex = true, metadataIndex = true;
  std::uint16_t firstChannel = 0;  ///< Number of the first channel.
  bool statistics = true, summaryOffsets = true, repeatSchemas = true, repeatChannels = true;
};

/// Writes an MCAP file from start to end. A chunk is in the file, not in a buffer, as soon as it is full, so that what
/// a killed program leaves can be read up to its last whole chunk.
///
/// Every failure of the file system is an `Error` with the system's reason; the chunks that were written stay.
class Writer {
 public:
  explicit Writer(std::string path, WriterOptions options = {});
  /// Leaves the file without its end where `close` was not called, as a killed program would.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Numbers of schemas begin with 1, those of channels with `firstChannel`. They are written with the first message
  /// that needs them. Messages of channels of different groups never share a chunk: who reads one group's channels by
  /// the index decompresses nothing of the others.
  std::uint16_t addSchema(std::string name, std::string encoding, std::string data);
  std::uint16_t addChannel(std::uint16_t schemaId, std::string topic, std::string messageEncoding,
                           StringMap metadata = {}, int group = 0);
  void write(const Message& message);
  void attach(const Attachment& attachment);
  void addMetadata(const Metadata& metadata);
  /// Ends the chunk that is being filled.
  void flush();
  /// Writes summary and footer, and closes the file.
  void close();

  const Statistics& statistics() const { return statistics_; }
  const std::string& path() const { return path_; }

 private:
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  /// The chunk of a group that is being filled.
  struct OpenChunk {
    std::string bytes;
    std::uint64_t start = 0, end = 0, messages = 0;
    std::map<std::uint16_t, std::string> indexes;  ///< Index of each channel: times and offsets.
  };
  void put(std::string_view bytes, bool data = true);
  void require(std::uint16_t channelId, std::string& buffer);
  void writeChunk(OpenChunk& chunk);
  void writeSummary();

  std::string path_;
  WriterOptions options_;
  std::unique_ptr<std::FILE, FileCloser> file_;
  std::uint64_t position_ = 0;
  std::uint32_t dataCrc_ = 0, summaryCrc_ = 0;
  std::map<std::uint16_t, Schema> schemas_;
  std::map<std::uint16_t, Channel> channels_;
  std::map<std::uint16_t, int> groups_;                     ///< By channel.
  std::set<std::pair<int, std::uint16_t>> schemasWritten_;  ///< Group and schema: a group's chunks stand alone.
  std::map<std::uint16_t, bool> channelWritten_;
  std::map<int, OpenChunk> chunks_;  ///< By group.
  std::string compressed_, record_;
  std::vector<ChunkIndex> chunkIndexes_;
  std::vector<AttachmentIndex> attachmentIndexes_;
  std::vector<MetadataIndex> metadataIndexes_;
  Statistics statistics_;
};

}  // namespace mortise::mcap
