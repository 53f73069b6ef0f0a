#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "mortise/component/recorder.h"

namespace mortise {

/// A text file that is written line by line; every failure to write is an `Error` with the system's reason.
class CsvFile {
 public:
  explicit CsvFile(std::string path);
  void cell(std::string_view text);
  void cell(double value);
  void endRow();
  void close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void flush();

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string buffer_;
  bool rowStarted_ = false;
};

/// Klamp't's SimLogger columns. One file holds the state of robots, objects and sensors, a row a recorded tick; a
/// second one holds contacts, a row for each pair of ids in contact.
class CsvRecorder final : public Recorder {
 public:
  explicit CsvRecorder(const ComponentContext& context);
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

 private:
  bool select(const std::string& name);
  void writeHeader(const SimulationView& view);
  void writeRobots(const SimulationView& view);
  void writeObjects(const SimulationView& view);
  void writeContacts(const SimulationView& view);

  std::string stateName_, contactName_;
  const World* world_ = nullptr;
  std::vector<bool> robots_, objects_;  ///< Which of them are recorded, by index.
  bool anyRobot_ = false, anyObject_ = false, sensors_ = false;
  bool headerWritten_ = false;
  std::unique_ptr<CsvFile> state_, contacts_;
  VectorXd qCommand_, dqCommand_;
};

}  // namespace mortise
