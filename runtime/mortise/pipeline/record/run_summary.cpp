#include "mortise/pipeline/record/run_summary.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "mortise/base/value_text.h"
#include "mortise/simulation/context/simulation_record.h"
#include "mortise/simulation/editing/world_edit.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

bool movesStraight(const Robot& robot, int driver) {
  const std::vector<int>& links = robot.driver(driver).links;
  return !links.empty() && robot.link(links.front()).motion == LinkMotion::prismatic;
}

void addRobotEnding(Value& entry, const WorldRobot& placed, const VectorXd& q) {
  const Robot& robot = *placed.robot;
  std::vector<std::string> names;
  std::vector<double> values;
  for (int i = 0; i < robot.numDrivers(); ++i) {
    names.push_back(robot.driver(i).name);
    values.push_back(driverValue(robot, i, q));
  }
  entry.set("drivers", names);
  entry.set("values", values);
  const int base = robot.floatingBaseLink();
  if (base < 0) return;
  RobotState state(robot);
  state.q = q;
  updateFrames(robot, state);
  const Vector3d& p = state.X_WL[static_cast<std::size_t>(base)].p;
  Value place = Value::map();
  place.set("link", robot.link(base).name);
  place.set("position", std::vector<double>{p.x(), p.y(), p.z()});
  entry.set("base", std::move(place));
}

void addRecord(Value& entry, const Robot& robot, const RobotRecord& record) {
  if (record.trackingDriver >= 0 && record.updates > 1) {
    Value tracking = Value::map();
    tracking.set("driver", robot.driver(record.trackingDriver).name);
    tracking.set("error", record.trackingError);
    tracking.set("unit", movesStraight(robot, record.trackingDriver) ? "m" : "rad");
    tracking.set("time", record.trackingTime);
    entry.set("tracking_error", std::move(tracking));
  }
  double fraction = 0;
  const int worst = worstDriver(robot, record, fraction);
  if (worst < 0) return;
  const RobotRecord::Peak& peak = record.peaks[static_cast<std::size_t>(worst)];
  Value torque = Value::map();
  torque.set("driver", robot.driver(worst).name);
  torque.set("torque", peak.torque);
  torque.set("unit", movesStraight(robot, worst) ? "N" : "N m");
  if (fraction > 0) torque.set("limit", peak.torque / fraction);
  torque.set("time", peak.time);
  entry.set("peak_torque", std::move(torque));
}

/// Lines of a file as '\n' ends them; -1 where it cannot be read.
std::int64_t linesOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return -1;
  std::vector<char> buffer(1 << 16);
  std::int64_t lines = 0;
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
    lines += std::count(buffer.begin(), buffer.begin() + in.gcount(), '\n');
  return lines;
}

/// In one line, as it would be written after a command.
std::string wordsOf(const Value& value) {
  if (value.isNull()) return {};
  if (value.isScalar()) return value.text();
  std::string text;
  if (value.isMap())
    for (const Value::Entry& entry : value.entries())
      text += (text.empty() ? "" : ", ") + entry.key + ": " +
              (entry.value.isList() ? "[" + wordsOf(entry.value) + "]" : wordsOf(entry.value));
  else
    for (const Value& item : value.items())
      text += (text.empty() ? "" : " ") + (item.isScalar() ? wordsOf(item) : "[" + wordsOf(item) + "]");
  return value.isMap() ? "{" + text + "}" : text;
}

std::string stepsText(const Value& entry) {
  const std::int64_t steps = entry.integer("steps", -1);
  if (steps < 0) return {};
  const std::int64_t replaced = entry.integer("replaced_steps", 0);
  return ", in " + std::to_string(steps) + (steps == 1 ? " step" : " steps") +
         (replaced > 0 ? ", " + std::to_string(replaced) + " replaced" : "");
}

/// Says what acted on a body, in the words of its entry.
std::string bodyActionText(const Value& entry) {
  std::string text = entry.at("body").text() + ":";
  for (const Value::Entry& each : entry.entries()) {
    const bool other = each.key == "body" || each.key == "time" || each.key == "steps" || each.key == "from" ||
                       each.key == "to" || each.key == "robot" || each.key == "replaced_steps" ||
                       each.key == "replaced_by";
    if (!other)
      text += " " + each.key + " " + (each.value.isList() ? "[" + wordsOf(each.value) + "]" : each.value.text());
  }
  return text + stepsText(entry);
}

std::string commandText(const Value& entry) {
  if (const Value* edit = entry.find("edit")) return worldEditFrom(*edit).text();
  if (entry.contains("body")) return bodyActionText(entry);
  std::string text = entry.contains("sensor") ? entry.string("sensor", "") + "." : std::string();
  for (const char* key : {"enabled", "rate"})
    if (const Value* value = entry.find(key)) return text + key + " = " + wordsOf(*value);
  if (entry.contains("setting")) return text + entry.string("setting", "") + " = " + wordsOf(entry.at("value"));
  const std::string arguments = wordsOf(entry.at("arguments"));
  return entry.string("command", "") + (arguments.empty() ? "" : " " + arguments);
}

/// Three digits; rounding is nothing.
std::string noted(double value) { return std::abs(value) < 1e-12 ? "0" : significant(value, 3); }

std::string shortLine(const std::string& text) {
  constexpr std::size_t kWidth = 72;
  return text.size() <= kWidth ? text : text.substr(0, kWidth - 4) + " ...";
}

}  // namespace

void addEndings(Value& result, const Simulation& simulation) {
  const World& world = simulation.world();
  const SimulationRecord* record = simulation.record();
  Value robots = Value::list();
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    Value entry = result.at("robots")[r];
    addRobotEnding(entry, world.robots[r], simulation.configuration(static_cast<int>(r)));
    if (record != nullptr) addRecord(entry, *world.robots[r].robot, record->robots()[r]);
    robots.push_back(std::move(entry));
  }
  result.set("robots", std::move(robots));
  if (record == nullptr || record->changes().empty()) return;
  Value transitions = Value::list();
  for (const StateChange& change : record->changes()) {
    Value entry = Value::map();
    entry.set("time", change.time);
    entry.set("robot", world.robots[static_cast<std::size_t>(change.robot)].name);
    if (!change.controller.empty()) entry.set("controller", change.controller);
    entry.set("from", change.from);
    entry.set("to", change.to);
    transitions.push_back(std::move(entry));
  }
  result.set("transitions", std::move(transitions));
}

Value writtenFiles(const std::vector<std::string>& files, const std::string& folder) {
  namespace fs = std::filesystem;
  Value list = Value::list();
  for (const std::string& file : files) {
    const std::string path = folder.empty() ? file : folder + "/" + file;
    Value entry = Value::map();
    entry.set("file", file);
    std::error_code code;
    const std::string extension = fs::path(file).extension().string();
    if (fs::is_directory(path, code)) {
      std::int64_t count = 0;
      for (fs::recursive_directory_iterator it(path, code), end; !code && it != end; it.increment(code))
        count += it->is_regular_file(code) ? 1 : 0;
      entry.set("files", count);
    } else if (fs::is_regular_file(path, code) && extension != ".png" && extension != ".pcd" && extension != ".mcap" &&
               extension != ".bag") {
      const bool titled = extension != ".jsonl" && extension != ".ndjson" && extension != ".json" &&
                          extension != ".path" && extension != ".log";
      if (const std::int64_t lines = linesOf(path); lines >= 0)
        entry.set("rows", std::max<std::int64_t>(lines - (titled ? 1 : 0), 0));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string robotEndingText(const Value& result) {
  constexpr std::size_t kShown = 8;
  std::ostringstream out;
  for (const Value& robot : result.at("robots").items()) {
    out << "  robot  " << std::setw(4) << robot.integer("id", 0) << "  " << robot.string("name", "") << ", "
        << robot.at("q").size() << " links";
    if (const Value* base = robot.find("base")) {
      const std::vector<double> p = base->at("position").asReals();
      out << ", base at (" << fixedPoint(p[0], 3) << ", " << fixedPoint(p[1], 3) << ", " << fixedPoint(p[2], 3)
          << ") m";
    }
    out << "\n";
    const std::string indent(15, ' ');
    if (const Value* names = robot.find("drivers"); names != nullptr && names->size() > 0) {
      const std::vector<double> values = robot.at("values").asReals();
      out << indent;
      for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i)
        out << (i > 0 ? ", " : "") << (*names)[i].asString() << " " << fixedPoint(values[i], 3);
      if (values.size() > kShown) out << ", and " << values.size() - kShown << " more";
      out << "\n";
    }
    if (const Value* tracking = robot.find("tracking_error"))
      out << indent << "largest tracking error " << noted(tracking->real("error", 0)) << " "
          << tracking->string("unit", "") << ", " << tracking->string("driver", "")
          << " at t = " << significant(tracking->real("time", 0), 4) << " s\n";
    if (const Value* torque = robot.find("peak_torque")) {
      out << indent << "peak torque " << noted(torque->real("torque", 0));
      if (torque->contains("limit")) out << " of " << significant(torque->real("limit", 0), 3);
      out << " " << torque->string("unit", "") << ", " << torque->string("driver", "")
          << " at t = " << significant(torque->real("time", 0), 4) << " s\n";
    }
  }
  return out.str();
}

std::string eventText(const Value& result) {
  constexpr std::size_t kListed = 12;
  const bool several = result.at("robots").size() > 1;
  struct Event {
    double time;
    std::string text;
  };
  std::vector<Event> events;
  const auto of = [&](const Value& entry) {
    return several && !entry.contains("body") ? entry.string("robot", "") + ": " : std::string();
  };
  std::string text;
  if (const Value* commands = result.find("commands")) {
    text += "  commands     " + std::to_string(commands->size()) + " carried out\n";
    for (const Value& entry : commands->items())
      events.push_back({entry.real("time", 0), shortLine(of(entry) + commandText(entry))});
  }
  if (const Value* transitions = result.find("transitions")) {
    text += "  transitions  " + std::to_string(transitions->size()) + "\n";
    for (const Value& entry : transitions->items())
      events.push_back({entry.real("time", 0),
                        of(entry) + (entry.contains("controller") ? entry.string("controller", "") + ": " : "") +
                            entry.string("from", "") + " to " + entry.string("to", "")});
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
  for (std::size_t i = 0; i < std::min(events.size(), kListed); ++i)
    text += std::string(15, ' ') + "t = " + significant(events[i].time, 6) + " s: " + events[i].text + "\n";
  if (events.size() > kListed)
    text += std::string(15, ' ') + "and " + std::to_string(events.size() - kListed) + " more\n";
  return text;
}

std::string writtenFilesText(const Value& result) {
  const Value* files = result.find("log_files");
  if (files == nullptr) return {};
  std::string text;
  for (const Value& entry : files->items()) {
    text += (text.empty() ? "  logs         " : std::string(15, ' ')) + entry.string("file", "");
    for (const char* what : {"rows", "files"})
      if (entry.contains(what)) text += ", " + std::to_string(entry.integer(what, 0)) + " " + what;
    text += "\n";
  }
  return text;
}

}  // namespace mortise
