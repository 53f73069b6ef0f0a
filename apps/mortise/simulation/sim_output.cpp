#include "simulation/sim_output.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/component/role.h"
#include "mortise/logs/log_file.h"
#include "mortise/pipeline/record/run_summary.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/settings/permissions.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

/// The recorder for a log file; throws `UsageError` where its extension has none.
const ComponentInfo& recorderFor(const Registry& registry, const std::string& file) {
  if (const ComponentInfo* recorder = logs::recorderOfFile(registry, file)) return *recorder;
  throw UsageError("'" + file +
                   "': logs are written as .csv (which spreadsheets read), .jsonl (JSON lines) or .path, not "
                   "as " +
                   std::filesystem::path(file).extension().string());
}

void addLog(Registry& registry, ComponentHost& host, Simulation& simulation, const std::string& file,
            const char* csvSetting, std::vector<std::string> what, int interval, const Value& run = {}) {
  const bool path = logs::recordsOneRobot(recorderFor(registry, file));
  if (path && what.front() != "robots") throw UsageError("'" + file + "': a path holds motions, nothing else");
  if (path && what.size() > 3)
    throw UsageError("'" + file + "': a path holds motions, but --log-sensor '" + what.back() + "' is given");
  if (path) what = {"robots"};
  logs::addLogFile(registry, host, simulation, file, {std::move(what), interval, csvSetting, run});
}

/// Each by its name alone, or as robot/name.
void requireSensors(Simulation& simulation, const std::vector<std::string>& wanted) {
  std::vector<std::string> names, known;
  const std::vector<WorldRobot>& robots = simulation.world().robots;
  for (std::size_t r = 0; r < robots.size(); ++r) {
    for (const SensorReading& sensor : simulation.sensorReadings(static_cast<int>(r))) {
      const std::string full = robots[r].name + "/" + std::string(sensor.name);
      names.push_back(robots.size() == 1 ? std::string(sensor.name) : full);
      known.emplace_back(sensor.name);
      known.push_back(full);
    }
  }
  for (const std::string& name : wanted) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = didYouMean(name, known);
    throw Error("--log-sensor '" + name + "': no robot has a sensor of this name", {},
                names.empty() ? "there are no sensors" : (near.empty() ? "" : near + " ") + listNames(names));
  }
}

void addImages(const CommandLine& line, Registry& registry, ComponentHost& host, Simulation& simulation) {
  if (!line.has("images")) {
    for (const char* option : {"image-outputs", "image-rate"})
      if (line.has(option)) throw UsageError("--" + std::string(option) + " goes with --images DIR");
    return;
  }
  const std::string folder = line.text("images");
  const ComponentInfo& info = registry.requireRole(role::kImageRecorder);
  Value settings = Value::map();
  settings.set("folder", folder.find('/') == std::string::npos ? "./" + folder : folder);
  if (line.has("image-outputs")) {
    Value outputs(line.text("image-outputs"));
    outputs.setPosition(onCommandLine("--image-outputs"));
    settings.set("outputs", std::move(outputs));
  }
  int interval = 1;
  if (line.has("image-rate")) {
    const double rate = line.quantity("image-rate", "Hz", 0);
    if (!(rate > 0)) throw UsageError("--image-rate takes a rate above 0, not '" + line.text("image-rate") + "'");
    interval = recordingInterval(rate, simulation.timeStep(), simulation.componentLog());
  }
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  recorder->open({simulation.world(), "", "", {"sensors"}});
  simulation.addRecorder(std::move(recorder), interval);
}

std::string bodyLines(const Value& summary) {
  std::ostringstream out;
  for (const Value& object : summary.at("objects").items()) {
    const std::vector<double> T = object.at("T").asReals();
    out << "  object " << std::setw(4) << object.integer("id", 0) << "  " << std::left << std::setw(20)
        << object.string("name", "") << std::right << std::fixed << std::setprecision(4);
    for (int i = 9; i < 12; ++i) out << std::setw(11) << T[i];
    out << std::defaultfloat << "\n";
  }
  return out.str();
}

}  // namespace

void checkOutputs(const CommandLine& line, const SimulationJob& job, FormatLoader& loader) {
  namespace fs = std::filesystem;
  std::vector<std::pair<std::string, fs::path>> taken;
  const auto use = [&](const char* option, const std::string& file, bool output) {
    if (file.empty()) return;
    std::error_code code;
    const fs::file_status status = fs::status(file, code);
    if (fs::exists(status) && !fs::is_regular_file(status)) return;  // A terminal or a pipe takes several.
    const fs::path path = fs::weakly_canonical(fs::absolute(file), code);
    for (const auto& [other, otherPath] : taken)
      if (output && path == otherPath)
        throw UsageError("--" + std::string(option) + " and " + other + " name the same file, '" + file + "'");
    taken.emplace_back(output ? "--" + std::string(option) : option, path);
  };
  // A world or a state may be replaced by its continuation, but not by anything else.
  use("save-world", job.saveWorld, true);
  use("save-scene", job.saveScene, true);
  use("save-state", job.saveState, true);
  for (const std::string& file : line.positionals()) use("the world", file, false);
  use("--state", job.state, false);
  for (const char* option : {"log", "mcap", "contact-log", "wrench-log"}) use(option, line.text(option), true);
  for (const std::string& file : {job.saveState, job.saveWorld, job.saveScene})
    if (!file.empty()) requireWritable(file);
  if (!job.saveWorld.empty()) requireWorldFormat(loader, job.saveWorld);
}

void addLogs(const CommandLine& line, Registry& registry, ComponentHost& host, Simulation& simulation,
             const Value& run) {
  int interval = 1;
  if (line.has("log-rate")) {
    const double rate = line.quantity("log-rate", "Hz", 0);
    if (!(rate > 0)) throw UsageError("--log-rate takes a rate above 0, not '" + line.text("log-rate") + "'");
    interval = recordingInterval(rate, simulation.timeStep(), simulation.componentLog());
  }
  if (line.has("log-sensor") && !line.has("log")) throw UsageError("--log-sensor goes with --log FILE");
  if (line.has("log")) {
    std::vector<std::string> what = {"robots", "objects", "sensors"};
    requireSensors(simulation, line.texts("log-sensor"));
    for (const std::string& sensor : line.texts("log-sensor")) what.push_back(sensor);
    addLog(registry, host, simulation, line.text("log"), "file", std::move(what), interval, run);
  }
  if (line.has("mcap")) {
    const std::string& file = line.text("mcap");
    if (!logs::isMcapFile(file)) throw UsageError("--mcap writes a file whose name ends in .mcap, not '" + file + "'");
    // Viewers need no more than 100 states a second.
    const int usual = std::max(1, static_cast<int>(std::lround(0.01 / simulation.timeStep())));
    addLog(registry, host, simulation, file, "file", {"robots", "objects", "contacts", "sensors"},
           line.has("log-rate") ? interval : usual, run);
  }
  if (line.has("contact-log"))
    addLog(registry, host, simulation, line.text("contact-log"), "contactFile", {"contacts"}, interval);
  if (line.has("wrench-log"))
    addLog(registry, host, simulation, line.text("wrench-log"), "wrenchFile", {"wrenches"}, interval);
  addImages(line, registry, host, simulation);
}

Value logFiles(const CommandLine& line) {
  std::vector<std::string> files;
  for (const char* option : {"log", "mcap", "contact-log", "wrench-log", "images"})
    if (line.has(option)) files.push_back(line.text(option));
  return writtenFiles(files, "");
}

std::string summaryText(const Value& summary) {
  std::ostringstream out;
  out << std::setprecision(6);
  out << summary.string("backend", "") << ", contacts by " << summary.string("contact_source", "") << ": "
      << summary.real("time", 0) - summary.real("start_time", 0) << " s";
  if (summary.contains("start_time")) out << " from t = " << summary.real("start_time", 0);
  out << " in " << summary.real("wall_s", 0) << " s, " << std::setprecision(3) << summary.real("realtime_factor", 0)
      << " times real time by processor time\n  status      ";
  const char* separator = " ";
  for (const Value::Entry& entry : summary.at("status_counts").entries()) {
    if (entry.value.asInteger() == 0) continue;
    out << separator << entry.key << " " << entry.value.asInteger();
    separator = ", ";
  }
  if (const Value* unstable = summary.find("unstable"))
    for (const Value& body : unstable->items())
      out << "\n  unstable     '" << body.string("body", "") << "' gained " << body.real("energy", 0) << " J in "
          << body.integer("steps", 0) << (body.integer("steps", 0) == 1 ? " step" : " steps")
          << ", the first to t = " << body.real("first_time", 0) << " s"
          << (body.at("largest").contains("cause") ? ": " + body.at("largest").string("cause", "") : "");
  if (const Value* bounds = summary.find("bounds_hit")) {
    out << "\n  bounds hit  ";
    separator = " ";
    for (const Value::Entry& entry : bounds->entries()) {
      out << separator << entry.key << " in " << entry.value.asInteger()
          << (entry.value.asInteger() == 1 ? " step" : " steps");
      separator = ", ";
    }
  }
  out << "\n  contacts     " << summary.integer("contacts", 0) << " at the end, at most "
      << summary.integer("max_contacts", 0) << std::setprecision(5) << "\n  energy       kinetic "
      << summary.findPath("energy.end.kinetic")->asReal() << " J, potential "
      << summary.findPath("energy.end.potential")->asReal() << " J; at the start "
      << summary.findPath("energy.start.total")->asReal() << " J together\n";
  if (const Value* settled = summary.find("settled"))
    out << "  settled      "
        << (settled->boolean("rests", false) ? "everything rests after " : "something still moves after ")
        << settled->real("time", 0) << " s\n";
  out << eventText(summary) << bodyLines(summary) << robotEndingText(summary) << "  state hash   "
      << summary.string("state_hash", "") << "\n"
      << writtenFilesText(summary);
  if (const Value* saved = summary.find("saved")) {
    out << "  saved       ";
    for (const std::string& file : saved->asStrings()) out << " " << file;
    out << "\n";
  }
  return out.str();
}

}  // namespace mortise::app
