#pragma once

/// Messages to pages as JSON.

#include <string>
#include <variant>

#include "mortise/viewer/protocol/controller_messages.h"
#include "mortise/viewer/protocol/program_messages.h"
#include "mortise/viewer/protocol/server_messages.h"

namespace mortise::viewer {

using ServerMessage = std::variant<message::Hello, message::Status, message::Cut, message::Problem, message::Reload,
                                   message::Version, message::State, message::Controllers, message::Controls,
                                   message::Drawings, message::Bodies, message::Camera>;

/// One line, with the message's type. What is missing is left out.
std::string jsonOf(ServerMessage message);
std::string jsonOf(message::LogList list);

}  // namespace mortise::viewer
