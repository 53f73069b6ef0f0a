#include "mortise/logs/log_export.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/logs/log_info.h"
#include "mortise/logs/log_selection.h"
#include "mortise/logs/log_states.h"
#include "mortise/logs/log_time.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/reader.h"
#include "mortise/protobuf/wire_format.h"
#include "mortise/text/suggest.h"

namespace mortise::logs {

namespace {

namespace fs = std::filesystem;

void writeBytes(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes << std::flush;
  if (!out) throw Error("cannot be written", inFile(path.string()), "check the folder and the space on its disk");
}

/// Fields with commas or quotes as RFC 4180 says.
std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void appendFloat(std::string& text, float value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, result.ptr);
}

/// A file in the folder; throws for names that lead out of it, and makes the folders on the way.
fs::path inside(const fs::path& folder, const std::string& name) {
  const fs::path relative = fs::path(name).relative_path().lexically_normal();
  if (relative.empty() || *relative.begin() == "..")
    throw Error("the log has something named '" + name + "', which leads out of the folder", {},
                "export topics or attachments by their names");
  fs::create_directories((folder / relative).parent_path());
  return folder / relative;
}

class SeriesFile {
 public:
  SeriesFile(const fs::path& path, const std::vector<std::string>& columns) : path_(path), out_(path) {
    std::string head = "time,tick";
    for (const std::string& column : columns) head += "," + csvField(column);
    out_ << head << "\n";
  }
  void add(const SeriesBlock& block, const LogExportOptions& options) {
    std::string rows;
    for (std::size_t i = 0; i < block.samples(); ++i) {
      if (block.times()[i] < options.start - 5e-10 || block.times()[i] > options.end + 5e-10) continue;
      rows += formatReal(block.times()[i]) + "," + std::to_string(block.ticks()[i]);
      for (const float value : block.sample(i)) {
        rows += ",";
        appendFloat(rows, value);
      }
      rows += "\n";
    }
    out_ << rows;
  }
  void close() {
    out_.flush();
    if (!out_) throw Error("cannot be written", inFile(path_.string()), "check the space on its disk");
  }

 private:
  fs::path path_;
  std::ofstream out_;
};

std::vector<std::string> attachmentNames(const mcap::Reader& reader) {
  std::vector<std::string> names;
  for (const mcap::AttachmentIndex& index : reader.attachments()) names.push_back(index.name);
  return names;
}

}  // namespace

std::vector<std::string> exportLog(const std::string& log, const std::string& folder, const LogExportOptions& options) {
  mcap::Reader reader(log);
  checkSelection(reader, options.topics, options.start, options.end);
  std::error_code code;
  fs::create_directories(folder, code);
  if (!fs::is_directory(folder))
    throw Error("the folder cannot be made: " + code.message(), inFile(folder), "choose another one");
  std::vector<std::string> files;
  std::map<std::uint16_t, SeriesFile> series;
  std::map<std::uint16_t, std::string> images;
  for (const auto& [id, channel] : reader.channels()) {
    if (!options.topics.empty() &&
        std::find(options.topics.begin(), options.topics.end(), channel.topic) == options.topics.end())
      continue;
    const auto schema = reader.schemas().find(channel.schemaId);
    if (isSeries(reader, channel)) {
      const fs::path path = inside(folder, channel.topic + ".csv");
      series.try_emplace(id, path, seriesColumns(reader, channel));
      files.push_back(path.string());
    } else if (schema != reader.schemas().end() && schema->second.name == "foxglove.CompressedImage") {
      images[id] = channel.topic;
    } else if (!options.topics.empty()) {
      throw Error("topic '" + channel.topic + "' holds " +
                      (schema == reader.schemas().end() ? "messages without schema" : schema->second.name) +
                      ", which is not exported",
                  inFile(log), "series of numbers and images are");
    }
  }
  mcap::Query query;
  query.start = nanoseconds(options.start);
  reader.messages(query, [&](const mcap::Message& message) {
    if (const auto file = series.find(message.channelId); file != series.end()) {
      file->second.add(SeriesBlock::decode(message.data), options);
    } else if (const auto image = images.find(message.channelId);
               image != images.end() && 1e-9 * static_cast<double>(message.logTime) <= options.end + 5e-10) {
      protobuf::Reader fields(message.data);
      for (protobuf::Field field; fields.next(field);)
        if (field.number == 2) {
          std::string number = std::to_string(message.sequence);
          number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
          const fs::path path = inside(folder, image->second + "/" + number + ".png");
          writeBytes(path, field.bytes);
          files.push_back(path.string());
        }
    }
    return true;
  });
  for (auto& [id, file] : series) file.close();
  if (options.attachments)
    for (const mcap::AttachmentIndex& index : reader.attachments()) {
      const fs::path path = inside(folder, index.name);
      writeBytes(path, attachmentContent(reader.attachment(index)));
      files.push_back(path.string());
    }
  return files;
}

void exportAttachment(const std::string& log, const std::string& name, const std::string& file) {
  mcap::Reader reader(log);
  const auto attachment = reader.attachment(name);
  if (!attachment) {
    const std::vector<std::string> names = attachmentNames(reader);
    const std::string near = didYouMean(name, names);
    throw Error("there is no attachment '" + name + "'", inFile(log),
                names.empty() ? "there are none" : (near.empty() ? "" : near + " ") + listNames(names));
  }
  writeBytes(file, attachmentContent(*attachment));
}

}  // namespace mortise::logs
