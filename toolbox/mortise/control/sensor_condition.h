#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/sensor_reading.h"

namespace mortise {

/// A condition over sensor channels, such as "wrist.force_z > 5 and not (q[elbow] < 0.2)". Operators, from weak to
/// strong: or, and, not, one comparison (< <= > >= == !=), + -, * and /, the sign. Operands: numbers, `time` (seconds
/// given by the caller), `abs(...)`, `sensor.channel`, `sensor[i]` (value i, or the channel whose name ends in [i]) and
/// `sensor` alone where it has one channel; names with other characters than letters, digits and _ stand in quotes.
class SensorCondition {
 public:
  /// Parses. Throws `Error` with the column of what is wrong.
  explicit SensorCondition(const Value& text);

  /// Finds the sensors. Throws `Error` with the column and the nearest name of what is not there.
  void resolve(std::span<const SensorReading> sensors);
  /// Needs `resolve`, and the same sensors as there. Allocates nothing.
  bool holds(std::span<const SensorReading> sensors, double time) const;

  const std::string& text() const { return text_; }

 private:
  friend class SensorConditionParser;
  enum class Code : std::uint8_t {
    number,
    channel,
    time,
    negate,
    absolute,
    add,
    subtract,
    multiply,
    divide,
    less,
    lessOrEqual,
    greater,
    greaterOrEqual,
    equal,
    different,
    logicalNot,
    logicalAnd,
    logicalOr
  };
  static double applied(Code code, double a, double b);
  struct Step {
    Code code;
    double number = 0;
    int sensor = -1, value = -1;
    int reference = -1;  ///< Into `references_`.
  };
  struct Reference {
    std::string sensor, channel, index;  ///< Names as written; empty: not given.
    int sensorColumn = 0, channelColumn = 0;
  };
  static constexpr int kMaxDepth = 64;  ///< Depth of the stack, and of nesting.

  [[noreturn]] void fail(int column, const std::string& message, const std::string& hint = {}) const;
  int findValue(const SensorReading& sensor, const Reference& reference) const;

  std::string text_;
  SourcePosition where_;
  std::vector<Step> program_;  ///< Postfix.
  std::vector<Reference> references_;
};

}  // namespace mortise
