#include "mortise/logs/log_tables.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/logs/log_info.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/reader.h"

namespace mortise::logs {

namespace {

/// Fields of a CSV text, record by record.
class CsvReader {
 public:
  CsvReader(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  int line() const { return line_; }

  /// False at the end of the file. Lines with nothing in them are passed over.
  bool next(std::vector<std::string>& fields) {
    fields.clear();
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) endLine();
    if (at_ >= text_.size()) return false;
    line_ = nextLine_;
    for (;;) {
      fields.push_back(field());
      if (at_ >= text_.size()) return true;
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      endLine();
      return true;
    }
  }

 private:
  void endLine() {
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    ++at_;
    ++nextLine_;
  }

  std::string field() {
    if (at_ >= text_.size() || text_[at_] != '"') {
      const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
      std::string plain = text_.substr(at_, end - at_);
      at_ = end;
      return plain;
    }
    std::string quoted;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
          ++at_;
          return quoted;
        }
        ++at_;
      }
      if (text_[at_] == '\n') ++nextLine_;
      quoted += text_[at_];
    }
    SourcePosition where = inFile(file_);
    where.line = line_;
    throw Error("a quoted field does not end", where, "the file may be cut off");
  }

  std::string text_, file_;
  std::size_t at_ = 0;
  int line_ = 1, nextLine_ = 1;
};

bool readNumber(std::string_view text, double& number) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty()) {
    number = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (text.front() == '+') text.remove_prefix(1);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

LogTable readCsvTable(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("the file cannot be read", inFile(file), "check its name");
  CsvReader reader({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, file);
  std::vector<std::string> fields;
  LogTable table;
  if (!reader.next(fields))
    throw Error("the file is empty", inFile(file), "a log begins with the names of its columns");
  for (const std::string& name : fields) table.columns.push_back({name, {}, {}});
  while (reader.next(fields)) {
    if (fields.size() != table.columns.size()) {
      SourcePosition where = inFile(file);
      where.line = reader.line();
      throw Error("the row has " + std::to_string(fields.size()) + " fields, and the first line names " +
                      std::to_string(table.columns.size()),
                  where, "the file may be cut off here; remove the row");
    }
    for (std::size_t i = 0; i < fields.size(); ++i) table.columns[i].texts.push_back(std::move(fields[i]));
  }
  for (LogColumn& column : table.columns) {
    for (const std::string& text : column.texts) {
      double number = 0;
      if (!readNumber(text, number)) break;
      column.numbers.push_back(number);
    }
    if (column.numbers.size() == column.texts.size())
      column.texts.clear();
    else
      column.numbers.clear();
  }
  return table;
}

std::vector<LogTable> readLogTables(const std::string& file) {
  mcap::Reader reader(file);
  std::vector<LogTable> tables;
  std::map<std::uint16_t, std::size_t> places;
  for (const auto& [id, channel] : reader.channels()) {
    if (!isSeries(reader, channel)) continue;
    places[id] = tables.size();
    LogTable table;
    table.topic = channel.topic;
    table.columns.push_back({"time", {}, {}});
    table.columns.push_back({"tick", {}, {}});
    for (const std::string& name : seriesColumns(reader, channel)) table.columns.push_back({name, {}, {}});
    tables.push_back(std::move(table));
  }
  reader.messages({}, [&](const mcap::Message& message) {
    const auto place = places.find(message.channelId);
    if (place == places.end()) return true;
    const SeriesBlock block = SeriesBlock::decode(message.data);
    std::vector<LogColumn>& columns = tables[place->second].columns;
    if (columns.size() != block.columns() + 2)
      throw Error("a message of '" + tables[place->second].topic + "' has " + std::to_string(block.columns()) +
                      " columns, and the log names " + std::to_string(columns.size() - 2),
                  inFile(file));
    for (std::size_t i = 0; i < block.samples(); ++i) {
      columns[0].numbers.push_back(block.times()[i]);
      columns[1].numbers.push_back(static_cast<double>(block.ticks()[i]));
      for (std::size_t k = 0; k < block.columns(); ++k) columns[k + 2].numbers.push_back(block.value(i, k));
    }
    return true;
  });
  return tables;
}

}  // namespace mortise::logs
