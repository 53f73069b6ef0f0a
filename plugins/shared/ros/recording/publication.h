#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ros/codec/codec.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

/// What publishers of one recorder share: the carrier, the count of messages, and memory for bytes.
class Outbox {
 public:
  explicit Outbox(Transport& transport) : transport_(transport) {}

  Transport& transport() { return transport_; }
  template <class M>
  void publish(int id, const M& message) {
    encode(message, transport_.encoding(), bytes_);
    if (transport_.publish(id, bytes_))
      ++sent_;
    else
      ++refused_;
  }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t refused() const { return refused_; }

 private:
  Transport& transport_;
  std::vector<std::byte> bytes_;
  std::uint64_t sent_ = 0, refused_ = 0;
};

/// A topic of messages `M`, whose memory is used again.
template <class M>
class Publication {
 public:
  Publication(Outbox& outbox, const std::string& topic, const Quality& quality)
      : outbox_(&outbox), id_(outbox.transport().advertise(topic, messageType<M>(), quality)) {}

  bool wanted() const { return outbox_->transport().hasSubscribers(id_); }
  void send() { outbox_->publish(id_, message); }

  M message;

 private:
  Outbox* outbox_;
  int id_;
};

}  // namespace mortise::ros
