#include "ros/codec/codec.h"

#include "ros/codec/reader.h"
#include "ros/codec/writer.h"
#include "ros/messages/all_messages.h"

namespace mortise::ros {

template <class M>
void encode(const M& message, Encoding encoding, std::vector<std::byte>& bytes) {
  if (encoding == Encoding::cdr)
    MessageWriter<Encoding::cdr>(bytes).message(message);
  else
    MessageWriter<Encoding::ros1>(bytes).message(message);
}

template <class M>
void decode(std::span<const std::byte> bytes, Encoding encoding, M& message) {
  if (encoding == Encoding::cdr)
    MessageReader<Encoding::cdr>(bytes).message(message);
  else
    MessageReader<Encoding::ros1>(bytes).message(message);
}

#define MORTISE_ROS_CODEC(M)                                            \
  template void encode<M>(const M&, Encoding, std::vector<std::byte>&); \
  template void decode<M>(std::span<const std::byte>, Encoding, M&);
MORTISE_ROS_MESSAGES(MORTISE_ROS_CODEC)
#undef MORTISE_ROS_CODEC

}  // namespace mortise::ros
