#pragma once

/// Plots as SVG, without anything that is not in the text: they can be put into a page as they are.

#include <string>
#include <vector>

namespace mortise {

struct StepCurve {
  std::string name;
  std::vector<double> at;  ///< Places where the curve rises by one, in any order; above 0.
  int total = 0;           ///< At which it is 100 %.
};

/// Shares in per cent over a logarithmic axis: how much had happened by when.
std::string plotFractions(const std::string& title, const std::string& axis, const std::vector<StepCurve>& curves);

struct BoxRow {
  std::string group;  ///< Rows of one group stand together under its name.
  std::string name;
  std::vector<double> values;  ///< Above 0 on a logarithmic axis.
  std::string note;            ///< Beside the row: "20/20".
};

/// For each row the quartiles as a box with the median, whiskers to the farthest value within 1.5 times the box, and
/// what is beyond as points (Tukey 1977).
std::string plotBoxes(const std::string& title, const std::string& axis, const std::vector<BoxRow>& rows,
                      bool logarithmic);

/// For XML and HTML.
std::string escapeMarkup(const std::string& text);

}  // namespace mortise
