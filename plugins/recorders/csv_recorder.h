#pragma once

#include <memory>
#include <string>

#include "log_file.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "recording.h"

namespace mortise::recorders {

struct CsvSettings {
  PlacedText file = {"state.csv"}, contactFile = {"contacts.csv"}, wrenchFile = {"wrenches.csv"};
  void bind(SettingBinder& b);
};

/// The columns of Klamp't's SimLogger and SimTest. One file holds the state of robots, objects and sensors, a row a
/// recorded tick; a second one contacts and a third one wrenches, a row for each pair of ids in contact.
class CsvRecorder final : public Recorder {
 public:
  explicit CsvRecorder(const ComponentContext& context) : host_(context.host), settings_(context.settings) {}
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

 private:
  void startRows(const SimulationView& view);
  void writeRobots(const SimulationView& view);
  void writeObjects(const SimulationView& view);
  void writeContacts(const SimulationView& view);
  void writeWrenches(const SimulationView& view);

  Host& host_;
  Settings<CsvSettings> settings_;
  const World* world_ = nullptr;
  Recording recording_;
  SensorSelection sensors_;
  bool headerWritten_ = false;
  std::unique_ptr<CsvFile> state_, contacts_, wrenches_;
  VectorXd qCommand_, dqCommand_;
};

}  // namespace mortise::recorders
