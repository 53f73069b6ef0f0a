#include "mortise/viewer/live_sample.h"

#include <algorithm>

#include "mortise/logs/samples.h"
#include "mortise/mcap/packed_bytes.h"
#include "mortise/protobuf/wire_format.h"

namespace mortise::viewer {

namespace {

/// Fields of what is packed: messages `mortise.Series`.
enum Part { kState = 1, kTorques, kCommands, kContacts, kSensor };

void copyRow(const std::vector<float>& from, std::span<float> to) { std::copy(from.begin(), from.end(), to.begin()); }

std::vector<float> rowOf(const logs::SeriesBlock& block, std::size_t i) {
  const std::span<const float> row = block.sample(i);
  return {row.begin(), row.end()};
}

}  // namespace

std::size_t LiveSample::bytes() const {
  std::size_t count = state.size() + torques.size() + commands.size() + contacts.size();
  for (const auto& values : sensors) count += values.size() + 8;
  return sizeof *this + 64 + sizeof(float) * count;
}

LiveBlocks::LiveBlocks(std::span<const LiveSamplePtr> samples)
    : state(samples.front()->state.size()),
      torques(samples.front()->torques.size()),
      commands(samples.front()->commands.size()),
      contacts(logs::contactColumns().size()) {
  const std::size_t width = contacts.columns();
  for (const auto& values : samples.front()->sensors) sensors.emplace_back(values.size());
  for (const LiveSamplePtr& sample : samples) {
    const auto tick = static_cast<std::uint64_t>(sample->tick);
    copyRow(sample->state, state.append(tick, sample->time));
    copyRow(sample->torques, torques.append(tick, sample->time));
    copyRow(sample->commands, commands.append(tick, sample->time));
    for (std::size_t at = 0; at < sample->contacts.size(); at += width)
      std::copy_n(sample->contacts.begin() + static_cast<std::ptrdiff_t>(at), width,
                  contacts.append(tick, sample->time).begin());
    for (std::size_t i = 0; i < sensors.size(); ++i) copyRow(sample->sensors[i], sensors[i].append(tick, sample->time));
  }
}

PackedSamples::PackedSamples(std::span<const LiveSamplePtr> samples)
    : lastTick_(samples.back()->tick), firstTime_(samples.front()->time) {
  for (const LiveSamplePtr& sample : samples) unpackedBytes_ += sample->bytes();
  const LiveBlocks blocks(samples);
  std::string bytes, message;
  protobuf::Writer parts(bytes);
  const auto add = [&](Part part, const logs::SeriesBlock& block) {
    message.clear();
    block.encodePacked(message);
    parts.bytes(part, message);
  };
  add(kState, blocks.state);
  add(kTorques, blocks.torques);
  add(kCommands, blocks.commands);
  add(kContacts, blocks.contacts);
  for (const logs::SeriesBlock& sensor : blocks.sensors) add(kSensor, sensor);
  packed_ = mcap::pack(bytes);
}

std::vector<LiveSamplePtr> PackedSamples::unpack() const {
  const std::string bytes = mcap::unpack(packed_);
  logs::SeriesBlock state, torques, commands, contacts;
  std::vector<logs::SeriesBlock> sensors;
  protobuf::Reader parts(bytes);
  for (protobuf::Field part; parts.next(part);) {
    logs::SeriesBlock block = logs::SeriesBlock::decode(part.bytes);
    switch (part.number) {
      case kState:
        state = std::move(block);
        break;
      case kTorques:
        torques = std::move(block);
        break;
      case kCommands:
        commands = std::move(block);
        break;
      case kContacts:
        contacts = std::move(block);
        break;
      default:
        sensors.push_back(std::move(block));
    }
  }
  std::vector<LiveSamplePtr> samples;
  std::size_t contact = 0;
  for (std::size_t i = 0; i < state.samples(); ++i) {
    auto sample = std::make_shared<LiveSample>();
    sample->tick = static_cast<std::int64_t>(state.ticks()[i]);
    sample->time = state.times()[i];
    sample->state = rowOf(state, i);
    sample->torques = rowOf(torques, i);
    sample->commands = rowOf(commands, i);
    for (; contact < contacts.samples() && contacts.ticks()[contact] == state.ticks()[i]; ++contact) {
      const std::span<const float> row = contacts.sample(contact);
      sample->contacts.insert(sample->contacts.end(), row.begin(), row.end());
    }
    for (const logs::SeriesBlock& sensor : sensors) sample->sensors.push_back(rowOf(sensor, i));
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace mortise::viewer
