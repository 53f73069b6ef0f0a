#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mortise/component/simulation_view.h"
#include "mortise/viewer/live_sample.h"
#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// The recent past of a running simulation, for pages that may come at any time and read at any pace: the samples that
/// a log would hold. The simulation's thread adds, the server's thread reads; neither waits for the other longer than
/// a list takes to be changed. Beyond a limit of memory the oldest samples are dropped.
class LiveFeed {
 public:
  LiveFeed(const World& world, std::size_t maxBytes);

  void add(const SimulationView& view);
  /// Describes the sensors that there are; `descriptions` as of `logs::sensorDescriptions`. Without it the first `add`
  /// finds their channels.
  void describe(const SimulationView& view, Value descriptions);
  /// Drops everything after a tick: the simulation has gone back.
  void cutAfter(std::int64_t tick);
  /// Sets what pages should know besides; sent when it has changed.
  void setStatus(message::Status status);
  /// Sets what can be commanded, as `jsonOf` has it; sent when it has changed.
  void setControllers(std::string json);
  /// Tells all pages of something that could not be done.
  void addProblem(std::string text);
  /// The last sample's tick that is not after `time`, or the first there is.
  std::int64_t tickAt(double time) const;

  /// In the order of their numbers.
  std::vector<message::Channel> channels() const;
  /// Returns the sensors as `logs::sensorDescriptions` does. The i-th camera's newest image comes as a PNG in records
  /// of the channel `kFirstImage` + i.
  Value sensors() const;
  static constexpr std::size_t kBatch = 50;  ///< Samples that are packed together.
  void join(int page);
  void leave(int page);
  /// Messages of the channels since the last call for this page, in packets of records (`server_messages.h`). Or a
  /// text.
  std::optional<ViewPacket> next(int page);

 private:
  struct SensorChannel {
    std::size_t robot, sensor;
    std::string topic;
    std::vector<std::string> columns;
  };
  /// The last image of a camera.
  struct Image {
    std::size_t robot, sensor;
    CameraModel camera;
    std::int64_t tick = -1;
    double time = 0;  ///< s
    std::vector<double> values;
  };
  struct Page {
    std::vector<std::int64_t> images;  ///< Ticks of those that it has.
    std::int64_t next = 0;             ///< Number of the sample that comes next.
    std::int64_t cut = -1;             ///< Tick that it must be told of; -1: none.
    std::int64_t status = 0;           ///< Version of the status that it knows.
    std::int64_t controllers = 0;      ///< Version of what can be commanded that it knows.
    std::int64_t problem = 0;          ///< Number of the problem that comes next.
  };
  using PackedPtr = std::shared_ptr<const PackedSamples>;

  std::optional<ViewPacket> news(Page& page) const;
  std::int64_t endOfProblems() const { return firstProblem_ + static_cast<std::int64_t>(problems_.size()); }
  void takeImages(const SimulationView& view);
  void packOldest();
  void dropOldest();
  /// Number of the first sample that is not packed.
  std::int64_t firstUnpacked() const;
  std::string packet(const std::vector<LiveSamplePtr>& samples,
                     const std::vector<std::pair<std::uint32_t, Image>>& images) const;

  const World& world_;
  std::size_t maxBytes_;
  mutable std::mutex mutex_;
  std::deque<PackedPtr> packed_;       ///< The older ones, `kBatch` each.
  std::deque<LiveSamplePtr> samples_;  ///< The newest ones.
  std::int64_t first_ = 0;             ///< Number of the first sample.
  std::size_t bytes_ = 0;
  bool sensorsFound_ = false;
  std::vector<SensorChannel> sensors_;
  std::vector<Image> images_;
  Value descriptions_ = Value::list();
  message::Status status_;
  std::int64_t statusVersion_ = 0;
  std::string controllers_;  ///< As JSON.
  std::int64_t controllersVersion_ = 0;
  std::deque<std::string> problems_;  ///< The newest ones.
  std::int64_t firstProblem_ = 0;     ///< Number of the first of them.
  std::map<int, Page> pages_;
};

}  // namespace mortise::viewer
