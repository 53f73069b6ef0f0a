#include "mortise/simulation/actuation/drive_limits.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Nearer to a speed limit than this fraction of it, lines do not get steeper.
constexpr double kNearest = 1e-4;

const std::vector<std::string> kWords = {"torque", "velocity", "power", "all", "none"};

/// Limits in the direction of the commanded torque.
struct Direction {
  double asked, slope, rate;
  double effort;  ///< The drive's own limit.
  double wall;    ///< Velocity limit.
  double power;
  double motor, motorSlope;
};

double lineZero(double rate, double effort, double slope) {
  return effort <= 0 ? rate : slope > 0 ? rate + effort / slope : kInf;
}

/// Says whether min(top, asked - slope (v - rate)) keeps all limits at every v from the rate on.
bool keeps(const Direction& d, double top) {
  const double zero = lineZero(d.rate, d.asked, d.slope);
  if (d.rate >= d.wall || zero > d.wall) return false;
  // Where the line leaves the top.
  const double kink = d.asked > top ? (d.slope > 0 ? d.rate + (d.asked - top) / d.slope : kInf) : d.rate;
  const double lowest = std::min(d.asked, top);
  if (d.motor < kInf && d.motorSlope > 0) {
    if (zero > lineZero(d.rate, d.motor, d.motorSlope)) return false;
    if (d.motor - d.motorSlope * (kink - d.rate) < lowest) return false;
  }
  if (d.power < kInf) {
    if (d.slope <= 0) return lowest <= 0;
    const double v = std::max(kink, 0.5 * zero);  // Where the power is largest.
    if (v > 0 && v * (d.asked - d.slope * (v - d.rate)) > d.power) return false;
  }
  return true;
}

}  // namespace

LimitedDrive limitDrive(double asked, double slope, double rate, const DriveLimits& limits) {
  LimitedDrive law;
  const double atPower = limits.power < kInf && rate != 0 ? limits.power / std::abs(rate) : kInf;
  const double high = std::max(0.0, std::min({limits.maxEffort, limits.motorMax, atPower}));
  const double low = std::min(0.0, std::max({limits.minEffort, limits.motorMin, -atPower}));
  law.effort = std::clamp(asked, low, high);
  law.slope = slope;
  law.minEffort = low;
  law.maxEffort = high;
  if (asked == 0) return law;

  const double sign = asked > 0 ? 1 : -1;
  const Direction d = asked > 0 ? Direction{asked,
                                            slope,
                                            rate,
                                            limits.maxEffort,
                                            limits.maxVelocity,
                                            limits.power,
                                            limits.motorMax,
                                            limits.motorMaxSlope}
                                : Direction{-asked,
                                            slope,
                                            -rate,
                                            -limits.minEffort,
                                            -limits.minVelocity,
                                            limits.power,
                                            -limits.motorMin,
                                            limits.motorMinSlope};
  const double top = asked > 0 ? high : -low;
  if (keeps(d, top)) return law;

  law.limited = true;
  const double effort = std::min(d.asked, top);
  double steepest = 0;  // Of the lines from the effort now to what must not be passed.
  double at = effort;   // The line's value now.
  if (effort > 0) {
    steepest = effort / (lineZero(d.rate, d.asked, d.slope) - d.rate);
    if (d.motor < kInf && d.motorSlope > 0)
      steepest = std::max(steepest, effort / (lineZero(d.rate, d.motor, d.motorSlope) - d.rate));
    if (d.power < kInf) {
      const double touches =
          (d.power + std::sqrt(std::max(0.0, d.power * d.power - effort * d.power * d.rate))) / effort;
      steepest = std::max(steepest, d.power / (touches * touches));
    }
    if (d.wall < kInf) {
      const double nearest = std::max(kNearest * std::abs(d.wall), 1e-12);
      const double gap = d.wall - d.rate;
      const double line = effort / std::max(gap, nearest);
      // With nothing but the wall ahead all of the effort may last halfway.
      const bool alone = d.motor == kInf && d.power == kInf && d.asked - 0.5 * d.slope * gap >= effort;
      if (gap < nearest) {
        steepest = std::max(steepest, line);
        at = steepest * gap;
      } else if (alone) {
        steepest = 2 * line;
        at = 2 * effort;
      } else {
        steepest = std::max(steepest, line);
      }
    }
  }
  law.effort = sign * at;
  law.slope = steepest;
  law.minEffort = sign > 0 ? 0 : -effort;
  law.maxEffort = sign > 0 ? effort : 0;
  return law;
}

ActuatorLimits actuatorLimitsFrom(const Value& setting) {
  ActuatorLimits limits;
  if (setting.isNull()) return limits;
  limits.torque = false;
  const SourcePosition position = setting.position();
  std::vector<std::pair<std::string, SourcePosition>> words;
  const auto split = [&](const Value& value) {
    if (!value.isString())
      throw Error("limits of motors are words, not " + std::string(Value::typeName(value.type())),
                  value.position().known() ? value.position() : position, listNames(kWords));
    std::string word;
    for (const char c : value.asString() + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        words.emplace_back(word, value.position().known() ? value.position() : position);
        word.clear();
      }
    }
  };
  if (setting.isList())
    for (const Value& item : setting.items()) split(item);
  else
    split(setting);
  if (words.empty()) throw Error("limits of motors: no word is given", position, listNames(kWords));
  for (const auto& [word, where] : words) {
    if ((word == "all" || word == "none") && words.size() > 1)
      throw Error("limits of motors: '" + word + "' stands alone", where, "leave out the others, or '" + word + "'");
    if (word == "torque" || word == "all") limits.torque = true;
    if (word == "velocity" || word == "all") limits.velocity = true;
    if (word == "power" || word == "all") limits.power = true;
    if (std::find(kWords.begin(), kWords.end(), word) == kWords.end()) {
      throw Error("there are no limits of motors called '" + word + "'", where, suggestFrom(word, kWords));
    }
  }
  return limits;
}

std::string actuatorLimitsText(const ActuatorLimits& limits) {
  std::string text;
  const auto add = [&](bool on, const char* word) {
    if (on) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(limits.torque, "torque");
  add(limits.velocity, "velocity");
  add(limits.power, "power");
  return text.empty() ? "none" : text;
}

}  // namespace mortise
