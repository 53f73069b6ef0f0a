#pragma once

/// Messages to bytes and back. Defined for the messages of `all_messages.h`.

#include <cstddef>
#include <span>
#include <vector>

#include "ros/messages/message_type.h"

namespace mortise::ros {

/// Replaces what `bytes` holds, whose memory is used again. CDR begins with its four bytes of header.
template <class M>
void encode(const M& message, Encoding encoding, std::vector<std::byte>& bytes);

/// Replaces what `message` holds. Throws `Error` that names the field where the bytes end too early, where a length
/// leads out of them (nothing is allocated for it), and where CDR has a header that is not known. CDR of either byte
/// order is read. Bytes behind the message are no error: CDR may be padded.
template <class M>
void decode(std::span<const std::byte> bytes, Encoding encoding, M& message);

}  // namespace mortise::ros
