#include "mortise/logs/log_copy.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/logs/foxglove_schemas.h"
#include "mortise/logs/log_info.h"
#include "mortise/logs/log_selection.h"
#include "mortise/logs/log_time.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/reader.h"
#include "mortise/mcap/writer.h"

namespace mortise::logs {

namespace {

class LogCopy {
 public:
  LogCopy(const std::string& output, const LogCopyOptions& options) : options_(options), writer_(output) {}

  void add(mcap::Reader& reader, LogCopyResult& result) {
    offset_ = 0;
    const mcap::Statistics& statistics = reader.statistics();
    if (any_ && statistics.messageCount > 0 && statistics.startTime < last_) {
      if (!options_.shift)
        throw Error("begins at t = " + formatReal(1e-9 * static_cast<double>(statistics.startTime)) +
                        " s, before the log in front of it ends (" + formatReal(1e-9 * static_cast<double>(last_)) +
                        " s)",
                    inFile(reader.path()), "cut one of them, or use --shift to move it behind");
      offset_ = last_ - statistics.startTime;
      shifted_ = true;
    }
    std::map<std::uint16_t, bool> series, once;
    for (const auto& [id, channel] : reader.channels()) {
      series[id] = isSeries(reader, channel);
      const auto count = statistics.channelMessages.find(id);
      once[id] = !series[id] && count != statistics.channelMessages.end() && count->second == 1;
    }
    copyAttachments(reader);
    // A block of samples may begin within the times and carry a time behind them; what is said once for the whole log,
    // such as its scene, belongs into every part.
    const std::uint64_t start = nanoseconds(options_.start);
    const double end = options_.end;
    mcap::Query query;
    query.topics = options_.topics;
    reader.messages(query, [&](const mcap::Message& message) {
      mcap::Message copy = message;
      copy.logTime += offset_;
      copy.publishTime += offset_;
      if (series[message.channelId]) {
        if (!trimmed(message.data, copy)) return true;
      } else if (once[message.channelId]) {
        if (sequenceOf(reader, message.channelId) > 0) return true;  // A log in front of this one has said it.
        copy.logTime = copy.publishTime = std::max(copy.logTime, start);
      } else if (copy.logTime < start || 1e-9 * static_cast<double>(copy.logTime) > end) {
        return true;
      }
      copy.channelId = channelFor(reader, reader.channels().at(message.channelId));
      copy.sequence = sequence_[copy.channelId]++;
      writer_.write(copy);
      last_ = std::max(last_, copy.logTime);
      any_ = true;
      return true;
    });
    copyMetadata(reader);
    if (!reader.damage().empty()) result.notices.push_back(reader.path() + " " + reader.damage());
  }

  void close(LogCopyResult& result) {
    // No simulation makes what was moved in time again.
    for (const mcap::Metadata& entry : metadata_)
      if (!shifted_ || entry.name != "mortise.origin") writer_.addMetadata(entry);
    writer_.close();
    result.messages = writer_.statistics().messageCount;
    result.start = 1e-9 * static_cast<double>(writer_.statistics().startTime);
    result.end = 1e-9 * static_cast<double>(writer_.statistics().endTime);
  }

 private:
  /// Returns the number of messages of this topic that were written.
  std::uint32_t sequenceOf(const mcap::Reader& reader, std::uint16_t id) {
    const auto known = channels_.find(reader.channels().at(id).topic);
    return known == channels_.end() ? 0 : sequence_[known->second.id];
  }

  /// The samples within the times; false when there are none.
  bool trimmed(std::string_view data, mcap::Message& copy) {
    const SeriesBlock block = SeriesBlock::decode(data);
    const double shift = 1e-9 * static_cast<double>(offset_);
    SeriesBlock kept(block.columns());
    for (std::size_t i = 0; i < block.samples(); ++i) {
      const double time = block.times()[i] + shift;
      if (time < options_.start - 5e-10 || time > options_.end + 5e-10) continue;
      std::copy(block.sample(i).begin(), block.sample(i).end(), kept.append(block.ticks()[i], time).begin());
    }
    if (kept.samples() == 0) return false;
    buffer_.clear();
    kept.encodePacked(buffer_);
    copy.data = buffer_;
    copy.logTime = copy.publishTime = nanoseconds(kept.times().back());
    return true;
  }

  /// The channel of the result, made when it is new.
  std::uint16_t channelFor(const mcap::Reader& reader, const mcap::Channel& channel) {
    mcap::Schema schema;
    if (const auto found = reader.schemas().find(channel.schemaId); found != reader.schemas().end())
      schema = found->second;
    // Series are written anew, so older ones, whose schema has less, join later ones.
    if (isSeries(reader, channel)) schema.data = schemaOf(schema.name);
    if (const auto known = channels_.find(channel.topic); known != channels_.end()) {
      if (known->second.schema != schema.name + "\n" + schema.data || known->second.metadata != channel.metadata)
        throw Error("the channel '" + channel.topic + "' holds something else than in the log in front of it",
                    inFile(reader.path()), "join logs of the same world, or name the topics that are wanted");
      return known->second.id;
    }
    std::uint16_t schemaId = 0;
    const std::string key = schema.name + "\n" + schema.data;
    if (channel.schemaId != 0) {
      const auto [entry, isNew] = schemas_.try_emplace(key, 0);
      if (isNew) entry->second = writer_.addSchema(schema.name, schema.encoding, schema.data);
      schemaId = entry->second;
    }
    const std::uint16_t id = writer_.addChannel(schemaId, channel.topic, channel.messageEncoding, channel.metadata,
                                                isSeries(reader, channel) ? 0 : 1);
    channels_[channel.topic] = {id, key, channel.metadata};
    return id;
  }

  void copyAttachments(mcap::Reader& reader) {
    for (const mcap::AttachmentIndex& index : reader.attachments()) {
      mcap::Attachment attachment = reader.attachment(index);
      const bool ofAnInstant = attachment.name.starts_with("states/");
      const double time = 1e-9 * static_cast<double>(attachment.logTime + offset_);
      if (ofAnInstant && (time < options_.start || time > options_.end)) continue;
      if (std::string& known = attachments_[attachment.name]; known == attachment.data && !known.empty())
        continue;
      else
        known = attachment.data;
      if (ofAnInstant) attachment.logTime += offset_;
      writer_.attach(attachment);
    }
  }

  void copyMetadata(mcap::Reader& reader) {
    // The end of a run that is cut off says nothing about what is left.
    if (1e-9 * static_cast<double>(reader.statistics().endTime) > options_.end) return;
    for (const mcap::MetadataIndex& index : reader.metadata()) metadata_.push_back(reader.metadata(index));
  }

  struct KnownChannel {
    std::uint16_t id;
    std::string schema;
    mcap::StringMap metadata;
  };
  LogCopyOptions options_;
  mcap::Writer writer_;
  std::map<std::string, KnownChannel> channels_;
  std::map<std::string, std::uint16_t> schemas_;
  std::map<std::uint16_t, std::uint32_t> sequence_;
  std::map<std::string, std::string> attachments_;
  std::uint64_t last_ = 0, offset_ = 0;
  bool any_ = false, shifted_ = false;
  std::vector<mcap::Metadata> metadata_;
  std::string buffer_;
};

}  // namespace

LogCopyResult copyLogs(const std::vector<std::string>& logs, const std::string& output, const LogCopyOptions& options) {
  namespace fs = std::filesystem;
  for (const std::string& log : logs) {
    std::error_code code;
    if (fs::equivalent(log, output, code))
      throw Error("is one of the logs that are read", inFile(output), "name another file for the result");
  }
  std::vector<std::unique_ptr<mcap::Reader>> readers;
  for (const std::string& log : logs) {
    readers.push_back(std::make_unique<mcap::Reader>(log));
    checkSelection(*readers.back(), options.topics, options.start, options.end);
  }
  // What fails leaves no half of a log, and what was there before as it was. Devices and pipes are written as they are.
  std::error_code code;
  const bool replaces = !fs::exists(output, code) || fs::is_regular_file(output, code);
  const std::string written = replaces ? output + ".unfinished" : output;
  LogCopyResult result;
  try {
    LogCopy copy(written, options);
    for (const auto& reader : readers) copy.add(*reader, result);
    copy.close(result);
    if (replaces) fs::rename(written, output);
  } catch (...) {
    if (replaces) fs::remove(written, code);
    throw;
  }
  return result;
}

}  // namespace mortise::logs
