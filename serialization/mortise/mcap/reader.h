#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mortise/mcap/records.h"

namespace mortise::mcap {

class RecordCursor;

/// Which messages are wanted.
struct Query {
  std::uint64_t start = 0, end = std::numeric_limits<std::uint64_t>::max();  ///< Log times, both inclusive.
  std::vector<std::string> topics;                                           ///< Empty: all.
};

/// Reads an MCAP file by its summary, or, where that is missing because the writer was killed, by a pass over all
/// records, up to the last whole one.
class Reader {
 public:
  /// Throws `Error` for a file that is no MCAP file or cannot be opened; a file that is cut short is not an error, see
  /// `damage`.
  explicit Reader(std::string path);

  const std::string& path() const { return path_; }
  const std::string& profile() const { return profile_; }
  const std::string& library() const { return library_; }
  const std::map<std::uint16_t, Schema>& schemas() const { return schemas_; }
  const std::map<std::uint16_t, Channel>& channels() const { return channels_; }
  const std::vector<AttachmentIndex>& attachments() const { return attachments_; }
  const std::vector<MetadataIndex>& metadata() const { return metadata_; }
  const Statistics& statistics() const { return statistics_; }
  /// Returns what is wrong with the file, as a sentence; empty when it is whole.
  const std::string& damage() const { return damage_; }
  /// nullptr when there is no channel of this topic.
  const Channel* channel(std::string_view topic) const;

  /// Throws `Error` when its checksum is wrong.
  Attachment attachment(const AttachmentIndex& index);
  Metadata metadata(const MetadataIndex& index);
  /// The last attachment of this name, if there is one.
  std::optional<Attachment> attachment(std::string_view name);

  /// Calls `visit` with the messages that are wanted, in the order of the file, until it returns false. A message's
  /// data live until the next one. Throws `Error` for a chunk that is damaged or compressed in a way that is not known.
  void messages(const Query& query, const std::function<bool(const Message&)>& visit);

 private:
  /// Messages that stand together: in a chunk, or alone one after the other.
  struct Region {
    std::uint64_t offset, length, startTime, endTime;
    bool chunk;
    std::vector<std::uint16_t> channels;  ///< Channels of a chunk, when its index says so.
  };
  std::string bytes(std::uint64_t offset, std::uint64_t length);
  bool readSummary();
  void readSummaryRecord(Opcode opcode, RecordCursor& content);
  void scan();
  void scanRecord(Opcode opcode, std::uint64_t offset, std::string_view content);
  void count(const Message& message, Region& region);
  std::string chunkRecords(std::string_view content, std::uint64_t offset) const;
  void scanMessages(std::string_view records, Region& region);

  std::string path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
  std::string profile_, library_, damage_;
  std::map<std::uint16_t, Schema> schemas_;
  std::map<std::uint16_t, Channel> channels_;
  std::vector<AttachmentIndex> attachments_;
  std::vector<MetadataIndex> metadata_;
  std::vector<Region> regions_;
  Statistics statistics_;
};

}  // namespace mortise::mcap
