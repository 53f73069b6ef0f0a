#include "mortise/viewer/programs/checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mortise/base/error.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/text/suggest.h"

namespace mortise::viewer {

namespace {

using message::ProgramControl;

constexpr std::size_t kMaxText = 10000;

/// The bytes of numbers, `size` each.
std::string bytesOf(const std::string& base64, std::size_t size, const std::string& what) {
  std::string bytes;
  if (!fromBase64(base64, bytes) || bytes.size() % size != 0)
    throw Error(what + ": expected base64 of " + std::to_string(size) + " bytes each");
  return bytes;
}

/// The number of points, whose coordinates are finite.
std::size_t countPoints(const std::string& base64, const std::string& what) {
  const std::string bytes = bytesOf(base64, 3 * sizeof(float), what);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    float number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    if (!std::isfinite(number)) throw Error(what + ": expected finite numbers");
  }
  return bytes.size() / (3 * sizeof(float));
}

void checkTriangles(const std::string& base64, std::size_t points, const std::string& what) {
  const std::string bytes = bytesOf(base64, 3 * sizeof(std::uint32_t), what);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t index = 0;
    std::memcpy(&index, bytes.data() + at, sizeof index);
    if (index >= points)
      throw Error(what + ": expected indices below " + std::to_string(points) + ", found " + std::to_string(index));
  }
}

void requireFinite(const std::optional<double>& number, const std::string& what) {
  if (number && !std::isfinite(*number)) throw Error(what + ": expected a finite number");
}

/// Returns the place in the list, of what has to be there.
const std::string& required(const std::optional<std::string>& text, const std::string& what) {
  if (!text) throw Error(what + " is missing");
  return *text;
}

void checkNumber(const ProgramControl& control, const std::string& what) {
  for (const auto* number : {&control.number, &control.min, &control.max, &control.step}) requireFinite(*number, what);
  if (!control.number) throw Error(what + ": expected a number");
  if (control.kind == ControlKind::slider && (!control.min || !control.max))
    throw Error(what + ": a slider has a minimum and a maximum");
  if (control.min && control.max && *control.min > *control.max)
    throw Error(what + ": expected a minimum that is not above the maximum");
  if ((control.min && *control.number < *control.min) || (control.max && *control.number > *control.max))
    throw Error(what + ": the value is not between the minimum and the maximum");
  if (control.step && *control.step <= 0) throw Error(what + ": expected a step above 0");
}

void checkOption(const ProgramControl& control, const std::string& chosen, const std::string& what) {
  if (!control.options || control.options->empty()) throw Error(what + ": expected options to choose among");
  if (std::find(control.options->begin(), control.options->end(), chosen) != control.options->end()) return;
  throw Error(what + ": there is no option '" + chosen + "'", {}, suggestFrom(chosen, *control.options));
}

std::string named(const ProgramControl& control) { return "the control '" + control.id + "'"; }

}  // namespace

void checkColor(const std::string& color, const std::string& what) {
  const bool written =
      color.size() == 7 && color[0] == '#' && color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!written) throw Error(what + ": expected a color as #rrggbb, found '" + color + "'");
}

void checkDrawing(const message::Drawing& drawing) {
  if (drawing.name.empty()) throw Error("a drawing has an empty name", {}, "give it one");
  const std::string what = "the drawing '" + drawing.name + "'";
  checkColor(drawing.color, what);
  if (!(drawing.opacity >= 0 && drawing.opacity <= 1)) throw Error(what + ": expected an opacity from 0 to 1");
  if (!(drawing.size >= 0) || !std::isfinite(drawing.size)) throw Error(what + ": expected a size of at least 0");
  if (!std::all_of(drawing.T.begin(), drawing.T.end(), [](double x) { return std::isfinite(x); }))
    throw Error(what + ": expected a pose of finite numbers");
  if (drawing.text && drawing.text->size() > kMaxText) throw Error(what + ": the text is too long");
  if (drawing.kind == DrawingKind::text) required(drawing.text, what + ": a text");
  if (drawing.kind == DrawingKind::frame || drawing.kind == DrawingKind::text) return;
  const std::size_t points = countPoints(required(drawing.points, what + ": a list of points"), what + ", points");
  if (drawing.kind == DrawingKind::lines && points % 2 != 0)
    throw Error(what + ": expected two points for each piece of a line");
  if (drawing.kind == DrawingKind::mesh)
    checkTriangles(required(drawing.triangles, what + ": a list of triangles"), points, what + ", triangles");
  if (drawing.colors && bytesOf(*drawing.colors, 4, what + ", colors").size() != 4 * points)
    throw Error(what + ": expected one color for each point");
}

void checkControl(const ProgramControl& control) {
  if (control.id.empty()) throw Error("a control has an empty id", {}, "give it one");
  const std::string what = named(control);
  if (control.text && control.text->size() > kMaxText) throw Error(what + ": the text is too long");
  switch (control.kind) {
    case ControlKind::slider:
    case ControlKind::number:
      checkNumber(control, what);
      break;
    case ControlKind::checkbox:
      if (!control.checked) throw Error(what + ": expected true or false");
      break;
    case ControlKind::select:
      checkOption(control, required(control.text, what + ": the chosen option"), what);
      break;
    case ControlKind::text:
    case ControlKind::label:
      required(control.text, what + ": the text");
      break;
    case ControlKind::button:
      break;
  }
}

void setFromPage(ProgramControl& control, const message::Control& request) {
  const std::string what = named(control);
  if (!control.enabled) throw Error(what + " cannot be used now");
  if (control.kind == ControlKind::label) throw Error(what + " is a label, which nobody sets");
  const bool isNumber = control.kind == ControlKind::slider || control.kind == ControlKind::number;
  const bool isText = control.kind == ControlKind::text || control.kind == ControlKind::select;
  if (request.number.has_value() != isNumber || request.text.has_value() != isText ||
      request.checked.has_value() != (control.kind == ControlKind::checkbox))
    throw Error(what + " takes " +
                (isNumber                                ? "'number'"
                 : isText                                ? "'text'"
                 : control.kind == ControlKind::checkbox ? "'checked'"
                                                         : "no value") +
                " alone");
  ProgramControl next = control;
  if (isNumber) next.number = request.number;
  if (isText) next.text = request.text;
  if (request.checked) next.checked = request.checked;
  checkControl(next);
  control = std::move(next);
}

}  // namespace mortise::viewer
