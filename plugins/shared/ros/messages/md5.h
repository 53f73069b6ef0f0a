#pragma once

#include <string>
#include <string_view>

namespace mortise::ros {

/// The MD5 sum of a text (RFC 1321), 32 hexadecimal digits. ROS 1 tells definitions of messages apart by it.
std::string md5(std::string_view text);

}  // namespace mortise::ros
