#pragma once

/// Checks of what programs show in pages, before any page gets it.

#include "mortise/viewer/protocol/program_messages.h"
#include "mortise/viewer/protocol/program_requests.h"

namespace mortise::viewer {

/// Each throws `Error` that names what is wrong, and what was expected.
void checkDrawing(const message::Drawing& drawing);
void checkControl(const message::ProgramControl& control);
void checkColor(const std::string& color, const std::string& what);
/// Puts what a page says into a control, where its kind has such a value, within bounds, among the options.
void setFromPage(message::ProgramControl& control, const message::Control& request);

}  // namespace mortise::viewer
