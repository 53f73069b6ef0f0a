#include "log_file.h"

#include <cerrno>
#include <charconv>
#include <cstring>

#include "mortise/base/error.h"

namespace mortise {

LogFile::LogFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")) {
  if (file_ == nullptr)
    throw Error("cannot write '" + path_ + "': " + std::strerror(errno), {},
                "check that the folder exists and is writable");
}

void LogFile::endLine() {
  line_ += '\n';
  buffer_ += line_;
  line_.clear();
  if (buffer_.size() > 1 << 16) flush();
}

void LogFile::flush() {
  const bool written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) == buffer_.size();
  buffer_.clear();
  if (!written || std::fflush(file_.get()) != 0)
    throw Error("cannot write '" + path_ + "': " + std::strerror(errno), {},
                "free some space; what was written so far is kept");
}

void LogFile::close() {
  if (file_ == nullptr) return;
  flush();
  if (std::fclose(file_.release()) != 0) throw Error("cannot finish '" + path_ + "': " + std::strerror(errno));
}

void appendNumber(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

void CsvFile::cell(std::string_view text) {
  std::string& line = file_.line();
  if (rowStarted_) line += ',';
  rowStarted_ = true;
  if (text.find_first_of(",\"\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void CsvFile::cell(double value) {
  if (rowStarted_) file_.line() += ',';
  rowStarted_ = true;
  appendNumber(file_.line(), value);
}

void CsvFile::endRow() {
  file_.endLine();
  rowStarted_ = false;
}

}  // namespace mortise
