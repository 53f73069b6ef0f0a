#pragma once

/// Messages of pages to a program that shows something in them, each declared once as those of `live_requests.h`.

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "mortise/configuration/pose_setting.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::viewer::message {

/// A control was pressed or set.
struct Control {
  static constexpr std::string_view type = "control";
  std::string id;
  std::optional<double> number;
  std::optional<bool> checked;
  std::optional<std::string> text;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("id", id, "Of the control.", {.required = true});
    b.add("number", number, "Of a slider or a number.");
    b.add("checked", checked, "Of a checkbox.");
    b.add("text", text, "Of a text, or the option of a select.");
  }
};

/// A drawing is dragged.
struct Dragged {
  static constexpr std::string_view type = "dragged";
  std::string name;
  PoseSetting T;
  bool done = false;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the drawing.", {.required = true});
    b.add("T", T, "Twelve numbers: a rotation by rows and a position (m).", {.required = true});
    b.add("done", done, "The drag has ended.");
  }
};

/// A place of the picture was clicked.
struct Picked {
  static constexpr std::string_view type = "picked";
  Vector3d origin = Vector3d::Zero(), direction = Vector3d::Zero();
  int id = -1;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("origin", origin, "Of the ray from the eye, in the world.", {.unit = "m", .required = true});
    b.add("direction", direction, "Of the ray.", {.required = true});
    b.add("id", id, "Of the body that was hit; -1: none.", {.min = -1});
  }
};

using ProgramRequest = std::variant<Control, Dragged, Picked>;

}  // namespace mortise::viewer::message
