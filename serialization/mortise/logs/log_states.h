#pragma once

/// Saved states in logs, from which runs go on: attachments `states/TICK.state`, compressed by zstd. Those of older
/// logs are not.

#include <cstdint>
#include <string>
#include <string_view>

#include "mortise/mcap/reader.h"

namespace mortise::logs {

/// The state of an instant, as a log holds it. `time`: ns.
mcap::Attachment packedState(std::uint64_t time, std::int64_t tick, std::string_view state);

/// The tick of a saved state by its attachment's name; -1 for one that is none.
std::int64_t tickOfState(const std::string& name);

/// Returns an attachment as people and programs get it: a saved state as it was, anything else as it is. Throws `Error`
/// for a damaged one.
std::string attachmentContent(const mcap::Attachment& attachment);

}  // namespace mortise::logs
