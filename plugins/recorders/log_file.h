#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace mortise::recorders {

/// A text file that is written line by line, through a buffer; every failure to write is an `Error` with the system's
/// reason, and the whole lines that were written before it stay.
class LogFile {
 public:
  explicit LogFile(std::string path);
  /// Text of the line that is being made.
  std::string& line() { return line_; }
  void endLine();
  /// After the lines of a tick: what a killed program leaves ends at most a simulated second before its last tick.
  void endTick(double time);
  void close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void flush();
  void dropTornLine(std::size_t written);

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string line_, buffer_;
  std::int64_t full_ = 0;  ///< Bytes in the file, which end with a line.
  double kept_ = 0;        ///< Time up to which ticks are in the file, s.
};

/// Appends the shortest text that reads back to the same number; "inf", "nan".
void appendNumber(std::string& text, double value);

/// Comma-separated values.
class CsvFile {
 public:
  explicit CsvFile(std::string path) : file_(std::move(path)) {}
  void cell(std::string_view text);
  void cell(double value);
  void endRow();
  void endTick(double time) { file_.endTick(time); }
  void close() { file_.close(); }

 private:
  LogFile file_;
  bool rowStarted_ = false;
};

}  // namespace mortise::recorders
