#pragma once

/// Messages to pages about what a program shows beside a world: drawings, controls, looks of bodies and the camera.
/// Each struct is declared once as those of `server_messages.h`; what pages say back is in `program_requests.h`.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise::viewer {

enum class ControlKind { button, slider, number, checkbox, select, text, label };

using ControlKindNames = std::vector<std::pair<std::string, ControlKind>>;
inline ControlKindNames controlKindNames() {
  using enum ControlKind;
  return {{"button", button}, {"slider", slider}, {"number", number}, {"checkbox", checkbox},
          {"select", select}, {"text", text},     {"label", label}};
}

enum class DrawingKind { points, lines, frame, mesh, text };

using DrawingKindNames = std::vector<std::pair<std::string, DrawingKind>>;
inline DrawingKindNames drawingKindNames() {
  using enum DrawingKind;
  return {{"points", points}, {"lines", lines}, {"frame", frame}, {"mesh", mesh}, {"text", text}};
}

/// The way in which people drag a drawing.
enum class DragKind { none, point, pose };

using DragKindNames = std::vector<std::pair<std::string, DragKind>>;
inline DragKindNames dragKindNames() {
  using enum DragKind;
  return {{"none", none}, {"point", point}, {"pose", pose}};
}

namespace message {

/// Something that people press or set, or a line of text.
struct ProgramControl {
  std::string id;
  ControlKind kind = ControlKind::label;
  std::string label, group;
  bool enabled = true;
  std::optional<double> number, min, max, step;
  std::optional<bool> checked;
  std::optional<std::string> text, hint;
  std::optional<std::vector<std::string>> options;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("id", id, "By which pages name it.");
    b.choice("kind", kind, controlKindNames(), "How it is shown.");
    b.add("label", label, "Shown beside it.");
    b.add("group", group, "Controls of one group stand together under its name; empty: none.");
    b.add("enabled", enabled, "People can use it.");
    b.add("number", number, "Value of a slider or a number.");
    b.add("min", min, "Of the number.");
    b.add("max", max, "Of the number.");
    b.add("step", step, "Between neighboring numbers.");
    b.add("checked", checked, "Value of a checkbox.");
    b.add("text", text, "Value of a text, chosen option of a select, or what a label says.");
    b.add("hint", hint, "Shown where the mouse rests.");
    b.add("options", options, "Of a select.");
  }
};

/// All controls, in their order.
struct Controls {
  static constexpr std::string_view type = "controls";
  std::string title;
  std::vector<ProgramControl> controls;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("title", title, "Of the panel.");
    b.add("controls", controls, "All of them.");
  }
};

/// Something that is drawn in the world. Numbers are bytes as base64: little-endian floats of 32 bits, indices of 32
/// bits, colors of 8 bits a channel.
struct Drawing {
  std::string name;
  DrawingKind kind = DrawingKind::points;
  std::string color = "#000000";
  double opacity = 1, size = 1;
  bool visible = true;
  DragKind drag = DragKind::none;
  std::array<double, 12> T = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  std::optional<std::string> points, colors, triangles, text;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "No other drawing has it.");
    b.choice("kind", kind, drawingKindNames(), "Its kind.");
    b.add("color", color, "As #rrggbb.");
    b.add("opacity", opacity, "From 0 to 1.");
    b.add("size", size, "Of points and lines in pixels, of frames and texts in meters.");
    b.add("visible", visible, "It is drawn.");
    b.choice("drag", drag, dragKindNames(), "How people can move it.");
    b.add("T", T, "Its pose: a rotation by rows and a position (m).");
    b.add("points", points, "Of points, of lines two for each piece, of a mesh its corners: three floats each.");
    b.add("colors", colors, "Of points: four bytes each.");
    b.add("triangles", triangles, "Of a mesh: three indices each.");
    b.add("text", text, "That stands there.");
  }
};

struct DrawingPose {
  std::string name;
  std::array<double, 12> T = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the drawing.");
    b.add("T", T, "A rotation by rows and a position (m).");
  }
};

/// Changes of drawings; those that are not named stay as they are.
struct Drawings {
  static constexpr std::string_view type = "drawings";
  std::vector<Drawing> drawings;
  std::vector<DrawingPose> poses;
  std::vector<std::string> removed;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("drawings", drawings, "New ones, and those in the place of others of their name.");
    b.add("poses", poses, "Of drawings that moved.");
    b.add("removed", removed, "Names of those that are gone.");
  }
};

struct BodyStyle {
  int id = 0;
  bool hidden = false;
  std::optional<std::string> color;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("id", id, "Of the body.");
    b.add("hidden", hidden, "It is not drawn.");
    b.add("color", color, "That marks it, as #rrggbb.");
  }
};

/// Bodies that look otherwise than their world says; all others look as it says.
struct Bodies {
  static constexpr std::string_view type = "bodies";
  std::vector<BodyStyle> bodies;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("bodies", bodies, "All that look otherwise.");
  }
};

/// The camera is put somewhere, once.
struct Camera {
  static constexpr std::string_view type = "camera";
  Vector3d position = Vector3d::Zero(), target = Vector3d::Zero();
  template <typename Binder>
  void bind(Binder& b) {
    b.add("position", position, "Of the eye (m).");
    b.add("target", target, "The point that it turns about (m).");
  }
};

}  // namespace message

}  // namespace mortise::viewer
