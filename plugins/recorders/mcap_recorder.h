#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/appearance/glb.h"
#include "mortise/component/recorder.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/writer.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise::recorders {

struct McapSettings {
  PlacedText file = {"log.mcap"};
  int block = 50;
  double snapshotPeriod = 5;
  bool foxglove = true;
  double foxgloveRate = 60;
  double arrowScale = 0.002;
  bool images = true;
  std::string compression = "zstd";
  Value run;  ///< {origin, sensors}, as logs have them; null: unknown.
  void bind(SettingBinder& b);
};

/// An MCAP file that holds everything needed to look at a run again: the world, its motion, contacts, sensors, drivers'
/// torques, images, states to go on from, and the same in Foxglove's messages.
class McapRecorder final : public Recorder {
 public:
  explicit McapRecorder(const ComponentContext& context) : host_(context.host), settings_(context.settings) {}
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;
  double snapshotPeriod() const override { return settings_->snapshotPeriod; }
  void writeSnapshot(const SimulationView& view, std::span<const std::byte> state) override;
  void note(double time, LogLevel level, const std::string& text) override;
  void finish(const Value& ending) override;

 private:
  /// A channel of numbers, whose samples are written in blocks.
  struct SeriesChannel {
    std::uint16_t id = 0;
    logs::SeriesBlock block;
    std::uint32_t written = 0;
  };
  /// A channel of messages of Foxglove's.
  struct MessageChannel {
    std::uint16_t id = 0;
    std::uint32_t written = 0;
  };
  struct SensorChannel {
    std::size_t robot, sensor;
    SeriesChannel series;
  };
  struct Camera {
    std::size_t robot, sensor;
    std::string frame;
    MessageChannel image, calibration;
    std::vector<double> last;
  };
  /// A laser whose beams lie in a plane.
  struct Laser {
    std::size_t robot, sensor;
    std::string frame;
    ScanModel model;
    MessageChannel scan;
  };

  std::uint16_t schema(const std::string& name);
  SeriesChannel seriesChannel(const std::string& topic, const std::vector<std::string>& columns);
  MessageChannel messageChannel(const std::string& topic, const std::string& type);
  void send(MessageChannel& channel, double time, const std::string& message);
  void send(SeriesChannel& channel);
  void attachWorld(const World& world);
  void start(const SimulationView& view);
  void addLaser(std::size_t robot, std::size_t sensor, const std::string& name);
  void writeState(const SimulationView& view);
  void writeContacts(const SimulationView& view);
  void writeSensors(const SimulationView& view);
  void writeTransforms(const SimulationView& view);
  void writeJointStates(const SimulationView& view);
  void writeLasers(const SimulationView& view);
  void writeImages(const SimulationView& view);
  void flushSeries();

  Host& host_;
  Settings<McapSettings> settings_;
  const World* world_ = nullptr;
  std::string directory_;
  std::unique_ptr<mcap::Writer> writer_;
  bool started_ = false;
  double nextFrame_ = 0, lastTime_ = 0;  ///< s
  double kept_ = 0;                      ///< Time up to which the file has everything, s.
  std::vector<std::string> frames_, jointNames_;
  std::vector<std::pair<std::string, std::uint16_t>> schemas_;
  SeriesChannel state_, contacts_, torques_, commands_;
  std::vector<SensorChannel> sensors_;
  std::vector<Camera> cameras_;
  std::vector<Laser> lasers_;
  MessageChannel transforms_, joints_, scene_, arrows_, log_;
  std::vector<GlbNode> nodes_;  ///< What is drawn of the world, until it is sent.
  std::string message_;
};

}  // namespace mortise::recorders
