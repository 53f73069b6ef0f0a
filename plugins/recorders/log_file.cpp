#include "log_file.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mortise/base/error.h"

namespace mortise::recorders {

LogFile::LogFile(std::string path) : path_(std::move(path)) {
  // Not emptied before it is known that nobody else writes it.
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    throw Error("cannot write '" + path_ + "': " + std::strerror(errno), {},
                "check that the folder exists and is writable");
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      throw Error("'" + path_ + "' is being written by another log, of this run or of another one", {},
                  "give each log a file of its own");
    }
    if (::ftruncate(file, 0) != 0) {
      const std::string reason = std::strerror(errno);
      ::close(file);
      throw Error("cannot write '" + path_ + "': " + reason);
    }
  }
  file_.reset(::fdopen(file, "w"));
  // The buffer here is enough; with a second one nobody could tell how much of a line reached the file.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

void LogFile::endLine() {
  line_ += '\n';
  buffer_ += line_;
  line_.clear();
  if (buffer_.size() > 1 << 16) flush();
}

void LogFile::endTick(double time) {
  if (std::abs(time - kept_) < 1) return;  // A restored simulation also goes back in time.
  kept_ = time;
  if (!buffer_.empty()) flush();
}

void LogFile::flush() {
  const std::size_t written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get());
  if (written != buffer_.size()) {
    const std::string reason = std::strerror(errno);
    dropTornLine(written);
    throw Error("cannot write '" + path_ + "': " + reason, {}, "free some space; the lines written so far are kept");
  }
  full_ += static_cast<std::int64_t>(written);
  buffer_.clear();
}

/// After a part of the buffer was written: a reader of the file finds whole lines only. Terminals and pipes cannot take
/// anything back.
void LogFile::dropTornLine(std::size_t written) {
  const std::size_t lines = written == 0 ? 0 : buffer_.rfind('\n', written - 1) + 1;  // npos + 1 is 0.
  buffer_.clear();
  struct stat status = {};
  if (fstat(fileno(file_.get()), &status) != 0 || !S_ISREG(status.st_mode)) return;
  full_ += static_cast<std::int64_t>(lines);
  if (ftruncate(fileno(file_.get()), full_) == 0) std::fseek(file_.get(), static_cast<long>(full_), SEEK_SET);
  std::clearerr(file_.get());
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

}  // namespace mortise::recorders
