#include "mortise/logs/log_info.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_reader.h"

namespace mortise::logs {

std::string endingEntry(mcap::Reader& reader, std::string_view key) {
  for (auto index = reader.metadata().rbegin(); index != reader.metadata().rend(); ++index) {
    if (index->name != "mortise.run") continue;
    for (const auto& [name, value] : reader.metadata(*index).entries)
      if (name == key) return value;
  }
  return {};
}

bool isSeries(const mcap::Reader& reader, const mcap::Channel& channel) {
  const auto schema = reader.schemas().find(channel.schemaId);
  return schema != reader.schemas().end() && schema->second.name == "mortise.Series";
}

std::vector<std::string> seriesColumns(const mcap::Reader& reader, const mcap::Channel& channel) {
  for (const auto& [key, value] : channel.metadata)
    if (key == "columns") return JsonReader(value).value().asStrings();
  throw Error("the channel '" + channel.topic + "' does not name its columns", inFile(reader.path()));
}

Value logInfo(mcap::Reader& reader) {
  const mcap::Statistics& statistics = reader.statistics();
  Value info = Value::map(), channels = Value::list(), attachments = Value::list();
  const bool any = statistics.messageCount > 0;
  info.set("start", any ? Value(1e-9 * static_cast<double>(statistics.startTime)) : Value());
  info.set("end", any ? Value(1e-9 * static_cast<double>(statistics.endTime)) : Value());
  for (const auto& [id, channel] : reader.channels()) {
    Value item = Value::map();
    item.set("topic", channel.topic);
    const auto count = statistics.channelMessages.find(id);
    item.set("messages", static_cast<std::int64_t>(count == statistics.channelMessages.end() ? 0 : count->second));
    const auto schema = reader.schemas().find(channel.schemaId);
    item.set("type", schema == reader.schemas().end() ? Value() : Value(schema->second.name));
    item.set("encoding", channel.messageEncoding);
    channels.push_back(std::move(item));
  }
  for (const mcap::AttachmentIndex& index : reader.attachments()) {
    Value item = Value::map();
    item.set("name", index.name);
    item.set("media_type", index.mediaType);
    item.set("size", static_cast<std::int64_t>(index.dataSize));
    attachments.push_back(std::move(item));
  }
  info.set("channels", std::move(channels));
  info.set("attachments", std::move(attachments));
  info.set("messages", static_cast<std::int64_t>(statistics.messageCount));
  info.set("chunks", static_cast<std::int64_t>(statistics.chunkCount));
  info.set("library", reader.library());
  info.set("damage", reader.damage().empty() ? Value() : Value(reader.damage()));
  const std::string hash = endingEntry(reader, "state_hash"), status = endingEntry(reader, "status"),
                    ticks = endingEntry(reader, "tick");
  info.set("state_hash", hash.empty() ? Value() : Value(hash));
  info.set("status", status.empty() ? Value() : Value(status));
  info.set("ticks", ticks.empty() ? Value() : Value::fromText(ticks));
  return info;
}

std::string logInfoText(const Value& info) {
  std::ostringstream out;
  if (info.at("start").isNull())
    out << "no messages";
  else
    out << "from t = " << formatReal(info.at("start").asReal(), 9) << " s to " << formatReal(info.at("end").asReal(), 9)
        << " s, " << info.integer("messages", 0) << " messages in " << info.integer("chunks", 0) << " chunks";
  out << "\n";
  std::size_t width = 20;
  for (const Value& channel : info.at("channels").items()) width = std::max(width, channel.string("topic", "").size());
  for (const Value& channel : info.at("channels").items())
    out << "  " << std::left << std::setw(static_cast<int>(width)) << channel.string("topic", "") << std::right
        << std::setw(8) << channel.integer("messages", 0) << "  "
        << (channel.at("type").isNull() ? channel.string("encoding", "") : channel.string("type", "")) << "\n";
  for (const Value& attachment : info.at("attachments").items())
    out << "  " << std::left << std::setw(static_cast<int>(width)) << attachment.string("name", "") << std::right
        << std::setw(8) << attachment.integer("size", 0) << "  bytes, " << attachment.string("media_type", "") << "\n";
  if (!info.at("state_hash").isNull())
    out << "  status " << info.string("status", "") << " after " << info.integer("ticks", 0) << " ticks, state hash "
        << info.string("state_hash", "") << "\n";
  if (!info.at("damage").isNull()) out << "  the file " << info.string("damage", "") << "\n";
  return out.str();
}

}  // namespace mortise::logs
