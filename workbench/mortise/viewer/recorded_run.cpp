#include "mortise/viewer/recorded_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/json/json_reader.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_states.h"
#include "mortise/mcap/reader.h"
#include "mortise/pipeline/simulate/run_origin.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

/// Returns how the simulation was made; empty: the log does not say, or is of several runs.
std::string originText(mcap::Reader& reader) {
  std::string text;
  for (const mcap::MetadataIndex& index : reader.metadata()) {
    if (index.name != "mortise.origin") continue;
    for (const auto& [key, value] : reader.metadata(index).entries) {
      if (key != "run") continue;
      if (!text.empty() && text != value) return {};
      text = value;
    }
  }
  return text;
}

std::vector<PastState> statesOf(mcap::Reader& reader) {
  std::vector<PastState> states;
  for (const mcap::AttachmentIndex& index : reader.attachments())
    if (const std::int64_t tick = logs::tickOfState(index.name); tick >= 0)
      states.push_back({tick, logs::attachmentContent(reader.attachment(index))});
  std::stable_sort(states.begin(), states.end(),
                   [](const PastState& a, const PastState& b) { return a.tick < b.tick; });
  return states;
}

/// Returns what people commanded while the run was recorded.
std::vector<TimedCommand> commandsGiven(mcap::Reader& reader, double from, const World& world) {
  Value list = Value::list();
  for (const mcap::MetadataIndex& index : reader.metadata()) {
    if (index.name != "mortise.run") continue;
    for (const auto& [key, value] : reader.metadata(index).entries)
      if (key == "commands") list = JsonReader(value).value();
  }
  for (Value& item : list.items()) item.set("at", std::max(0.0, item.real("at", 0) - from));
  Diagnostics diagnostics;
  std::vector<TimedCommand> commands = timedCommandsFrom(list, world, diagnostics);
  diagnostics.throwIfErrors();
  return commands;
}

}  // namespace

std::string reasonNotToResume(const std::string& logPath) {
  mcap::Reader reader(logPath);
  if (originText(reader).empty()) return "the log does not say how its simulation was made";
  for (const mcap::AttachmentIndex& index : reader.attachments())
    if (logs::tickOfState(index.name) >= 0) return {};
  return "the log holds no saved states";
}

RecordedRun::RecordedRun(const std::string& logPath, std::int64_t tick, Registry& registry, FormatLoader& loader,
                         LogSink& log, LiveRunOptions options)
    : commands_(std::vector<TimedCommand>()) {
  mcap::Reader reader(logPath);
  const std::string text = originText(reader);
  if (text.empty())
    throw Error("the log does not say how its simulation was made", inFile(logPath),
                "record the run again, or continue from a state: `mortise log export` and `mortise sim --state`");
  JsonReader json(text);
  const Value value = json.value();
  Diagnostics diagnostics;
  try {
    world_ = assembleWorld(loader, originFiles(value), diagnostics);
    diagnostics.throwIfErrors();
  } catch (const Error& error) {
    throw Error("the world of the log cannot be made again: " + std::string(error.what()), inFile(logPath),
                "its files are looked for from the folder where the run was started");
  }
  RunOrigin origin = runOriginFrom(value, world_, logPath);
  origin.options.stopRequested = options.stopRequested;
  simulation_ = std::make_unique<Simulation>(world_, registry, &loader, log, origin.options);
  stopRequested_ = options.stopRequested;
  live_ = std::make_unique<LiveRun>(world_, log, std::move(options));
  live_->beginFrom(*simulation_, statesOf(reader), tick);
  for (TimedCommand& command : commandsGiven(reader, origin.commandsFrom, world_))
    origin.commands.push_back(std::move(command));
  sortByTime(origin.commands);
  commands_ = CommandSchedule(std::move(origin.commands), origin.commandsFrom);
  commands_.skipTo(*simulation_);
}

RecordedRun::~RecordedRun() = default;

bool RecordedRun::keepGoing() { return !(stopRequested_ && stopRequested_()) && commands_.run(*simulation_); }

StepStatus RecordedRun::advanceTo(double time) {
  return live_->advance(*simulation_, commands_, time - simulation_->time(), [&] { return keepGoing(); });
}

void RecordedRun::resume() {
  constexpr double kForever = 1e9;  // s
  live_->advance(*simulation_, commands_, kForever, [&] { return keepGoing(); });
  live_->serveAfterEnd(*simulation_, [&] { return !(stopRequested_ && stopRequested_()); });
}

std::string RecordedSession::join(int page) {
  const std::lock_guard lock(mutex_);
  pages_[page] = version_;
  message::Hello hello;
  hello.canGoOn = true;
  return jsonOf(std::move(hello));
}

std::string RecordedSession::answer(int, const PageMessage& message) {
  const auto* request = std::get_if<message::LiveRequest>(&message);
  const auto* go = request != nullptr ? std::get_if<message::Go>(request) : nullptr;
  if (go == nullptr) throw Error("a log takes no '" + typeOf(message) + "'", {}, "it can 'go' on, nothing else");
  if (!go->tick) throw Error("'tick' of a message 'go' is missing: expected an integer");
  const std::lock_guard lock(mutex_);
  wanted_ = go->tick;
  news_.notify_one();
  return "";
}

std::optional<ViewPacket> RecordedSession::next(int page) {
  const std::lock_guard lock(mutex_);
  if (pages_[page] == version_) return std::nullopt;
  pages_[page] = version_;
  return ViewPacket{true, jsonOf(message::Problem{problem_, {}})};
}

void RecordedSession::leave(int page) {
  const std::lock_guard lock(mutex_);
  pages_.erase(page);
}

std::optional<std::int64_t> RecordedSession::wait(int milliseconds) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return wanted_.has_value(); });
  return std::exchange(wanted_, std::nullopt);
}

void RecordedSession::setProblem(std::string text) {
  const std::lock_guard lock(mutex_);
  problem_ = std::move(text);
  ++version_;
}

}  // namespace mortise::viewer
