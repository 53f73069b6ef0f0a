#include "mortise/control/sensor_condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"
#include "mortise/text/utf8.h"

namespace mortise {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Column in characters, as people and editors count, of a column in bytes.
int characterColumn(std::string_view text, int column) {
  const auto before = text.substr(0, static_cast<std::size_t>(column - 1));
  return 1 + static_cast<int>(
                 std::count_if(before.begin(), before.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

/// Recursive descent; emits the program as it goes.
class SensorConditionParser {
 public:
  using Code = SensorCondition::Code;

  explicit SensorConditionParser(SensorCondition& condition) : condition_(condition), text_(condition.text_) { next(); }

  void parse() {
    const Operand full = disjunction();
    if (kind_ != Token::end) fail(tokenColumn_, "expected 'and', 'or' or the end, found " + found());
    if (!full.condition) fail(full.column, "a number is not a condition", "compare it with something: ... > 0.5");
  }

 private:
  enum class Token { end, number, name, quoted, symbol };
  struct Operand {
    bool condition = false;
    int column = 0;
  };

  [[noreturn]] void fail(int column, const std::string& message, const std::string& hint = {}) const {
    condition_.fail(column, message, hint);
  }

  std::string found() const {
    if (kind_ == Token::end) return "the end";
    if (utf8Length(token_, 0) == 0) return "a byte that is no UTF-8";
    return "'" + std::string(token_) + "'";
  }

  void next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    tokenColumn_ = static_cast<int>(at_) + 1;
    const std::size_t begin = at_;
    if (at_ == text_.size()) {
      kind_ = Token::end;
      token_ = {};
      return;
    }
    const char c = text_[at_];
    if (isLetter(c)) {
      while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]))) ++at_;
      kind_ = Token::name;
    } else if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) {
      const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number_);
      if (code != std::errc() || !std::isfinite(number_)) fail(tokenColumn_, "this number is out of range");
      at_ = static_cast<std::size_t>(end - text_.data());
      if (at_ < text_.size() && isLetter(text_[at_]))
        fail(static_cast<int>(at_) + 1, "a number is followed by letters",
             "channels have SI units: write plain numbers");
      kind_ = Token::number;
    } else if (c == '"' || c == '\'') {
      const auto close = text_.find(c, at_ + 1);
      if (close == std::string::npos) fail(tokenColumn_, "the quotes that open here do not close");
      token_ = std::string_view(text_).substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      kind_ = Token::quoted;
      return;
    } else {
      kind_ = Token::symbol;
      at_ += std::max<std::size_t>(utf8Length(text_, at_), 1);
      for (const std::string_view two : {"<=", ">=", "==", "!=", "&&", "||"})
        if (std::string_view(text_).substr(begin).starts_with(two)) at_ = begin + 2;
    }
    token_ = std::string_view(text_).substr(begin, at_ - begin);
  }

  bool isSymbol(std::string_view symbol) const { return kind_ == Token::symbol && token_ == symbol; }
  bool isWord(std::string_view word) const { return kind_ == Token::name && token_ == word; }

  void emit(SensorCondition::Step step, int change) {
    depth_ += change;
    if (depth_ > SensorCondition::kMaxDepth) fail(tokenColumn_, "this condition is too deep");
    condition_.program_.push_back(step);
  }
  void emit(Code code, int change) { emit(SensorCondition::Step{code}, change); }

  void require(const Operand& operand, bool condition, const std::string& who) {
    if (operand.condition == condition) return;
    if (condition)
      fail(operand.column, who + " takes conditions, and this is a number", "compare it with something: ... > 0.5");
    fail(operand.column, who + " takes numbers, and this is a condition");
  }

  Operand disjunction() {
    if (++nesting_ > SensorCondition::kMaxDepth) fail(tokenColumn_, "this condition is nested too deeply");
    Operand left = conjunction();
    while (isWord("or") || isSymbol("||")) {
      next();
      require(left, true, "'or'");
      require(conjunction(), true, "'or'");
      emit(Code::logicalOr, -1);
    }
    --nesting_;
    return left;
  }

  Operand conjunction() {
    Operand left = negation();
    while (isWord("and") || isSymbol("&&")) {
      next();
      require(left, true, "'and'");
      require(negation(), true, "'and'");
      emit(Code::logicalAnd, -1);
    }
    return left;
  }

  Operand negation() {
    const int column = tokenColumn_;
    int count = 0;
    for (; isWord("not") || isSymbol("!"); ++count) next();
    const Operand operand = comparison();
    if (count == 0) return operand;
    require(operand, true, "'not'");
    if (count % 2 == 1) emit(Code::logicalNot, 0);
    return {true, column};
  }

  bool comparator(Code& code) const {
    if (kind_ != Token::symbol) return false;
    const std::array<std::pair<std::string_view, Code>, 6> all = {{{"<", Code::less},
                                                                   {"<=", Code::lessOrEqual},
                                                                   {">", Code::greater},
                                                                   {">=", Code::greaterOrEqual},
                                                                   {"==", Code::equal},
                                                                   {"!=", Code::different}}};
    for (const auto& [symbol, meaning] : all)
      if (token_ == symbol) {
        code = meaning;
        return true;
      }
    if (token_ == "=") fail(tokenColumn_, "'=' compares nothing", "write == for equal");
    return false;
  }

  Operand comparison() {
    const Operand left = sum();
    Code code{}, another{};
    if (!comparator(code)) return left;
    const std::string symbol = "'" + std::string(token_) + "'";
    next();
    require(left, false, symbol);
    require(sum(), false, symbol);
    emit(code, -1);
    if (comparator(another)) fail(tokenColumn_, "comparisons do not chain", "write a < b and b < c");
    return {true, left.column};
  }

  Operand sum() {
    const Operand left = product();
    while (isSymbol("+") || isSymbol("-")) {
      const Code code = isSymbol("+") ? Code::add : Code::subtract;
      const std::string symbol = "'" + std::string(token_) + "'";
      next();
      require(left, false, symbol);
      require(product(), false, symbol);
      emit(code, -1);
    }
    return left;
  }

  Operand product() {
    const Operand left = signedOperand();
    while (isSymbol("*") || isSymbol("/")) {
      const Code code = isSymbol("*") ? Code::multiply : Code::divide;
      const std::string symbol = "'" + std::string(token_) + "'";
      next();
      require(left, false, symbol);
      require(signedOperand(), false, symbol);
      emit(code, -1);
    }
    return left;
  }

  Operand signedOperand() {
    const int column = tokenColumn_;
    bool negative = false, any = false;
    for (; isSymbol("-") || isSymbol("+"); next()) {
      negative = negative != isSymbol("-");
      any = true;
    }
    const Operand operand = primary();
    if (!any) return operand;
    require(operand, false, "a sign");
    if (negative) emit(Code::negate, 0);
    return {false, column};
  }

  Operand primary() {
    const int column = tokenColumn_;
    if (kind_ == Token::number) {
      emit({Code::number, number_}, 1);
      next();
      return {false, column};
    }
    if (isSymbol("(")) {
      next();
      const Operand inside = disjunction();
      if (!isSymbol(")"))
        fail(tokenColumn_, "expected ')' for the '(' in column " + std::to_string(characterColumn(text_, column)) +
                               ", found " + found());
      next();
      return {inside.condition, column};
    }
    if (isWord("and") || isWord("or") || (kind_ != Token::name && kind_ != Token::quoted))
      fail(column, "expected a number, a sensor or '(', found " + found());
    if (isWord("time")) {
      emit(Code::time, 1);
      next();
      return {false, column};
    }
    if (isWord("true") || isWord("false")) {
      emit({Code::number, isWord("true") ? 1.0 : 0.0}, 1);
      next();
      return {true, column};
    }
    if (isWord("abs")) {
      next();
      if (!isSymbol("(")) fail(tokenColumn_, "expected '(' after 'abs', found " + found());
      next();
      require(disjunction(), false, "'abs'");
      if (!isSymbol(")")) fail(tokenColumn_, "expected ')' after the argument of 'abs', found " + found());
      next();
      emit(Code::absolute, 0);
      return {false, column};
    }
    reference();
    return {false, column};
  }

  /// sensor, sensor.channel, sensor.channel[..] or sensor[..]
  void reference() {
    SensorCondition::Reference r;
    r.sensor = token_;
    r.sensorColumn = tokenColumn_;
    next();
    if (isSymbol(".")) {
      next();
      if (kind_ != Token::name && kind_ != Token::quoted)
        fail(tokenColumn_, "expected the name of a channel after '.', found " + found(),
             "names with other characters than letters, digits and _ stand in quotes");
      r.channel = token_;
      r.channelColumn = tokenColumn_;
      const bool quoted = kind_ == Token::quoted;
      next();
      if (!quoted && isSymbol("[")) r.channel += "[" + bracket() + "]";
    } else if (isSymbol("[")) {
      r.channelColumn = tokenColumn_;
      r.index = bracket();
    }
    SensorCondition::Step step{Code::channel};
    step.reference = static_cast<int>(condition_.references_.size());
    condition_.references_.push_back(std::move(r));
    emit(step, 1);
  }

  /// Reads what stands in brackets, whatever it is.
  std::string bracket() {
    const auto close = text_.find(']', at_);
    if (close == std::string::npos) fail(tokenColumn_, "the '[' that opens here does not close");
    std::string inside = text_.substr(at_, close - at_);
    if (inside.empty()) fail(tokenColumn_, "there is nothing between '[' and ']'");
    at_ = close + 1;
    next();
    return inside;
  }

  SensorCondition& condition_;
  const std::string& text_;
  std::size_t at_ = 0;
  Token kind_ = Token::end;
  std::string_view token_;
  double number_ = 0;
  int tokenColumn_ = 1;
  int depth_ = 0, nesting_ = 0;
};

SensorCondition::SensorCondition(const Value& text) : text_(text.text()), where_(text.position()) {
  SensorConditionParser(*this).parse();
}

void SensorCondition::fail(int column, const std::string& message, const std::string& hint) const {
  throw Error("condition '" + text_ + "', column " + std::to_string(characterColumn(text_, column)) + ": " + message,
              where_, hint);
}

int SensorCondition::findValue(const SensorReading& sensor, const Reference& reference) const {
  const std::vector<std::string> channels(sensor.channels.begin(), sensor.channels.end());
  const int count = static_cast<int>(channels.size());
  const std::string name(sensor.name);
  if (!reference.channel.empty()) {
    for (int k = 0; k < count; ++k)
      if (channels[k] == reference.channel) return k;
    fail(reference.channelColumn, "sensor '" + name + "' has no channel '" + reference.channel + "'",
         suggestAndList(reference.channel, channels));
  }
  if (reference.index.empty()) {
    if (count == 1) return 0;
    fail(reference.sensorColumn, "sensor '" + name + "' has " + std::to_string(count) + " channels",
         "say which: " + reference.sensor + ".CHANNEL; " + listNames(channels));
  }
  const Value index = Value::fromText(reference.index);
  if (index.isInteger()) {
    if (index.asInteger() >= 0 && index.asInteger() < count) return static_cast<int>(index.asInteger());
    fail(reference.channelColumn, "sensor '" + name + "' has no value " + reference.index,
         count == 0 ? "it has none" : "values run from 0 to " + std::to_string(count - 1));
  }
  for (int k = 0; k < count; ++k)
    if (channels[k].ends_with("[" + reference.index + "]")) return k;
  fail(reference.channelColumn, "sensor '" + name + "' has no channel for '" + reference.index + "'",
       listNames(channels));
}

void SensorCondition::resolve(std::span<const SensorReading> sensors) {
  for (Step& step : program_) {
    if (step.code != Code::channel) continue;
    const Reference& reference = references_[step.reference];
    step.sensor = -1;
    std::vector<std::string> names;
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      names.emplace_back(sensors[s].name);
      if (step.sensor < 0 && sensors[s].name == reference.sensor) step.sensor = static_cast<int>(s);
    }
    if (step.sensor < 0) {
      fail(reference.sensorColumn, "the robot has no sensor '" + reference.sensor + "'",
           suggestAndList(reference.sensor, names));
    }
    step.value = findValue(sensors[step.sensor], reference);
  }
}

/// Returns what an operator makes of two numbers.
double SensorCondition::applied(Code code, double a, double b) {
  switch (code) {
    case Code::add:
      return a + b;
    case Code::subtract:
      return a - b;
    case Code::multiply:
      return a * b;
    case Code::divide:
      return a / b;
    case Code::less:
      return a < b;
    case Code::lessOrEqual:
      return a <= b;
    case Code::greater:
      return a > b;
    case Code::greaterOrEqual:
      return a >= b;
    case Code::equal:
      return a == b;
    case Code::different:
      return a != b;
    case Code::logicalAnd:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

bool SensorCondition::holds(std::span<const SensorReading> sensors, double time) const {
  std::array<double, kMaxDepth + 1> stack;
  int top = -1;
  for (const Step& step : program_) {
    switch (step.code) {
      case Code::number:
        stack[++top] = step.number;
        continue;
      case Code::time:
        stack[++top] = time;
        continue;
      case Code::channel: {
        const bool there = step.sensor < static_cast<int>(sensors.size()) &&
                           step.value < static_cast<int>(sensors[step.sensor].values.size());
        if (!there) throw Error("condition '" + text_ + "' reads a sensor that is not there any more");
        stack[++top] = sensors[step.sensor].values[step.value];
        continue;
      }
      case Code::negate:
        stack[top] = -stack[top];
        continue;
      case Code::absolute:
        stack[top] = std::abs(stack[top]);
        continue;
      case Code::logicalNot:
        stack[top] = stack[top] == 0 ? 1 : 0;
        continue;
      default:
        break;
    }
    const double b = stack[top--];
    stack[top] = applied(step.code, stack[top], b);
  }
  return stack[0] != 0;
}

}  // namespace mortise
