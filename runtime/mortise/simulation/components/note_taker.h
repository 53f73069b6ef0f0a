#pragma once

#include <string>

#include "mortise/base/log.h"

namespace mortise {

/// What a `Recorder` is besides that wants to know what happens in a run apart from motion: steps that are not normal,
/// faults.
class NoteTaker {
 public:
  virtual ~NoteTaker() = default;
  virtual void note(double time, LogLevel level, const std::string& text) = 0;
};

}  // namespace mortise
