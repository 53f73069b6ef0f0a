#include "tests/docs/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>

namespace mortise::docs {

namespace {

/// A line in which everything that depends on the machine has a name instead, and runs of blanks are one.
std::string normalized(const std::string& line) {
  static const std::vector<std::pair<std::regex, std::string>> kRules = {
      {std::regex("\\b[0-9a-f]{16}\\b"), "HASH"},
      {std::regex("\\b\\d+\\.\\d+\\.\\d+\\b"), "VERSION"},
      {std::regex("^(\\s*(wall time|times real time)\\b).*"), "$1"},
      {std::regex("[-+0-9.e]+ times real time"), "N times real time"},
      {std::regex("\\b(in|after) [-+0-9.e]+ (s|ms|us)\\b"), "$1 TIME"},
      {std::regex("; [-+0-9.e]+ s, "), "; TIME, "},
      {std::regex("^-{4,}$|\\s-{4,}$"), " ----"},
      {std::regex("[ \\t]+"), " "},
      {std::regex("^ | $"), ""}};
  std::string text = line;
  for (const auto& [pattern, replacement] : kRules) text = std::regex_replace(text, pattern, replacement);
  return text;
}

const std::regex& number() {
  static const std::regex pattern("[-+]?(\\d+\\.?\\d*([eE][-+]?\\d+)?|\\binf\\b|\\bnan\\b)");
  return pattern;
}

/// The words of a line, with # for each number.
std::string skeleton(const std::string& line) { return std::regex_replace(normalized(line), number(), "#"); }

std::vector<std::string> numbersOf(const std::string& line) {
  const std::string text = normalized(line);
  std::vector<std::string> numbers;
  for (std::sregex_iterator match(text.begin(), text.end(), number()), last; match != last; ++match)
    numbers.push_back(match->str());
  return numbers;
}

/// One in the last digit: 0.01 of "1.23".
double lastDigit(const std::string& text) {
  const std::size_t exponent = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, exponent);
  const std::size_t point = mantissa.find('.');
  const double places = point == std::string::npos ? 0 : static_cast<double>(mantissa.size() - point - 1);
  const double power = exponent == std::string::npos ? 0 : std::strtod(text.c_str() + exponent + 1, nullptr);
  return std::pow(10.0, power - places);
}

bool sameNumber(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const double x = std::strtod(a.c_str(), nullptr), y = std::strtod(b.c_str(), nullptr);
  const bool integers = a.find_first_of(".eE") == std::string::npos && b.find_first_of(".eE") == std::string::npos;
  if (integers) return x == y;
  const double tolerance = std::max({1e-3 * std::max(std::abs(x), std::abs(y)), 1e-9});
  return std::abs(x - y) <= std::max(tolerance, 1.01 * std::max(lastDigit(a), lastDigit(b)));
}

bool sameLine(const std::string& shown, const std::string& printed, bool numbersVary) {
  std::string pageLine = shown, line = printed;
  if (shown.size() > 3 && shown.ends_with("...")) {  // The rest of the line is left out.
    std::string start = skeleton(shown.substr(0, shown.size() - 3));
    return skeleton(printed).starts_with(start.substr(0, start.find_last_not_of("# ") + 1));
  }
  if (skeleton(pageLine) != skeleton(line)) return false;
  if (numbersVary) return true;
  const auto a = numbersOf(pageLine), b = numbersOf(line);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameNumber);
}

/// Whether shown[i..] is printed[j..], what is left out included. `reached` is the farthest pair that was tried.
bool matches(const std::vector<std::string>& shown, std::size_t i, const std::vector<std::string>& printed,
             std::size_t j, bool numbersVary, std::pair<std::size_t, std::size_t>& reached) {
  for (;; ++i, ++j) {
    if (i > reached.first) reached = {i, j};
    if (i == shown.size()) return j == printed.size();
    if (normalized(shown[i]) == "...") {
      for (std::size_t k = j; k <= printed.size(); ++k)
        if (matches(shown, i + 1, printed, k, numbersVary, reached)) return true;
      return false;
    }
    if (j == printed.size() || !sameLine(shown[i], printed[j], numbersVary)) return false;
  }
}

}  // namespace

Comparison compare(const std::vector<std::string>& shown, const std::vector<std::string>& printed, bool numbersVary) {
  std::pair<std::size_t, std::size_t> reached = {0, 0};
  if (matches(shown, 0, printed, 0, numbersVary, reached)) return {};
  const auto lineOr = [](const std::vector<std::string>& lines, std::size_t at) {
    return at < lines.size() ? lines[at] : std::string("(the end)");
  };
  Comparison result{false, "the page shows: " + lineOr(shown, reached.first) +
                               "\nprinted is:     " + lineOr(printed, reached.second) + "\nall that is printed:\n"};
  for (const std::string& line : printed) result.difference += "  " + line + "\n";
  return result;
}

std::vector<std::string> updated(const std::vector<std::string>& shown, const std::vector<std::string>& printed) {
  const bool full = std::none_of(shown.begin(), shown.end(), [](const auto& l) { return normalized(l) == "..."; });
  if (full) return printed;
  std::vector<std::string> result = shown;
  std::size_t j = 0;
  for (std::string& line : result) {
    for (std::size_t k = j; k < printed.size(); ++k) {
      if (line.ends_with("...") || skeleton(line) != skeleton(printed[k])) continue;
      line = printed[k];
      j = k + 1;
      break;
    }
  }
  return result;
}

}  // namespace mortise::docs
