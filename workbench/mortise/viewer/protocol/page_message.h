#pragma once

/// All messages of pages, read once when they arrive.

#include <string>
#include <variant>

#include "mortise/base/value.h"
#include "mortise/viewer/protocol/live_requests.h"
#include "mortise/viewer/protocol/program_requests.h"
#include "mortise/viewer/protocol/resource_requests.h"

namespace mortise::viewer {

namespace message {

using PoseRequest =
    std::variant<Driver, Link, Drag, Place, Configuration, Pin, Goal, Unpin, Solve, Mirror, Store, Touch, Balance, Save,
                 Undo, Redo, Load, Set, Rename, Erase, Convert, Path, Milestone, Split, Reverse, Retime, Discretize,
                 Optimize, Check, Contact, ContactErase, Clean, Friction, Fingers, Finger, Simplify, Mesh>;

struct PoseMessage {
  PoseCommon common;
  PoseRequest request;
};

}  // namespace message

using PageMessage = std::variant<message::Drawn, message::LiveRequest, message::PoseMessage, message::ProgramRequest>;

/// The value of `type` that a message has.
std::string typeOf(const PageMessage& message);

/// A message from the map that a page sent. Throws `Error` that names the key and what was expected for it, with the
/// types there are where there is none of the name.
PageMessage readPageMessage(const Value& given);

}  // namespace mortise::viewer
