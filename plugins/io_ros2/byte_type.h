#pragma once

/// A type of CycloneDDS whose samples are bytes that are already CDR: what goes over the network is what was given.

#include <cstddef>
#include <dds/dds.h>
#include <span>
#include <string>

struct ddsi_sertype;
struct ddsi_serdata;

namespace mortise::ros2 {

/// Creates a topic without key for messages that travel as bytes. Returns the entity, or a negative code of DDS.
dds_entity_t createByteTopic(dds_entity_t participant, const std::string& name, const std::string& type);

/// Writes one message, which begins with its header of CDR. Returns a code of DDS.
dds_return_t writeBytes(dds_entity_t writer, std::span<const std::byte> bytes);

/// Takes what a reader of such a topic has, and calls `visit(std::span<const std::byte>)` with each message.
template <class Visit>
void takeBytes(dds_entity_t reader, Visit&& visit);

/// The bytes of a sample of such a topic.
std::span<const std::byte> bytesOf(const ddsi_serdata* sample);
void releaseSample(ddsi_serdata* sample);

template <class Visit>
void takeBytes(dds_entity_t reader, Visit&& visit) {
  constexpr std::uint32_t kAtOnce = 16;
  for (;;) {
    ddsi_serdata* samples[kAtOnce] = {};
    dds_sample_info_t infos[kAtOnce];
    const dds_return_t count = dds_takecdr(reader, samples, kAtOnce, infos, DDS_ANY_STATE);
    for (dds_return_t i = 0; i < count; ++i) {
      if (infos[i].valid_data) visit(bytesOf(samples[i]));
      releaseSample(samples[i]);
    }
    if (count < static_cast<dds_return_t>(kAtOnce)) return;
  }
}

}  // namespace mortise::ros2
