#include "mortise/benchmark/benchmark_plots.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace mortise {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Told apart by people who do not tell red from green (Okabe and Ito 2008).
const char* const kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00"};

std::string color(std::size_t i) { return kColors[i % std::size(kColors)]; }
std::string dashes(std::size_t i) {
  const char* const patterns[] = {"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""};
  return patterns[i / std::size(kColors) % std::size(patterns)];
}

/// Two digits behind the point place a thing well enough.
std::string at(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", x);
  return text;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

/// From values to places between left and right, and the marks in between.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double left, double right)
      : logarithmic_(logarithmic), left_(left), right_(right) {
    if (!(low <= high)) low = logarithmic ? 0.1 : 0, high = 1;  // Nothing to show.
    if (logarithmic) {
      low_ = std::floor(std::log10(low) + 1e-9);
      high_ = std::ceil(std::log10(high) - 1e-9);
      if (high_ <= low_) high_ = low_ + 1;
      for (double k = low_; k <= high_; ++k) marks_.push_back(std::pow(10, k));
    } else {
      const double range = high > 0 ? high : 1;
      double step = std::pow(10, std::floor(std::log10(range)));
      while (range / step < 4) step /= 2;
      low_ = 0;
      high_ = step * std::ceil(range / step - 1e-9);
      for (int k = 0; k * step <= high_ + 0.5 * step; ++k) marks_.push_back(k * step);
    }
  }
  double operator()(double value) const {
    const double x = logarithmic_ ? std::log10(std::max(value, 1e-300)) : value;
    return left_ + (right_ - left_) * std::clamp((x - low_) / (high_ - low_), 0.0, 1.0);
  }
  const std::vector<double>& marks() const { return marks_; }
  double start() const { return marks_.front(); }

 private:
  bool logarithmic_;
  double left_, right_, low_ = 0, high_ = 1;
  std::vector<double> marks_;
};

std::string beginSvg(double width, double height, const std::string& title) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + at(width) + " " + at(height) + "\" width=\"" +
         at(width) + "\" height=\"" + at(height) + "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" +
         escapeMarkup(title) +
         "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"10\" y=\"20\" font-size=\"14\" "
         "font-weight=\"bold\">" +
         escapeMarkup(title) + "</text>\n";
}

std::string text(double x, double y, const std::string& content, const char* anchor, const std::string& more = {}) {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         escapeMarkup(content) + "</text>\n";
}

std::string line(double x0, double y0, double x1, double y1, const std::string& stroke, const std::string& more = {}) {
  return "<line x1=\"" + at(x0) + "\" y1=\"" + at(y0) + "\" x2=\"" + at(x1) + "\" y2=\"" + at(y1) + "\" stroke=\"" +
         stroke + "\"" + more + "/>\n";
}

/// `part` of the way through sorted values, between neighbors.
double interpolatedQuantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Numbers on the paper: a box on a logarithmic axis is that of logarithms.
std::string box(const Axis& axis, double y, std::vector<double> values, const std::string& stroke) {
  if (values.empty()) return {};
  for (double& value : values) value = axis(value);
  const auto x = [](double place) { return place; };
  std::sort(values.begin(), values.end());
  const double low = interpolatedQuantile(values, 0.25), middle = interpolatedQuantile(values, 0.5),
               high = interpolatedQuantile(values, 0.75);
  const double reach = 1.5 * (high - low);
  double first = kInf, last = -kInf;
  std::string svg;
  for (const double value : values) {
    if (value >= low - reach && value <= high + reach) {
      first = std::min(first, value);
      last = std::max(last, value);
    } else {
      svg += "<circle cx=\"" + at(x(value)) + "\" cy=\"" + at(y) + "\" r=\"2\" fill=\"none\" stroke=\"" + stroke +
             "\"/>\n";
    }
  }
  svg += line(x(first), y, x(low), y, stroke) + line(x(high), y, x(last), y, stroke);
  svg += line(x(first), y - 4, x(first), y + 4, stroke) + line(x(last), y - 4, x(last), y + 4, stroke);
  svg += "<rect x=\"" + at(x(low)) + "\" y=\"" + at(y - 6) + "\" width=\"" + at(std::max(0.5, x(high) - x(low))) +
         "\" height=\"12\" fill=\"" + stroke + "\" fill-opacity=\"0.25\" stroke=\"" + stroke + "\"/>\n";
  return svg + line(x(middle), y - 6, x(middle), y + 6, stroke, " stroke-width=\"2.5\"");
}

}  // namespace

std::string escapeMarkup(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // Other control characters are none of XML's.
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return escaped;
}

std::string plotFractions(const std::string& title, const std::string& axis, const std::vector<StepCurve>& curves) {
  constexpr double kWidth = 760, kLeft = 50, kRight = 540, kTop = 36, kBottom = 300;
  double low = kInf, high = 0;
  for (const StepCurve& curve : curves)
    for (const double value : curve.at) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  const Axis x(low, high, true, kLeft, kRight);
  const double height = std::max(kBottom + 46, kTop + 30 + 18 * static_cast<double>(curves.size()));
  const auto y = [&](double fraction) { return kBottom - (kBottom - kTop) * fraction; };
  std::string svg = beginSvg(kWidth, height, title);
  for (int k = 0; k <= 4; ++k) {
    svg += line(kLeft, y(0.25 * k), kRight, y(0.25 * k), "#ddd");
    svg += text(kLeft - 6, y(0.25 * k) + 4, number(25 * k) + " %", "end");
  }
  for (const double mark : x.marks()) {
    svg += line(x(mark), kTop, x(mark), kBottom, "#ddd");
    svg += text(x(mark), kBottom + 16, number(mark), "middle");
  }
  svg += text(0.5 * (kLeft + kRight), kBottom + 34, axis, "middle");
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<double> values = curves[i].at;
    std::sort(values.begin(), values.end());
    std::string points = at(x(x.start())) + "," + at(y(0));
    double fraction = 0;
    for (const double value : values) {
      points += " " + at(x(value)) + "," + at(y(fraction));
      fraction += 1.0 / std::max(1, curves[i].total);
      points += " " + at(x(value)) + "," + at(y(fraction));
    }
    points += " " + at(kRight) + "," + at(y(fraction));
    const std::string style = "\"" + color(i) + "\" stroke-width=\"2\"" + dashes(i);
    svg += "<polyline fill=\"none\" stroke=" + style + " points=\"" + points + "\"/>\n";
    const double row = kTop + 14 + 18 * static_cast<double>(i);
    svg += line(kRight + 16, row - 4, kRight + 40, row - 4, color(i), " stroke-width=\"2\"" + dashes(i));
    svg += text(kRight + 46, row, curves[i].name, "start");
  }
  return svg + "</svg>\n";
}

std::string plotBoxes(const std::string& title, const std::string& axis, const std::vector<BoxRow>& rows,
                      bool logarithmic) {
  constexpr double kWidth = 760, kLeft = 190, kRight = 690, kTop = 36, kRow = 20;
  double low = kInf, high = 0;
  for (const BoxRow& row : rows)
    for (const double value : row.values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  const Axis x(low, high, logarithmic, kLeft, kRight);
  std::vector<std::string> names;  // Their colors go by the order in which they come.
  std::string inner;
  double y = kTop;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows[i].group != rows[i - 1].group) {
      y += kRow;
      inner += text(10, y, rows[i].group, "start", " font-weight=\"bold\"");
    }
    y += kRow;
    const auto named = std::find(names.begin(), names.end(), rows[i].name);
    const auto which = static_cast<std::size_t>(named - names.begin());
    if (named == names.end()) names.push_back(rows[i].name);
    inner += text(kLeft - 8, y, rows[i].name, "end") + box(x, y - 4, rows[i].values, color(which));
    inner += text(kRight + 8, y, rows[i].note, "start");
  }
  const double bottom = y + 10;
  std::string svg = beginSvg(kWidth, bottom + 46, title);
  for (const double mark : x.marks()) {
    svg += line(x(mark), kTop, x(mark), bottom, "#ddd");
    svg += text(x(mark), bottom + 16, number(mark), "middle");
  }
  svg += text(0.5 * (kLeft + kRight), bottom + 34, axis, "middle");
  return svg + inner + "</svg>\n";
}

}  // namespace mortise
