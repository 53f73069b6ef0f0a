#include "mortise/loading/recording.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr double kSameInstant = 1e-6;  // s

Trajectory loadedPath(FormatLoader& loader, const std::string& file, int maxSamples, Diagnostics& diagnostics) {
  auto path = loader.load<Trajectory>(file, {}, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  if (path.times.empty()) throw Error("'" + file + "' has no milestones");
  if (maxSamples > 0 && path.times.size() > static_cast<std::size_t>(maxSamples)) {
    path.times.resize(static_cast<std::size_t>(maxSamples));
    path.configurations.resize(static_cast<std::size_t>(maxSamples));
  }
  return path;
}

bool sameTimes(const Trajectory& a, const Trajectory& b) {
  if (a.times.size() != b.times.size()) return false;
  for (std::size_t i = 0; i < a.times.size(); ++i)
    if (std::abs(a.times[i] - b.times[i]) > kSameInstant) return false;
  return true;
}

/// Configuration and velocity of a path at a time; it rests before its start and after its end.
void sampleAt(const Trajectory& path, double t, VectorXd& q, VectorXd& dq) {
  const auto after = std::upper_bound(path.times.begin(), path.times.end(), t + 1e-12);
  const auto k = static_cast<std::size_t>(after - path.times.begin());
  dq = VectorXd::Zero(path.configurations[0].size());
  if (k == 0) {
    q = path.configurations.front();
  } else if (k == path.times.size()) {
    q = path.configurations.back();
  } else {
    const double span = path.times[k] - path.times[k - 1];
    const VectorXd change = path.configurations[k] - path.configurations[k - 1];
    q = path.configurations[k - 1] + change * ((t - path.times[k - 1]) / span);
    dq = change / span;
  }
}

/// Returns the texts between commas, quotes taken off.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      list.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      list.emplace_back();
    else if (line[i] != '\r')
      list.back() += line[i];
  }
  return list;
}

/// Columns of a log that hold one quantity of all links.
class Columns {
 public:
  Columns(const std::vector<std::string>& header, const Robot& robot, const std::string& file)
      : header_(header), robot_(robot), file_(file) {}

  /// The name before "_q[LINK]" of the robot; throws `Error` where none or several fit.
  std::string robotName(const std::string& wanted) const {
    std::vector<std::string> names;
    const std::string end = "_q[" + robot_.link(0).name + "]";
    for (const std::string& name : header_)
      if (name.ends_with(end)) names.push_back(name.substr(0, name.size() - end.size()));
    if (!wanted.empty()) {
      if (std::find(names.begin(), names.end(), wanted) != names.end()) return wanted;
      throw Error("the log has no robot '" + wanted + "' with a link '" + robot_.link(0).name + "'", {file_, 1, 1, {}},
                  didYouMean(wanted, names));
    }
    if (names.size() == 1) return names[0];
    throw Error(names.empty() ? "the log has no column ..." + end + ": it is of another robot, or none"
                              : "the log has several robots with a link '" + robot_.link(0).name + "'",
                {file_, 1, 1, {}}, names.empty() ? "logs are written by `mortise sim --log run.csv`" : nameList(names));
  }

  /// One index a link; nothing where the first one is missing. Throws `Error` where another one is.
  std::optional<std::vector<std::size_t>> of(const std::string& robot, const std::string& quantity) const {
    std::vector<std::size_t> indices;
    for (const Link& link : robot_.links()) {
      const std::string name = robot + "_" + quantity + "[" + link.name + "]";
      const auto at = std::find(header_.begin(), header_.end(), name);
      if (at == header_.end()) {
        if (indices.empty()) return std::nullopt;
        throw Error("the log has no column '" + name + "'", {file_, 1, 1, {}});
      }
      indices.push_back(static_cast<std::size_t>(at - header_.begin()));
    }
    return indices;
  }

  const std::string& file() const { return file_; }

 private:
  const std::vector<std::string>& header_;
  const Robot& robot_;
  const std::string& file_;
};

double numberIn(const std::vector<std::string>& row, std::size_t column, const std::string& file, int line) {
  if (column >= row.size())
    throw Error("this line has " + std::to_string(row.size()) + " columns, fewer than the first", {file, line, 1, {}});
  const std::string& text = row[column];
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw Error("'" + text + "' is no number", {file, line, 1, {}});
  return value;
}

VectorXd numbersIn(const std::vector<std::string>& row, const std::vector<std::size_t>& columns,
                   const std::string& file, int line) {
  VectorXd values(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    values[static_cast<Eigen::Index>(i)] = numberIn(row, columns[i], file, line);
  return values;
}

}  // namespace

void RecordingOptions::bind(SettingBinder& b) {
  b.add("command_rate", commandRate,
        "Commands are sampled from the path at this rate, such as 100Hz, and hold in between; by default, or 0, as "
        "recorded where both paths have the same times, otherwise they change evenly.",
        {.min = 0, .unit = "Hz"});
  b.add("max_samples", maxSamples, "Use at most so many samples of each file; 0: all.",
        {.min = 0, .aliases = {"maxMilestones"}});
  b.add("log_robot", robotName, "Whose columns of a log are meant, where it has several robots.");
}

RecordedMotion recordedPaths(FormatLoader& loader, const std::string& commanded, const std::string& sensed,
                             const RecordingOptions& options, Diagnostics& diagnostics) {
  const Trajectory asked = loadedPath(loader, commanded, options.maxSamples, diagnostics);
  const Trajectory came = loadedPath(loader, sensed, options.maxSamples, diagnostics);
  if (asked.configurations[0].size() != came.configurations[0].size())
    throw Error("'" + commanded + "' has " + std::to_string(asked.configurations[0].size()) +
                " numbers a milestone, and '" + sensed + "' " + std::to_string(came.configurations[0].size()));
  RecordedMotion motion;
  motion.times = came.times;
  motion.sensed = came.configurations;
  const bool paired = options.commandRate <= 0 && sameTimes(asked, came);
  motion.held = paired || options.commandRate > 0;
  VectorXd q, dq;
  for (std::size_t i = 0; i < came.times.size(); ++i) {
    double t = came.times[i];
    if (options.commandRate > 0)
      t = came.times[0] + std::floor((t - came.times[0]) * options.commandRate + kSameInstant) / options.commandRate;
    sampleAt(asked, t, q, dq);
    motion.commanded.push_back(paired ? asked.configurations[i] : q);
    // Klamp't's velocity of a command is what it changed by until then.
    if (paired && i > 0)
      dq = (asked.configurations[i] - asked.configurations[i - 1]) / (asked.times[i] - asked.times[i - 1]);
    motion.commandedRates.push_back(dq);
  }
  return motion;
}

RecordedMotion recordedLog(const std::string& file, const Robot& robot, const RecordingOptions& options) {
  std::istringstream text(readFile(file));
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> header = cells(line);
  const Columns columns(header, robot, file);
  if (header.empty() || header[0] != "time")
    throw Error("the first column of a log is time, not '" + (header.empty() ? std::string() : header[0]) + "'",
                {file, 1, 1, {}}, "logs are written by `mortise sim --log run.csv`");
  const std::string name = columns.robotName(options.robotName);
  const auto q = columns.of(name, "q"), commanded = columns.of(name, "qcmd");
  const auto dq = columns.of(name, "dq"), commandedRates = columns.of(name, "dqcmd");
  if (!commanded) throw Error("the log has no commanded positions (" + name + "_qcmd[...])", {file, 1, 1, {}});
  RecordedMotion motion;
  // A row has the state at its time and the command of the step that led there, which was in force from the row before.
  for (int number = 2; std::getline(text, line); ++number) {
    if (line.empty()) continue;
    if (options.maxSamples > 0 && motion.times.size() >= static_cast<std::size_t>(options.maxSamples)) break;
    const std::vector<std::string> row = cells(line);
    motion.times.push_back(numberIn(row, 0, file, number));
    motion.sensed.push_back(numbersIn(row, *q, file, number));
    motion.commanded.push_back(numbersIn(row, *commanded, file, number));
    if (dq) motion.sensedRates.push_back(numbersIn(row, *dq, file, number));
    if (commandedRates) motion.commandedRates.push_back(numbersIn(row, *commandedRates, file, number));
  }
  for (auto* list : {&motion.commanded, &motion.commandedRates})
    for (std::size_t i = 0; i + 1 < list->size(); ++i) (*list)[i] = (*list)[i + 1];
  return motion;
}

}  // namespace mortise
