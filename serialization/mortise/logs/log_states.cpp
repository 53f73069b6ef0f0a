#include "mortise/logs/log_states.h"

#include "mortise/base/error.h"
#include "mortise/mcap/packed_bytes.h"

namespace mortise::logs {

namespace {

constexpr std::string_view kStates = "states/", kStateEnding = ".state", kPacked = "application/zstd";

}  // namespace

mcap::Attachment packedState(std::uint64_t time, std::int64_t tick, std::string_view state) {
  return {time, time, std::string(kStates) + std::to_string(tick) + std::string(kStateEnding), std::string(kPacked),
          mcap::pack(state)};
}

std::int64_t tickOfState(const std::string& name) {
  if (!name.starts_with(kStates) || !name.ends_with(kStateEnding)) return -1;
  const std::string digits = name.substr(kStates.size(), name.size() - kStates.size() - kStateEnding.size());
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stoll(digits);
}

std::string attachmentContent(const mcap::Attachment& attachment) {
  if (tickOfState(attachment.name) < 0 || attachment.mediaType != kPacked) return attachment.data;
  try {
    return mcap::unpack(attachment.data);
  } catch (const Error& error) {
    throw Error("the attachment '" + attachment.name + "' is damaged: " + error.what());
  }
}

}  // namespace mortise::logs
