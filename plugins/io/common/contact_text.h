#pragma once

/// Klamp't's text of goals, holds and stances, in files of their own and inside XML and JSON.

#include <optional>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_content.h"
#include "mortise/contact/hold.h"
#include "text/text_file.h"

namespace mortise::io {

/// `link destLink`, then `N`, `P|L local end direction` or `F local end`, then `N`, `A|T localAxis endAxis` or
/// `F moment`. Throws `Error` with the position.
IKGoal readGoal(Cursor& cursor);
std::string goalText(const IKGoal& goal);

/// `begin hold`, lines `key = numbers`, `end`; a '\' at the end of a line continues it. Throws `Error` with the
/// position.
Hold readHold(const TextFile& file, Diagnostics& diagnostics);
/// `begin stance`, holds, `end`. Of two holds of one link the first counts, as in Klamp't, with a warning.
Stance readStance(const TextFile& file, Diagnostics& diagnostics);
/// Says whether the text is a hold, a stance or neither.
std::optional<FileContent> blockKind(std::string_view text);

/// The text form holds fixed positions, and free, axis or fixed rotations. Throws `Error` for other goals.
std::string holdText(const Hold& hold, Diagnostics& diagnostics);
std::string stanceText(const Stance& stance, Diagnostics& diagnostics);

}  // namespace mortise::io
