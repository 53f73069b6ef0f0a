#include <algorithm>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "geometry/shapes.h"
#include "mortise/base/error.h"
#include "view/view.h"

namespace mortise::python {

namespace {

using viewer::ControlKind;
using viewer::message::ProgramControl;

/// An id that no other control has: the given one, or the label with a number where it is taken.
std::string idFor(PageView& view, py::handle given, const std::string& label) {
  if (!given.is_none()) return textFrom(given, "id");
  const std::vector<std::string> taken = view.core->scene().controls();
  const std::string stem = label.empty() ? "control" : label;
  std::string id = stem;
  for (int n = 2; std::find(taken.begin(), taken.end(), id) != taken.end(); ++n) id = stem + " " + std::to_string(n);
  return id;
}

/// Adds the control with what all kinds have in common.
ControlHandle added(PageView& view, ProgramControl control, py::handle callback, const std::string& group,
                    py::handle hint, py::handle id) {
  control.id = idFor(view, id, control.label);
  control.group = group;
  if (!hint.is_none()) control.hint = textFrom(hint, "hint");
  if (!callback.is_none() && PyCallable_Check(callback.ptr()) == 0)
    throw py::type_error("callback: expected something that can be called, found " + shapeText(callback));
  const std::string name = control.id;
  view.pages().scene().setControl(std::move(control));
  if (view.callbacks.contains(name.c_str())) view.callbacks.attr("pop")(name);
  if (!callback.is_none()) view.callbacks[name.c_str()] = callback;
  return {view.core, name};
}

ProgramControl ofKind(ControlKind kind, const std::string& label) {
  ProgramControl control;
  control.kind = kind;
  control.label = label;
  return control;
}

std::optional<double> optionalNumber(py::handle from, const char* name) {
  return from.is_none() ? std::nullopt : std::optional(numberFrom(from, name));
}

py::object valueOf(const ProgramControl& control) {
  if (control.number) return py::float_(*control.number);
  if (control.checked) return py::bool_(*control.checked);
  if (control.text) return py::str(*control.text);
  return py::none();
}

void setValue(const ControlHandle& handle, py::handle value) {
  ProgramControl control = handle.get();
  if (control.kind == ControlKind::button) throw Error("the button '" + handle.id + "' has no value");
  if (control.number)
    control.number = numberFrom(value, "value");
  else if (control.checked)
    control.checked = flagFrom(value, "value");
  else
    control.text = textFrom(value, "value");
  handle.core->scene().setControl(std::move(control));
}

/// Changes a control by a function.
template <typename Change>
void changed(const ControlHandle& handle, const Change& change) {
  ProgramControl control = handle.get();
  change(control);
  handle.core->scene().setControl(std::move(control));
}

void bindControlType(py::module_& m) {
  Class<ControlHandle>(m, "Control",
                       "Something that people press or set in the pages of a View. `View.add_...` makes it.")
      .def_property_readonly(
          "id", [](const ControlHandle& c) { return c.id; }, "No other control of the view has it.")
      .def_property(
          "value", [](const ControlHandle& c) { return valueOf(c.get()); },
          [](ControlHandle& c, py::handle value) { setValue(c, value); },
          "value: Any\n\nAs people set it last, or the program: a number, True or False, or a text; None of a button.")
      .def_property(
          "label", [](const ControlHandle& c) { return c.get().label; },
          [](ControlHandle& c, const std::string& label) { changed(c, [&](ProgramControl& p) { p.label = label; }); },
          "Shown beside it.")
      .def_property(
          "enabled", [](const ControlHandle& c) { return c.get().enabled; },
          [](ControlHandle& c, bool enabled) { changed(c, [&](ProgramControl& p) { p.enabled = enabled; }); },
          "Whether people can use it.")
      .def_property(
          "options", [](const ControlHandle& c) { return c.get().options.value_or(std::vector<std::string>()); },
          [](ControlHandle& c, const std::vector<std::string>& options) {
            changed(c, [&](ProgramControl& p) {
              if (p.kind != ControlKind::select) throw Error("'" + c.id + "' is not chosen among options");
              p.options = options;
              if (!options.empty() && std::find(options.begin(), options.end(), *p.text) == options.end())
                p.text = options.front();
            });
          },
          "Of a select; the first is chosen where the chosen one is gone.")
      .def(
          "remove", [](ControlHandle& c) { c.core->scene().eraseControl(c.id); },
          "remove()\n\nTakes it out of the pages.")
      .def("__repr__", [](const ControlHandle& c) { return "Control('" + c.id + "')"; });
}

void bindNumbers(ViewClass& type) {
  type.def(
          "add_slider",
          [](PageView& v, const std::string& label, double min, double max, py::handle value, py::handle callback,
             py::handle step, const std::string& group, py::handle hint, py::handle id) {
            ProgramControl control = ofKind(ControlKind::slider, label);
            control.min = min;
            control.max = max;
            control.number = value.is_none() ? min : numberFrom(value, "value");
            control.step = optionalNumber(step, "step");
            return added(v, std::move(control), callback, group, hint, id);
          },
          py::arg("label"), py::arg("min"), py::arg("max"), py::arg("value") = py::none(),
          py::arg("callback") = py::none(), py::arg("step") = py::none(), py::arg("group") = "",
          py::arg("hint") = py::none(), py::arg("id") = py::none(),
          "add_slider(label: str, min: float, max: float, value: float | None = None, callback: Callable[[float], Any] "
          "| "
          "None = None, step: float | None = None, group: str = '', hint: str | None = None, id: str | None = None) -> "
          "Control\n\nA number between two; callback(value). A control of the same id is replaced.")
      .def(
          "add_number",
          [](PageView& v, const std::string& label, double value, py::handle callback, py::handle min, py::handle max,
             py::handle step, const std::string& group, py::handle hint, py::handle id) {
            ProgramControl control = ofKind(ControlKind::number, label);
            control.number = value;
            control.min = optionalNumber(min, "min");
            control.max = optionalNumber(max, "max");
            control.step = optionalNumber(step, "step");
            return added(v, std::move(control), callback, group, hint, id);
          },
          py::arg("label"), py::arg("value") = 0.0, py::arg("callback") = py::none(), py::arg("min") = py::none(),
          py::arg("max") = py::none(), py::arg("step") = py::none(), py::arg("group") = "",
          py::arg("hint") = py::none(), py::arg("id") = py::none(),
          "add_number(label: str, value: float = 0.0, callback: Callable[[float], Any] | None = None, min: float | "
          "None = "
          "None, max: float | None = None, step: float | None = None, group: str = '', hint: str | None = None, id: "
          "str | "
          "None = None) -> Control\n\nA number that is typed; callback(value).");
}

void bindChoices(ViewClass& type) {
  type.def(
          "add_checkbox",
          [](PageView& v, const std::string& label, bool value, py::handle callback, const std::string& group,
             py::handle hint, py::handle id) {
            ProgramControl control = ofKind(ControlKind::checkbox, label);
            control.checked = value;
            return added(v, std::move(control), callback, group, hint, id);
          },
          py::arg("label"), py::arg("value") = false, py::arg("callback") = py::none(), py::arg("group") = "",
          py::arg("hint") = py::none(), py::arg("id") = py::none(),
          "add_checkbox(label: str, value: bool = False, callback: Callable[[bool], Any] | None = None, group: str = "
          "'', "
          "hint: str | None = None, id: str | None = None) -> Control\n\ncallback(value).")
      .def(
          "add_select",
          [](PageView& v, const std::string& label, const std::vector<std::string>& options, py::handle value,
             py::handle callback, const std::string& group, py::handle hint, py::handle id) {
            ProgramControl control = ofKind(ControlKind::select, label);
            control.options = options;
            control.text = !value.is_none() ? textFrom(value, "value") : options.empty() ? "" : options.front();
            return added(v, std::move(control), callback, group, hint, id);
          },
          py::arg("label"), py::arg("options"), py::arg("value") = py::none(), py::arg("callback") = py::none(),
          py::arg("group") = "", py::arg("hint") = py::none(), py::arg("id") = py::none(),
          "add_select(label: str, options: Sequence[str], value: str | None = None, callback: Callable[[str], Any] | "
          "None "
          "= None, group: str = '', hint: str | None = None, id: str | None = None) -> Control\n\nOne of several "
          "texts; "
          "callback(value).");
}

void bindTexts(ViewClass& type) {
  type.def(
          "add_button",
          [](PageView& v, const std::string& label, py::handle callback, const std::string& group, py::handle hint,
             py::handle id) { return added(v, ofKind(ControlKind::button, label), callback, group, hint, id); },
          py::arg("label"), py::arg("callback") = py::none(), py::arg("group") = "", py::arg("hint") = py::none(),
          py::arg("id") = py::none(),
          "add_button(label: str, callback: Callable[[], Any] | None = None, group: str = '', hint: str | None = None, "
          "id: "
          "str | None = None) -> Control\n\ncallback() for each time that it is pressed.")
      .def(
          "add_text",
          [](PageView& v, const std::string& label, const std::string& value, py::handle callback,
             const std::string& group, py::handle hint, py::handle id) {
            ProgramControl control = ofKind(ControlKind::text, label);
            control.text = value;
            return added(v, std::move(control), callback, group, hint, id);
          },
          py::arg("label"), py::arg("value") = "", py::arg("callback") = py::none(), py::arg("group") = "",
          py::arg("hint") = py::none(), py::arg("id") = py::none(),
          "add_text(label: str, value: str = '', callback: Callable[[str], Any] | None = None, group: str = '', hint: "
          "str "
          "| None = None, id: str | None = None) -> Control\n\nA text that is typed; callback(value).")
      .def(
          "add_label",
          [](PageView& v, const std::string& value, const std::string& label, const std::string& group, py::handle hint,
             py::handle id) {
            ProgramControl control = ofKind(ControlKind::label, label);
            control.text = value;
            return added(v, std::move(control), py::none(), group, hint, id);
          },
          py::arg("value"), py::arg("label") = "", py::arg("group") = "", py::arg("hint") = py::none(),
          py::arg("id") = py::none(),
          "add_label(value: str, label: str = '', group: str = '', hint: str | None = None, id: str | None = None) -> "
          "Control\n\nA text that only the program sets, by its `value`.");
}

}  // namespace

void bindControls(py::module_& m, ViewClass& type) {
  bindControlType(m);
  bindNumbers(type);
  bindChoices(type);
  bindTexts(type);
  type.def(
          "control",
          [](PageView& v, const std::string& id) {
            v.core->scene().control(id);  // Throws where there is none.
            return ControlHandle{v.core, id};
          },
          py::arg("id"), "control(id: str) -> Control\n\nBy its id.")
      .def_property_readonly(
          "controls", [](const PageView& v) { return v.core->scene().controls(); }, "Ids of the controls, in order.")
      .def(
          "clear_controls",
          [](PageView& v) {
            v.core->scene().clearControls();
            v.callbacks = py::dict();
          },
          "clear_controls()")
      .def(
          "set_title", [](PageView& v, const std::string& title) { v.core->scene().setTitle(title); }, py::arg("title"),
          "set_title(title: str)\n\nOf the panel with the controls.");
}

}  // namespace mortise::python
