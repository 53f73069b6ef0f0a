#include "components/script_error.h"

#include <string>

namespace mortise::python {

Error scriptError(py::error_already_set& exception) {
  std::string text = exception.what();
  SourcePosition where;
  std::string hint;
  try {
    if (exception.trace()) PyException_SetTraceback(exception.value().ptr(), exception.trace().ptr());
    const py::tuple place = scriptModule().attr("where")(exception.value());
    text = place[0].cast<std::string>();
    where.file = place[1].cast<std::string>();
    where.line = place[2].cast<int>();
    const auto function = place[3].cast<std::string>();
    if (!function.empty() && function != "<module>") text += " (in " + function + ")";
    if (py::hasattr(exception.value(), "hint")) hint = py::str(exception.value().attr("hint"));
  } catch (py::error_already_set& again) {
    again.discard_as_unraisable("mortise: the place of an exception");
  }
  return Error(text, where, hint);
}

}  // namespace mortise::python
