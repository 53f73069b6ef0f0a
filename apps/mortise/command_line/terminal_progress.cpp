#include "command_line/terminal_progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include "mortise/text/printable.h"

namespace mortise::app {

namespace {

constexpr int kCallsBetweenClocks = 16;
constexpr auto kRedrawInterval = std::chrono::milliseconds(100);

int terminalWidth() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

TerminalProgress::TerminalProgress(bool wanted) : active_(wanted && isatty(STDERR_FILENO)) {
  const char* noColor = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  color_ = !(noColor != nullptr && *noColor != 0);
  if (terminal == nullptr || std::string_view(terminal) == "dumb") active_ = false;
}

TerminalProgress::~TerminalProgress() { clear(); }

void TerminalProgress::begin(std::string_view task, double total) {
  task_ = printable(task);
  total_ = total;
  countdown_ = 0;
  started_ = std::chrono::steady_clock::now();
  last_ = checked_ = started_;
}

void TerminalProgress::advanceTo(double done) {
  if (!active_ || --countdown_ > 0) return;
  const auto now = std::chrono::steady_clock::now();
  // Callers that call seldom do not wait for the bar.
  countdown_ = now - checked_ >= kRedrawInterval / 2 ? 1 : kCallsBetweenClocks;
  checked_ = now;
  if (now - last_ < kRedrawInterval) return;
  last_ = now;
  draw(done);
}

void TerminalProgress::end() { clear(); }

void TerminalProgress::draw(double done) {
  const double fraction = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0;
  const double elapsed = std::chrono::duration<double>(last_ - started_).count();
  char tail[64];
  if (fraction > 0.01)
    std::snprintf(tail, sizeof tail, " %3.0f %%  %.0f s left", 100 * fraction, elapsed * (1 - fraction) / fraction);
  else
    std::snprintf(tail, sizeof tail, " %3.0f %%", 100 * fraction);
  const int width = std::min(terminalWidth() - 1, 100);
  const int room = width - static_cast<int>(task_.size()) - 20 - 3;
  std::string line = "\r\033[K" + task_.substr(0, static_cast<std::size_t>(std::max(0, width - 24)));
  if (room >= 8) {
    const auto filled = static_cast<std::size_t>(std::lround(fraction * room));
    line += " [";
    if (color_) line += "\033[32m";
    line += std::string(filled, '=');
    if (color_) line += "\033[0m";
    line += std::string(static_cast<std::size_t>(room) - filled, ' ') + "]";
  }
  line += tail;
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void TerminalProgress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace mortise::app
