#include "robotsim/model/colors.h"

namespace py = pybind11;

namespace mortise::robotsim {

namespace {

/// Empty when the appearance is as it was made.
std::vector<double> changedColor(const py::handle& appearance) {
  if (appearance.is_none() || appearance.attr("_version").cast<int>() == 0) return {};
  std::vector<double> color;
  for (const py::handle channel : appearance.attr("getColor")()) color.push_back(channel.cast<double>());
  return color;
}

}  // namespace

std::vector<Value> shown(const std::vector<Value>& display, const py::object& appearance) {
  std::vector<Value> result = display;
  if (const std::vector<double> color = changedColor(appearance); !color.empty()) {
    Value attributes = Value::map();
    attributes.set("faceColor", color);
    result.push_back(std::move(attributes));
  }
  return result;
}

std::vector<Value> shownLinks(const std::vector<Value>& display, const py::object& appearances) {
  std::vector<Value> result = display;
  if (appearances.is_none()) return result;
  for (const auto& [link, appearance] : appearances.cast<py::dict>()) {
    const std::vector<double> color = changedColor(appearance);
    if (color.empty()) continue;
    Value attributes = Value::map();
    attributes.set("link", link.cast<int>());
    attributes.set("faceColor", color);
    result.push_back(std::move(attributes));
  }
  return result;
}

}  // namespace mortise::robotsim
