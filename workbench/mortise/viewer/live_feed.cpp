#include "mortise/viewer/live_feed.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "mortise/images/png_image.h"
#include "mortise/logs/log_scene.h"
#include "mortise/logs/samples.h"
#include "mortise/logs/series.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

/// A packet takes a page a few milliseconds.
constexpr std::size_t kMaxPacketBytes = 2 * 1024 * 1024;
/// Problems that are kept for pages that are slow.
constexpr std::size_t kMaxProblems = 20;

void appendRecord(std::string& out, std::uint32_t channelNumber, std::int64_t tick, const std::string& message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  char head[kRecordHead];
  std::memcpy(head, &channelNumber, 4);
  std::memcpy(head + 4, &length, 4);
  std::memcpy(head + 8, &tick, 8);
  out.append(head, sizeof head);
  out += message;
  out.append((kRecordAlignment - message.size() % kRecordAlignment) % kRecordAlignment, '\0');
}

void appendRecord(std::string& out, std::uint32_t channelNumber, std::int64_t tick, const logs::SeriesBlock& block) {
  if (block.samples() == 0) return;
  std::string message;
  block.encode(message);
  appendRecord(out, channelNumber, tick, message);
}

/// The colors of a camera's values.
std::string pngOf(const CameraModel& camera, std::span<const double> values) {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height));
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint32_t>(std::clamp(std::isfinite(values[i]) ? values[i] : 0.0, 0.0, 16777215.0));
  return colorPng(camera.width, camera.height, pixels);
}

}  // namespace

LiveFeed::LiveFeed(const World& world, std::size_t maxBytes) : world_(world), maxBytes_(maxBytes) {}

void LiveFeed::describe(const SimulationView& view, Value descriptions) {
  const std::lock_guard lock(mutex_);
  sensorsFound_ = true;
  descriptions_ = std::move(descriptions);
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    for (std::size_t s = 0; s < view.robots[r].sensors.size(); ++s) {
      const SensorReading& reading = view.robots[r].sensors[s];
      if (reading.camera != nullptr) {
        if (reading.camera->color) images_.push_back({r, s, *reading.camera, -1, 0, {}});
        continue;
      }
      sensors_.push_back({r,
                          s,
                          "/mortise/sensors/" + world_.robots[r].name + "/" + std::string(reading.name),
                          {reading.channels.begin(), reading.channels.end()}});
    }
}

/// Not more than a few a second: they cost pages more than all else. Called with the lock held.
void LiveFeed::takeImages(const SimulationView& view) {
  constexpr double kApart = 0.1;  // s
  for (Image& image : images_) {
    if (image.tick >= 0 && view.tick >= image.tick && view.time < image.time + kApart) continue;
    const std::span<const double> values = view.robots[image.robot].sensors[image.sensor].values;
    if (std::equal(values.begin(), values.end(), image.values.begin(), image.values.end())) continue;
    image.values.assign(values.begin(), values.end());
    image.tick = view.tick;
    image.time = view.time;
  }
}

void LiveFeed::add(const SimulationView& view) {
  if (!sensorsFound_) describe(view, Value::list());
  auto sample = std::make_shared<LiveSample>();
  sample->tick = view.tick;
  sample->time = view.time;
  std::size_t coordinates = 7 * view.objects.size(), drivers = 0;
  for (const RobotView& robot : view.robots) coordinates += static_cast<std::size_t>(robot.state->q.size());
  // Views of what is not simulated have neither torques nor commands; the channels have a column a driver all the same.
  for (const WorldRobot& robot : world_.robots) drivers += static_cast<std::size_t>(robot.robot->numDrivers());
  sample->state.resize(coordinates);
  logs::stateSample(view, sample->state);
  sample->torques.resize(drivers);
  logs::torqueSample(view, sample->torques);
  sample->commands.resize(3 * drivers);
  logs::commandSample(view, sample->commands);
  const std::size_t width = logs::contactColumns().size();
  sample->contacts.resize(width * view.contacts.size());
  for (std::size_t i = 0; i < view.contacts.size(); ++i)
    logs::contactSample(view.contacts[i], std::span(sample->contacts).subspan(width * i, width));
  for (const SensorChannel& sensor : sensors_) {
    const std::span<const double> values = view.robots[sensor.robot].sensors[sensor.sensor].values;
    logs::sensorSample(values, sample->sensors.emplace_back(values.size()));
  }
  {
    const std::lock_guard lock(mutex_);
    takeImages(view);
    bytes_ += sample->bytes();
    samples_.push_back(std::move(sample));
  }
  packOldest();
  const std::lock_guard lock(mutex_);
  while (bytes_ > maxBytes_ && samples_.size() > 1) dropOldest();
}

/// Only the simulation's thread changes the lists, so it reads them without the lock, and the server waits for nothing.
void LiveFeed::packOldest() {
  if (samples_.size() < 2 * kBatch) return;
  const std::vector<LiveSamplePtr> oldest(samples_.begin(), samples_.begin() + kBatch);
  auto packed = std::make_shared<const PackedSamples>(oldest);
  const std::lock_guard lock(mutex_);
  samples_.erase(samples_.begin(), samples_.begin() + kBatch);
  bytes_ = bytes_ - packed->unpackedBytes() + packed->bytes();
  packed_.push_back(std::move(packed));
}

void LiveFeed::dropOldest() {
  if (packed_.empty()) {
    bytes_ -= samples_.front()->bytes();
    samples_.pop_front();
    ++first_;
    return;
  }
  bytes_ -= packed_.front()->bytes();
  packed_.pop_front();
  first_ += kBatch;
}

std::int64_t LiveFeed::firstUnpacked() const { return first_ + static_cast<std::int64_t>(packed_.size() * kBatch); }

void LiveFeed::cutAfter(std::int64_t tick) {
  const std::lock_guard lock(mutex_);
  while (!samples_.empty() && samples_.back()->tick > tick) {
    bytes_ -= samples_.back()->bytes();
    samples_.pop_back();
  }
  while (!packed_.empty() && packed_.back()->lastTick() > tick) {
    for (LiveSamplePtr& sample : packed_.back()->unpack()) {
      if (sample->tick > tick) break;
      bytes_ += sample->bytes();
      samples_.push_back(std::move(sample));
    }
    bytes_ -= packed_.back()->bytes();
    packed_.pop_back();
    if (!samples_.empty()) break;
  }
  const std::int64_t end = firstUnpacked() + static_cast<std::int64_t>(samples_.size());
  for (auto& [number, page] : pages_) {
    page.next = std::min(page.next, end);
    page.cut = page.cut < 0 ? tick : std::min(page.cut, tick);
  }
}

void LiveFeed::setStatus(message::Status status) {
  const std::lock_guard lock(mutex_);
  if (statusVersion_ > 0 && status == status_) return;
  status_ = std::move(status);
  ++statusVersion_;
}

void LiveFeed::setControllers(std::string json) {
  const std::lock_guard lock(mutex_);
  if (controllersVersion_ > 0 && json == controllers_) return;
  controllers_ = std::move(json);
  ++controllersVersion_;
}

void LiveFeed::addProblem(std::string text) {
  const std::lock_guard lock(mutex_);
  problems_.push_back(std::move(text));
  if (problems_.size() <= kMaxProblems) return;
  problems_.pop_front();
  ++firstProblem_;
}

/// Returns what a page is to know besides samples, where it does not know it yet. Called with the lock held.
std::optional<ViewPacket> LiveFeed::news(Page& page) const {
  if (page.cut >= 0) return ViewPacket{true, jsonOf(message::Cut{std::exchange(page.cut, -1)})};
  if (page.status != statusVersion_) {
    page.status = statusVersion_;
    return ViewPacket{true, jsonOf(status_)};
  }
  if (page.controllers != controllersVersion_) {
    page.controllers = controllersVersion_;
    return ViewPacket{true, controllers_};
  }
  page.problem = std::max(page.problem, firstProblem_);
  if (page.problem == endOfProblems()) return std::nullopt;
  return ViewPacket{true,
                    jsonOf(message::Problem{problems_[static_cast<std::size_t>(page.problem++ - firstProblem_)], {}})};
}

std::int64_t LiveFeed::tickAt(double time) const {
  const auto tickIn = [&](const auto& samples) {
    const auto after = std::upper_bound(samples.begin(), samples.end(), time + 5e-10,
                                        [](double t, const LiveSamplePtr& sample) { return t < sample->time; });
    return after == samples.begin() ? samples.front()->tick : (*std::prev(after))->tick;
  };
  const std::lock_guard lock(mutex_);
  if (samples_.empty() && packed_.empty()) return 0;
  if (packed_.empty() || (!samples_.empty() && samples_.front()->time <= time + 5e-10)) return tickIn(samples_);
  const auto after = std::upper_bound(packed_.begin(), packed_.end(), time + 5e-10,
                                      [](double t, const PackedPtr& packed) { return t < packed->firstTime(); });
  return tickIn((after == packed_.begin() ? *after : *std::prev(after))->unpack());
}

std::vector<message::Channel> LiveFeed::channels() const {
  std::vector<message::Channel> list = {{"/mortise/state", logs::stateColumns(world_)},
                                        {"/mortise/torques", logs::torqueColumns(world_)},
                                        {"/mortise/contacts", logs::contactColumns()},
                                        {"/mortise/commands", logs::commandColumns(world_)}};
  const std::lock_guard lock(mutex_);
  for (const SensorChannel& sensor : sensors_) list.push_back({sensor.topic, sensor.columns});
  return list;
}

Value LiveFeed::sensors() const {
  const std::lock_guard lock(mutex_);
  return descriptions_;
}

void LiveFeed::join(int page) {
  const std::lock_guard lock(mutex_);
  pages_[page] = {{}, first_, -1, 0, 0, endOfProblems()};
}

void LiveFeed::leave(int page) {
  const std::lock_guard lock(mutex_);
  pages_.erase(page);
}

std::optional<ViewPacket> LiveFeed::next(int number) {
  std::vector<PackedPtr> packed;
  std::vector<LiveSamplePtr> samples, newest;
  std::size_t skipped = 0;
  bool any = false;
  std::vector<std::pair<std::uint32_t, Image>> images;
  {
    const std::lock_guard lock(mutex_);
    Page& page = pages_[number];
    if (std::optional<ViewPacket> packet = news(page)) return packet;
    page.next = std::max(page.next, first_);
    std::size_t bytes = 0;
    while (page.next < firstUnpacked() && bytes < kMaxPacketBytes) {
      const auto from = static_cast<std::size_t>(page.next - first_);
      if (packed.empty()) skipped = from % kBatch;
      packed.push_back(packed_[from / kBatch]);
      bytes += packed.back()->unpackedBytes();
      page.next = first_ + static_cast<std::int64_t>((from / kBatch + 1) * kBatch);
    }
    for (auto at = static_cast<std::size_t>(std::max<std::int64_t>(page.next - firstUnpacked(), 0));
         page.next >= firstUnpacked() && at < samples_.size() && bytes < kMaxPacketBytes; ++at) {
      newest.push_back(samples_[at]);
      bytes += samples_[at]->bytes();
      ++page.next;
    }
    any = !packed.empty() || !newest.empty();
    page.images.resize(images_.size(), -1);
    for (std::size_t i = 0; i < images_.size() && any; ++i) {
      if (images_[i].tick < 0 || images_[i].tick == page.images[i]) continue;
      page.images[i] = images_[i].tick;
      images.emplace_back(kFirstImage + static_cast<std::uint32_t>(i), images_[i]);
    }
  }
  if (!any) return std::nullopt;
  for (const PackedPtr& batch : packed) {
    const std::vector<LiveSamplePtr> unpacked = batch->unpack();
    samples.insert(samples.end(), unpacked.begin() + static_cast<std::ptrdiff_t>(std::exchange(skipped, 0)),
                   unpacked.end());
  }
  samples.insert(samples.end(), newest.begin(), newest.end());
  return ViewPacket{false, packet(samples, images)};
}

std::string LiveFeed::packet(const std::vector<LiveSamplePtr>& samples,
                             const std::vector<std::pair<std::uint32_t, Image>>& images) const {
  const LiveBlocks blocks(samples);
  std::string out;
  const std::int64_t tick = samples.back()->tick;
  for (const auto& [number, image] : images) appendRecord(out, number, image.tick, pngOf(image.camera, image.values));
  // Contacts first: when the state comes, everything of its time is there.
  appendRecord(out, 2, tick, blocks.contacts);
  appendRecord(out, 1, tick, blocks.torques);
  appendRecord(out, 3, tick, blocks.commands);
  for (std::size_t i = 0; i < blocks.sensors.size(); ++i)
    appendRecord(out, static_cast<std::uint32_t>(4 + i), tick, blocks.sensors[i]);
  appendRecord(out, 0, tick, blocks.state);
  return out;
}

}  // namespace mortise::viewer
