#pragma once

#include <string>

#include "mortise/base/value.h"
#include "mortise/mcap/reader.h"

namespace mortise::logs {

/// Returns the content of a log: a map with `start` and `end` (simulated s; null without messages), `channels`, a list
/// of {topic, messages, type, encoding}, `attachments`, a list of {name, media_type, size}, `messages`, `chunks`,
/// `library`, `damage` (null for a whole file), and what the run said at its end: `state_hash`, `status`, `ticks`, null
/// where it was interrupted.
Value logInfo(mcap::Reader& reader);

/// The same for people.
std::string logInfoText(const Value& info);

/// The last `mortise.run` metadata's entry; empty when there is none.
std::string endingEntry(mcap::Reader& reader, std::string_view key);

/// The columns of a channel of `mortise.Series`. Throws `Error` for a channel whose metadata do not say.
std::vector<std::string> seriesColumns(const mcap::Reader& reader, const mcap::Channel& channel);

/// Says whether the channel's messages are `mortise.Series`.
bool isSeries(const mcap::Reader& reader, const mcap::Channel& channel);

}  // namespace mortise::logs
