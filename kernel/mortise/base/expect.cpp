#include "mortise/base/expect.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace mortise {

namespace {

bool checkedFromTheStart() {
#ifdef NDEBUG
  const char* asked = std::getenv("MORTISE_CHECKS");
  return asked != nullptr && *asked != '\0' && std::string_view(asked) != "0";
#else
  return true;
#endif
}

/// "RobotDynamics::inverseDynamics" of "void mortise::RobotDynamics::inverseDynamics(const VectorXd&, ...)".
std::string nameOfFunction(std::string text) {
  for (const std::string_view left : {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::", "mortise::"})
    for (std::size_t at; (at = text.find(left)) != std::string::npos;) text.erase(at, left.size());
  text.resize(std::min(text.size(), text.find('(')));
  int depth = 0;  // Of <, within which blanks are part of the name.
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == '>') ++depth;
    if (text[i] == '<') --depth;
    if (depth == 0 && (text[i] == ' ' || text[i] == '&' || text[i] == '*')) return text.substr(i + 1);
  }
  return text;
}

std::string argumentOf(const char* function, const char* argument) {
  return nameOfFunction(function) + ": `" + argument + "`";
}

std::string shapeText(std::ptrdiff_t rows, std::ptrdiff_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace

PreconditionError::PreconditionError(std::string message, std::string hint)
    : Error(std::move(message), {}, std::move(hint)) {}
PreconditionError::~PreconditionError() = default;

bool preconditionChecks() { return detail::expectationsChecked; }
void setPreconditionChecks(bool on) { detail::expectationsChecked = on; }

namespace detail {

std::atomic<bool> expectationsChecked = checkedFromTheStart();

void failCondition(const char* function, const char* condition, const char* message) {
  throw PreconditionError(nameOfFunction(function) + ": " + message + ", but `" + condition + "` does not hold",
                          "check the arguments of the call");
}

void failSize(const char* function, const char* argument, std::ptrdiff_t found, std::ptrdiff_t expected,
              const char* what) {
  throw PreconditionError(argumentOf(function, argument) + " has " + std::to_string(found) +
                              (found == 1 ? " entry" : " entries") + " instead of " + std::to_string(expected) + ", " +
                              what,
                          "give it that size before the call");
}

void failShape(const char* function, const char* argument, std::ptrdiff_t rows, std::ptrdiff_t columns,
               std::ptrdiff_t expectedRows, std::ptrdiff_t expectedColumns) {
  throw PreconditionError(argumentOf(function, argument) + " is " + shapeText(rows, columns) + " instead of " +
                              shapeText(expectedRows, expectedColumns),
                          "give it that shape before the call");
}

void failIndex(const char* function, const char* argument, std::ptrdiff_t found, std::ptrdiff_t count,
               const char* what) {
  const std::string range = count > 0 ? std::string(what) + " run from 0 to " + std::to_string(count - 1)
                                      : std::string("there are no ") + what;
  throw PreconditionError(argumentOf(function, argument) + " is " + std::to_string(found) + ", and " + range,
                          "pass an index within that range");
}

void checkFinite(const char* function, const char* argument, const double* numbers, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i)
    if (!std::isfinite(numbers[i]))
      throw PreconditionError(argumentOf(function, argument) + " has " +
                                  (std::isnan(numbers[i]) ? std::string("nan") : std::string("an infinite number")) +
                                  " at entry " + std::to_string(i) + ", and all entries must be finite",
                              "look for what computed it, such as a division by zero");
}

}  // namespace detail
}  // namespace mortise
