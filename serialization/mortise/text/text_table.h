#pragma once

#include <string>
#include <vector>

namespace mortise {

/// Columns of text for a terminal: the first column to the left, the others to the right unless they are said to be
/// text.
class TextTable {
 public:
  /// Titles of the columns; they decide how many there are.
  explicit TextTable(std::vector<std::string> titles);
  TextTable& leftAligned(std::size_t column);
  /// Missing cells are empty.
  void row(std::vector<std::string> cells);
  void separator();
  /// Every line starts with `indent` blanks and ends without blanks. Columns are `gap` apart.
  std::string text(int indent = 2, int gap = 2) const;

 private:
  std::vector<std::string> titles_;
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  ///< An empty row is a separator.
};

/// `text` after `indent` blanks, in lines of at most `width` characters; further ones are two blanks farther in.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 98);

/// A cell of comma-separated values, in quotes where it has to be.
std::string csvCell(const std::string& text);

/// `digits` significant digits, for people: 0.412, 1.23e-07, "-" when not finite.
std::string significant(double value, int digits);
/// Digits behind the point, for people; "-" when not finite.
std::string fixedPoint(double value, int digits);

}  // namespace mortise
