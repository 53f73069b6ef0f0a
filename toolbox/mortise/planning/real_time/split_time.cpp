#include "mortise/planning/real_time/split_time.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

void SplitTimeOptions::check() const {
  const auto positive = [](double x, const char* what) {
    if (!(x > 0) || !std::isfinite(x)) throw Error(std::string(what) + " must be above 0, not " + formatReal(x));
  };
  positive(initial, "the split time");
  positive(min, "the least split time");
  if (!(max >= min) || !std::isfinite(max))
    throw Error("the greatest split time, " + formatReal(max) + ", is less than the least, " + formatReal(min));
}

double SplitTimeOptions::smallest() const { return kind == Kind::adaptive ? min : initial; }
double SplitTimeOptions::greatest() const { return std::max(initial, max); }

double SplitTime::first() const {
  return options_.kind == SplitTimeOptions::Kind::adaptive ? std::clamp(options_.initial, options_.min, options_.max)
                                                           : options_.initial;
}

void SplitTime::start() { seconds_ = first(); }

void SplitTime::changeTarget() {
  if (options_.kind == SplitTimeOptions::Kind::adaptive) seconds_ = std::min(seconds_, first());
}

void SplitTime::adapt(bool success) {
  if (options_.kind == SplitTimeOptions::Kind::adaptive)
    seconds_ = std::clamp(seconds_ * (success ? 0.5 : 2), options_.min, options_.max);
}

void SplitTime::restore(ByteReader& in) {
  const auto seconds = in.get<double>();
  if (!(seconds > 0 && seconds <= options_.greatest()))
    throw Error("the saved session does not belong to this robot and these settings");
  seconds_ = seconds;
}

}  // namespace mortise
