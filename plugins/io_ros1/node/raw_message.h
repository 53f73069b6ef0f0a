#pragma once

/// Messages as bytes that somebody else laid out, for roscpp's templates. C++17.

#include <cstring>
#include <ros/message_traits.h>
#include <ros/serialization.h>
#include <ros/subscription_callback_helper.h>
#include <vector>

#include "ros_node.h"

namespace mortise::io_ros1 {

/// Bytes to send, where they lie.
struct OutgoingBytes {
  const unsigned char* data;
  std::size_t size;
};

struct IncomingBytes {
  std::vector<unsigned char> bytes;
};

/// Hands bytes on as they came.
class BytesHelper final : public ros::SubscriptionCallbackHelper {
 public:
  explicit BytesHelper(BytesHandler handler) : handler_(std::move(handler)) {}

  ros::VoidConstPtr deserialize(const ros::SubscriptionCallbackHelperDeserializeParams& params) override {
    auto message = boost::make_shared<IncomingBytes>();
    message->bytes.assign(params.buffer, params.buffer + params.length);
    return message;
  }
  void call(ros::SubscriptionCallbackHelperCallParams& params) override {
    const auto message = boost::static_pointer_cast<const IncomingBytes>(params.event.getConstMessage());
    if (message) handler_(message->bytes.data(), message->bytes.size());
  }
  const std::type_info& getTypeInfo() override { return typeid(IncomingBytes); }
  bool isConst() override { return true; }
  bool hasHeader() override { return false; }

 private:
  BytesHandler handler_;
};

}  // namespace mortise::io_ros1

namespace ros {
namespace message_traits {

// The publisher knows type, sum and definition; what is published fits any.
template <>
struct MD5Sum<mortise::io_ros1::OutgoingBytes> {
  static const char* value() { return "*"; }
  static const char* value(const mortise::io_ros1::OutgoingBytes&) { return "*"; }
};
template <>
struct DataType<mortise::io_ros1::OutgoingBytes> {
  static const char* value() { return "*"; }
  static const char* value(const mortise::io_ros1::OutgoingBytes&) { return "*"; }
};

}  // namespace message_traits

namespace serialization {

template <>
struct Serializer<mortise::io_ros1::OutgoingBytes> {
  template <typename Stream>
  static void write(Stream& stream, const mortise::io_ros1::OutgoingBytes& message) {
    std::memcpy(stream.advance(static_cast<std::uint32_t>(message.size)), message.data, message.size);
  }
  static std::uint32_t serializedLength(const mortise::io_ros1::OutgoingBytes& message) {
    return static_cast<std::uint32_t>(message.size);
  }
};

}  // namespace serialization
}  // namespace ros
