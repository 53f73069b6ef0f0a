#pragma once

#include <string>
#include <string_view>

namespace mortise {

/// Told how far long work is. The terminal bar lives in the application.
class Progress {
 public:
  virtual ~Progress();
  virtual void begin(std::string_view task, double total) = 0;
  virtual void advanceTo(double done) = 0;
  virtual void end() = 0;
};

}  // namespace mortise
