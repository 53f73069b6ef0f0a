#include "mortise/text/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace mortise {

namespace {

/// Characters, not bytes: continuation bytes of UTF-8 take no column.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<std::string> titles) : titles_(std::move(titles)), left_(titles_.size(), false) {
  if (!left_.empty()) left_[0] = true;
}

TextTable& TextTable::leftAligned(std::size_t column) {
  left_.at(column) = true;
  return *this;
}

void TextTable::row(std::vector<std::string> cells) {
  cells.resize(titles_.size());
  rows_.push_back(std::move(cells));
}

void TextTable::separator() { rows_.emplace_back(); }

std::string TextTable::text(int indent, int gap) const {
  std::vector<std::size_t> widths;
  for (const std::string& title : titles_) widths.push_back(widthOf(title));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  const std::string start(static_cast<std::size_t>(indent), ' ');
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = start;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i) text.append(static_cast<std::size_t>(gap), ' ');
      const std::string pad(widths[i] - widthOf(cells[i]), ' ');
      text += left_[i] ? cells[i] + pad : pad + cells[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width;
  if (!widths.empty()) total += static_cast<std::size_t>(gap) * (widths.size() - 1);
  const std::string rule = start + std::string(total, '-') + "\n";
  std::string out = line(titles_) + rule;
  for (const auto& row : rows_) out += row.empty() ? rule : line(row);
  return out;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string out, line(indent, ' ');
  bool empty = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (!empty && line.size() + 1 + (end - at) > width) {
      out += line + "\n";
      line.assign(indent + 2, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + text.substr(at, end - at);
    empty = false;
    at = end + 1;
  }
  return out + line + "\n";
}

std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

std::string fixedPoint(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  std::string text = buffer;
  // "-0.0000" says no more than "0.0000".
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text.size() > 24 ? significant(value, digits + 1) : text;
}

}  // namespace mortise
