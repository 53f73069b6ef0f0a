#pragma once

#include <chrono>
#include <string>

#include "mortise/base/progress.h"

namespace mortise::app {

/// A bar on stderr, drawn over itself at most ten times a second. Draws nothing unless stderr is a terminal and
/// `wanted`. NO_COLOR leaves out colors.
class TerminalProgress final : public Progress {
 public:
  explicit TerminalProgress(bool wanted);
  ~TerminalProgress() override;
  void begin(std::string_view task, double total) override;
  void advanceTo(double done) override;
  void end() override;

 private:
  void draw(double done);
  void clear();

  bool active_;
  bool color_;
  bool drawn_ = false;
  std::string task_;
  double total_ = 0;
  int countdown_ = 0;  ///< Calls until the clock is read again: reading it every step would cost more than a step.
  std::chrono::steady_clock::time_point started_, last_, checked_;
};

}  // namespace mortise::app
